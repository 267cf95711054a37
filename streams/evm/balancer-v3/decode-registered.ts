/**
 * The Balancer V3 Vault's `PoolRegistered`: a pool with its factory, tokens, fee and hooks
 * (balancer-v3-monorepo, `IVaultEvents.sol`, `VaultTypes.sol` as deployed in December 2024). An
 * array of four-word structs stands behind a head of 21 words.
 */
import type { BatchBuilder } from "../../batch/builder.ts"
import { arrayLength, arrayProblem, arrayRejection } from "../abi-array.ts"
import { pushParameter, pushParameterValue } from "../parameter-event.ts"
import { pushPoolCreated } from "../pool-created.ts"
import {
  fitsUnsigned,
  isAddressWord,
  isBoolWord,
  isZeroWord,
  type RawLog,
  word
} from "../raw-log.ts"
import { rejection } from "../rejection.ts"
import { pipsOf } from "./fee.ts"

export const poolRegisteredAbi =
  "event PoolRegistered(address indexed pool, address indexed factory, (address token, uint8 tokenType, address rateProvider, bool paysYieldFees)[] tokenConfig, uint256 swapFeePercentage, uint32 pauseWindowEndTime, (address pauseManager, address swapFeeManager, address poolCreator) roleAccounts, (bool enableHookAdjustedAmounts, bool shouldCallBeforeInitialize, bool shouldCallAfterInitialize, bool shouldCallComputeDynamicSwapFee, bool shouldCallBeforeSwap, bool shouldCallAfterSwap, bool shouldCallBeforeAddLiquidity, bool shouldCallAfterAddLiquidity, bool shouldCallBeforeRemoveLiquidity, bool shouldCallAfterRemoveLiquidity, address hooksContract) hooksConfig, (bool disableUnbalancedLiquidity, bool enableAddLiquidityCustom, bool enableRemoveLiquidityCustom, bool enableDonation) liquidityManagement)"

const UINT8 = 1
const UINT32 = 4
/** Words of the head, by what stands in them. */
const FEE = 1
const PAUSE_END = 2
const ACCOUNTS = 3
const FLAGS = 6
const FLAG_COUNT = 10
const HOOKS = 16
const LIQUIDITY = 17
const HEAD = 21
/** Words of one token: address, type, rate provider, whether it pays yield fees. */
const TOKEN = 4
/** A pool has at most so many tokens; more would not be told apart from damage. */
const MAX_TOKENS = 64

const headProblem = ({ data }: RawLog): string | null => {
  if (!fitsUnsigned(data, word(PAUSE_END), UINT32)) return rejection.uint32
  for (let i = 0; i < 3; i++) if (!isAddressWord(data, word(ACCOUNTS + i))) return rejection.address
  for (let i = 0; i < FLAG_COUNT; i++) if (!isBoolWord(data, word(FLAGS + i))) return rejection.bool
  if (!isAddressWord(data, word(HOOKS))) return rejection.address
  for (let i = LIQUIDITY; i < HEAD; i++) if (!isBoolWord(data, word(i))) return rejection.bool
  return null
}

const tokenProblem = ({ data }: RawLog, at: number): string | null => {
  if (!isAddressWord(data, word(at)) || !isAddressWord(data, word(at + 2))) return rejection.address
  if (!fitsUnsigned(data, word(at + 1), UINT8)) return rejection.uint8
  return isBoolWord(data, word(at + 3)) ? null : rejection.bool
}

/** The hook flags as one number, the first of them its lowest bit. */
const flagsOf = ({ data }: RawLog): bigint => {
  let flags = 0
  for (let i = 0; i < FLAG_COUNT; i++) flags |= (data[word(FLAGS + i) + 31] as number) << i
  return BigInt(flags)
}

const problemOf = (log: RawLog, length: number): string | null => {
  const { topics } = log
  if (!isAddressWord(topics, word(1)) || !isAddressWord(topics, word(2))) return rejection.address
  if (log.dataLength !== word(HEAD + 1 + length * TOKEN)) return rejection.dataLength
  if (length < 2 || length > MAX_TOKENS) return arrayRejection.length
  for (let i = 0; i < length; i++) {
    const problem = tokenProblem(log, HEAD + 1 + i * TOKEN)
    if (problem !== null) return problem
  }
  return headProblem(log)
}

export const poolRegistered = (log: RawLog, out: BatchBuilder): string | null => {
  const { topics, data, logIndex } = log
  if (log.topicCount !== 3) return rejection.topicCount
  if (log.dataLength < word(HEAD)) return rejection.dataLength
  const length = arrayLength(log, 0, HEAD, TOKEN)
  if (length < 0) return arrayProblem(length)
  const problem = problemOf(log, length)
  if (problem !== null) return problem
  const pool = out.ids.addressWord(topics, word(1))
  const tokenAt = (i: number): number => word(HEAD + 1 + i * TOKEN)
  pushPoolCreated(log, out, {
    kind: "balancer-v3",
    pool,
    bytes: data,
    token0: tokenAt(0),
    count: length,
    step: word(TOKEN),
    fee: pipsOf(data, word(FEE))
  })
  pushParameter(out, logIndex, pool, "factory", topics, word(2))
  pushParameter(out, logIndex, pool, "swapFee", data, word(FEE))
  for (let i = 0; i < length; i++) {
    const provider = tokenAt(i) + word(2)
    if (isZeroWord(data, provider)) continue
    pushParameter(out, logIndex, pool, "rateProvider", data, provider, i)
  }
  pushParameter(out, logIndex, pool, "hooks", data, word(HOOKS))
  pushParameterValue(out, logIndex, pool, "hookFlags", flagsOf(log))
  return null
}
