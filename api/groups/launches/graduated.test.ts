/** Graduated launches and launchers against plain SQL over the tape and the events themselves. */
import { Effect } from "effect"
import { expect, it } from "vitest"
import type { ChainConfig } from "../../../src/domain/chain.ts"
import type { Event } from "../../../streams/event.ts"
import { foldLog } from "../../../test/support/folded-lane.ts"
import { MemoryLog } from "../../../test/support/memory-log.ts"
import {
  address,
  eventsOf,
  type Fact,
  facts,
  pool,
  priceChain,
  reserves,
  seen,
  swap,
  UNIT,
  USDC
} from "../../../test/support/price-events.ts"
import { type Random, random, seed } from "../../../test/support/seed.ts"
import { presentPrices } from "../../../test/support/tape-oracle.ts"
import { launcherSorts } from "./launcher-sorts.ts"

const COUNT = 30
const HOUR = 3600
const byteOf = (base: number, i: number): string => (base + i).toString(16)
const wallets = ["a1", "a2", "a3"].map(address)
const [PAD, ROUTER] = [address("b1"), address("b2")] as [string, string]
const launchpads = [{ address: PAD as never, name: "The Pad" }]
const chain: ChainConfig = { ...priceChain, routers: [ROUTER as never], launchpads }

/** How each token came to be traded, as the script has it. */
interface Launched {
  readonly token: string
  readonly pool: string
  readonly wallet: string
  readonly target: string
  readonly time: number
}

/** What is looked at of an answer's row. */
interface Row {
  readonly address: string
  readonly priceUsd: number | null
  readonly trades24h: number
  readonly volume24h: number
  readonly liquidityUsd: number | null
  readonly launcher: unknown
  readonly wallet: string | null
  readonly contract: string | null
  readonly launch: Record<"pool" | "dex" | "block" | "ts", string | number>
}

type Sent = Fact & { readonly from?: string; readonly to?: string }

/** A token every twenty minutes, each with its own pool, depth and number of trades. */
const drawn = (r: Random) => {
  const list: Array<Sent> = [...facts]
  const launched: Array<Launched> = []
  const trades: Array<Sent> = []
  for (let i = 0; i < COUNT; i++) {
    const [token, place] = [address(byteOf(0xc0, i)), byteOf(0x80, i)]
    const time = 1200 * (i + 1)
    const [from, to] = [r.pick(wallets), r.pick([PAD, ROUTER])]
    launched.push({ token, pool: address(place), wallet: from, target: to, time })
    const depth = BigInt(r.pick([500, 5_000, 50_000])) * UNIT
    list.push({ ...seen(time, token), symbol: i % 7 === 3 ? "USDC" : `L${i}` } as Fact)
    list.push({ ...pool(time, place, [token, USDC], { source: "log" }), from, to })
    list.push(reserves(time, place, depth, depth))
    for (let n = r.integer(5, 15); n > 0; n--) {
      const amount = BigInt(r.integer(1, 20)) * UNIT
      const at = time + r.integer(1, 30 * HOUR)
      const bought = r.boolean()
      const by = { from: r.pick(wallets), to: ROUTER }
      const moved = bought ? [-amount, amount] : [amount, -amount]
      // a pool is judged by its events: a new one that nothing happened to since prices nothing
      trades.push(reserves(at, place, depth, depth))
      trades.push({ ...swap(at, place, moved[0] as bigint, moved[1] as bigint), ...by })
    }
  }
  const all = [...list, ...trades].sort((a, b) => a.time - b.time)
  return { all, launched }
}

const sent = (list: ReadonlyArray<Sent>): ReadonlyArray<Event> =>
  eventsOf(list).map((event, i) => {
    const { from = null, to = null } = list[i] as Sent
    return { ...event, tx: { ...event.tx, from, to } } as Event
  })

type Lane = Effect.Success<ReturnType<typeof foldLog>>

const newest = (table: string, key: string) =>
  `(SELECT * FROM (SELECT * FROM ${table} UNION ALL SELECT * FROM ${table}_tail)
    QUALIFY row_number() OVER (PARTITION BY ${key} ORDER BY seq DESC) = 1)`

/** What the tables say of each token, by address. */
const figures = ({ connection, core }: Lane) =>
  Effect.gen(function* () {
    const { blockTime } = core.committed
    const since = blockTime - (blockTime % HOUR) - 23 * HOUR
    const rows = yield* connection.rows(`
      SELECT address_hi, address_lo, trades, day, volume, price, p.depth_usd AS depth, liquidity
      FROM (SELECT token0 AS token, count(*) AS trades, count(*) FILTER (ts >= ${since}) AS day,
          coalesce(sum(usd) FILTER (ts >= ${since} AND flags = 0), 0)::DOUBLE / 1e6 AS volume
        FROM tape GROUP BY token0)
      JOIN ${newest("tokens", "token")} k USING (token)
      LEFT JOIN ${presentPrices} p USING (token)
      LEFT JOIN (SELECT token0 AS token, sum(pp.depth * q.price) AS liquidity
        FROM ${newest("pool_prices", "pool")} pp JOIN ${newest("pools", "pool")} USING (pool)
          JOIN ${presentPrices} q ON q.token = pp.quote
        WHERE pp.depth * q.price >= 1000 GROUP BY token0) USING (token)`)
    return new Map(
      rows.map(row => {
        const high = BigInt(row["address_hi"] as bigint)
          .toString(16)
          .padStart(32, "0")
        const low = BigInt(row["address_lo"] as number)
          .toString(16)
          .padStart(8, "0")
        return [
          `0x${high}${low}`,
          {
            trades: Number(row["trades"]),
            trades24h: Number(row["day"]),
            volume24h: Number(row["volume"]),
            priceUsd: row["price"] === null ? null : Number(row["price"]),
            depth: Number(row["depth"] ?? 0),
            liquidityUsd: row["liquidity"] === null ? null : Number(row["liquidity"])
          }
        ]
      })
    )
  })

const launcherOf = ({ wallet, target }: Launched) =>
  target === PAD
    ? { address: PAD, kind: "contract", name: "The Pad" }
    : { address: wallet, kind: "wallet", name: wallet }

const checkGraduated = (lane: Lane, launched: ReadonlyArray<Launched>) =>
  Effect.gen(function* () {
    const found = yield* lane.ask("graduated", { limit: 500, cursor: null })
    const known = yield* figures(lane)
    const expected = launched
      .toReversed()
      .map(one => ({ one, of: known.get(one.token) }))
      .filter(({ of }) => of !== undefined && of.trades >= 10 && (of.priceUsd ?? 0) > 0)
      .filter(({ of }) => (of?.depth ?? 0) >= 1000)
      .map(({ one, of }) => ({
        address: one.token,
        priceUsd: of?.priceUsd,
        trades24h: of?.trades24h,
        volume24h: of?.volume24h,
        liquidityUsd: of?.liquidityUsd,
        launcher: launcherOf(one),
        wallet: one.wallet,
        contract: one.target === PAD ? PAD : null,
        first: [one.pool, "uniswap_v2", one.time + 1, 1_700_000_000 + one.time]
      }))
    const rows = found.tokens.map((row: Row) => ({
      address: row.address,
      priceUsd: row.priceUsd,
      trades24h: row.trades24h,
      volume24h: row.volume24h,
      liquidityUsd: row.liquidityUsd,
      launcher: row.launcher,
      wallet: row.wallet,
      contract: row.contract,
      first: [row.launch.pool, row.launch.dex, row.launch.block, row.launch.ts]
    }))
    // those that bear an anchor's symbol come last
    const isFlagged = (of: { readonly address: string }): boolean =>
      launched.findIndex(({ token }) => token === of.address) % 7 === 3
    expect(rows).toEqual([
      ...expected.filter(of => !isFlagged(of)),
      ...expected.filter(of => isFlagged(of))
    ])
    expect([found.total, found.nextCursor]).toEqual([expected.length, null])
    for (const row of found.tokens) expect(row.listing).toEqual(row.launch)
    return expected.length
  })

const checkLaunchers = (lane: Lane, launched: ReadonlyArray<Launched>) =>
  Effect.gen(function* () {
    const known = yield* figures(lane)
    const expected = new Map<string, { launches: number; trading: number; volume24h: number }>()
    for (const [i, one] of launched.entries()) {
      const by = launcherOf(one).address
      const sum = expected.get(by) ?? { launches: 0, trading: 0, volume24h: 0 }
      const { trades24h = 0, volume24h = 0 } = known.get(one.token) ?? {}
      expected.set(by, {
        launches: sum.launches + 1,
        trading: sum.trading + (trades24h > 0 ? 1 : 0),
        volume24h: sum.volume24h + (i % 7 === 3 ? 0 : volume24h)
      })
    }
    for (const sort of launcherSorts) {
      const found = yield* lane.ask("launchers", { sort, limit: 500, offset: 0 })
      expect([found.total, found.unattributed]).toEqual([expected.size, 0])
      for (const { address: by, launches, trading, volume24h, lastLaunch } of found.launchers) {
        expect({ launches, trading, volume24h }).toEqual(expected.get(by))
        const last = launched.findLast(one => launcherOf(one).address === by)
        expect(lastLaunch).toMatchObject({ token: last?.token, block: (last?.time ?? 0) + 1 })
      }
      const page = yield* lane.ask("launchers", { sort, limit: 2, offset: 1 })
      expect(page.launchers).toEqual(found.launchers.slice(1, 3))
    }
  })

it("say what the tape and the makings say", async () => {
  console.log(`graduated: SEED=${seed}`)
  const seenCount = await Effect.gen(function* () {
    const { all, launched } = drawn(random("graduated"))
    const log = new MemoryLog()
    log.append(sent(all))
    const lane = yield* foldLog(chain, log)
    yield* checkLaunchers(lane, launched)
    return yield* checkGraduated(lane, launched)
  }).pipe(Effect.scoped, Effect.runPromise)
  expect(seenCount).toBeGreaterThan(0)
})

it("pages do not drift while the log grows", async () => {
  const pages = await Effect.gen(function* () {
    const { all } = drawn(random("graduated/pages"))
    const events = sent(all)
    const half = Math.floor(events.length * 0.7)
    // what trades afterwards shows more of the launches of before: those of the first page stand
    const log = new MemoryLog()
    log.append(events.slice(0, half))
    const before = yield* foldLog(chain, log)
    const whole = yield* before.ask("graduated", { limit: 500, cursor: null })
    const first = yield* before.ask("graduated", { limit: 3, cursor: null })
    log.append(events.slice(half))
    const after = yield* foldLog(chain, log)
    const now = yield* after.ask("graduated", { limit: 500, cursor: null })
    const found: Array<string> = []
    for (let { nextCursor: cursor } = first; cursor !== null; ) {
      const page = yield* after.ask("graduated", { limit: 2, cursor })
      found.push(...page.tokens.map((row: { address: string }) => row.address))
      cursor = page.nextCursor
    }
    const addresses = (of: { tokens: ReadonlyArray<{ address: string }> }) =>
      of.tokens.map(row => row.address)
    return { whole: addresses(whole), first: addresses(first), found, now: addresses(now) }
  }).pipe(Effect.scoped, Effect.runPromise)
  const { whole, first, found, now } = pages
  expect(first).toEqual(whole.slice(0, 3))
  expect(new Set([...first, ...found]).size).toBe(first.length + found.length)
  // every launch of before appears once, in the order of the whole list
  expect([...first, ...found].filter(token => whole.includes(token))).toEqual(whole)
  expect(now.filter(token => found.includes(token))).toEqual(found)
})

it("answer the same bytes after a fork as a fresh replay", async () => {
  const [forked, fresh] = await Effect.gen(function* () {
    const events = sent(drawn(random("graduated/fork")).all)
    const others = sent(drawn(random("graduated/other branch")).all)
    const at = 20_000
    const [head, tail, wrong] = [
      events.filter(({ block }) => block.number <= at),
      events.filter(({ block }) => block.number > at),
      others.filter(({ block }) => block.number > at)
    ]
    const log = new MemoryLog()
    log.append(head)
    const to = log.end.seq
    log.append(wrong)
    const tip = head.at(-1)?.block
    const rollback = {
      ...{ kind: "Rollback", block: tip, tx: null, logIndex: 0, toSeq: to, reason: "reorg" },
      ...{ toBlock: tip?.number, toHash: tip?.hash, fromBlock: wrong.at(-1)?.block.number }
    } as Event
    log.append([rollback, ...tail])
    const plain = new MemoryLog()
    plain.append(events)
    return yield* Effect.forEach([log, plain], one =>
      Effect.gen(function* () {
        const lane = yield* foldLog(chain, one)
        return JSON.stringify([
          yield* lane.ask("graduated", { limit: 500, cursor: null }),
          yield* lane.ask("launchers", { sort: "volume", limit: 500, offset: 0 })
        ])
      })
    )
  }).pipe(Effect.scoped, Effect.runPromise)
  expect(forked).toBe(fresh)
})
