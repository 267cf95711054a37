/** The page in Chromium on a simulated Solana: what is written in base58 works as hex does. */
import { Effect, Exit, Scope } from "effect"
import type { Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { formatInteger, formatUsd } from "../../api/web/format.js"
import { type SolanaNode, startNode } from "../../streams/sources/solana-devchain/node.ts"
import {
  chartData,
  chromiumPath,
  openPage,
  tapeRows,
  untilFilled,
  type WatchedPage
} from "../support/browser.ts"
import { type Engine, startEngine } from "../support/engine.ts"
import { type LocalServer, localServer } from "../support/local-http.ts"
import { temporaryFolder } from "../support/nats.ts"

const MAINNET = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"
const PLAN = { seed: "page", users: 20, pooled: 3, curves: 3, port: 0, slotMs: 400 }
const FIRST_SLOTS = 60

describe.skipIf(chromiumPath === undefined)("the page on Solana", () => {
  const folder = temporaryFolder()
  const scope = Effect.runSync(Scope.make())
  let node: SolanaNode
  let named: LocalServer
  let engine: Engine
  let watched: WatchedPage
  let page: Page

  /** Makes blocks, and waits until the newest is in the tables. */
  const step = async (times: number) => {
    for (let i = 0; i < times; i++) await Effect.runPromise(node.step)
    await engine?.reaches("solana", node.bank.head.slot)
  }

  beforeAll(async () => {
    node = await Effect.runPromise(startNode(PLAN).pipe(Scope.provide(scope)))
    const first = node.bank.head.slot
    // an engine reads no other chain than the one whose genesis it knows
    named = await localServer(async ({ body }) => {
      const { id, method } = JSON.parse(body)
      if (method === "getGenesisHash") return { body: { jsonrpc: "2.0", id, result: MAINNET } }
      return { body: await (await fetch(node.url, { method: "POST", body })).text() }
    })
    await step(FIRST_SLOTS)
    const env = { RPC_SOLANA: named.url, START_SOLANA: String(first) }
    engine = await startEngine({ dataDir: folder.path, env })
    await engine.ready()
    await step(1)
    watched = await openPage(engine.url, "/")
    page = watched.page
  })
  afterAll(async () => {
    await watched?.close()
    await engine?.end("SIGKILL")
    await named?.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
    folder.remove()
  })
  afterEach(() => expect(watched.faults).toEqual([]))

  const get = async (path: string) => (await engine.get(path)).body
  const facts = async () => {
    const [names, values] = await Promise.all([
      page.locator("#view dl.facts dt").allTextContents(),
      page.locator("#view dl.facts dd").allTextContents()
    ])
    return Object.fromEntries(names.map((name, at) => [name, values[at]]))
  }

  it("finds a token by its symbol; its chart and tape move; a link opens it", async () => {
    await page.waitForSelector("#view tbody tr")
    expect(page.url()).toBe(`${engine.url}/#/solana/boards/volume`)
    const [{ address, symbol }] = (await get("/chains/solana/tokens")).tokens
    await page.fill("#token", symbol.toLowerCase())
    await page.keyboard.press("Enter")
    await untilFilled(page)
    const hash = `#/solana/token/${address}?tf=1m`
    expect(new URL(page.url()).hash).toBe(hash)
    expect(await page.locator("#swap-open").isVisible()).toBe(false)

    const [[first], { newest }] = [await tapeRows(page), await chartData(page)]
    await expect
      .poll(async () => {
        await step(1)
        const [[now], chart] = [await tapeRows(page), await chartData(page)]
        return now?.key !== first?.key && JSON.stringify(chart.newest) !== JSON.stringify(newest)
      })
      .toBe(true)
    const { candles } = await get(`/candles?chain=solana&token=${address}&tf=1m`)
    await expect.poll(async () => (await chartData(page)).newest).toEqual(candles.at(-1))

    const { tokens } = await get(`/tokens/search?chain=solana&q=${address}`)
    expect(tokens.map((token: { symbol: string }) => token.symbol)).toEqual([symbol])
    const { trades } = await get(`/chains/solana/token/${address}/trades`)
    const [{ tx, wallet }] = trades
    await watched.load(`/${hash}&wallet=${wallet}`)
    await untilFilled(page)
    expect(new URL(page.url()).hash).toBe(`${hash}&wallet=${wallet}`)
    const links = page.locator("#tape tr").first().locator("a")
    expect(await links.evaluateAll(each => each.map(link => link.getAttribute("href")))).toEqual([
      `https://explorer.solana.com/tx/${tx}`,
      `#/solana/wallet/${wallet}`,
      `https://explorer.solana.com/address/${wallet}`
    ])
    await links.nth(1).click()
    const positions = page.locator('table[aria-label="Positions"] tbody tr')
    await expect.poll(() => positions.count()).toBeGreaterThan(0)
  })

  it("shows the totals, and how Solana is read beside its vaults", async () => {
    await page.click("#to-totals")
    await expect.poll(facts).toHaveProperty("Gate")
    const totals = await get("/chains/solana/overview")
    const { decode, gate } = await get("/chains/solana/status")
    expect(await facts()).toMatchObject({
      "Volume 24 h": formatUsd(totals.volumeUsd),
      Swaps: formatInteger(totals.trades),
      "Newest slot": formatInteger(node.bank.head.slot),
      Gate: "does not pass"
    })
    expect(gate.reasons).toEqual(["no whole hour has been read yet"])
    expect(await page.locator(".bad-news li").allTextContents()).toEqual(gate.reasons)
    const row = page.locator('table[aria-label^="Swaps beside"] tr[data-key="pumpfun"] td')
    const { swaps, ok } = decode["10"]
    expect(ok).toBeGreaterThan(0)
    expect((await row.allTextContents()).slice(0, 3)).toEqual([swaps, ok, 0].map(formatInteger))
  })
})
