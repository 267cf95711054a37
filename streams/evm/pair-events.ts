/**
 * What the events of pairs have in common: Uniswap V2's (Uniswap/v2-core 1.0.1) and those of
 * Solidly's second generation (velodrome-finance/contracts), whose topics differ and whose words
 * do not.
 */
import type { BatchBuilder } from "../batch/builder.ts"
import { NULL_I32 } from "../batch/columns.ts"
import { NONE } from "../batch/id-table.ts"
import { checkIndexed } from "./indexed-addresses.ts"
import { isAddressWord, type RawLog, word } from "./raw-log.ts"
import { rejection } from "./rejection.ts"

/** `Swap`: sender and recipient, what came in of both tokens and what went out. */
export const decodePairSwap = (log: RawLog, out: BatchBuilder, kind: string): string | null => {
  const { topics, data } = log
  if (log.topicCount !== 3) return rejection.topicCount
  if (log.dataLength !== word(4)) return rejection.dataLength
  if (!isAddressWord(topics, word(1)) || !isAddressWord(topics, word(2))) return rejection.address
  const { ids } = out
  const c = out.columns.SwapExecuted
  c.pool.push(ids.account(log.account))
  c.venueKind.push(out.sym(kind))
  c.sender.push(ids.addressWord(topics, word(1)))
  c.recipient.push(ids.addressWord(topics, word(2)))
  c.amount0In.pushUnsigned(data, word(0))
  c.amount1In.pushUnsigned(data, word(1))
  c.amount0Out.pushUnsigned(data, word(2))
  c.amount1Out.pushUnsigned(data, word(3))
  c.sqrtPriceX96.pushNull()
  c.liquidity.pushNull()
  c.tick.push(NULL_I32)
  c.fee.push(NULL_I32)
  c.token0.push(NONE)
  c.token1.push(NONE)
  c.index0.push(NULL_I32)
  c.index1.push(NULL_I32)
  out.end("SwapExecuted", log.logIndex)
  return null
}

/** The columns that `Mint` and `Burn` share; their amounts differ in sign and follow. */
export const pushPairLiquidity = (
  log: RawLog,
  out: BatchBuilder,
  kind: string,
  owner: number
): void => {
  const c = out.columns.LiquidityChanged
  c.pool.push(out.ids.account(log.account))
  c.venueKind.push(out.sym(kind))
  c.owner.push(owner)
  c.sender.push(out.ids.addressWord(log.topics, word(1)))
  c.tickLower.push(NULL_I32)
  c.tickUpper.push(NULL_I32)
  c.liquidity.pushNull()
}

/** `Burn`: its owner is its `to`, who gets the tokens; no owner is named. */
export const decodePairBurn = (log: RawLog, out: BatchBuilder, kind: string): string | null => {
  const problem = checkIndexed(log, 2, 2)
  if (problem !== null) return problem
  pushPairLiquidity(log, out, kind, out.ids.addressWord(log.topics, word(2)))
  const c = out.columns.LiquidityChanged
  c.amount0.pushNegated(log.data, word(0))
  c.amount1.pushNegated(log.data, word(1))
  out.end("LiquidityChanged", log.logIndex)
  return null
}
