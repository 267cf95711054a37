/**
 * The one event in which PancakeSwap V3 pools differ from Uniswap V3's (pancakeswap/pancake-v3-core
 * 1.0, IPancakeV3PoolEvents): `Swap` with two more words, the protocol's part of the fee in each
 * token. They are checked and left out: they change no amount.
 */
import type { BatchBuilder } from "../../batch/builder.ts"
import { NULL_I32 } from "../../batch/columns.ts"
import type { EventDecoder } from "../../venue.ts"
import { checkSwap, pushSwap } from "../range-events.ts"
import { fitsUnsigned, type RawLog, word } from "../raw-log.ts"
import { rejection } from "../rejection.ts"

/** Width in bytes of a protocol fee. */
const UINT128 = 16

const swap = (log: RawLog, out: BatchBuilder): string | null => {
  const problem = checkSwap(log, 7)
  if (problem !== null) return problem
  if (!fitsUnsigned(log.data, word(5), UINT128)) return rejection.uint128
  if (!fitsUnsigned(log.data, word(6), UINT128)) return rejection.uint128
  pushSwap(log, out, "pancakeswap-v3", NULL_I32)
  return null
}

export const pancakeswapV3Events: ReadonlyArray<EventDecoder> = [
  {
    abi: "event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint128 protocolFeesToken0, uint128 protocolFeesToken1)",
    topic0: "0x19b47279256b2a23a1665c810c8d55a1758940ee09377d4f8d26497a3577dc83",
    decode: swap,
    emitterIsPool: true
  }
]
