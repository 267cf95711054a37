import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { afterAll, expect, it } from "vitest"
import { newFoldSet } from "../../engine/runner/fold-set.ts"
import { applySegment, commitPending, loadCore } from "../../engine/runner/lane-core.ts"
import { digests, openStore, type Store, type TableDigest } from "../../engine/store/store.ts"
import type { Event, EventOf } from "../../streams/event.ts"
import { testChain } from "../../test/support/chain-config.ts"
import { marketBlock, newMarket } from "../../test/support/market.ts"
import { MemoryLog } from "../../test/support/memory-log.ts"
import { random } from "../../test/support/random.ts"
import { seed } from "../../test/support/seed.ts"
import { withUses } from "../all.ts"
import { candlesOutput } from "../candles/output.ts"

const dir = mkdtempSync(join(tmpdir(), "late-decimals-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
let files = 0

const usd = testChain.anchors[0]?.address ?? ""
const native = testChain.anchors[1]?.address ?? ""

type Rows = ReadonlyArray<{ readonly [name: string]: unknown }>

/** Folds the segments in groups, each by a process of its own; then asks the tables. */
const fold = async (
  log: MemoryLog,
  sizes: ReadonlyArray<number>,
  asks: ReadonlyArray<string>,
  meaning?: boolean
) => {
  const file = join(dir, `${files++}.duckdb`)
  const whole = sizes.reduce((sum, size) => sum + size, 0)
  let out = { tables: [] as ReadonlyArray<TableDigest>, answers: [] as ReadonlyArray<Rows> }
  const read = (at: number, size: number) =>
    Effect.gen(function* () {
      const folds = newFoldSet(testChain, withUses(candlesOutput))
      const store: Store = yield* openStore(file, folds.tables, { threads: 1 })
      const core = yield* loadCore(store, folds, log.read)
      for (const segment of log.segments.slice(at, at + size)) yield* applySegment(core, segment)
      yield* commitPending(core)
      if (at + size < whole) return out
      const tables = yield* digests(store.writer, folds.tables, meaning !== true)
      const answers = yield* Effect.forEach(asks, ask => store.writer.rows(ask))
      return { tables, answers: answers as ReadonlyArray<Rows> }
    }).pipe(Effect.scoped, Effect.runPromise)
  let at = 0
  for (const size of sizes) {
    out = await read(at, size)
    at += size
  }
  return out
}

/** Folds a log in batches of the given sizes, and asks one question. */
const run = async (
  log: MemoryLog,
  sizes: ReadonlyArray<number>,
  ask: string,
  meaning?: boolean
) => {
  const { tables, answers } = await fold(log, sizes, [ask], meaning)
  return { tables, rows: answers[0] as Rows }
}

const newest = (name: string, columns: string, key: string) =>
  `SELECT ${columns} FROM (SELECT * FROM ${name} UNION ALL SELECT * FROM ${name}_tail)
   QUALIFY row_number() OVER (PARTITION BY ${key} ORDER BY seq DESC) = 1`

const CANDLES = ["candles_1m", "candles_1h"]
  .map(name => newest(name, `'${name}' AS name, token, t, o, h, l, c, v, n`, "token, t"))
  // buckets with a price: those of tokens without decimals are counted elsewhere
  .map(rows => `SELECT * FROM (${rows}) WHERE n > 0`)
  .join(" UNION ALL ")
/** Which tokens have a price. What it is depends on when pools were last looked at. */
const PRICED = `SELECT token FROM (${newest("token_prices", "token, price", "token")})
  WHERE price IS NOT NULL`

const BLOCKS = 40

/** The blocks of a market whose tokens have their decimals from the start. */
const marketBlocks = (name: string): ReadonlyArray<ReadonlyArray<Event>> => {
  const market = newMarket(name, usd, native)
  const known = new Set<string>()
  let parent: string | null = null
  return Array.from({ length: BLOCKS }, (_, i) => {
    const events = marketBlock(name, market, "main", i + 1, parent, 12, known)
    parent = events[0]?.block.hash ?? null
    return events
  })
}

/** Returns the blocks with the decimals of some tokens moved to a later block. */
const tellLate = (
  name: string,
  blocks: ReadonlyArray<ReadonlyArray<Event>>
): ReadonlyArray<ReadonlyArray<Event>> => {
  const r = random(`${name}/late`)
  const due = new Map<number, Array<EventOf<"TokenSeen">>>()
  const silenced = new Set<string>()
  const told = blocks.map((events, i) =>
    events.map((event): Event => {
      if (event.kind !== "TokenSeen" || event.token === usd || event.token === native) return event
      if (silenced.has(event.token)) return { ...event, decimals: null }
      if (r.int(2) === 0) return event
      silenced.add(event.token)
      const block = i + 1 + r.int(BLOCKS - i - 1)
      due.set(block, [...(due.get(block) ?? []), event])
      return { ...event, decimals: null, symbol: null }
    })
  )
  expect(silenced.size).toBeGreaterThan(1)
  return told.map((events, i) => {
    const late = due.get(i) ?? []
    const { block } = events[0] as Event
    // in the midst of the block's events
    const half = late.length === 0 ? 0 : events.findIndex(({ kind }) => kind === "SwapExecuted") + 1
    return [
      ...events.slice(0, half),
      ...late.map(event => ({ ...event, block })),
      ...events.slice(half)
    ]
  })
}

const ROUNDS = process.env["SWAPTAPE_LONG"] === "1" ? 8 : 1

const logOf = (blocks: ReadonlyArray<ReadonlyArray<Event>>): MemoryLog => {
  const log = new MemoryLog()
  // several blocks a segment, so that slices end anywhere
  for (let i = 0; i < blocks.length; i += 8) log.append(blocks.slice(i, i + 8).flat())
  return log
}

it("ends with the candles of decimals known all along, and a price of each token", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const name = `${seed}/late/${round}`
    const blocks = marketBlocks(name)
    const known = logOf(blocks)
    const late = logOf(tellLate(name, blocks))
    const all = known.segments.length
    const asks = [`${CANDLES} ORDER BY name, token, t`, `${PRICED} ORDER BY token`]
    const [candles = [], priced = []] = (await fold(known, [all], asks)).answers
    expect(candles.length).toBeGreaterThan(20)
    expect(priced.length).toBeGreaterThan(2)
    const waiting = newest("parked_prints", "token", "slot")
    const parked = `SELECT * FROM (${waiting}) WHERE token IS NOT NULL`
    const found = await fold(late, [all], [...asks, parked])
    expect(found.answers).toEqual([candles, priced, []])
    const piecewise = await fold(late, Array(all).fill(1), [])
    expect(piecewise.tables).toEqual(found.tables)
  }
})

const at = (number: number, logIndex: number, event: object): Event =>
  ({
    block: {
      number,
      time: 1_700_000_000 + 60 * number,
      hash: `0x${number.toString(16).padStart(64, "0")}`,
      parentHash: `0x${(number - 1).toString(16).padStart(64, "0")}`
    },
    tx: { hash: `0x${"22".repeat(32)}`, index: 0, from: null, to: null },
    logIndex,
    ...event
  }) as Event

const TOKEN = `0x${"a1".repeat(20)}`
const POOL = `0x${"b1".repeat(20)}`
const usdUnit = 10n ** BigInt(testChain.anchors[0]?.decimals ?? 0)

const seen = (number: number, token: string, decimals: number | null, supply: bigint | null) =>
  at(number, 0, {
    kind: "TokenSeen",
    tx: null,
    token,
    symbol: decimals === null ? null : "TKN",
    name: null,
    decimals,
    totalSupply: supply,
    source: "call"
  })

/** Sells `raw` units of the token for so many dollars. */
const sold = (number: number, logIndex: number, raw: bigint, dollars: bigint): Event =>
  at(number, logIndex, {
    kind: "SwapExecuted",
    pool: POOL,
    venueKind: "uniswap-v2",
    sender: null,
    recipient: null,
    amount0In: raw,
    amount0Out: 0n,
    amount1In: 0n,
    amount1Out: dollars * usdUnit,
    sqrtPriceX96: null,
    liquidity: null,
    tick: null,
    fee: null,
    token0: null,
    token1: null,
    index0: null,
    index1: null
  })

const sealed = (number: number) =>
  at(number, 0, { kind: "BlockSealed", tx: null, logs: 1, grade: "file" })

const created = at(1, 0, {
  kind: "PoolCreated",
  tx: null,
  pool: POOL,
  venueKind: "uniswap-v2",
  factory: null,
  tokens: [TOKEN, usd],
  fee: 3000,
  tickSpacing: null,
  source: "log"
})

it("keeps what a token told when it is read again without an answer, or with an absurd one", async () => {
  const log = new MemoryLog()
  const dollar = seen(1, usd, testChain.anchors[0]?.decimals ?? 0, null)
  log.append([seen(1, TOKEN, 300, 5n), dollar, created, sold(1, 1, 40_000n, 8n), sealed(1)])
  const tokens = newest("tokens", "token, symbol, decimals, total_supply_lo AS supply", "token")
  const ask = `SELECT symbol, decimals, supply FROM (${tokens}) WHERE token = 0`
  expect((await run(log, [1], ask)).rows).toEqual([{ symbol: "TKN", decimals: null, supply: 5n }])
  log.append([seen(2, TOKEN, 2, 7n), sealed(2)])
  log.append([seen(3, TOKEN, null, null), sealed(3)])
  log.append([seen(4, TOKEN, 78, 9n), sealed(4)])
  expect((await run(log, [4], ask)).rows).toEqual([{ symbol: "TKN", decimals: 2, supply: 9n }])
})

it("prices by the decimals of their time what was sold before and after they changed", async () => {
  const log = new MemoryLog()
  const dollar = seen(1, usd, testChain.anchors[0]?.decimals ?? 0, null)
  log.append([seen(1, TOKEN, 0, null), dollar, created, sold(1, 1, 4_000n, 8n), sealed(1)])
  log.append([seen(2, TOKEN, 2, null), sold(2, 1, 40_000n, 8n), sealed(2)])
  const ask = "SELECT amount0, price0, unscaled FROM tape ORDER BY seq"
  expect((await run(log, [2], ask)).rows).toEqual([
    { amount0: 4000, price0: 0.002, unscaled: 0 },
    { amount0: 400, price0: 0.02, unscaled: 0 }
  ])
})

it("holds prints of unknown decimals in raw units, with their dollars", async () => {
  const log = new MemoryLog()
  const dollar = seen(1, usd, testChain.anchors[0]?.decimals ?? 0, null)
  log.append([
    seen(1, TOKEN, null, null),
    dollar,
    created,
    sold(1, 1, 40_000n, 8n),
    // dust: no price
    sold(1, 2, 999n, 1n),
    sealed(1)
  ])
  const ask = "SELECT amount0, price0, usd, unscaled FROM tape ORDER BY seq"
  expect((await run(log, [1], ask)).rows).toEqual([
    { amount0: 40_000, price0: 8, usd: 8_000_000n, unscaled: 1 },
    { amount0: 999, price0: null, usd: 1_000_000n, unscaled: 1 }
  ])
  const prints = `SELECT token, amount, other_amount AS other, unscaled
    FROM prints_tail WHERE price = 8 OR other_amount = 40000 ORDER BY token`
  expect((await run(log, [1], prints)).rows).toEqual([
    { token: 0, amount: 40_000, other: 8, unscaled: 1 },
    { token: 1, amount: 8, other: 40_000, unscaled: 2 }
  ])
  log.append([seen(2, TOKEN, 2, null), sealed(2)])
  const candles = `SELECT o, n FROM (${CANDLES}) WHERE token = 0 AND name = 'candles_1m'`
  expect((await run(log, [1, 1], candles)).rows).toEqual([{ o: 0.02, n: 1 }])
})

it("parks again what a reorg takes the decimals from", async () => {
  const dollar = seen(1, usd, testChain.anchors[0]?.decimals ?? 0, null)
  const first = [seen(1, TOKEN, null, null), dollar, created, sold(1, 1, 40_000n, 8n), sealed(1)]
  const last = [sold(3, 1, 50_000n, 5n), seen(3, TOKEN, 3, null), sealed(3)]
  const second = [sold(2, 1, 60_000n, 6n), sealed(2)]
  const forked = new MemoryLog()
  const { lastSeq } = forked.append(first).header
  forked.append([sold(2, 1, 20_000n, 9n), seen(2, TOKEN, 2, null), sealed(2)])
  const rollback = at(1, 0, {
    kind: "Rollback",
    tx: null,
    toSeq: lastSeq,
    toBlock: 1,
    toHash: `0x${"1".padStart(64, "0")}`,
    fromBlock: 2,
    reason: "reorg"
  })
  forked.append([rollback, ...second])
  forked.append(last)
  const straight = new MemoryLog()
  for (const events of [first, second, last]) straight.append(events)
  const ask = `SELECT o, h, l, c, n FROM (${CANDLES}) WHERE token = 0 AND name = 'candles_1h'`
  const fresh = await run(straight, [3], ask, true)
  // 8 dollars for 40, 6 for 60, 5 for 50
  expect(fresh.rows).toEqual([{ o: 0.2, h: 0.2, l: 0.1, c: 0.1, n: 3 }])
  for (const sizes of [[4], [1, 1, 1, 1], [2, 2]]) {
    expect(await run(forked, sizes, ask, true)).toEqual(fresh)
  }
})
