/** What goes wrong within the router's thread, and what goes on beside it. */
import { Effect, Stream } from "effect"
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { batchOf } from "../../streams/event-objects.ts"
import { testChain } from "../../test/support/chain-config.ts"
import { type LogServer, startLogServer } from "../../test/support/log-server.ts"
import { marketBlock, newMarket } from "../../test/support/market.ts"
import { temporaryFolder } from "../../test/support/nats.ts"
import { startRouterHere } from "../../test/support/router-run.ts"
import { seed } from "../../test/support/seed.ts"
import { openTapeLog } from "../log/tape-log.ts"
import type { QuoteOrder } from "./quote.ts"

const [dollar, native] = testChain.anchors
const market = newMarket(seed, dollar?.address ?? "", native?.address ?? "")

let server: LogServer
let folder: ReturnType<typeof temporaryFolder>
let chains = 0
let chain = testChain
beforeAll(async () => {
  server = await startLogServer()
})
afterAll(() => server.stop())
beforeEach(() => {
  folder = temporaryFolder()
  chain = { ...testChain, key: `hosted${++chains}` }
  return folder.remove
})

const append = (batches: ReadonlyArray<ReturnType<typeof batchOf>>) =>
  server.run(
    Effect.gen(function* () {
      const log = yield* openTapeLog(chain.key)
      yield* Stream.runDrain(log.appendAll(Stream.fromIterable(batches)))
      return log.position().seq
    })
  )

const blocks = (from: number, to: number, known: Set<string>, branch = "main") =>
  Array.from({ length: to - from + 1 }, (_, i) =>
    batchOf(marketBlock(seed, market, branch, from + i, null, 6, known))
  )

const order: QuoteOrder = {
  ...{ tokenIn: native?.address ?? "", tokenOut: dollar?.address ?? "", amount: 10n ** 12n },
  ...{ exact: "in", maxHops: 2, onlyDex: null, gasPrice: null, suspects: [], taxed: [] }
}

type Router = ReturnType<typeof startRouterHere>

const reaches = ({ status }: Router, seq: number) =>
  expect.poll(() => status().then(told => [told.state, told.seq])).toEqual(["live", seq])

const quoted = ({ trade }: Router, one: QuoteOrder) =>
  Effect.runPromise(Effect.result(trade.quote(chain.key, one)))

it("refuses an order that throws, and goes on with others", async () => {
  const end = await append(blocks(1, 20, new Set()))
  const router = startRouterHere(server, chain, null)
  try {
    await reaches(router, end)
    // a price of gas beyond a double
    const failed = await quoted(router, { ...order, gasPrice: 10n ** 400n })
    expect(failed).toMatchObject({ failure: { reason: "lost", chain: chain.key } })
    expect(await quoted(router, order)).toMatchObject({ success: { ok: true, seq: end } })
    expect(await router.status()).toMatchObject({ state: "live", seq: end })
  } finally {
    await router.end()
  }
})

it("says of an empty log that there are no quotes yet, and not that there is no pool", async () => {
  await append([])
  const router = startRouterHere(server, chain, null)
  try {
    await reaches(router, 0)
    expect(await quoted(router, order)).toMatchObject({ failure: { reason: "starting" } })
    await reaches(router, await append(blocks(1, 9, new Set())))
    expect(await quoted(router, order)).toMatchObject({ success: { ok: true } })
  } finally {
    await router.end()
  }
})

it("follows the log on where what runs beside it breaks", async () => {
  const known = new Set<string>()
  let asked = 0
  const broken = {
    ...{ folder: folder.path, engine: "this engine" },
    get everyEvents(): number {
      asked++
      throw new Error("broken")
    }
  }
  const router = startRouterHere(server, chain, broken)
  try {
    await reaches(router, await append(blocks(1, 3, known)))
    // it broke, and was begun again
    await expect.poll(() => asked).toBeGreaterThan(1)
    await reaches(router, await append(blocks(4, 6, known)))
  } finally {
    await router.end()
  }
})
