/** What prices say of a venue kind's pool after its events: the projection itself, in memory. */
import { newFoldSet } from "../../engine/runner/fold-set.ts"
import { withUses } from "../../projections/all.ts"
import { pools } from "../../projections/pools/output.ts"
import { pricesOutput } from "../../projections/prices/output.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import type { Event } from "../../streams/event.ts"
import { batchOf } from "../../streams/event-objects.ts"
import { type EventMeaning, eventOf, type LawPool } from "../../streams/venue-laws.ts"
import { testChain } from "./chain-config.ts"

const FACTORY = `0x${"36".repeat(20)}`
const QUOTE = 0
const BASE = 1

const seen = (token: string, decimals: number): EventMeaning => ({
  ...{ kind: "TokenSeen", token, symbol: null, name: null, decimals, totalSupply: null },
  source: "call"
})

/** Whole tokens 0 a whole token 1 by the pool after the events; null where it tells no price. */
export const toldPrice = (
  kind: string,
  { facts, history }: LawPool,
  events: ReadonlyArray<Event>
): number | null => {
  const chain: ChainConfig = {
    ...testChain,
    ...{ anchors: [], nativeToken: null },
    venues: [{ id: "law", kind, factory: FACTORY as never }]
  }
  const known: ReadonlyArray<EventMeaning> = [
    ...facts.tokens.map((token, place) => seen(token, facts.decimals[place] ?? 18)),
    {
      ...{ kind: "PoolCreated", pool: facts.pool, venueKind: kind, factory: FACTORY },
      ...{ tokens: facts.tokens, fee: facts.fee, tickSpacing: facts.tickSpacing, source: "call" }
    }
  ]
  const batch = batchOf([...known.map(eventOf), ...history, ...events])
  const folds = newFoldSet(chain, withUses(pricesOutput))
  folds.apply({ batch, from: 0, to: batch.count, seq: 1 })
  const { idText, count, tokenAt } = folds.output(pools)
  const slot = Array.from({ length: count() }, (_, i) => i).find(at => idText(at) === facts.pool)
  if (slot === undefined) throw new Error(`no pool ${facts.pool} in the table`)
  const { books } = folds.output(pricesOutput)
  if (!books.pair.look(slot)) return null
  const { price } = books.poolPrices.columns
  const told = price[slot] ?? Number.NaN
  if (Number.isNaN(told)) return null
  return books.pair.quote === tokenAt(slot, QUOTE) && books.pair.base === tokenAt(slot, BASE)
    ? told
    : 1 / told
}
