/**
 * Events of the Balancer V3 Vault and its fee controller (balancer-v3-monorepo, `IVaultEvents.sol`,
 * `IProtocolFeeController.sol`). A pool is its contract's address. Amounts of swaps are unsigned
 * and their tokens named. GMX's vault logs the topic of `Swap` with nothing indexed: refused.
 */
import type { BatchBuilder } from "../../batch/builder.ts"
import { NULL_I32 } from "../../batch/columns.ts"
import { NONE } from "../../batch/id-table.ts"
import type { EventDecoder } from "../../venue.ts"
import { arrayLength, arrayProblem, arrayRejection } from "../abi-array.ts"
import { pushParameter } from "../parameter-event.ts"
import {
  fitsUnsigned,
  isAddressWord,
  isBoolWord,
  isZeroWord,
  type RawLog,
  word
} from "../raw-log.ts"
import { rejection } from "../rejection.ts"
import { pushNamedTokens, pushNoPrice, pushOneWay } from "../swap-columns.ts"
import { poolRegistered, poolRegisteredAbi } from "./decode-registered.ts"
import { pipsOf } from "./fee.ts"

const KIND = "balancer-v3"
const UINT8 = 1

const poolOf = (log: RawLog, out: BatchBuilder): number => out.ids.addressWord(log.topics, word(1))

/** The fee's amount, of which the protocol's part leaves the pool, follows as a parameter. */
const swap = (log: RawLog, out: BatchBuilder): string | null => {
  const { topics, data } = log
  if (log.topicCount !== 4) return rejection.topicCount
  if (log.dataLength !== word(4)) return rejection.dataLength
  if (!isAddressWord(topics, word(1))) return rejection.address
  if (!isAddressWord(topics, word(2)) || !isAddressWord(topics, word(3))) return rejection.address
  const pool = poolOf(log, out)
  const c = out.columns.SwapExecuted
  c.pool.push(pool)
  c.venueKind.push(out.sym(KIND))
  c.sender.push(NONE)
  c.recipient.push(NONE)
  pushOneWay(c, true, data, word(0), word(1))
  pushNoPrice(c, NULL_I32, pipsOf(data, word(2)))
  pushNamedTokens(out, topics, word(2), word(3))
  out.end("SwapExecuted", log.logIndex)
  if (!isZeroWord(data, word(3))) {
    pushParameter(out, log.logIndex, pool, "swapFeeAmount", data, word(3))
  }
  return null
}

/** Amounts and fees of every token, by its place in the pool. */
const liquidity =
  (sign: "added" | "removed") =>
  (log: RawLog, out: BatchBuilder): string | null => {
    const { topics, data, logIndex } = log
    if (log.topicCount !== 4) return rejection.topicCount
    if (!isAddressWord(topics, word(1)) || !isAddressWord(topics, word(2))) return rejection.address
    if (!fitsUnsigned(topics, word(3), UINT8)) return rejection.uint8
    const length = arrayLength(log, 1, 3)
    if (length < 0) return arrayProblem(length)
    const fees = arrayLength(log, 2, 4 + length)
    if (fees < 0) return arrayProblem(fees)
    if (log.dataLength !== word(5 + length + fees)) return rejection.dataLength
    if (length === 0) return arrayRejection.empty
    if (fees !== length) return arrayRejection.lengths
    const pool = poolOf(log, out)
    const owner = out.ids.addressWord(topics, word(2))
    const c = out.columns.ReserveChanged
    for (let i = 0; i < length; i++) {
      c.pool.push(pool)
      c.venueKind.push(out.sym(KIND))
      c.owner.push(owner)
      c.token.push(NONE)
      c.index.push(i)
      if (sign === "added") c.amount.pushUnsigned(data, word(4 + i))
      else c.amount.pushNegated(data, word(4 + i))
      c.reason.push(out.sym("liquidity"))
      out.end("ReserveChanged", logIndex)
    }
    for (let i = 0; i < length; i++) {
      const fee = word(5 + length + i)
      if (!isZeroWord(data, fee)) {
        pushParameter(out, logIndex, pool, "swapFeeAmount", data, fee, i)
      }
    }
    return null
  }

/** A decoder of the first data word as a parameter of the indexed pool; others are flags. */
const parameterOf =
  (name: string, type: "uint256" | "bool", words = 1) =>
  (log: RawLog, out: BatchBuilder): string | null => {
    const { topics, data } = log
    if (log.topicCount !== 2) return rejection.topicCount
    if (log.dataLength !== word(words)) return rejection.dataLength
    if (!isAddressWord(topics, word(1))) return rejection.address
    for (let i = type === "bool" ? 0 : 1; i < words; i++) {
      if (!isBoolWord(data, word(i))) return rejection.bool
    }
    pushParameter(out, log.logIndex, poolOf(log, out), name, data, word(0))
    return null
  }

/** Every event of the kind that becomes a fact, the commonest first. */
export const balancerV3Events: ReadonlyArray<EventDecoder> = [
  {
    abi: "event Swap(address indexed pool, address indexed tokenIn, address indexed tokenOut, uint256 amountIn, uint256 amountOut, uint256 swapFeePercentage, uint256 swapFeeAmount)",
    topic0: "0x0874b2d545cb271cdbda4e093020c452328b24af12382ed62c4d00f5c26709db",
    decode: swap,
    tokens: { in: "topics", at: word(2) },
    namesPool: 20,
    emitterIsPool: false,
    fromFactory: true
  },
  {
    abi: "event LiquidityAdded(address indexed pool, address indexed liquidityProvider, uint8 indexed kind, uint256 totalSupply, uint256[] amountsAddedRaw, uint256[] swapFeeAmountsRaw)",
    topic0: "0xa26a52d8d53702bba7f137907b8e1f99ff87f6d450144270ca25e72481cca871",
    decode: liquidity("added"),
    emitterIsPool: false,
    fromFactory: true
  },
  {
    abi: "event LiquidityRemoved(address indexed pool, address indexed liquidityProvider, uint8 indexed kind, uint256 totalSupply, uint256[] amountsRemovedRaw, uint256[] swapFeeAmountsRaw)",
    topic0: "0xfbe5b0d79fb94f1e81c0a92bf86ae9d3a19e9d1bf6202c0d3e75120f65d5d8a5",
    decode: liquidity("removed"),
    emitterIsPool: false,
    fromFactory: true
  },
  {
    abi: poolRegisteredAbi,
    topic0: "0xbc1561eeab9f40962e2fb827a7ff9c7cdb47a9d7c84caeefa4ed90e043842dad",
    decode: poolRegistered,
    emitterIsPool: false,
    fromFactory: true
  },
  {
    abi: "event SwapFeePercentageChanged(address indexed pool, uint256 swapFeePercentage)",
    topic0: "0x89d41522342fabac1471ca6073a5623e5caf367b03ca6e9a001478d0cf8be4a1",
    decode: parameterOf("swapFee", "uint256"),
    emitterIsPool: false,
    fromFactory: true
  },
  {
    abi: "event AggregateSwapFeePercentageChanged(address indexed pool, uint256 aggregateSwapFeePercentage)",
    topic0: "0xe4d371097beea42453a37406e2aef4c04f3c548f84ac50e72578662c0dcd7354",
    decode: parameterOf("aggregateSwapFee", "uint256"),
    emitterIsPool: false,
    fromFactory: true
  },
  {
    abi: "event InitialPoolAggregateSwapFeePercentage(address indexed pool, uint256 aggregateSwapFeePercentage, bool isProtocolFeeExempt)",
    topic0: "0xa34ad86562f9716c2f1e723934cc63f44a9b4695cb8535c30dd8308d03a78564",
    decode: parameterOf("initialAggregateSwapFee", "uint256", 2),
    emitterIsPool: false
  },
  {
    abi: "event InitialPoolAggregateSwapFeePercentage(address indexed pool, uint256 aggregateSwapFeePercentage)",
    topic0: "0x67c22df46cd20bb0138aa1c8833d1bd3fadd9f2e2371c1bc738107aa6cc8f0a6",
    decode: parameterOf("initialAggregateSwapFee", "uint256"),
    emitterIsPool: false
  },
  {
    abi: "event PoolPausedStateChanged(address indexed pool, bool paused)",
    topic0: "0x57e20448028297190122571be7cb6c1b1ef85730c673f7c72f533c8662419aa7",
    decode: parameterOf("paused", "bool"),
    emitterIsPool: false,
    fromFactory: true
  },
  {
    abi: "event PoolRecoveryModeStateChanged(address indexed pool, bool recoveryMode)",
    topic0: "0xc2354cc2f78ea57777e55ddd43a7f22b112ce98868596880edaeb22b4f9c73a9",
    decode: parameterOf("recoveryMode", "bool"),
    emitterIsPool: false,
    fromFactory: true
  }
]
