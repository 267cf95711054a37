/** Flags and what is behind them against plain SQL over the tape. */
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { applySegment, commitPending } from "../../../engine/runner/lane-core.ts"
import { pools as pooled } from "../../../projections/pools/output.ts"
import { tokens } from "../../../projections/tokens/output.ts"
import { idBytes } from "../../../src/domain/ids.ts"
import { protectedBy, readAs } from "../../../src/rules/impostor.ts"
import { testChain } from "../../../test/support/chain-config.ts"
import {
  advance,
  ask,
  type MarketWorld,
  openMarketWorld,
  rows
} from "../../../test/support/market-world.ts"
import { seed } from "../../../test/support/seed.ts"

const HOUR = 3600
const isLong = process.env["SWAPTAPE_LONG"] === "1"
/** In the second round so many swaps stand in a block that some markets are wash trading. */
const ROUNDS = isLong ? 10 : 3
const WASHED = 1

interface Row {
  readonly address: string
  readonly wash?: true
  readonly buys24h: number
  readonly sells24h: number
}

interface Flag {
  readonly flag: string
  readonly of: string
  readonly pool?: string
  readonly rule: { readonly id: string; readonly version: number }
  readonly thresholds: { readonly [name: string]: number }
  readonly figures: { readonly [name: string]: number }
  readonly window: { readonly from: number; readonly to: number }
  readonly wallets: ReadonlyArray<{ readonly wallet: string; readonly trades: number }>
  readonly prints: {
    readonly count: number
    readonly newest: ReadonlyArray<{ readonly seq: number; readonly block: number }>
  }
}

/** Swaps of known wallets behind a flag, by plain SQL. */
const checkEvidence = (world: MarketWorld, token: number, flag: Flag) =>
  Effect.gen(function* () {
    const { blockTime } = world.core.committed
    const since = blockTime - (blockTime % HOUR) - 23 * HOUR
    const pools = yield* rows(
      world,
      `SELECT DISTINCT pool FROM tape WHERE token0 = ${token} OR token1 = ${token}`
    )
    const of = `wallet_hi IS NOT NULL AND ts >= ${since}
      AND (token0 = ${token} OR token1 = ${token})`
    const side = `CASE WHEN token0 = ${token} THEN flags & 1 ELSE flags >> 1 END`
    const list = yield* rows(
      world,
      `SELECT seq, block, pool, usd, wallet_hi::VARCHAR AS hi, wallet_lo AS lo,
         ${side} AS own, flags FROM tape WHERE ${of} ORDER BY seq DESC`
    )
    const ids = new Map<number, string>()
    for (const { pool } of pools)
      ids.set(pool as number, world.folds.output(pooled).idText(pool as number))
    const mine = list.filter(
      row => flag.of === "token" || ids.get(row["pool"] as number) === flag.pool
    )
    const isCounted = (row: Record<string, number>): boolean =>
      (flag.of === "token" ? row["own"] : row["flags"]) === 0
    const usd = mine.reduce((sum, row) => sum + (isCounted(row) ? (row["usd"] ?? 0) : 0), 0) / 1e6
    const wallets = new Set(mine.map(row => `${row["hi"]} ${row["lo"]}`)).size
    expect(flag.figures["trades"]).toBe(mine.length)
    expect(flag.figures["usd"]).toBeCloseTo(usd, 4)
    expect(flag.figures["wallets"]).toBe(wallets)
    expect(flag.window).toEqual({ from: since, to: blockTime })
    expect(flag.prints.count).toBe(mine.length)
    expect(flag.prints.newest.map(({ seq }) => seq)).toEqual(
      mine.slice(0, 200).map(row => row["seq"])
    )
    expect(flag.wallets.length).toBe(wallets)
    expect(flag.wallets.reduce((sum, { trades }) => sum + trades, 0)).toBe(mine.length)
    const { minTrades = 0, minUsd = 0, minTradesPerWallet = 0 } = flag.thresholds
    expect(mine.length).toBeGreaterThanOrEqual(Math.max(minTrades, minTradesPerWallet * wallets))
    expect(usd).toBeGreaterThanOrEqual(minUsd)
  })

describe("flags", () => {
  it("are explained by the very prints that the rule counted", () =>
    Effect.gen(function* () {
      console.log(`flags: SEED=${seed}`)
      const world = yield* openMarketWorld(`${seed}/flags`)
      const found = { wash: 0, suspect: 0, none: 0 }
      for (let round = 0; round < ROUNDS; round++) {
        yield* advance(world, round, r => r.pick([5, 40, 200]))
        if (round === WASHED) {
          const { log, core } = world
          yield* applySegment(core, log.append(world.events("main", 1, 5200)))
          yield* commitPending(core)
        }
        const board = yield* ask(world, "tokenBoard", {
          ...{ sort: "volume", limit: 100, offset: 0, includeUnlisted: true, rules: "v1" }
        })
        const all = board.tokens as ReadonlyArray<Row>
        const looked = isLong ? all : [...all.filter(row => row.wash), ...all].slice(0, 1)
        for (const row of looked) {
          const told = yield* ask(world, "explainFlags", { token: row.address, rules: "v1" })
          expect([told.rules, told.asOf]).toEqual(["v1", world.core.committed.seq])
          const flags = told.flags as ReadonlyArray<Flag>
          expect(flags.some(({ flag }) => flag === "wash")).toBe(row.wash === true)
          const token = world.folds.output(tokens).find(idBytes(row.address))
          for (const flag of flags) yield* checkEvidence(world, token, flag)
          const { pools } = yield* ask(world, "tokenPools", {
            ...{ token: row.address, limit: 500, offset: 0 }
          })
          const suspects = pools.filter((pool: { suspect?: true }) => pool.suspect === true)
          const marked = flags.filter(({ flag }) => flag === "suspect")
          expect(marked.map(({ pool }) => pool).sort()).toEqual(
            suspects.map(({ pool }: { pool: string }) => pool).sort()
          )
          const traded = yield* ask(world, "tokenTradeFlags", { token: row.address })
          expect([...traded.suspects].sort()).toEqual(
            [...new Set(marked.map(one => one.pool))].sort()
          )
          expect([traded.buys, traded.sells, traded.readsAs]).toEqual([
            ...[row.buys24h, row.sells24h, null]
          ])
          if (flags.length === 0) found.none++
          for (const { flag } of flags) found[flag as "wash" | "suspect"]++
        }
      }
      expect(found.suspect).toBeGreaterThan(0)
    }).pipe(Effect.scoped, Effect.runPromise))

  it("of a look-alike name the anchors that it reads like", () => {
    const [usd] = testChain.anchors
    expect(protectedBy(testChain, readAs("UЅDС"))).toEqual([
      { symbol: "USDC", address: usd?.address }
    ])
    expect(protectedBy(testChain, "ETH")).toEqual([
      { symbol: "ETH", address: testChain.nativeToken }
    ])
    expect(protectedBy(testChain, "PEPE")).toEqual([])
  })
})
