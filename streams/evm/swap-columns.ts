/**
 * Columns of `SwapExecuted` that the events of many kinds fill alike. Places are those of a word
 * in `bytes`, which is the log's data or its topics. The kinds that log most (Uniswap's three
 * shapes) push their own columns: a call for each part costs them a twentieth of their speed.
 */
import type { BatchBuilder } from "../batch/builder.ts"
import { NULL_I32 } from "../batch/columns.ts"
import { NONE } from "../batch/id-table.ts"
import type { RawLog } from "./raw-log.ts"

type SwapColumns = BatchBuilder["columns"]["SwapExecuted"]

/** The emitting pool, its kind, and who swapped for whom. */
export const pushSwapHead = (
  log: RawLog,
  out: BatchBuilder,
  kind: string,
  bytes: Uint8Array,
  sender: number,
  recipient: number
): void => {
  const { ids } = out
  const c = out.columns.SwapExecuted
  c.pool.push(ids.account(log.account))
  c.venueKind.push(out.sym(kind))
  c.sender.push(ids.addressWord(bytes, sender))
  c.recipient.push(ids.addressWord(bytes, recipient))
}

/** Amounts of a swap that tells one token's way in and the other's out. */
export const pushOneWay = (
  c: SwapColumns,
  is0In: boolean,
  bytes: Uint8Array,
  amountIn: number,
  amountOut: number
): void => {
  if (is0In) {
    c.amount0In.pushUnsigned(bytes, amountIn)
    c.amount0Out.pushZero()
    c.amount1In.pushZero()
    c.amount1Out.pushUnsigned(bytes, amountOut)
  } else {
    c.amount0In.pushZero()
    c.amount0Out.pushUnsigned(bytes, amountOut)
    c.amount1In.pushUnsigned(bytes, amountIn)
    c.amount1Out.pushZero()
  }
}

/** The event tells no price and no liquidity; `tick` and `fee` (1e-6) only where it has them. */
export const pushNoPrice = (c: SwapColumns, tick = NULL_I32, fee = NULL_I32): void => {
  c.sqrtPriceX96.pushNull()
  c.liquidity.pushNull()
  c.tick.push(tick)
  c.fee.push(fee)
}

/** The event names no tokens: they are the pool's own two, or those at the places it tells. */
export const pushPoolTokens = (c: SwapColumns, index0 = NULL_I32, index1 = NULL_I32): void => {
  c.token0.push(NONE)
  c.token1.push(NONE)
  c.index0.push(index0)
  c.index1.push(index1)
}

/** Token 0 and token 1 are those that the event names. */
export const pushNamedTokens = (
  out: BatchBuilder,
  bytes: Uint8Array,
  token0: number,
  token1: number
): void => {
  const { ids } = out
  const c = out.columns.SwapExecuted
  c.token0.push(ids.addressWord(bytes, token0))
  c.token1.push(ids.addressWord(bytes, token1))
  c.index0.push(NULL_I32)
  c.index1.push(NULL_I32)
}
