/** The head of a token's page in Chromium: of one position; and a token that is not there. */

import type { Page, Request } from "playwright-core"
import { beforeEach, describe, expect, it } from "vitest"
import { chromiumPath, untilFilled } from "../../test/support/browser.ts"
import { changeSince, statsOf } from "../../test/support/page-answers.ts"
import type { PageServer } from "../../test/support/page-server.ts"
import { REFUSED, scriptedPage } from "../../test/support/scripted-page.ts"
import { formatInteger, formatPercent, formatPrice, formatUsd } from "./format.js"

describe.skipIf(chromiumPath === undefined)("the head of a token's page", () => {
  const scripted = scriptedPage()
  const { open, openFilled } = scripted
  let server: PageServer
  let page: Page
  beforeEach(() => {
    ;({ server, page } = scripted)
  })

  it("shows figures of a token side by side that are of one position", async () => {
    await openFilled("WETH")
    const market = server.market("WETH")
    const texts = (ids: ReadonlyArray<string>) =>
      Promise.all(ids.map(id => page.locator(`#${id}`).textContent()))
    const shown = () =>
      texts(["market-origin", "price", "change", "high", "low", "volume", "trades"])
    const figures = () => {
      const { priceUsd, windows, range24h } = statsOf(market)
      const { change, buyVol, sellVol, txns } = windows.h24
      return [
        `log seq ${formatInteger(market.log.at(-1)?.seq)}`,
        ...[`$${formatPrice(priceUsd)}`, `${formatPercent(change)} 24h`],
        ...[formatPrice(range24h.high), formatPrice(range24h.low)],
        ...[formatUsd(buyVol + sellVol), formatInteger(txns)]
      ]
    }
    const before = figures()
    await expect.poll(shown).toEqual(before)
    server.refuse("/v1/tokens/stats", REFUSED)
    server.trade("WETH")
    const { tx, logIndex } = market.trades.at(-1)?.trade ?? {}
    await page.waitForSelector(`#tape tr[data-key="${tx}:${logIndex}"]`)
    expect(await shown()).toEqual(before)
    server.allow()
    await expect.poll(shown).toEqual(figures())
    expect(figures()).not.toEqual(before)
  })

  it("says what a change is measured from: a day ago, or a young token's first print", async () => {
    await openFilled("WETH")
    const changeOf = (symbol: string) =>
      formatPercent(statsOf(server.market(symbol)).windows.h24.change)
    await expect.poll(() => page.locator("#change").textContent()).toBe(`${changeOf("WETH")} 24h`)
    await openFilled("PEPR")
    const first = new Date(changeSince(server.market("PEPR")) * 1000).toISOString()
    const [day, minute] = [first.slice(0, 10), first.slice(11, 16)]
    const isToday = new Date().toISOString().startsWith(day)
    const since = isToday ? minute : `${day.slice(5)} ${minute}`
    await expect
      .poll(() => page.locator("#change").textContent())
      .toBe(`${changeOf("PEPR")} since ${since}`)
  })

  it("asks for a token that is unknown once, and again when it trades", async () => {
    const market = server.market("DUST")
    const asked: Array<string> = []
    const OF_TOKEN = /^\/v1\/(candles|tokens\/stats\/\w+|chains\/base\/token\/\w+\/trades)$/
    const hear = (request: Request) => {
      const { pathname } = new URL(request.url())
      if (OF_TOKEN.test(pathname)) asked.push(pathname)
    }
    page.on("request", hear)
    const message = "it has no trades yet"
    const gone = { status: 404, error: "UNKNOWN_TOKEN", message }
    for (const path of ["/v1/candles", "/v1/tokens/stats", "/v1/chains/base/token"]) {
      server.refuse(path, gone)
    }
    await open("DUST")
    const said = `${message}. Its first trade will be shown when it comes.`
    await page.waitForSelector(`#chart-message:has-text("${said}")`)
    await page.waitForSelector(`#tape-message:has-text("${said}")`)
    expect(new Set(asked).size).toBe(3)
    expect(asked).toHaveLength(3)
    server.allow()
    server.trade("DUST")
    await untilFilled(page)
    await expect
      .poll(() => page.locator("#price").textContent())
      .toBe(`$${formatPrice(market.trades.at(-1)?.trade.priceUsd)}`)
    page.off("request", hear)
    expect(asked.filter(path => path === "/v1/candles")).toHaveLength(2)
  })
})
