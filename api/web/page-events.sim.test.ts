/** The page in Chromium when things happen: reorganisations, lost connections, refusals, strangers. */

import type { Page } from "playwright-core"
import { beforeEach, describe, expect, it } from "vitest"
import {
  chartData,
  chromiumPath,
  openPage,
  tapeRows,
  untilFilled,
  type WatchedPage
} from "../../test/support/browser.ts"
import { RARE_TOKEN } from "../../test/support/page-answers.ts"
import { candlesOf } from "../../test/support/page-market.ts"
import type { PageServer } from "../../test/support/page-server.ts"
import { REFUSED, scriptedPage } from "../../test/support/scripted-page.ts"

describe.skipIf(chromiumPath === undefined)("the page when things happen", () => {
  const scripted = scriptedPage()
  const { open, openFilled } = scripted
  let server: PageServer
  let watched: WatchedPage
  let page: Page
  beforeEach(() => {
    ;({ server, watched, page } = scripted)
  })

  const keysOf = (symbol: string, count: number) =>
    server
      .market(symbol)
      .trades.slice(-count)
      .reverse()
      .map(({ trade }) => `${trade.tx}:${trade.logIndex}`)
  const topKeys = async (count: number) =>
    (await tapeRows(page)).slice(0, count).map(row => row.key)
  const newestCandle = (symbol: string) =>
    candlesOf(server.market(symbol), "1m", 0, Number.MAX_SAFE_INTEGER).at(-1)

  it("puts trades on the tape and into the candle as they come", async () => {
    await openFilled("PEPR")
    for (let i = 0; i < 5; i++) server.trade("PEPR")
    await expect.poll(() => topKeys(5)).toEqual(keysOf("PEPR", 5))
    await expect.poll(async () => (await chartData(page)).newest).toEqual(newestCandle("PEPR"))
  })

  it("strikes out what a reorganisation undoes, and takes the candle back", async () => {
    await openFilled("WETH")
    const before = (await chartData(page)).newest
    server.trade("WETH")
    server.trade("WETH")
    const struck = keysOf("WETH", 2)
    await expect.poll(() => topKeys(2)).toEqual(struck)
    server.undo("WETH", 2)
    await expect
      .poll(async () => (await tapeRows(page)).slice(0, 3).map(row => row.undone))
      .toEqual([true, true, false])
    expect(await topKeys(2)).toEqual(struck)
    await expect.poll(async () => (await chartData(page)).newest).toEqual(newestCandle("WETH"))
    expect(newestCandle("WETH")?.t).toBeLessThanOrEqual(before?.t ?? 0)

    server.trade("WETH")
    await expect.poll(() => topKeys(1)).toEqual(keysOf("WETH", 1))
  })

  it("strikes out prints that came by HTTP, which have no position of their own", async () => {
    await openFilled("WETH")
    const struck = keysOf("WETH", 4)
    server.undo("WETH", 4)
    await expect
      .poll(async () => (await tapeRows(page)).filter(row => row.undone).map(row => row.key))
      .toEqual(struck)
    await expect
      .poll(async () => (await tapeRows(page)).filter(row => !row.undone).map(row => row.key)[0])
      .toBe(keysOf("WETH", 1)[0])
  })

  it("goes on without hole or repeat after a lost connection", async () => {
    await openFilled("WETH")
    server.trade("WETH")
    await expect.poll(() => topKeys(1)).toEqual(keysOf("WETH", 1))
    const asked = server.subscriptions.length
    server.dropSockets()
    for (let i = 0; i < 3; i++) server.trade("WETH")
    await page.waitForSelector('#connection:not([data-state="open"])')
    await page.waitForSelector('#connection[data-state="open"]')
    server.trade("WETH")
    await expect.poll(() => topKeys(5)).toEqual(keysOf("WETH", 5))
    const keys = (await tapeRows(page)).map(row => row.key)
    expect(new Set(keys).size).toBe(keys.length)
    const resumed = server.subscriptions.slice(asked).filter(each => each["channel"] !== "prices")
    expect(resumed.map(each => typeof each["from"])).toEqual(["number", "number"])
    await expect.poll(async () => (await chartData(page)).newest).toEqual(newestCandle("WETH"))
  })

  it("loads afresh when the server cannot go on from where it was", async () => {
    await openFilled("WETH")
    server.forget("WETH")
    server.dropSockets()
    server.trade("WETH")
    await expect.poll(() => topKeys(1)).toEqual(keysOf("WETH", 1))
    server.trade("WETH")
    await expect.poll(() => topKeys(2)).toEqual(keysOf("WETH", 2))
  })

  it("scrolls back over a quiet week to the first candle, and no further", async () => {
    await openFilled("WETH")
    const all = candlesOf(server.market("WETH"), "1m", 0, Number.MAX_SAFE_INTEGER)
    await page.focus("#chart")
    await expect
      .poll(async () => {
        for (let i = 0; i < 40; i++) await page.keyboard.press("ArrowLeft")
        return (await chartData(page)).oldest
      })
      .toBe(all[0]?.t)
    expect((await chartData(page)).count).toBe(all.length)
  })

  it.each(["WETH", "ARCX"])("loads older trades of %s, each once", async symbol => {
    await openFilled(symbol)
    for (let pages = 1; pages < 4; pages++) {
      expect(await tapeRows(page)).toHaveLength(50 * pages)
      await page.click("#older")
      await expect.poll(async () => (await tapeRows(page)).length).toBe(50 * (pages + 1))
    }
    expect(await topKeys(200)).toEqual(keysOf(symbol, 200))
  })

  it("keeps a stranger's symbol and name text", async () => {
    const symbol = "<img src=x onerror=alert(1)>"
    await openFilled(symbol)
    expect(await page.locator("#symbol").textContent()).toBe("<img src=x onerror=aler…")
    expect(await page.locator("#full-name").textContent()).toBe("evil<script>alert(2)</script>")
    await page.focus("#token")
    expect(await page.locator('#token-list [role="option"]').count()).toBe(4)
    expect(await page.locator("body img").count()).toBe(1)
    expect(watched.faults).toEqual([])
  })

  it("keeps strangers' words text in the swap panel", async () => {
    const symbol = "<img src=x onerror=alert(1)>"
    await openFilled(symbol)
    await page.click("#swap-open")
    await page.fill("#swap-amount", "1.5")
    await expect.poll(() => page.locator("#swap-out").textContent()).toBe("3")
    const shown = "<img src=x onerror=aler…"
    expect(await page.inputValue("#swap-receive")).toBe(shown)
    expect(await page.locator("#swap-rate").textContent()).toBe(`1 ETH = 2.0000 ${shown}`)
    expect(await page.locator(".hop-name").textContent()).toBe(`ETH → ${shown}`)
    expect(await page.locator(".warnings").textContent()).toBe("<b>bold</b> warning")
    expect(await page.locator("body img, #swap b").count()).toBe(1)
    expect(watched.faults).toEqual([])
  })

  it("keeps the swap panel in the address, and turns it around", async () => {
    await openFilled("WETH")
    const { address } = server.market("WETH")
    const native = `0x${"0".repeat(40)}`
    await page.click("#swap-open")
    await page.fill("#swap-amount", "2")
    await expect.poll(() => page.url()).toContain(`&pay=${native}&receive=${address}&amount=2`)
    await page.fill("#swap-slippage", "1")
    await expect.poll(() => page.url()).toContain("&amount=2&slippage=100")
    await page.fill("#swap-slippage", "99")
    expect(await page.locator("#swap-form-problem").textContent()).toBe(
      "The slippage is 0.01 to 50 percent, with two decimals at most."
    )
    const link = await page.locator("#swap-link").getAttribute("data-copy")
    expect(link).toBe(page.url())
    await page.focus("#swap-turn")
    await page.keyboard.press("Enter")
    await expect.poll(() => page.url()).toContain(`&pay=${address}&receive=${native}&slippage=100`)
    expect(await page.inputValue("#swap-pay")).toBe("WETH")
    await page.click("#swap-close")
    expect(await page.locator("#swap").isVisible()).toBe(false)
    expect(page.url()).not.toContain("pay=")
    const other = await openPage(server.url, `/${new URL(String(link)).hash}`)
    await expect.poll(() => other.page.locator("#swap-out").textContent()).toBe("4")
    expect(other.faults).toEqual([])
    await other.close()
  })

  it("finds tokens by symbol, name and address", async () => {
    await openFilled("WETH")
    const options = page.locator('#token-list [role="option"] bdi:first-child')
    const searches = [
      ["pep", ["PEPR"]],
      ["ether", ["WETH"]],
      [server.market("DUST").address.slice(-6), ["DUST"]],
      ["nothing of the kind", []]
    ] as const
    for (const [text, symbols] of searches) {
      await page.fill("#token", text)
      expect(await options.allTextContents()).toEqual(symbols)
    }
    expect(await page.locator("#token-list").textContent()).toMatch(/No token matches/)
    await page.keyboard.press("Escape")
    expect(await page.inputValue("#token")).toBe("WETH")
  })

  it("says why there is nothing, and fills itself when there is", async () => {
    server.refuse("/v1/candles", REFUSED)
    server.refuse("/v1/chains/base", REFUSED)
    await open("WETH")
    const message = "base: the tables are not built yet"
    await page.waitForSelector(`#chart-message:has-text("${message}")`)
    await page.waitForSelector(`#tape-message:has-text("${message}")`)
    expect(await page.locator("#chart-message button").isVisible()).toBe(true)
    // while it is refused: afterwards the page may be quicker, which tries again by itself
    const asked = page.waitForRequest(request => request.url().includes("/v1/candles"))
    await page.click("#chart-message button")
    await asked
    server.allow()
    await untilFilled(page)
    expect(await page.locator("#chart-message").isVisible()).toBe(false)
  })

  it("waits for a server that is not there yet", async () => {
    server.refuse("/v1/", { status: 503, error: "NOT_READY", message: "starting" })
    await open("WETH")
    await page.waitForSelector('#view:has-text("The server does not answer")')
    server.allow()
    await untilFilled(page)
  })

  it("says that a token is unknown, whatever its address", async () => {
    await watched.load(`/#/base/token/0x${"12".repeat(20)}`, server.url)
    await page.waitForSelector('#chart-message:has-text("no indexed trades here")')
    expect(await page.locator("#symbol").textContent()).toBe("0x1212…1212")
  })

  it("shows what is wrong with a lane", async () => {
    await openFilled("ARCX")
    await page.waitForSelector("#lanes .lane-note")
    const notes = await page.locator("#lanes .lane-note").allTextContents()
    expect(notes).toEqual(["3 logs could not be decoded and are set aside"])
  })

  it("finds tokens that the page does not hold, by asking the server", async () => {
    await openFilled("WETH")
    await page.fill("#token", "rarely")
    await expect.poll(() => page.locator("#token-list [role=option]").count()).toBe(1)
    expect(await page.locator("#token-list small").allTextContents()).toEqual([RARE_TOKEN])
    await page.fill("#token", "nothing of this name")
    await expect
      .poll(() => page.locator("#token-list").textContent())
      .toBe("No token matches. Paste its address.")
  })

  it("keeps the case of base58 on Solana, where nothing is swapped and nobody's holdings known", async () => {
    const { address, trades } = server.market("SOLX")
    await watched.load(`/#/solana/token/${address}?tf=1m&tab=holders`, server.url)
    await untilFilled(page)
    await expect.poll(() => server.subscriptions.length).toBeGreaterThanOrEqual(3)
    expect(server.subscriptions.map(({ chain, token }) => [chain, token])).toEqual(
      Array.from({ length: 3 }, () => ["solana", address])
    )
    // candles have a close, which is no present price
    await expect.poll(() => page.title()).toContain("SOLX")
    expect([await page.locator("#price").textContent(), await page.title()]).toEqual([
      "—",
      "SOLX · swaptape"
    ])
    expect(await page.locator("#change").isVisible()).toBe(false)
    server.trade("SOLX")
    await expect.poll(() => topKeys(1)).toEqual(keysOf("SOLX", 1))
    expect(await page.locator("#simulated:visible").textContent()).toBe(
      "devchain: simulated chain, our programs"
    )
    expect(await page.locator("#swap-open, #tab-holders").locator("visible=true").count()).toBe(0)

    await page.fill("#filter-wallet", "0x12")
    await page.keyboard.press("Enter")
    expect(await page.locator("#filter-problem").textContent()).toBe(
      "A wallet is base58 of 32 bytes."
    )
    const other = address.replace("So1X", "So1Y")
    await page.fill("#token", other)
    await page.keyboard.press("Enter")
    await expect.poll(() => page.url()).toBe(`${server.url}/#/solana/token/${other}?tf=1m`)

    const wallet = trades.find(({ trade }) => trade.wallet !== null)?.trade.wallet
    await page.evaluate(to => location.assign(to), `#/solana/wallet/${wallet}`)
    await expect
      .poll(() => page.locator("#view [data-copy]").getAttribute("data-copy"))
      .toBe(wallet)
    const said = () => page.locator("#view .message").textContent()
    for (const [hash, words] of [
      ["#/solana/boards/graduated", "Solana has no such board."],
      [`#/solana/token/${"z".repeat(44)}`, "There is no such page"]
    ] as const) {
      await page.evaluate(to => location.assign(to), hash)
      await expect.poll(said).toContain(words)
      await page.evaluate(to => location.assign(to), `#/solana/wallet/${wallet}`)
    }
    // an account of Solana is none of another chain
    await page.selectOption("#chain", "8453")
    await expect.poll(() => page.url()).toBe(`${server.url}/#/base/boards/volume`)
  })

  it("shows for the address of zeros the token that is the chain's native unit", async () => {
    for (const [chain, zeros, symbol] of [
      ["base", `0x${"0".repeat(40)}`, "WETH"],
      ["solana", "1".repeat(32), "SOLX"]
    ] as const) {
      const { address } = server.market(symbol)
      await watched.load(`/#/${chain}/token/${zeros}?tf=1m`, server.url)
      await untilFilled(page)
      await expect.poll(() => page.locator("#symbol").textContent()).toBe(symbol)
      expect(await page.locator("#address").getAttribute("data-copy")).toBe(address)
      expect(page.url()).toBe(`${server.url}/#/${chain}/token/${address}?tf=1m`)
    }
  })

  it("links to the chain's explorer, where it has one", async () => {
    await openFilled("WETH")
    const [top] = await tapeRows(page)
    const tx = top?.key.split(":")[0]
    const out = page.locator(`#tape tr[data-key="${top?.key}"] a.out`).first()
    expect(await out.getAttribute("href")).toBe(`https://explorer.example/tx/${tx}`)
    expect(await out.getAttribute("rel")).toBe("noopener noreferrer")
    const { address } = server.market("WETH")
    expect(await page.locator("#address-out a").getAttribute("href")).toBe(
      `https://explorer.example/address/${address}`
    )
  })
})
