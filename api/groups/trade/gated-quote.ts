/** Quotes an order, and again without what the safety gates keep out of its route. */
import { Effect } from "effect"
import type { Lane } from "../../../engine/lane/lanes.ts"
import type { QuoteOrder, QuoteOutcome } from "../../../engine/trade/quote.ts"
import type { Trade, TradeUnavailable } from "../../../engine/trade/trade.ts"
import { type Gated, type TradeGates, UNGATED } from "./gates.ts"

/** Routes of one order that are looked at: each may lead through pools not seen before. */
const MOST_ROUTES = 4

/** A quote with what the gates say of it. */
export interface GatedQuote {
  /** as it was quoted at last, with the gates' facts */
  readonly order: QuoteOrder
  readonly outcome: QuoteOutcome
  readonly warnings: ReadonlyArray<string>
}

/** An outcome that a gate does not let through. */
const refusedBy = (
  { seq, block, lost }: QuoteOutcome,
  reason: NonNullable<Gated["refused"]>
): QuoteOutcome => ({ ok: false, seq, block, lost, reason, causes: [] })

/** Taxes that the gates found and the order does not tell yet. */
const newTaxes = (order: QuoteOrder, { taxed }: Gated): Gated["taxed"] =>
  taxed.filter(({ token, pool }) =>
    order.taxed.every(one => one.token !== token || one.pool !== pool)
  )

const isNews = (order: QuoteOrder, gated: Gated, outcome: QuoteOutcome): boolean =>
  newTaxes(order, gated).length > 0 ||
  (outcome.ok &&
    gated.suspects.some(
      pool => !order.suspects.includes(pool) && outcome.legs.some(leg => leg.pool === pool)
    ))

/** `isUngated`: the first route, which no gate has looked at */
export const gatedQuote = (
  trade: Trade["Service"],
  gates: TradeGates,
  lane: Lane,
  first: QuoteOrder,
  isUngated: boolean
): Effect.Effect<GatedQuote, TradeUnavailable> =>
  Effect.gen(function* () {
    const { key } = lane.config
    let order = first
    let gated = UNGATED
    for (let left = MOST_ROUTES; ; left--) {
      const outcome = yield* trade.quote(key, order)
      if (isUngated) return { order, outcome, warnings: [] }
      // without a route there is nothing new to look at
      if (outcome.ok) gated = yield* gates.of(lane, trade.site(key), order, outcome)
      const { refused, warnings } = gated
      if (refused !== null) return { order, outcome: refusedBy(outcome, refused), warnings }
      if (!outcome.ok || !isNews(order, gated, outcome)) return { order, outcome, warnings }
      if (left === 0) {
        const late = "the route leads through pools that the safety gates have not seen"
        return { order, outcome, warnings: [...warnings, late] }
      }
      const suspects = [...new Set([...order.suspects, ...gated.suspects])]
      const taxed = [...order.taxed, ...newTaxes(order, gated)]
      order = { ...order, suspects, taxed }
    }
  })
