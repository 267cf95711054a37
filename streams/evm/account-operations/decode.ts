/**
 * Events of contracts through which others send what an account ordered: ERC-4337 entry points
 * (v0.6 to v0.9 log alike) and 0x's ExchangeProxy with its meta-transactions. What an account's
 * operation did was logged before its end, and after the end of the operation before.
 */
import type { BatchBuilder } from "../../batch/builder.ts"
import { NONE } from "../../batch/id-table.ts"
import type { EventDecoder } from "../../venue.ts"
import { isAddressWord, isBoolWord, isZeroWord, type RawLog, word } from "../raw-log.ts"
import { rejection } from "../rejection.ts"

const begun = (log: RawLog, out: BatchBuilder): string | null => {
  if (log.topicCount !== 1) return rejection.topicCount
  if (log.dataLength !== 0) return rejection.dataLength
  out.columns.OperationsBegun.entryPoint.push(out.ids.account(log.account))
  out.end("OperationsBegun", log.logIndex)
  return null
}

const pushExecuted = (
  log: RawLog,
  out: BatchBuilder,
  account: number,
  paymaster: number,
  succeeded: number
): void => {
  const c = out.columns.OperationExecuted
  c.entryPoint.push(out.ids.account(log.account))
  c.account.push(account)
  c.paymaster.push(paymaster)
  c.succeeded.push(succeeded)
  out.end("OperationExecuted", log.logIndex)
}

/** The last event of an operation: its paymaster's own settling stands before it too. */
const userOperation = (log: RawLog, out: BatchBuilder): string | null => {
  const { topics, data } = log
  if (log.topicCount !== 4) return rejection.topicCount
  if (log.dataLength !== word(4)) return rejection.dataLength
  if (!isAddressWord(topics, word(2)) || !isAddressWord(topics, word(3))) return rejection.address
  if (!isBoolWord(data, word(1))) return rejection.bool
  const account = out.ids.addressWord(topics, word(2))
  const paymaster = isZeroWord(topics, word(3)) ? NONE : out.ids.addressWord(topics, word(3))
  pushExecuted(log, out, account, paymaster, data[word(1) + 31] as number)
  return null
}

const isSelectorWord = (bytes: Uint8Array, from: number): boolean => {
  for (let i = 4; i < 32; i++) if (bytes[from + i] !== 0) return false
  return true
}

/** Reverts where the call fails, so that what is logged succeeded. */
const metaTransaction = (log: RawLog, out: BatchBuilder): string | null => {
  const { topics, data } = log
  if (log.topicCount !== 2) return rejection.topicCount
  if (log.dataLength !== word(3)) return rejection.dataLength
  if (!isSelectorWord(topics, word(1))) return rejection.selector
  if (!isAddressWord(data, word(1)) || !isAddressWord(data, word(2))) return rejection.address
  pushExecuted(log, out, out.ids.addressWord(data, word(1)), NONE, 1)
  return null
}

/** Before an entry point executes: what stands above is validation, or not its own. */
export const operationsBegun: EventDecoder = {
  abi: "event BeforeExecution()",
  topic0: "0xbb47ee3e183a558b1a2ff0874b079f3fc5478b7454eacf2bfc5af2ff5878f972",
  decode: begun,
  emitterIsPool: false
}

/** What an operation's end looks like. */
export const operationEnds: ReadonlyArray<EventDecoder> = [
  {
    abi: "event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)",
    topic0: "0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f",
    decode: userOperation,
    emitterIsPool: false
  },
  {
    abi: "event MetaTransactionExecuted(bytes32 hash, bytes4 indexed selector, address signer, address sender)",
    topic0: "0x7f4fe3ff8ae440e1570c558da08440b26f89fb1c1f2910cd91ca6452955f121a",
    decode: metaTransaction,
    emitterIsPool: false
  }
]

/** Believed of the chain's own entry points only: anybody can log an account's name. */
export const operationEvents: ReadonlyArray<EventDecoder> = [operationsBegun, ...operationEnds]
