/**
 * The page's views in Chromium, over a real engine and a simulated chain: boards, search, wallets,
 * totals, status. What they show is what the API says, and a view that is left follows nothing.
 */
import axe from "axe-core"
import type { Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { caveatsOf } from "../../api/web/caveats.js"
import { formatInteger, formatUsd } from "../../api/web/format.js"
import { ROUTES } from "../../client/generated/routes.js"
import { base } from "../../src/domain/chains/base.ts"
import {
  chartData,
  chromiumPath,
  openPage,
  tapeRows,
  type WatchedPage
} from "../support/browser.ts"
import { isLong } from "../support/rounds.ts"
import { SwapStage } from "../support/swap-stage.ts"

const WETH = "0x4200000000000000000000000000000000000006"

describe.skipIf(chromiumPath === undefined)("the page's views on a real engine", () => {
  let stage: SwapStage
  let watched: WatchedPage
  let page: Page
  /** what the page follows over its socket, as it asked for it */
  let followed: Set<string>

  beforeAll(async () => {
    stage = await SwapStage.open()
    watched = await openPage(stage.engine.url, "/", {}, noteTopics)
    page = watched.page
  })
  afterAll(async () => {
    await stage?.close()
    await watched?.close()
  })
  const noteTopics = async (opened: Page) => {
    opened.on("websocket", socket => {
      followed = new Set()
      socket.on("framesent", ({ payload }) => {
        const { op, id: _, from: __, log: ___, ...topic } = JSON.parse(String(payload))
        const name = Object.values(topic).join(" ")
        if (op === "subscribe") followed.add(name)
        if (op === "unsubscribe") followed.delete(name)
      })
    })
  }
  const openBoards = async () => {
    await watched.load("/")
    await page.waitForSelector("#view tbody tr")
  }
  afterEach(() => expect(watched.faultsOfItsOwn()).toEqual([]))

  const get = async (path: string) => (await stage.engine.get(path)).body
  const show = async (hash: string) => {
    await page.evaluate(to => location.assign(to), hash)
  }
  const keys = (table = "#view table") =>
    page
      .locator(`${table} tbody tr`)
      .evaluateAll(rows => rows.map(row => (row as HTMLElement).dataset["key"]))
  const facts = async (box = "#view") => {
    const [names, values] = await Promise.all([
      page.locator(`${box} dl.facts dt`).allTextContents(),
      page.locator(`${box} dl.facts dd`).allTextContents()
    ])
    return Object.fromEntries(names.map((name, at) => [name, values[at]]))
  }
  const addresses = (tokens: ReadonlyArray<{ readonly address: string }>) =>
    tokens.map(({ address }) => address)

  it("opens on the board by volume, which is live, and sorts it", async () => {
    await openBoards()
    expect(page.url()).toBe(`${stage.engine.url}/#/base/boards/volume`)
    expect(await page.title()).toBe("Boards · swaptape")
    const board = await get("/chains/base/tokens")
    await expect.poll(keys).toEqual(addresses(board.tokens))
    await page.waitForSelector("#view[data-live]")
    const seq = Number(await page.locator("#view").getAttribute("data-live"))
    await stage.trade(2)
    await expect
      .poll(async () => Number(await page.locator("#view").getAttribute("data-live")) > seq)
      .toBe(true)

    await page.click('[data-sort="trades"]')
    await page.waitForSelector('th[aria-sort="descending"] [data-sort="trades"]')
    expect(page.url()).toBe(`${stage.engine.url}/#/base/boards/volume?sort=trades`)
    const sorted = await get("/chains/base/tokens?sort=trades")
    await expect.poll(keys).toEqual(addresses(sorted.tokens))
    expect(await page.locator("nav[aria-label=Boards] a").allTextContents()).toEqual([
      ...["Volume", "Movers", "New"]
    ])
  })

  it("shows what moves and what is new, and says what is not known", async () => {
    await show("#/base/boards/movers")
    const movers = await get("/chains/base/trending")
    const { tokens, formula } = movers
    await page.waitForSelector(`#view .note:has-text("${formula.text.slice(0, 40)}")`)
    await expect.poll(async () => (await keys()).toSorted()).toEqual(addresses(tokens).toSorted())
    expect(await page.locator(".caveats li").allTextContents()).toEqual(caveatsOf(movers))
    await page.click('nav[aria-label=Boards] a:has-text("New")')
    await page.waitForSelector("#view thead th:has-text('First trade')")
    await expect.poll(() => [...followed]).toContain("boards 8453 new 1")
    await page.waitForSelector("#view[data-live]")
    const young = await get("/chains/base/tokens?sort=new&includeUnlisted=1")
    await expect.poll(keys).toEqual(addresses(young.tokens))
    await page.goBack()
    await page.waitForSelector("#view thead th:has-text('Change 2 h')")
  })

  it("finds a token by keyboard alone, and goes back", async () => {
    await openBoards()
    // the box takes no key before the chain's tokens are there
    await page.waitForSelector("#token:enabled")
    await page.keyboard.press("/")
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("token")
    await page.keyboard.type("USD Coin")
    await expect.poll(() => page.locator("#token-list [role=option]").count()).toBe(1)
    const address = await page.locator("#token-list small").textContent()
    await page.keyboard.press("Enter")
    await expect.poll(() => page.url()).toContain(`/#/base/token/${address}?tf=1m`)
    await page.waitForSelector("#tape tr")
    await page.goBack()
    await page.waitForSelector("#view tbody tr")
    expect(await page.locator("#desk").isVisible()).toBe(false)
    await page.locator("#view tbody a").first().focus()
    await page.keyboard.press("Enter")
    await page.waitForSelector("#tape tr")
  })

  it("follows nothing of a view that was left", async () => {
    await openBoards()
    await expect.poll(() => [...followed]).toEqual(["boards 8453 volume"])
    const [first] = await keys()
    await page.locator("#view tbody a").first().click()
    await page.waitForSelector("#tape tr")
    await expect
      .poll(() => [...followed].toSorted())
      .toEqual([`candles 8453 ${first} 1m`, `prices 8453 ${first}`, `trades 8453 ${first}`])
    await show("#/status")
    await page.waitForSelector("#view [data-lane=base]")
    await expect.poll(() => [...followed]).toEqual([])
  })

  const showToken = async (query = "") => {
    await show(`#/base/token/${WETH}?tf=1m${query}`)
    await page.waitForSelector("#tape tr", { state: "attached" })
  }
  const newest = async (query: string) =>
    (await get(`/candles?chain=base&tf=1m&${query}`)).candles.at(-1)

  it("draws market caps, and one pool in dollars and in its quote tokens", async () => {
    await showToken()
    await page.selectOption("#chart-unit", "mcap")
    await expect.poll(() => page.url()).toContain("&unit=mcap")
    const worth = await newest(`token=${WETH}&quote=mcap`)
    await expect.poll(async () => (await chartData(page)).newest).toEqual(worth)
    const { pools } = await get(`/chains/base/token/${WETH}/pools`)
    await page.waitForSelector(`#chart-pool option[value="${pools[0].pool}"]`, {
      state: "attached"
    })
    await page.selectOption("#chart-unit", "usd")
    await page.selectOption("#chart-pool", pools[0].pool)
    const own = await newest(`token=${WETH}&pool=${pools[0].pool}`)
    await expect.poll(async () => (await chartData(page)).newest).toEqual(own)
    await page.selectOption("#chart-unit", "token")
    const quoted = await newest(`token=${WETH}&pool=${pools[0].pool}&quote=token`)
    await expect.poll(async () => (await chartData(page)).newest).toEqual(quoted)
    expect(page.url()).toContain(`&unit=token&pool=${pools[0].pool}`)
    expect(await page.locator("#price").textContent()).toMatch(/^\$[\d,.]+$/)
  })

  it("shows the trades that a filter asks for, and says what is no filter", async () => {
    await showToken()
    await page.selectOption("#filter-side", "sell")
    await page.fill("#filter-min", "100")
    await page.keyboard.press("Enter")
    await expect.poll(() => page.url()).toContain("&side=sell&minUsd=100")
    const { trades } = await get(`/tokens/trades/${WETH}?chain=base&side=sell&min=100&limit=50`)
    expect(trades.length).toBeGreaterThan(0)
    await expect
      .poll(async () => (await tapeRows(page)).map(({ key }) => key))
      .toEqual(
        trades.map(({ tx, logIndex }: { tx: string; logIndex: number }) => `${tx}:${logIndex}`)
      )
    await page.fill("#filter-wallet", "0x12")
    await page.keyboard.press("Enter")
    expect(await page.locator("#filter-problem").textContent()).toBe(
      "A wallet is 0x and 40 hex digits."
    )
  })

  /** All of them: what is read of the past has to be final, which is told by blocks. */
  const showsAllHolders = async () => {
    await stage.trade(base.finalityDepth)
    const answer = () => get(`/chains/base/token/${WETH}/holders`)
    await expect
      .poll(async () => {
        await stage.trade(1)
        return (await answer()).complete
      })
      .toBe(true)
    await expect.poll(async () => (await facts("#token-panel"))["The whole truth"]).toBe("yes")
    const { top, holders } = await answer()
    expect(holders).toBeGreaterThan(10)
    expect((await facts("#token-panel"))["Holders"]).toBe(formatInteger(holders))
    expect(await keys("#token-panel table")).toEqual(
      top.map(({ holder }: { holder: string }) => holder)
    )
  }

  it("tells windows, pools and holders of a token, by keyboard", async () => {
    await showToken()
    await page.focus("#tab-trades")
    await page.keyboard.press("ArrowRight")
    await page.waitForSelector("#token-panel tbody tr")
    expect(await keys("#token-panel table")).toEqual(["5 min", "1 h", "6 h", "24 h"])
    const stats = await get(`/tokens/stats/${WETH}?chain=base`)
    expect((await facts("#token-panel"))["Trades in all"]).toBe(formatInteger(stats.totalTxns))
    await page.keyboard.press("ArrowRight")
    await page.waitForSelector("#token-panel .message:has-text('Gathering holders')")
    // the pin goes into the log with the next block, what was before it once that is read
    await stage.trade(1)
    await page.waitForSelector("#token-panel tbody tr")
    if (isLong) await showsAllHolders()
    await page.keyboard.press("ArrowRight")
    const { pools } = await get(`/chains/base/token/${WETH}/pools?limit=100`)
    await expect
      .poll(() => keys("#token-panel table"))
      .toEqual(pools.map(({ pool }: { pool: string }) => pool))
    expect(page.url()).toContain("&tab=pools")
    await page.click("#token-panel tbody a")
    await expect.poll(() => page.url()).toContain(`&pool=${pools[0].pool}`)
  })

  it("explains the price, a candle and the flags, with the events behind", async () => {
    await showToken("&tab=why")
    const price = await get(`/prices/explain?chain=base&token=${WETH}`)
    await page.waitForSelector(`[aria-label="Why this price"] .note:has-text("log seq")`)
    const pools = price.pools.map(({ pool }: { pool: string }) => pool)
    expect(await keys('[aria-label="Why this price"] table')).toEqual(pools)
    await page.waitForSelector('[aria-label="Why its flags"] .note:has-text("bears a flag")')
    await expect.poll(async () => (await chartData(page)).count).toBeGreaterThan(0)
    const candle = (await chartData(page)).newest
    await page.focus("#chart")
    await page.keyboard.press("Enter")
    await expect.poll(() => page.url()).toContain(`&tab=why&at=${candle?.t}`)
    const proof = await get(
      `/candles/proof?chain=base&token=${WETH}&tf=1m&t=${candle?.t}&limit=100`
    )
    await expect
      .poll(() => keys('[aria-label="Why this candle"] table'))
      .toEqual(
        proof.swaps.map(({ tx, logIndex }: { tx: string; logIndex: number }) => `${tx}:${logIndex}`)
      )
    expect(await page.locator('[aria-label="Why this candle"]').textContent()).toContain(
      `Hash of all of them: ${proof.hash}.`
    )
  })

  const views = [
    ["boards", "#/base/boards/volume", "#view tbody tr"],
    ["movers", "#/base/boards/movers", "#view tbody tr"],
    ["a token and its trades", `#/base/token/${WETH}`, "#tape tr"],
    ["windows", `#/base/token/${WETH}?tab=windows`, "#token-panel tbody tr"],
    ["holders", `#/base/token/${WETH}?tab=holders`, "#token-panel tbody tr"],
    ["pools", `#/base/token/${WETH}?tab=pools`, "#token-panel tbody tr"],
    ["why", `#/base/token/${WETH}?tab=why`, "#token-panel tbody tr"],
    ["a wallet", `#/base/wallet/0x${"12".repeat(20)}`, "#view dl.facts"],
    ["totals", "#/base/totals", "#view tbody tr"],
    ["status", "#/status", "#view [data-lane=base]"],
    ["no page", "#/nothing", "#view button"]
  ] as const
  const looks = [
    ["dark", 360],
    ["light", 360],
    ["dark", 1280],
    ["light", 1280]
  ] as const
  const violations = () =>
    page.evaluate(async () => {
      const found = await (globalThis as unknown as { axe: typeof axe }).axe.run()
      return found.violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id} ${target} ${failureSummary}`)
      )
    })

  // one view after the other is looked through in the next of the looks, in the long run in each
  it.each(views.map((view, place) => [...view, place] as const))(
    "can be read by everybody, in both themes and on a phone: %s",
    async (...view) => {
      const [, hash, filled, place] = view
      await show(hash)
      await page.waitForSelector(filled)
      await page.evaluate(axe.source)
      for (const [at, [colorScheme, width]] of looks.entries()) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 800 })
        if (isLong || at === place % looks.length) expect(await violations()).toEqual([])
        const aside = await page.evaluate(() => {
          const { scrollWidth, clientWidth } = document.documentElement
          return scrollWidth - clientWidth
        })
        expect(aside).toBe(0)
      }
    }
  )

  it("shows something soon, and loads little script", async () => {
    const first = await openPage(stage.engine.url)
    await first.page.waitForSelector("#view tbody tr")
    const { paint, loaded } = await first.page.evaluate(() => {
      const scripts = performance
        .getEntriesByType("resource")
        .filter(({ name }) => /\.m?js$/.test(name)) as PerformanceResourceTiming[]
      const sum = (of: (each: PerformanceResourceTiming) => number) =>
        scripts.reduce((all, each) => all + of(each), 0)
      const [first] = performance.getEntriesByName("first-contentful-paint")
      return {
        paint: first?.startTime ?? null,
        loaded: {
          scripts: scripts.map(({ name }) => new URL(name).pathname),
          bytes: sum(each => each.decodedBodySize),
          sent: sum(each => each.encodedBodySize),
          names: sum(each => (each.name.endsWith("/routes.js") ? each.encodedBodySize : 0))
        }
      }
    })
    console.log(
      `first paint after ${Math.round(paint ?? 0)} ms; ${loaded.scripts.length} scripts of ` +
        `${loaded.bytes} bytes, ${loaded.sent} as sent, ${loaded.names} of them the routes`
    )
    expect(loaded.scripts).not.toContain("/vendor/lightweight-charts.mjs")
    expect(loaded.bytes).toBeGreaterThan(40_000)
    expect(loaded.bytes).toBeLessThan(60_000)
    expect(loaded.sent - loaded.names).toBeLessThan(28_430)
    expect(loaded.names / Object.keys(ROUTES).length).toBeLessThan(30)
    expect(first.faultsOfItsOwn()).toEqual([])
    await first.page.context().close()
  })

  it("shows what a wallet made, holds and traded", async () => {
    const { prints } = await get("/chains/base/prints?limit=200")
    const { wallet } = prints.find((each: { wallet: string | null }) => each.wallet !== null)
    await show(`#/base/wallet/${wallet}`)
    const pnl = await get(`/chains/base/wallet/${wallet}?days=7`)
    await page.waitForSelector("#view dl.facts")
    await expect.poll(facts).toMatchObject({
      Volume: formatUsd(pnl.volumeUsd),
      Bought: formatUsd(pnl.boughtUsd),
      Trades: formatInteger(pnl.trades),
      Tokens: formatInteger(pnl.tokens)
    })
    const positions = pnl.positions.map(({ token }: { token: string }) => token)
    await expect.poll(() => keys('table[aria-label="Positions"]')).toEqual(positions)
    const { trades } = await get(`/chains/base/wallet/${wallet}/trades?limit=50`)
    await expect
      .poll(() => keys('table[aria-label="Trades of the wallet"]'))
      .toEqual(
        trades.map(({ tx, logIndex, token }: { tx: string; logIndex: number; token: string }) =>
          [tx, logIndex, token].join(":")
        )
      )
  })

  it("shows a chain's totals, with pictures that say what they show", async () => {
    await page.click("#to-totals")
    const totals = await get("/chains/base/overview")
    await page.waitForSelector("#view dl.facts")
    await expect.poll(facts).toMatchObject({
      "Volume 24 h": formatUsd(totals.last24h.volUsd),
      Swaps: formatInteger(totals.last24h.swaps)
    })
    const labels = await page
      .locator("svg[role=img]")
      .evaluateAll(pictures => pictures.map(picture => picture.getAttribute("aria-label")))
    expect(labels).toEqual([
      expect.stringMatching(/^Volume by hour, at most \$/),
      expect.stringMatching(/^Volume by day, at most \$/)
    ])
    const dexes = totals.venues24h.map(({ dex }: { dex: string }) => dex)
    expect(await keys()).toEqual(dexes)
  })

  it("says how the lanes are, and what was not measured", async () => {
    await page.click("#to-status")
    const lane = await stage.engine.lane("base")
    await page.waitForSelector("#view [data-lane=base]")
    const shown = await facts("#view [data-lane=base]")
    expect(shown["Newest block"]).toBe(formatInteger(lane.block))
    expect(await page.locator("#view [data-lane=base] .note").first().textContent()).toMatch(
      /^Trust: /
    )
    expect(await page.locator("#view [data-lane=base]").textContent()).toMatch(/not measured/)
  })
})
