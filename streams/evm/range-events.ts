/**
 * What the events of V3-shaped pools have in common (Uniswap/v3-core 1.0.1,
 * IUniswapV3PoolEvents): kinds that lengthen an event check and push its beginning with these.
 */
import type { BatchBuilder } from "../batch/builder.ts"
import { NULL_I32 } from "../batch/columns.ts"
import { NONE } from "../batch/id-table.ts"
import { fitsSigned, fitsUnsigned, isAddressWord, lowInt32, type RawLog, word } from "./raw-log.ts"
import { rejection } from "./rejection.ts"

/** Widths in bytes of the narrow integers. */
const UINT128 = 16
const UINT160 = 20
/** Bits of a tick. */
const INT24 = 24

/**
 * What is wrong with the words that every V3-shaped `Swap` begins with: sender and recipient,
 * amounts, square-root price, liquidity and tick. `words` is how many its data has.
 */
export const checkSwap = (log: RawLog, words: number): string | null => {
  const { topics, data } = log
  if (log.topicCount !== 3) return rejection.topicCount
  if (log.dataLength !== word(words)) return rejection.dataLength
  if (!isAddressWord(topics, word(1)) || !isAddressWord(topics, word(2))) return rejection.address
  if (!fitsUnsigned(data, word(2), UINT160)) return rejection.uint160
  if (!fitsUnsigned(data, word(3), UINT128)) return rejection.uint128
  return fitsSigned(data, word(4), INT24) ? null : rejection.int24
}

/** Pushes a checked `Swap`; `fee` in 1e-6, `NULL_I32` where the event does not tell it. */
export const pushSwap = (log: RawLog, out: BatchBuilder, kind: string, fee: number): void => {
  const { topics, data } = log
  const { ids } = out
  const c = out.columns.SwapExecuted
  c.pool.push(ids.account(log.account))
  c.venueKind.push(out.sym(kind))
  c.sender.push(ids.addressWord(topics, word(1)))
  c.recipient.push(ids.addressWord(topics, word(2)))
  c.amount0In.pushPositivePart(data, word(0))
  c.amount0Out.pushNegativePart(data, word(0))
  c.amount1In.pushPositivePart(data, word(1))
  c.amount1Out.pushNegativePart(data, word(1))
  c.sqrtPriceX96.pushUnsigned(data, word(3) - UINT160, UINT160)
  c.liquidity.pushUnsigned(data, word(4) - UINT128, UINT128)
  c.tick.push(lowInt32(data, word(4)))
  c.fee.push(fee)
  c.token0.push(NONE)
  c.token1.push(NONE)
  c.index0.push(NULL_I32)
  c.index1.push(NULL_I32)
  out.end("SwapExecuted", log.logIndex)
}

/** Owner and both ticks, which Mint, Burn and Collect index alike. */
export const checkPosition = (log: RawLog): string | null => {
  if (log.topicCount !== 4) return rejection.topicCount
  if (!isAddressWord(log.topics, word(1))) return rejection.address
  if (!fitsSigned(log.topics, word(2), INT24)) return rejection.int24
  return fitsSigned(log.topics, word(3), INT24) ? null : rejection.int24
}

/** The columns that Mint and Burn share; liquidity and amounts differ in sign and follow. */
export const pushLiquidityHead = (
  log: RawLog,
  out: BatchBuilder,
  kind: string,
  sender: number
): void => {
  const c = out.columns.LiquidityChanged
  c.pool.push(out.ids.account(log.account))
  c.venueKind.push(out.sym(kind))
  c.owner.push(out.ids.addressWord(log.topics, word(1)))
  c.sender.push(sender)
  c.tickLower.push(lowInt32(log.topics, word(2)))
  c.tickUpper.push(lowInt32(log.topics, word(3)))
}

/** Pushes a checked `Burn`: its data begins with the liquidity and both amounts. */
export const pushBurn = (log: RawLog, out: BatchBuilder, kind: string): void => {
  pushLiquidityHead(log, out, kind, NONE)
  const c = out.columns.LiquidityChanged
  c.liquidity.pushNegated(log.data, word(0))
  c.amount0.pushNegated(log.data, word(1))
  c.amount1.pushNegated(log.data, word(2))
  out.end("LiquidityChanged", log.logIndex)
}
