/**
 * The page in Chromium, by what holds on any server with trades. With `PAGE_URL` it runs against
 * that server; else against a scripted one. What needs a server that misbehaves on command is in
 * page-events.sim.test.ts.
 */
import type { Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import {
  chartData,
  chromiumPath,
  openPage,
  tapeRows,
  untilFilled,
  type WatchedPage
} from "../../test/support/browser.ts"
import { type PageServer, startPageServer } from "../../test/support/page-server.ts"

const SCRIPTED_TRADES_MS = 300

/** The market that an address names, and its interval. */
const namedBy = (address: string) => {
  const [path = "", query] = new URL(address).hash.split("?")
  const [, chain = "", , token = ""] = path.split("/")
  return { chain, token, tf: new URLSearchParams(query).get("tf") }
}

/** The address of a market whose price moves. */
const firstMarket = async (url: string): Promise<string> => {
  const { chains } = await (await fetch(`${url}/v1/chains`)).json()
  const [{ id, key }] = chains
  const asked = `${url}/v1/tokens?chain=${id}&includeUnlisted=1&limit=100`
  const { tokens } = await (await fetch(asked)).json()
  const moves = (each: { priceUsd: number | null }) => each.priceUsd !== null && each.priceUsd !== 1
  return `/#/${key}/token/${(tokens.find(moves) ?? tokens[0]).address}?tf=1m`
}

describe.skipIf(chromiumPath === undefined)("the page", () => {
  let scripted: PageServer | null = null
  let ticking: NodeJS.Timeout | undefined
  let url = process.env["PAGE_URL"] ?? ""
  let market = ""
  let watched: WatchedPage
  let page: Page

  beforeAll(async () => {
    if (url === "") {
      const server = await startPageServer()
      scripted = server
      url = server.url
      ticking = setInterval(() => server.trade("WETH"), SCRIPTED_TRADES_MS)
    }
    market = await firstMarket(url)
    watched = await openPage(url, market)
    page = watched.page
  })
  afterAll(async () => {
    clearInterval(ticking)
    await watched?.close()
    await scripted?.close()
  })

  beforeEach(async () => {
    // most of what is tried leaves the tab where it was
    if (page.url() !== new URL(market, url).href) await watched.load(market)
    await untilFilled(page)
  })
  afterEach(() => expect(watched.faults).toEqual([]))

  it("opens on a market with its price, chart, tape and lanes", async () => {
    expect(await page.title()).toMatch(/^\$[\d.,₀-₉]+ .+ · swaptape$/)
    expect(await page.locator("#price").textContent()).toMatch(/^\$[\d.,₀-₉]+$/)
    expect(await page.locator("#legend").textContent()).toMatch(/^O .+H .+L .+C .+Vol .+Trades/)
    expect(page.url()).toMatch(/\/#\/[a-z]+\/token\/0x[0-9a-f]{40}\?tf=1m$/)
    expect(await page.locator("#chart-origin").textContent()).toMatch(/^log seq [\d,]+$/)
    expect(await page.locator("#tape-origin").textContent()).toMatch(/^log seq [\d,]+$/)
    expect(await page.locator('#lanes td[data-state="live"]').count()).toBeGreaterThan(0)
    expect(await page.locator("#lanes tr.lane-chosen").count()).toBe(1)
    // the arrow stands in the line of its price, and no rule of another part reaches it
    const arrow = page.locator("#tape .side").first()
    expect(await arrow.evaluate(mark => getComputedStyle(mark).display)).toBe("inline")
  })

  it("says what a devchain is, and only on a devchain", async () => {
    const { lanes } = await (await fetch(`${url}/v1/status`)).json()
    const { chain } = namedBy(page.url())
    const lane = lanes.find((each: { chain: string }) => each.chain === chain)
    const badge = page.locator("#simulated")
    expect(await badge.isVisible()).toBe(lane.simulated)
    expect(await badge.textContent()).toBe("devchain: simulated chain, real contracts")
  })

  it("grows: new trades on the tape, new values in the chart", async () => {
    const [before] = await tapeRows(page)
    const candle = await page.locator("#chart").getAttribute("data-newest")
    await page.waitForFunction(
      key => document.querySelector("#tape tr")?.getAttribute("data-key") !== key,
      before?.key
    )
    await page.waitForFunction(
      newest => document.getElementById("chart")?.getAttribute("data-newest") !== newest,
      candle
    )
    const rows = await tapeRows(page)
    expect(new Set(rows.map(row => row.key)).size).toBe(rows.length)
  })

  it("draws every interval, and keeps it in the address", async () => {
    for (const tf of ["5m", "15m", "1h", "4h", "1d", "1w", "1m"]) {
      await page.click(`#timeframes [data-tf="${tf}"]`)
      await page.waitForFunction(
        () => Number(document.getElementById("chart")?.dataset["candles"]) > 0
      )
      const pressed = page.locator('#timeframes [aria-pressed="true"]')
      expect(await pressed.allTextContents()).toEqual([tf])
      expect(namedBy(page.url()).tf).toBe(tf)
    }
  })

  it("opens what the address names", async () => {
    await page.click('#timeframes [data-tf="5m"]')
    const { hash } = new URL(page.url())
    const other = await openPage(url, `/${hash}`)
    await untilFilled(other.page)
    expect(new URL(other.page.url()).hash).toBe(hash)
    const address = await other.page.locator("#address").getAttribute("data-copy")
    expect(address).toBe(namedBy(page.url()).token)
    expect(other.faults).toEqual([])
    await other.page.context().close()
  })

  it("opens what links named before there were routes", async () => {
    const { chain, token } = namedBy(page.url())
    const other = await openPage(url, `/?chain=${chain}&token=${token}&tf=5m`)
    await untilFilled(other.page)
    expect(new URL(other.page.url()).hash).toBe(`#/${chain}/token/${token}?tf=5m`)
    expect(new URL(other.page.url()).search).toBe("")
    await other.page.context().close()
  })

  it("says that an address is of no page, and leads back", async () => {
    await page.evaluate(() => location.assign("#/base/nothing/here"))
    await page.waitForSelector('#view:has-text("There is no such page")')
    expect(await page.locator("#desk").isVisible()).toBe(false)
    await page.evaluate(() => location.assign("#/atlantis/totals"))
    await page.waitForSelector('#view:has-text("Chain atlantis is not served here")')
    await page.goBack()
    await page.waitForSelector('#view:has-text("There is no such page")')
    await page.goBack()
    await untilFilled(page)
    expect(namedBy(page.url())).toEqual(namedBy(`${url}${market}`))
  })

  it("picks a token by keyboard, and goes back", async () => {
    const first = page.url()
    await page.waitForSelector("#token:enabled")
    await page.focus("#token")
    expect(await page.locator("#token").getAttribute("aria-expanded")).toBe("true")
    await page.keyboard.press("ArrowDown")
    const active = await page.locator("#token").getAttribute("aria-activedescendant")
    const wanted = await page.locator(`#${active} small`).textContent()
    await page.keyboard.press("Enter")
    await page.waitForFunction(token => location.hash.includes(`/token/${token}?`), wanted)
    expect(await page.locator("#token-list").isVisible()).toBe(false)
    expect(await page.locator("#address").getAttribute("data-copy")).toBe(wanted)
    await page.goBack()
    expect(page.url()).toBe(first)
    await page.waitForFunction(
      token => document.getElementById("address")?.dataset["copy"] === token,
      namedBy(first).token
    )
    await untilFilled(page)
  })

  it("copies the token's address", async () => {
    await page.click("#address")
    await page.waitForFunction(
      () => document.getElementById("announce")?.textContent === "Address copied"
    )
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toBe(namedBy(page.url()).token)
  })

  it("moves and zooms by keyboard, and returns to the newest candle", async () => {
    await page.focus("#chart")
    for (const key of ["ArrowLeft", "+", "-", "ArrowRight", "End"]) await page.keyboard.press(key)
    expect((await chartData(page)).count).toBeGreaterThan(0)
  })

  it("names every control", async () => {
    const unnamed = await page.locator("button, select, input, [tabindex]").evaluateAll(controls =>
      controls
        .filter(control => {
          const { labels } = control as HTMLInputElement
          const name = control.getAttribute("aria-label") ?? control.textContent?.trim()
          return !name && !labels?.length
        })
        .map(control => control.outerHTML)
    )
    expect(unnamed).toEqual([])
  })

  it.each([
    [390, 844],
    [320, 640],
    [768, 1024],
    [1920, 1080]
  ])("fits a window of %d × %d", async (width, height) => {
    await page.setViewportSize({ width, height })
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth
    )
    expect(overflow).toBe(0)
    // nothing but a padding stands behind the last card: a page cannot be scrolled into emptiness
    const behind = await page.evaluate(() => {
      const cards = [...document.querySelectorAll(".card")]
      const end = Math.max(...cards.map(card => card.getBoundingClientRect().bottom))
      const { scrollHeight } = document.documentElement
      return Math.max(scrollHeight, window.innerHeight) - Math.max(end, window.innerHeight - 12)
    })
    expect(behind).toBeLessThanOrEqual(12)
    const chart = await page.locator("#chart").boundingBox()
    expect(chart?.height).toBeGreaterThan(180)
    expect(chart?.width).toBeGreaterThan(Math.min(280, width - 40))
  })

  it("follows the reader's preference for dark or light", async () => {
    const ground = () =>
      page.evaluate(() => getComputedStyle(document.body.parentElement!).backgroundColor)
    await page.emulateMedia({ colorScheme: "light" })
    expect(await ground()).toBe("rgb(243, 245, 248)")
    await page.emulateMedia({ colorScheme: "dark" })
    expect(await ground()).toBe("rgb(11, 15, 20)")
  })
})
