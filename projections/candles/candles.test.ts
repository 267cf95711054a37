import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { Effect, Stream } from "effect"
import { expect, it } from "vitest"
import { newFoldSet } from "../../engine/runner/fold-set.ts"
import { applySegment, commitPending, loadCore } from "../../engine/runner/lane-core.ts"
import { openQueries } from "../../engine/runner/queries.ts"
import { openStore, rowsOf } from "../../engine/store/store.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { ethereum } from "../../src/domain/chains/ethereum.ts"
import type { Connection } from "../../src/platform/duckdb.ts"
import { eventsOf } from "../../streams/event-objects.ts"
import { makeFileSource } from "../../streams/sources/file/file-source.ts"
import { testChain } from "../../test/support/chain-config.ts"
import { marketBlock, newMarket } from "../../test/support/market.ts"
import { MemoryLog } from "../../test/support/memory-log.ts"
import { plainCandles } from "../../test/support/plain-candles.ts"
import { seed } from "../../test/support/seed.ts"
import { describeWithSharedData, sharedData } from "../../test/support/shared-data.ts"
import { withUses } from "../all.ts"
import { candlesOutput } from "./output.ts"
import { minuteCandlesTable } from "./tables.ts"

/** The log folded into a database in memory, with its connection and a way to ask. */
const folded = async <A>(
  chain: ChainConfig,
  log: MemoryLog,
  use: (
    connection: Connection,
    ask: (name: string, params: object) => Effect.Effect<unknown>
  ) => Effect.Effect<A, unknown>
): Promise<A> =>
  Effect.gen(function* () {
    const folds = newFoldSet(chain, withUses(candlesOutput))
    const store = yield* openStore(":memory:", folds.tables, { threads: 1 })
    const core = yield* loadCore(store, folds, log.read)
    for (const segment of log.segments) yield* applySegment(core, segment)
    yield* commitPending(core)
    const queries = yield* openQueries(store, chain, folds, core)
    const ask = (name: string, params: object) =>
      queries.answer({ name, params: params as never }).pipe(
        Effect.orDie,
        Effect.map(answer =>
          answer.ok ? JSON.parse(new TextDecoder().decode(answer.body)) : answer.refusal
        )
      )
    return yield* use(store.writer, ask)
  }).pipe(Effect.scoped, Effect.runPromise)

/** Candles of one width straight from the tape, in plain SQL. */
const oracle = (width: number, origin = 0) => `
  SELECT token, (ts - ${origin})::BIGINT // ${width} * ${width} + ${origin} AS b,
    arg_min(price, seq) AS o, max(price) AS h, min(price) AS l, arg_max(price, seq) AS c,
    sum(usd)::BIGINT AS v, count(*) AS n
  FROM (
    SELECT token0 AS token, price0 AS price, ts, usd, seq FROM tape WHERE flags & 1 = 0
    UNION ALL SELECT token1, price1, ts, usd, seq FROM tape WHERE flags & 2 = 0
  ) WHERE token IS NOT NULL AND price > 0 AND usd IS NOT NULL GROUP BY ALL ORDER BY token, b`

const marketLog = (name: string, blocks: number): { log: MemoryLog; tokens: string[] } => {
  const usd = testChain.anchors[0]?.address ?? ""
  const market = newMarket(name, usd, testChain.anchors[1]?.address ?? "")
  const log = new MemoryLog()
  const known = new Set<string>()
  for (let i = 1; i <= blocks; i++) {
    // blocks are 7 s apart: hours, days and a Monday lie between the first and the last
    log.append(marketBlock(name, market, "main", i * 97, null, 6, known))
  }
  return { log, tokens: market.tokens.map(token => token.address) }
}

it("equals plain SQL over the tape, for every token and time frame", async () => {
  const { log, tokens } = marketLog(`${seed}/candles`, 700)
  const frames = {
    "1m": 60,
    "5m": 300,
    "15m": 900,
    "1h": 3600,
    "4h": 14400,
    "1d": 86400,
    "1w": 604800
  }
  await folded(testChain, log, (connection, ask) =>
    Effect.gen(function* () {
      let compared = 0
      for (const [tf, width] of Object.entries(frames)) {
        const rows = yield* connection.rows(oracle(width, tf === "1w" ? 4 * 86400 : 0))
        for (const [id, token] of tokens.entries()) {
          const names = yield* connection.rows(
            `SELECT token FROM tokens_tail WHERE address_hi = ${BigInt(token.slice(0, 34))}::UHUGEINT LIMIT 1`
          )
          const own = rows.filter(row => Number(row["token"]) === Number(names[0]?.["token"]))
          const answer = (yield* ask("candles", {
            token,
            tf,
            from: 0,
            to: null,
            limit: 5_000_000,
            fill: false,
            ...plainCandles
          })) as { candles: unknown; code?: string }
          compared += own.length
          expect(answer.candles, `${tf} ${id}`).toEqual(
            own.map(row => ({
              t: Number(row["b"]),
              o: row["o"],
              h: row["h"],
              l: row["l"],
              c: row["c"],
              v: Number(row["v"]) / 1e6,
              n: Number(row["n"])
            }))
          )
        }
      }
      expect(compared).toBeGreaterThan(2000)
    })
  )
})

interface Truth {
  readonly minute: number
  readonly volume: bigint
  readonly closeTick: number
  readonly lowTick: number
  readonly highTick: number
}

/** Minutes with trades; pool amounts of token 0 (USDC): sum of positive ones, and signed sum. */
const truthOf = (name: string): ReadonlyArray<Truth> => {
  const text = gunzipSync(
    readFileSync(join(sharedData, `evm/truth/${name}.minute.csv.gz`))
  ).toString()
  const [head, ...lines] = text.trim().split("\n")
  const columns = (head ?? "").split(",")
  return lines
    .map(line => Object.fromEntries(line.split(",").map((cell, i) => [columns[i] ?? "", cell])))
    .map(row => ({
      minute: Date.parse(`${row["timestamp"]}Z`.replace(" ", "T")) / 1000,
      volume: 2n * BigInt(row["inAmount0"] || 0) - BigInt(row["netAmount0"] || 0),
      closeTick: Number(row["closeTick"]),
      lowTick: Number(row["lowestTick"]),
      highTick: Number(row["highestTick"])
    }))
    .filter(row => row.volume > 0n)
}

const DAY = "eth-univ3-usdc-weth-500-2024-01-05"
const DAY_FILES = [`evm/logs/${DAY}.jsonl.gz`, `evm/truth/${DAY}.minute.csv.gz`]

describeWithSharedData("minute candles computed by somebody else", DAY_FILES, () => {
  it("agree on 2024-01-05: every minute, its volume to the unit, its prices to fee and tick", async () => {
    const source = makeFileSource({
      chain: ethereum,
      files: [join(sharedData, `evm/logs/${DAY}.jsonl.gz`)]
    })
    const batches = await Effect.runPromise(
      Stream.runCollect(source.batches({ blocks: [], knownPools: [], knownTokens: [] }))
    )
    const log = new MemoryLog()
    for (const batch of batches) log.append(eventsOf(batch))
    const weth = ethereum.nativeToken ?? ""
    await folded(ethereum, log, (connection, ask) =>
      Effect.gen(function* () {
        const answer = (yield* ask("candles", {
          token: weth,
          tf: "1m",
          from: 1704412800,
          to: 1704499200,
          limit: 1440,
          fill: false,
          ...plainCandles
        })) as { candles: ReadonlyArray<{ t: number; h: number; l: number; c: number; v: number }> }
        const truth = truthOf(DAY)
        expect(truth.length).toBe(1408)
        const tape = yield* connection.rows(
          `SELECT ts // 60 * 60 AS minute, sum(usd)::BIGINT AS volume FROM tape
           GROUP BY minute ORDER BY minute`
        )
        expect(tape.map(row => [Number(row["minute"]), BigInt(row["volume"] as bigint)])).toEqual(
          truth.map(row => [row.minute, row.volume])
        )
        // a candle leaves out dust: prints of less than 1,000 raw units
        const dust = truth.reduce((sum, row) => sum + Number(row.volume), 0) / 1e6
        const volume = answer.candles.reduce((sum, candle) => sum + candle.v, 0)
        expect(dust - volume).toBeGreaterThanOrEqual(-1e-6)
        expect(dust - volume).toBeLessThan(0.1)
        expect(answer.candles.length).toBeGreaterThan(1400)
        for (const candle of answer.candles) {
          const place = truth.findIndex(item => item.minute === candle.t)
          const row = truth[place] as Truth
          // dollars a WETH at a tick: 10^12 / 1.0001^tick; a print lies between the prices before
          // and after it, give or take the fee of 0.05 % and the rounding to a tick
          const price = (tick: number) => 1e12 / 1.0001 ** tick
          const before = price((truth[place - 1] ?? row).closeTick)
          expect(candle.h).toBeLessThan(Math.max(before, price(row.lowTick)) * 1.001)
          expect(candle.l).toBeGreaterThan(Math.min(before, price(row.highTick)) * 0.999)
          expect(Math.abs(candle.c / price(row.closeTick) - 1)).toBeLessThan(0.01)
        }
        expect((yield* rowsOf(connection, minuteCandlesTable)).length).toBe(
          2 * answer.candles.length
        )
      })
    )
  })
})
