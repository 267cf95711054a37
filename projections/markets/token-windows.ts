/** What windows of a token hold of whole hours, as memory tells. */
import { HOUR } from "./hours.ts"
import type { Markets } from "./output.ts"

/** What memory tells of a window: sums of its whole hours. */
export interface Held {
  /** the first second of the window, and of its first whole hour (or the end, where none is) */
  readonly from: number
  readonly edge: number
  trades: number
  buys: number
  buyUsd: number
  sellUsd: number
}

/** The window of a token that ends with the second `now`. */
export const heldOf = (
  { tokenHours }: Markets,
  token: number,
  now: number,
  width: number
): Held => {
  const from = now - width + 1
  const edge = Math.min(Math.ceil(from / HOUR) * HOUR, now + 1)
  const held: Held = { from, edge, trades: 0, buys: 0, buyUsd: 0, sellUsd: 0 }
  const c = tokenHours.table.columns
  for (let slot = tokenHours.newestOf(token); slot >= 0; slot = tokenHours.beforeOf(slot)) {
    if ((c.hour[slot] as number) < edge) break
    held.trades += c.trades[slot] as number
    held.buys += c.buys[slot] as number
    held.buyUsd += c.buy_usd[slot] as number
    held.sellUsd += c.sell_usd[slot] as number
  }
  return held
}
