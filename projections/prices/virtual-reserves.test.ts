/** Pools of Solana that trade as if they held more than they do: priced with it, as deep without. */
import { Effect } from "effect"
import { expect, it } from "vitest"
import { solana } from "../../src/domain/chains/solana.ts"
import type { Event } from "../../streams/event.ts"
import { foldLog } from "../../test/support/folded-lane.ts"
import { MemoryLog } from "../../test/support/memory-log.ts"
import {
  accountOf,
  MINT,
  opening,
  POOL,
  raw,
  reserves,
  sealed,
  swap,
  told
} from "../../test/support/small-solana.ts"

const START = 1_700_000_000
const LATER = START + 1_000

const virtual = (time: number, index: 0 | 1, whole: number): Event =>
  told(time, 1, null, {
    ...{ kind: "PoolParameterSet", pool: POOL, name: "virtualReserve", index },
    value: raw(whole)
  })

const foldedWith = (...events: ReadonlyArray<Event>) => {
  const log = new MemoryLog()
  log.append([...opening(START), sealed(START)])
  log.append([...events, sealed(LATER)])
  return foldLog(solana, log)
}

const trade = swap({ time: LATER, by: accountOf(0xe1), tokens: 10, dollars: 2 })

it.each([
  ["a curve that holds few dollars", 200, 30_000, 800_000, 250_000],
  ["a pool with virtual dollars", 40_000, 9_000, 700_000, 0],
  ["a pool with negative ones", 40_000, -9_000, 700_000, 0]
])("%s", (_, dollars, beside, tokens, unsold) =>
  Effect.gen(function* () {
    const held = reserves(LATER, tokens, dollars)
    const parts = [virtual(LATER, 0, unsold), virtual(LATER, 1, beside)]
    const lane = yield* foldedWith(...parts, held, trade)
    const price = (dollars + beside) / (tokens + unsold)
    const explained = yield* lane.ask("explainPrice", { token: MINT })
    expect(explained.priceUsd).toBeCloseTo(price, 12)
    expect(explained.pools).toMatchObject([
      { eligible: true, quoteUsd: dollars + beside, backedUsd: dollars }
    ])
    const page = { sort: "depth", limit: 10, offset: 0, asOf: null }
    const { pools } = yield* lane.ask("liquidityPools", page)
    expect(pools).toMatchObject([
      {
        depthUsd: Math.min(dollars, dollars + beside),
        reserves: { amount0: tokens, amount1: dollars }
      }
    ])
  }).pipe(Effect.scoped, Effect.runPromise)
)

it("sets no price once it holds nothing", () =>
  Effect.gen(function* () {
    const parts = [virtual(LATER, 1, 30_000), reserves(LATER, 800_000, 20_000), trade]
    const lane = yield* foldedWith(...parts, reserves(LATER, 0, 0))
    const { priceUsd, pools } = yield* lane.ask("explainPrice", { token: MINT })
    expect([priceUsd, pools[0]]).toMatchObject([null, { eligible: false, priceUsd: null }])
  }).pipe(Effect.scoped, Effect.runPromise))
