/** The chain's prints, page by page, against plain SQL over the tape; from memory and from rows. */
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { type CursorParams, NEWEST } from "../../../projections/tape/cursor.ts"
import { tapeOutput } from "../../../projections/tape/output.ts"
import {
  advance,
  ask,
  contextOf,
  type MarketWorld,
  openMarketWorld,
  rows
} from "../../../test/support/market-world.ts"
import { seed } from "../../../test/support/seed.ts"
import { heldPage } from "./chain-prints.query.ts"

const isLong = process.env["SWAPTAPE_LONG"] === "1"
const ROUNDS = isLong ? 12 : 3

const cursorOf = (text: string): CursorParams => {
  const [ts = 0, block = 0, log = 0] = text.split(":").map(Number)
  return { beforeTs: ts, beforeBlock: block, beforeLogIndex: log }
}

/** The same question to what memory holds and to rows alone; whether memory knew. */
const askBoth = (world: MarketWorld, params: { readonly [name: string]: unknown }) =>
  Effect.gen(function* () {
    const { recent } = world.folds.output(tapeOutput)
    const spied = { knew: false }
    const { walkAll } = recent
    recent.walkAll = look => {
      spied.knew = walkAll.call(recent, look)
      return spied.knew
    }
    const page = yield* ask(world, "chainPrints", params)
    recent.walkAll = () => false
    const onRows = yield* ask(world, "chainPrints", params)
    recent.walkAll = walkAll
    expect(page).toEqual(onRows)
    return { page, knew: spied.knew }
  })

const readAll = (world: MarketWorld, min: string | null) =>
  Effect.gen(function* () {
    const seen: Array<string> = []
    let cursor: CursorParams = NEWEST
    let known = 0
    for (;;) {
      const limit = world.r.integer(1, 70)
      const { page, knew } = yield* askBoth(world, { limit, min, ...cursor })
      if (knew) known++
      for (const row of page.prints) {
        seen.push(`${row.block}:${row.logIndex}`)
        expect(row.token).not.toBe(row.quoteToken)
      }
      expect(page.prints.length).toBeLessThanOrEqual(limit)
      if (page.nextBefore === null) break
      const end = page.searchedTo
      expect(page.nextBefore.startsWith(`${end.ts}:${end.block}:`)).toBe(true)
      cursor = cursorOf(page.nextBefore)
    }
    const micro = Math.round(Number(min ?? 0) * 1e6)
    const expected = yield* rows(
      world,
      `SELECT block, log_index FROM tape ${min === null ? "" : `WHERE usd >= ${micro}`}
       ORDER BY seq DESC`
    )
    expect(seen).toEqual(expected.map(row => `${row["block"]}:${row["log_index"]}`))
    return known
  })

describe("the prints of a chain", () => {
  it("has every print once, newest first, from memory as from rows", () =>
    Effect.gen(function* () {
      console.log(`chain prints: SEED=${seed}`)
      const world = yield* openMarketWorld(`${seed}/chain prints`)
      let known = 0
      // memory is empty after a fork: on until it was asked some times
      for (let round = 0; round < ROUNDS || (known <= 2 && round < 30); round++) {
        yield* advance(world, round, r => r.pick([0, 1, 5, 60]))
        for (const min of [null, "0.5", "20", "100000000"]) known += yield* readAll(world, min)
        const [middle] = yield* rows(world, "SELECT ts FROM tape USING SAMPLE 1 ROWS")
        const beforeTs = middle?.["ts"] ?? 0
        const { page } = yield* askBoth(world, { limit: 500, min: null, ...NEWEST, beforeTs })
        const [{ n } = { n: 0 }] = yield* rows(
          world,
          `SELECT count(*) AS n FROM tape WHERE ts < ${beforeTs}`
        )
        expect(page.prints.length).toBe(Math.min(500, n ?? 0))
      }
      expect(known).toBeGreaterThan(2)
    }).pipe(Effect.scoped, Effect.runPromise))

  it("looks back a stretch of the log at most, and goes on from there", () =>
    Effect.gen(function* () {
      const world = yield* openMarketWorld(`${seed}/chain prints, stretch`)
      yield* advance(world, 0, () => 40)
      const all = yield* rows(world, "SELECT seq, usd FROM tape ORDER BY seq DESC")
      const newest = all[0]?.["seq"] ?? 0
      const found = heldPage(contextOf(world), null, 1000, 1, 50)
      const within = all.filter(row => (row["seq"] ?? 0) > newest - 50)
      const priced = within.filter(row => row["usd"] !== null)
      expect(found?.rows.map(row => row["seq"])).toEqual(priced.map(row => row["seq"]))
      expect([found?.last?.["seq"], found?.more]).toEqual([within.at(-1)?.["seq"], true])
    }).pipe(Effect.scoped, Effect.runPromise))

  it("answers an empty chain with nothing", () =>
    Effect.gen(function* () {
      const world = yield* openMarketWorld("no prints")
      const page = yield* ask(world, "chainPrints", { limit: 5, min: null, ...NEWEST })
      expect(page).toMatchObject({ prints: [], nextBefore: null, searchedTo: null })
    }).pipe(Effect.scoped, Effect.runPromise))
})
