/** A lane as it runs: real nats-server, real worker thread, real DuckDB file, real HTTP port. */
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Exit, Layer, Scope } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { serveApi } from "../api/server/serve.ts"
import { type LaneClient, makeLaneClient } from "../engine/lane/lane-client.ts"
import { Lanes, lanesOf } from "../engine/lane/lanes.ts"
import { openTapeLog, type TapeLog } from "../engine/log/tape-log.ts"
import { NEWEST } from "../projections/tape/cursor.ts"
import type { LaneInput } from "../src/bin/lane-worker.ts"
import { spawnLane } from "../src/bin/spawn-lane.ts"
import { JetStream } from "../src/platform/jetstream.ts"
import { batchOf } from "../streams/event-objects.ts"
import { testChain } from "./support/chain-config.ts"
import { eventually } from "./support/engine.ts"
import { marketBlock, newMarket } from "./support/market.ts"
import { startNats } from "./support/nats.ts"
import { seed } from "./support/seed.ts"

const folder = mkdtempSync(join(tmpdir(), "lane-"))
const usd = testChain.anchors[0]?.address ?? ""
const native = testChain.anchors[1]?.address ?? ""
const market = newMarket(`${seed}/lane`, usd, native)
const known = new Set<string>()
let height = 0

const nextBlock = (swaps: number) =>
  marketBlock(`${seed}/lane`, market, "main", ++height, null, swaps, known)

const run = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(effect)

let nats: Awaited<ReturnType<typeof startNats>>
let log: TapeLog
let natsScope: Scope.Closeable

/** A running lane worker and what closes it; from its source, or from a bundle of it. */
const startLane = async (isSource = false) => {
  const scope = await run(Scope.make())
  const input: LaneInput = {
    chain: testChain,
    natsUrl: nats.url,
    file: join(folder, "lanes", "base.duckdb"),
    threads: 2,
    json: false
  }
  const client = await run(makeLaneClient(testChain))
  if (isSource) process.env["THREADS_FROM_SOURCE"] = "1"
  const worker = await run(spawnLane(input).pipe(Scope.provide(scope)))
  delete process.env["THREADS_FROM_SOURCE"]
  client.attach(worker)
  await run(client.caughtUp)
  return { client, close: () => run(Scope.close(scope, Exit.void)) }
}

const ask = async (client: LaneClient, name: string, params = {}) => {
  const answer = await run(client.query({ name, params }))
  if (!answer.ok) return answer.refusal
  return JSON.parse(new TextDecoder().decode(answer.body))
}

beforeAll(async () => {
  nats = await startNats()
  natsScope = await run(Scope.make())
  log = await run(
    openTapeLog("base").pipe(
      Effect.provide(
        await run(Layer.build(JetStream.layer({ url: nats.url })).pipe(Scope.provide(natsScope)))
      ),
      Scope.provide(natsScope)
    )
  )
})

afterAll(async () => {
  await run(Scope.close(natsScope, Exit.void))
  await nats.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe("a lane", () => {
  it("folds what stands in the log, follows it, and survives a broken file", async () => {
    for (let i = 0; i < 30; i++) await run(log.append(batchOf(nextBlock(10))))
    const lane = await startLane(true)
    expect(lane.client.seq()).toBe(log.position().seq)
    const token = market.tokens[2]?.address
    const trades = await ask(lane.client, "chainTrades", { token, limit: 500, ...NEWEST })
    expect(trades.trades.length).toBeGreaterThan(0)
    await run(log.append(batchOf(nextBlock(10))))
    await eventually("the new block", () => lane.client.seq() === log.position().seq)
    await eventually("the status", () => lane.client.status().swaps === 31 * 10)
    await lane.close()

    truncateSync(join(folder, "lanes", "base.duckdb"), 100_000)
    const again = await startLane()
    expect(again.client.seq()).toBe(log.position().seq)
    expect(await ask(again.client, "chainTrades", { token, limit: 500, ...NEWEST })).not.toEqual(
      trades
    )
    await again.close()

    writeFileSync(join(folder, "lanes", "base.duckdb"), "this is no database")
    const third = await startLane()
    expect(third.client.seq()).toBe(log.position().seq)
    await eventually("the warning", () => third.client.status().warnings.length === 1)
    await third.close()
  })

  it("answers over HTTP", async () => {
    const lane = await startLane()
    const scope = await run(Scope.make())
    const lanes = lanesOf([lane.client])
    const api = await run(
      serveApi({ host: "127.0.0.1", port: 0 }).pipe(
        Effect.provideService(Lanes, lanes),
        Scope.provide(scope)
      )
    )
    const token = market.tokens[2]?.address
    const get = async (path: string) => {
      const response = await fetch(`${api.url}/v1${path}`)
      return {
        status: response.status,
        seq: response.headers.get("x-log-seq"),
        body: await response.json()
      }
    }
    const candles = await get(`/candles?chain=8453&token=${token}&tf=1m`)
    expect(candles.status).toBe(200)
    expect(candles.seq).toBe(String(log.position().seq))
    expect(candles.body.source).toBe("index")
    const pages: Array<{ tx: string; logIndex: number }> = []
    let before: string | null = ""
    while (before !== null) {
      const page = await get(
        `/chains/base/token/${token}/trades?limit=7${before === "" ? "" : `&before=${before}`}`
      )
      expect(page.status).toBe(200)
      pages.push(...page.body.trades)
      before = page.body.nextBefore
    }
    const whole = await get(`/tokens/trades/${token}?chain=8453&limit=500`)
    expect(pages.map(t => [t.tx, t.logIndex])).toEqual(
      whole.body.trades.map((t: { tx: string; logIndex: number }) => [t.tx, t.logIndex])
    )
    expect(whole.body.total).toBe(pages.length)
    await run(Scope.close(scope, Exit.void))
    await lane.close()
  })
})
