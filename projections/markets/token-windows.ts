/** What windows of a token hold of whole hours, as memory tells. */
import type { FoldsContext } from "../../engine/query.ts"
import { DAY, HOUR } from "./hours.ts"
import { type Markets, markets } from "./output.ts"

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

/** Slots of a token's hours, of any window that ends in the newest one. */
export const slotsOf = (context: FoldsContext, token: number): ReadonlyArray<number> => {
  const fold = context.output(markets)
  const slots: Array<number> = []
  for (let hour = fold.hour - DAY; hour <= fold.hour; hour += HOUR) {
    const slot = fold.hourOf(token, hour)
    if (slot >= 0) slots.push(slot)
  }
  return slots
}

export const heldOf = (
  { tokenHours }: Markets,
  slots: ReadonlyArray<number>,
  now: number,
  width: number
): Held => {
  const from = now - width + 1
  const edge = Math.min(Math.ceil(from / HOUR) * HOUR, now + 1)
  const held: Held = { from, edge, trades: 0, buys: 0, buyUsd: 0, sellUsd: 0 }
  const c = tokenHours.table.columns
  for (const slot of slots) {
    if ((c.hour[slot] as number) < edge) continue
    held.trades += c.trades[slot] as number
    held.buys += c.buys[slot] as number
    held.buyUsd += c.buy_usd[slot] as number
    held.sellUsd += c.sell_usd[slot] as number
  }
  return held
}
