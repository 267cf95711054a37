/**
 * Events of the Uniswap V4 PoolManager (Uniswap/v4-core 1.0, IPoolManager and IProtocolFees),
 * sliced word by word. One contract holds all pools; a pool is a 32-byte id. Swap amounts are the
 * swapper's: negative was paid into the pool. Everything is checked before the first push.
 */
import type { BatchBuilder } from "../../batch/builder.ts"
import { NULL_I32 } from "../../batch/columns.ts"
import { NONE } from "../../batch/id-table.ts"
import type { EventDecoder } from "../../venue.ts"
import { pushParameter } from "../parameter-event.ts"
import { pushPoolCreated } from "../pool-created.ts"
import {
  fitsSigned,
  fitsSignedBytes,
  fitsUnsigned,
  isAddressWord,
  isZeroWord,
  lowInt32,
  type RawLog,
  word
} from "../raw-log.ts"
import { rejection } from "../rejection.ts"
import { DYNAMIC_FEE } from "./hooks.ts"

/** Widths in bytes of the narrow integers. */
const UINT24 = 3
const INT128 = 16
const UINT128 = 16
const UINT160 = 20
/** Bits of a tick. */
const INT24 = 24

const swap = (log: RawLog, out: BatchBuilder): string | null => {
  const { topics, data } = log
  if (log.topicCount !== 3) return rejection.topicCount
  if (log.dataLength !== word(6)) return rejection.dataLength
  if (!isAddressWord(topics, word(2))) return rejection.address
  if (!fitsSignedBytes(data, word(0), INT128)) return rejection.int128
  if (!fitsSignedBytes(data, word(1), INT128)) return rejection.int128
  if (!fitsUnsigned(data, word(2), UINT160)) return rejection.uint160
  if (!fitsUnsigned(data, word(3), UINT128)) return rejection.uint128
  if (!fitsSigned(data, word(4), INT24)) return rejection.int24
  if (!fitsUnsigned(data, word(5), UINT24)) return rejection.uint24
  const { ids } = out
  const c = out.columns.SwapExecuted
  c.pool.push(ids.hash(topics, word(1)))
  c.venueKind.push(out.sym("uniswap-v4"))
  c.sender.push(ids.addressWord(topics, word(2)))
  c.recipient.push(NONE)
  c.amount0In.pushNegativePart(data, word(0))
  c.amount0Out.pushPositivePart(data, word(0))
  c.amount1In.pushNegativePart(data, word(1))
  c.amount1Out.pushPositivePart(data, word(1))
  c.sqrtPriceX96.pushUnsigned(data, word(3) - UINT160, UINT160)
  c.liquidity.pushUnsigned(data, word(4) - UINT128, UINT128)
  c.tick.push(lowInt32(data, word(4)))
  c.fee.push(lowInt32(data, word(5)))
  c.token0.push(NONE)
  c.token1.push(NONE)
  c.index0.push(NULL_I32)
  c.index1.push(NULL_I32)
  out.end("SwapExecuted", log.logIndex)
  return null
}

/**
 * The position as an owner of tokens sees it: position managers keep each token's position under
 * its id as the salt, and are the sender. Without a salt it is nobody's token.
 */
const pushPosition = ({ topics, data, logIndex }: RawLog, out: BatchBuilder): void => {
  const { ids } = out
  const c = out.columns.PositionChanged
  const negative = (data[word(2)] as number) >= 0x80
  c.manager.push(ids.addressWord(topics, word(2)))
  c.tokenId.pushUnsigned(data, word(3))
  c.change.push(out.sym(negative ? "decrease" : isZeroWord(data, word(2)) ? "collect" : "increase"))
  c.pool.push(ids.hash(topics, word(1)))
  c.owner.push(NONE)
  c.recipient.push(NONE)
  c.tickLower.push(lowInt32(data, word(0)))
  c.tickUpper.push(lowInt32(data, word(1)))
  c.liquidity.pushSigned(data, word(2))
  c.amount0.pushNull()
  c.amount1.pushNull()
  out.end("PositionChanged", logIndex)
}

/** The event tells no amounts: zero stands in their columns. */
const modifyLiquidity = (log: RawLog, out: BatchBuilder): string | null => {
  const { topics, data } = log
  if (log.topicCount !== 3) return rejection.topicCount
  if (log.dataLength !== word(4)) return rejection.dataLength
  if (!isAddressWord(topics, word(2))) return rejection.address
  if (!fitsSigned(data, word(0), INT24) || !fitsSigned(data, word(1), INT24)) return rejection.int24
  if (!fitsSignedBytes(data, word(2), INT128)) return rejection.int128
  const { ids } = out
  const c = out.columns.LiquidityChanged
  const sender = ids.addressWord(topics, word(2))
  c.pool.push(ids.hash(topics, word(1)))
  c.venueKind.push(out.sym("uniswap-v4"))
  c.owner.push(sender)
  c.sender.push(sender)
  c.tickLower.push(lowInt32(data, word(0)))
  c.tickUpper.push(lowInt32(data, word(1)))
  c.liquidity.pushSigned(data, word(2))
  c.amount0.pushZero()
  c.amount1.pushZero()
  out.end("LiquidityChanged", log.logIndex)
  if (!isZeroWord(data, word(3))) pushPosition(log, out)
  return null
}

const pushCreated = (log: RawLog, out: BatchBuilder): void => {
  const { topics, data } = log
  const fee = lowInt32(data, word(0))
  pushPoolCreated(log, out, {
    kind: "uniswap-v4",
    pool: out.ids.hash(topics, word(1)),
    bytes: topics,
    token0: word(2),
    fee: fee === DYNAMIC_FEE ? NULL_I32 : fee,
    tickSpacing: lowInt32(data, word(1))
  })
}

const initialize = (log: RawLog, out: BatchBuilder): string | null => {
  const { topics, data } = log
  if (log.topicCount !== 4) return rejection.topicCount
  if (log.dataLength !== word(5)) return rejection.dataLength
  if (!isAddressWord(topics, word(2)) || !isAddressWord(topics, word(3))) return rejection.address
  if (!fitsUnsigned(data, word(0), UINT24)) return rejection.uint24
  if (!fitsSigned(data, word(1), INT24)) return rejection.int24
  if (!isAddressWord(data, word(2))) return rejection.address
  if (!fitsUnsigned(data, word(3), UINT160)) return rejection.uint160
  if (!fitsSigned(data, word(4), INT24)) return rejection.int24
  pushCreated(log, out)
  pushParameter(out, log.logIndex, out.ids.hash(topics, word(1)), "hooks", data, word(2))
  const c = out.columns.PoolInitialized
  c.pool.push(out.ids.hash(topics, word(1)))
  c.sqrtPriceX96.pushUnsigned(data, word(3))
  c.tick.push(lowInt32(data, word(4)))
  out.end("PoolInitialized", log.logIndex)
  return null
}

const protocolFeeUpdated = (log: RawLog, out: BatchBuilder): string | null => {
  const { topics, data } = log
  if (log.topicCount !== 2) return rejection.topicCount
  if (log.dataLength !== word(1)) return rejection.dataLength
  if (!fitsUnsigned(data, word(0), UINT24)) return rejection.uint24
  const pool = out.ids.hash(topics, word(1))
  pushParameter(out, log.logIndex, pool, "protocolFee", data, word(0))
  return null
}

/** Every event of the kind that becomes a fact, the commonest first. */
export const uniswapV4Events: ReadonlyArray<EventDecoder> = [
  {
    abi: "event Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24 fee)",
    topic0: "0x40e9cecb9f5f1f1c5b9c97dec2917b7ee92e57ba5563708daca94dd84ad7112f",
    decode: swap,
    emitterIsPool: false
  },
  {
    abi: "event ModifyLiquidity(bytes32 indexed id, address indexed sender, int24 tickLower, int24 tickUpper, int256 liquidityDelta, bytes32 salt)",
    topic0: "0xf208f4912782fd25c7f114ca3723a2d5dd6f3bcc3ac8db5af63baa85f711d5ec",
    decode: modifyLiquidity,
    emitterIsPool: false
  },
  {
    abi: "event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, uint24 fee, int24 tickSpacing, address hooks, uint160 sqrtPriceX96, int24 tick)",
    topic0: "0xdd466e674ea557f56295e2d0218a125ea4b4f0f6f3307b95f85e6110838d6438",
    decode: initialize,
    emitterIsPool: false
  },
  {
    abi: "event ProtocolFeeUpdated(bytes32 indexed id, uint24 protocolFee)",
    topic0: "0xe9c42593e71f84403b84352cd168d693e2c9fcd1fdbcc3feb21d92b43e6696f9",
    decode: protocolFeeUpdated,
    emitterIsPool: false
  }
]
