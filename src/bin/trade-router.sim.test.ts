/** A router's thread that hangs without dying: what is asked meanwhile, and that it is replaced. */
import { spawnSync } from "node:child_process"
import { closeSync, constants, openSync } from "node:fs"
import { join } from "node:path"
import { Effect, Exit, Scope, Stream } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openTapeLog } from "../../engine/log/tape-log.ts"
import type { QuoteOrder } from "../../engine/trade/quote.ts"
import { makeRouterClient } from "../../engine/trade/router-client.ts"
import { batchOf } from "../../streams/event-objects.ts"
import { testChain } from "../../test/support/chain-config.ts"
import { atRest } from "../../test/support/engine.ts"
import { type LogServer, startLogServer } from "../../test/support/log-server.ts"
import { marketBlock, newMarket } from "../../test/support/market.ts"
import { temporaryFolder } from "../../test/support/nats.ts"
import { seed } from "../../test/support/seed.ts"
import { keepAlive } from "../platform/keep-alive.ts"
import { type RouterThread, runRouterThread } from "./trade-router.ts"

const [dollar, native] = testChain.anchors
const market = newMarket(seed, dollar?.address ?? "", native?.address ?? "")
const folder = temporaryFolder()
const chain = { ...testChain, key: "hanging" }
const pipe = join(folder.path, "pipe")
const entry = new URL("../../test/support/hanging-router-worker.ts", import.meta.url)

/** After so long without a word from it a router is given up. */
const HUNG_AFTER_MS = 4000

let server: LogServer
/** where the log ends */
let end = 0

beforeAll(async () => {
  server = await startLogServer()
  const known = new Set<string>()
  const blocks = Array.from({ length: 60 }, (_, i) =>
    batchOf(marketBlock(seed, market, "main", i + 1, null, 6, known))
  )
  end = await server.run(
    Effect.gen(function* () {
      const log = yield* openTapeLog(chain.key)
      yield* Stream.runDrain(log.appendAll(Stream.fromIterable(blocks)))
      return log.position().seq
    })
  )
  expect(spawnSync("mkfifo", [pipe]).status).toBe(0)
})

afterAll(async () => {
  await server.stop()
  folder.remove()
})

const order: QuoteOrder = {
  ...{ tokenIn: native?.address ?? "", tokenOut: dollar?.address ?? "", amount: 10n ** 12n },
  ...{ exact: "in", maxHops: 2, onlyDex: null, gasPrice: null, suspects: [], taxed: [] }
}

/** A router that is kept alive as the engine does, but with less patience. */
const startKept = async () => {
  const { trade, ...client } = makeRouterClient(() => {})
  client.follow(chain)
  const snapshots = { folder: join(folder.path, "router"), everyEvents: 1 }
  const thread: RouterThread = {
    entry,
    input: { natsUrl: server.nats.url, json: false, snapshots },
    hungAfterMs: HUNG_AFTER_MS,
    graceMs: 200
  }
  const scope = Scope.makeUnsafe()
  const pauses = { firstMs: 1, longestMs: 1, wellAfterMs: 1 }
  const kept = keepAlive(runRouterThread({ trade, ...client }, thread), pauses, client.lost)
  await Effect.runPromise(Scope.provide(kept, scope))
  const quote = (onlyDex: string | null) =>
    Effect.runPromise(Effect.result(trade.quote(chain.key, { ...order, onlyDex })))
  const status = () => Effect.runPromise(Effect.result(trade.status(chain.key)))
  const live = () =>
    expect.poll(status).toMatchObject({
      success: { state: "live", seq: end }
    })
  return { quote, status, live, end: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}

it.concurrent.each([
  ["in a loop", "endless"],
  ["in the system, where no termination comes through", `pipe ${pipe}`]
])("says so of a thread that hangs %s, and begins another", async (_, hanging) => {
  const router = await startKept()
  await router.live()
  const before = await router.quote(null)
  expect(before).toMatchObject({ success: { ok: true, seq: end } })
  await router.quote(hanging)
  // what is under way fails within its time, and what comes then at once: sooner than in another
  const began = performance.now()
  const silent = {
    failure: { reason: "lost", message: expect.stringMatching(/^the router has not answered for/) }
  }
  expect(await router.quote(null)).toMatchObject(silent)
  expect(performance.now() - began).toBeLessThan(atRest(2 * HUNG_AFTER_MS))
  const asked = performance.now()
  expect(await router.status()).toMatchObject(silent)
  expect(performance.now() - asked).toBeLessThan(atRest(HUNG_AFTER_MS))
  await router.live()
  expect(await router.quote(null)).toEqual(before)
  // Lets go of the thread that waits for a writer. Opened for writing alone, a pipe that no thread
  // has come to open would hold this process, which no timeout of a test ends.
  const writer = hanging === "endless" ? null : openSync(pipe, constants.O_RDWR)
  await router.end()
  if (writer !== null) closeSync(writer)
})
