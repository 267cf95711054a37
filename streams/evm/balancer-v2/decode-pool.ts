/**
 * Events of Balancer V2 pool contracts and of the factories that make them (balancer-v2-monorepo:
 * BasePool, StablePoolAmplification, ComposableStablePoolRates, GradualWeight- and LBP pools). They
 * name the pool by its contract, the first 20 bytes of its id in the Vault.
 */
import { ADDRESS_PADDING } from "../../../src/domain/ids.ts"
import type { BatchBuilder } from "../../batch/builder.ts"
import type { EventDecoder } from "../../venue.ts"
import { arrayLength, arrayProblem, arrayRejection } from "../abi-array.ts"
import { parametersOf, pushParameter } from "../parameter-event.ts"
import { fitsUnsigned, isAddressWord, isBoolWord, lowInt32, type RawLog, word } from "../raw-log.ts"
import { rejection } from "../rejection.ts"

const UINT8 = 1

/** A decoder of one truth value. */
const flagOf =
  (name: string) =>
  (log: RawLog, out: BatchBuilder): string | null => {
    if (log.topicCount !== 1) return rejection.topicCount
    if (log.dataLength !== word(1)) return rejection.dataLength
    if (!isBoolWord(log.data, word(0))) return rejection.bool
    pushParameter(out, log.logIndex, out.ids.account(log.account), name, log.data, word(0))
    return null
  }

/** Weights move in a line from the start's to the end's; in pools with weights that never move
 *  nothing tells them. */
const gradualWeights = (log: RawLog, out: BatchBuilder): string | null => {
  const { data, logIndex } = log
  if (log.topicCount !== 1) return rejection.topicCount
  const starts = arrayLength(log, 2, 4)
  if (starts < 0) return arrayProblem(starts)
  const ends = arrayLength(log, 3, 5 + starts)
  if (ends < 0) return arrayProblem(ends)
  if (log.dataLength !== word(6 + starts + ends)) return rejection.dataLength
  if (ends !== starts) return arrayRejection.lengths
  const pool = out.ids.account(log.account)
  pushParameter(out, logIndex, pool, "weightStartTime", data, word(0))
  pushParameter(out, logIndex, pool, "weightEndTime", data, word(1))
  for (let i = 0; i < starts; i++) {
    pushParameter(out, logIndex, pool, "startWeight", data, word(5 + i), i)
  }
  for (let i = 0; i < ends; i++) {
    pushParameter(out, logIndex, pool, "endWeight", data, word(6 + starts + i), i)
  }
  return null
}

/** A token's rate comes from a contract, told by its place in the pool. */
const rateProviderOfPlace = (log: RawLog, out: BatchBuilder): string | null => {
  const { topics } = log
  if (log.topicCount !== 3) return rejection.topicCount
  if (log.dataLength !== word(1)) return rejection.dataLength
  if (!isAddressWord(topics, word(2))) return rejection.address
  if (!fitsUnsigned(topics, word(1), UINT8)) return arrayRejection.length
  const pool = out.ids.account(log.account)
  const place = lowInt32(topics, word(1))
  pushParameter(out, log.logIndex, pool, "rateProvider", topics, word(2), place)
  return null
}

/** Decodes a new rate provider by its token's address, as the first such pools log it. */
const rateProviderOfToken = (log: RawLog, out: BatchBuilder): string | null => {
  const { topics } = log
  if (log.topicCount !== 3) return rejection.topicCount
  if (log.dataLength !== word(1)) return rejection.dataLength
  if (!isAddressWord(topics, word(1)) || !isAddressWord(topics, word(2))) return rejection.address
  const pool = out.ids.account(log.account)
  pushParameter(out, log.logIndex, pool, "rateProvider", topics, word(2))
  return null
}

/** A factory names the pool it made; its own address tells which contract that is. */
const poolCreated = (log: RawLog, out: BatchBuilder): string | null => {
  const { topics, address } = log
  if (log.topicCount !== 2) return rejection.topicCount
  if (log.dataLength !== 0) return rejection.dataLength
  if (!isAddressWord(topics, word(1))) return rejection.address
  const pool = out.ids.addressWord(topics, word(1))
  const factory = new Uint8Array(32)
  factory.set(address, ADDRESS_PADDING)
  pushParameter(out, log.logIndex, pool, "factory", factory, 0)
  return null
}

/** Every event of pools and factories that becomes a fact. */
export const poolEvents: ReadonlyArray<EventDecoder> = [
  {
    abi: "event SwapFeePercentageChanged(uint256 swapFeePercentage)",
    topic0: "0xa9ba3ffe0b6c366b81232caab38605a0699ad5398d6cce76f91ee809e322dafc",
    decode: parametersOf("swapFee"),
    emitterIsPool: false
  },
  {
    abi: "event AmpUpdateStarted(uint256 startValue, uint256 endValue, uint256 startTime, uint256 endTime)",
    topic0: "0x1835882ee7a34ac194f717a35e09bb1d24c82a3b9d854ab6c9749525b714cdf2",
    decode: parametersOf("ampStart", "ampEnd", "ampStartTime", "ampEndTime"),
    emitterIsPool: false
  },
  {
    abi: "event AmpUpdateStopped(uint256 currentValue)",
    topic0: "0xa0d01593e47e69d07e0ccd87bece09411e07dd1ed40ca8f2e7af2976542a0233",
    decode: parametersOf("amp"),
    emitterIsPool: false
  },
  {
    abi: "event GradualWeightUpdateScheduled(uint256 startTime, uint256 endTime, uint256[] startWeights, uint256[] endWeights)",
    topic0: "0x0f3631f9dab08169d1db21c6dc5f32536fb2b0a6b9bb5330d71c52132f968be0",
    decode: gradualWeights,
    emitterIsPool: false
  },
  {
    abi: "event SwapEnabledSet(bool swapEnabled)",
    topic0: "0x5a9e84f78f7957cb4ed7478eb0fcad35ee4ecbe2e0f298420b28a3955392573f",
    decode: flagOf("swapEnabled"),
    emitterIsPool: false
  },
  {
    abi: "event PausedStateChanged(bool paused)",
    topic0: "0x9e3a5e37224532dea67b89face185703738a228a6e8a23dee546960180d3be64",
    decode: flagOf("paused"),
    emitterIsPool: false
  },
  {
    abi: "event TokenRateProviderSet(uint256 indexed tokenIndex, address indexed provider, uint256 cacheDuration)",
    topic0: "0xdd6d1c9badb346de6925b358a472c937b41698d2632696759e43fd6527feeec4",
    decode: rateProviderOfPlace,
    emitterIsPool: false
  },
  {
    abi: "event TokenRateProviderSet(address indexed token, address indexed provider, uint256 cacheDuration)",
    topic0: "0xf00a2bf8c71db611a21183e0a96869752bcd9da29372fa76f865eed4fdd540d1",
    decode: rateProviderOfToken,
    emitterIsPool: false
  },
  {
    abi: "event PoolCreated(address indexed pool)",
    topic0: "0x83a48fbcfc991335314e74d0496aab6a1987e992ddc85dddbcc4d6dd6ef2e9fc",
    decode: poolCreated,
    emitterIsPool: false
  }
]
