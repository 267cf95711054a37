/**
 * A transaction as `getBlock` tells it in `json`: the message, and in its `meta` what the machine
 * says of its run beside balances that are read before and after it, which the machine lacks.
 */
import {
  type Address,
  getCompiledTransactionMessageDecoder,
  type Transaction as SignedTransaction
} from "@solana/kit"
import { FailedTransactionMetadata, type LiteSVM, type TransactionMetadata } from "litesvm"
import { toBase58 } from "../../../src/domain/base58.ts"
import { TOKEN, TOKEN_2022 } from "./addresses.ts"
import { feeOf } from "./fee.ts"
import { type ErrorJson, errorJson } from "./svm-errors.ts"

interface InstructionJson {
  readonly programIdIndex: number
  readonly accounts: ReadonlyArray<number>
  readonly data: string
  readonly stackHeight: number
}

interface TokenBalanceJson {
  readonly accountIndex: number
  readonly mint: string
  readonly owner: string
  readonly programId: string
  readonly uiTokenAmount: {
    readonly amount: string
    readonly decimals: number
    readonly uiAmount: number | null
    readonly uiAmountString: string
  }
}

export interface TransactionJson {
  readonly version: "legacy" | 0
  readonly transaction: {
    readonly signatures: ReadonlyArray<string>
    readonly message: {
      readonly header: {
        readonly numRequiredSignatures: number
        readonly numReadonlySignedAccounts: number
        readonly numReadonlyUnsignedAccounts: number
      }
      readonly accountKeys: ReadonlyArray<string>
      readonly recentBlockhash: string
      readonly instructions: ReadonlyArray<InstructionJson>
      readonly addressTableLookups?: ReadonlyArray<never>
    }
  }
  readonly meta: {
    readonly err: ErrorJson | null
    readonly status: { readonly Ok: null } | { readonly Err: ErrorJson }
    readonly fee: number
    readonly preBalances: ReadonlyArray<number>
    readonly postBalances: ReadonlyArray<number>
    readonly preTokenBalances: ReadonlyArray<TokenBalanceJson>
    readonly postTokenBalances: ReadonlyArray<TokenBalanceJson>
    readonly innerInstructions: ReadonlyArray<{
      readonly index: number
      readonly instructions: ReadonlyArray<InstructionJson>
    }>
    readonly logMessages: ReadonlyArray<string>
    readonly loadedAddresses: { readonly readonly: []; readonly writable: [] }
    readonly rewards: []
    readonly computeUnitsConsumed: number
  }
}

/** Balances of a transaction's accounts at one moment. */
interface Balances {
  readonly lamports: ReadonlyArray<number>
  readonly tokens: ReadonlyArray<TokenBalanceJson>
}

const TOKEN_ACCOUNT_BYTES = 165
/** Of Token-2022, what stands behind those bytes where there are more: 1 for mints. */
const TOKEN_ACCOUNT_KIND = 2
const DECIMALS_AT = 44

const unitsText = (amount: bigint, decimals: number): string => {
  const text = amount.toString().padStart(decimals + 1, "0")
  const whole = text.slice(0, text.length - decimals)
  const rest = text.slice(text.length - decimals).replace(/0+$/, "")
  return rest === "" ? whole : `${whole}.${rest}`
}

const decimalsOf = (svm: LiteSVM, mint: Address): number => {
  const account = svm.getAccount(mint)
  return account.exists ? (account.data[DECIMALS_AT] ?? 0) : 0
}

const isTokenAccount = (data: Uint8Array): boolean =>
  data.length === TOKEN_ACCOUNT_BYTES || data[TOKEN_ACCOUNT_BYTES] === TOKEN_ACCOUNT_KIND

/** Reads what accounts hold now; those of tokens are the token programs' accounts. */
const balancesOf = (svm: LiteSVM, keys: ReadonlyArray<Address>): Balances => {
  const lamports: Array<number> = []
  const tokens: Array<TokenBalanceJson> = []
  for (const [accountIndex, key] of keys.entries()) {
    const account = svm.getAccount(key)
    lamports.push(account.exists ? Number(account.lamports) : 0)
    if (!account.exists || !isTokenAccount(account.data)) continue
    if (account.programAddress !== TOKEN && account.programAddress !== TOKEN_2022) continue
    const { data } = account
    const mint = toBase58(data, 0, 32) as Address
    const amount = new DataView(data.buffer, data.byteOffset).getBigUint64(64, true)
    const decimals = decimalsOf(svm, mint)
    const uiAmountString = unitsText(amount, decimals)
    const uiTokenAmount = {
      ...{ amount: String(amount), decimals, uiAmountString },
      uiAmount: amount === 0n ? null : Number(uiAmountString)
    }
    const owner = toBase58(data, 32, 64)
    tokens.push({ accountIndex, mint, owner, programId: account.programAddress, uiTokenAmount })
  }
  return { lamports, tokens }
}

const innerOf = (meta: TransactionMetadata) =>
  meta
    .innerInstructions()
    .map((list, index) => ({
      index,
      instructions: list.map(inner => {
        const instruction = inner.instruction()
        return {
          programIdIndex: instruction.programIdIndex(),
          accounts: [...instruction.accounts()],
          data: toBase58(instruction.data()),
          stackHeight: inner.stackHeight()
        }
      })
    }))
    .filter(({ instructions }) => instructions.length > 0)

const decoder = getCompiledTransactionMessageDecoder()

/** The message of a transaction as nodes tell it; null of versions that the machine refuses. */
const messageOf = (transaction: SignedTransaction) => {
  const message = decoder.decode(transaction.messageBytes)
  if (message.version !== "legacy" && message.version !== 0) return null
  const instructions = message.instructions.map(
    ({ programAddressIndex, accountIndices, data }) => ({
      programIdIndex: programAddressIndex,
      accounts: accountIndices ?? [],
      data: toBase58(new Uint8Array(data ?? [])),
      stackHeight: 1
    })
  )
  return {
    version: message.version,
    keys: message.staticAccounts,
    hasLookups: message.version === 0 && (message.addressTableLookups?.length ?? 0) > 0,
    json: {
      header: {
        numRequiredSignatures: message.header.numSignerAccounts,
        numReadonlySignedAccounts: message.header.numReadonlySignerAccounts,
        numReadonlyUnsignedAccounts: message.header.numReadonlyNonSignerAccounts
      },
      accountKeys: message.staticAccounts,
      recentBlockhash: message.lifetimeToken,
      instructions,
      ...(message.version === 0 ? { addressTableLookups: [] } : {})
    }
  }
}

export type Message = NonNullable<ReturnType<typeof messageOf>>

/** Returns the message of a transaction; a text says why it is none that can be run here. */
export const readMessage = (transaction: SignedTransaction): Message | string => {
  const message = messageOf(transaction)
  if (message === null) return "transactions of this version are not run by the simulated chain"
  return message.hasLookups ? "look-up tables are not read by the simulated chain" : message
}

/** Runs a transaction, and returns it as a block tells it; failed ones cost their fee. */
export const runTransaction = (
  svm: LiteSVM,
  transaction: SignedTransaction,
  message: Message
): TransactionJson => {
  const before = balancesOf(svm, message.keys)
  const result = svm.sendTransaction(transaction)
  const isFailed = result instanceof FailedTransactionMetadata
  const meta = isFailed ? result.meta() : result
  const after = balancesOf(svm, message.keys)
  const err = isFailed ? errorJson(result) : null
  return {
    version: message.version,
    transaction: {
      signatures: Object.values(transaction.signatures).map(one =>
        toBase58(one ?? new Uint8Array(64))
      ),
      message: message.json
    },
    meta: {
      err,
      status: err === null ? { Ok: null } : { Err: err },
      fee: feeOf(message),
      preBalances: before.lamports,
      postBalances: after.lamports,
      preTokenBalances: before.tokens,
      postTokenBalances: after.tokens,
      innerInstructions: innerOf(meta),
      logMessages: meta.logs(),
      loadedAddresses: { readonly: [], writable: [] },
      rewards: [],
      computeUnitsConsumed: Number(meta.computeUnitsConsumed())
    }
  }
}
