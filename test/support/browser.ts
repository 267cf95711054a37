/** Debian's Chromium for the page's tests, and what a page under test did that it should not. */

import { existsSync } from "node:fs"
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import { PATIENCE_MS } from "./patience.ts"

/** Debian's: without the parts that draw a window it takes two thirds of the processor. */
const HEADLESS = "/usr/bin/chromium-headless-shell"

/** Where Chromium is, or undefined where there is none: the page's tests are skipped then. */
export const chromiumPath = [process.env["CHROMIUM_PATH"], HEADLESS, "/usr/bin/chromium"].find(
  path => path !== undefined && path !== "" && existsSync(path)
)

if (chromiumPath === undefined) {
  console.log("skipped: tests of the page, no Chromium (set CHROMIUM_PATH, or install it)")
}

const CHROMIUM_FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync"
]

let launched: Promise<Browser> | undefined

/** One for all files of tests that a process runs: it ends with the process. */
export const chromiumOfTests = (): Promise<Browser> => {
  launched ??= chromium.launch({
    executablePath: chromiumPath ?? "",
    args: CHROMIUM_FLAGS,
    timeout: PATIENCE_MS
  })
  return launched
}

/** What Chromium itself says of an answer that is not 2xx, or of a lost socket. */
const NETWORK_COMPLAINT = /Failed to load resource|WebSocket connection to/

export interface WatchedPage {
  readonly page: Page
  /** errors and warnings of the console, uncaught exceptions, dialogs, requests to elsewhere */
  readonly faults: string[]
  /** the faults without the browser's own lines about refused requests */
  readonly faultsOfItsOwn: () => string[]
  /**
   * Loads an address in the same tab, whose faults and settings begin anew: a new tab takes four
   * times as much processor.
   */
  readonly load: (path: string, baseUrl?: string) => Promise<void>
  /** Closes the tab, and forgets all that the browser keeps for it. */
  readonly close: () => Promise<void>
}

const VIEWPORT = { width: 1280, height: 800 }

/**
 * Opens a page at the server's address, in a browser that remembers nothing, and records every
 * fault from its first byte on. `before` is given the page while nothing is loaded.
 */
export const openPage = async (
  baseUrl: string,
  path = "/",
  options: BrowserContextOptions = {},
  before: (page: Page) => Promise<unknown> = async () => {}
): Promise<WatchedPage> => {
  const browser = await chromiumOfTests()
  const context = await browser.newContext({
    viewport: VIEWPORT,
    permissions: ["clipboard-read", "clipboard-write"],
    ...options
  })
  // Playwright's own patience is 30 seconds
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const faults: string[] = []
  page.on("console", message => {
    if (message.type() === "error" || message.type() === "warning") faults.push(message.text())
  })
  page.on("pageerror", error => faults.push(`uncaught: ${error.message}`))
  page.on("dialog", dialog => {
    faults.push(`dialog: ${dialog.message()}`)
    dialog.dismiss()
  })
  let { host } = new URL(baseUrl)
  page.on("request", request => {
    const url = new URL(request.url())
    if (url.protocol !== "data:" && url.host !== host) faults.push(`request to ${request.url()}`)
  })
  await before(page)
  await page.goto(new URL(path, baseUrl).href)
  const faultsOfItsOwn = () => faults.filter(fault => !NETWORK_COMPLAINT.test(fault))
  const load = async (other: string, otherUrl = baseUrl) => {
    await page.goto("about:blank")
    await page.unrouteAll()
    await page.mouse.move(0, 0)
    await page.setViewportSize(VIEWPORT)
    await page.emulateMedia({ colorScheme: null })
    faults.length = 0
    host = new URL(otherUrl).host
    await page.goto(new URL(other, otherUrl).href)
  }
  return { page, faults, faultsOfItsOwn, load, close: () => context.close() }
}

/** Waits until the page shows candles and trades and its socket is open. */
export const untilFilled = async (page: Page): Promise<void> => {
  await page.waitForSelector('#connection[data-state="open"]')
  await page.waitForFunction(() => {
    const chart = document.getElementById("chart")
    return Number(chart?.dataset["candles"]) > 0 && document.querySelector("#tape tr") !== null
  })
}

/** What the chart says of itself, for assertions: the picture has no text. */
export const chartData = (page: Page) =>
  page.locator("#chart").evaluate(chart => ({
    count: Number(chart.dataset["candles"]),
    oldest: Number(chart.dataset["oldest"]),
    newest: JSON.parse(chart.dataset["newest"] ?? "null") as {
      readonly t: number
      readonly o: number
      readonly h: number
      readonly l: number
      readonly c: number
      readonly v: number
      readonly n: number
    } | null
  }))

/** The tape's prints from the top: identity, and whether they are struck out. */
export const tapeRows = (page: Page) =>
  page.locator("#tape tr").evaluateAll(rows =>
    rows.map(row => ({
      key: (row as HTMLElement).dataset["key"] ?? "",
      undone: row.classList.contains("undone")
    }))
  )
