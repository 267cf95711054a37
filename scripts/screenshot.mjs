// Takes the README's picture of a running server: docs/screenshot.png, 1280 × 800.
//
//   node scripts/screenshot.mjs [--url http://127.0.0.1:8080] [--out docs/screenshot.png] [--light]
//
// `--url` may name a market: http://127.0.0.1:8080/#/base/token/0x…?tf=1m; else the board's first whose
// price moves is shown.
import { existsSync, mkdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { parseArgs } from "node:util"
import { chromium } from "playwright-core"

const PATIENCE_MS = 120_000
/** Enough for a picture that shows what the page is for. */
const CANDLES_MIN = 10
const TRADES_MIN = 25
/** Lets the last frames be drawn and the tape's highlights fade in. */
const SETTLE_MS = 1500

const { values } = parseArgs({
  options: {
    url: { type: "string", default: "http://127.0.0.1:8080" },
    out: { type: "string", default: join(import.meta.dirname, "..", "docs", "screenshot.png") },
    light: { type: "boolean", default: false }
  }
})

const executablePath = process.env["CHROMIUM_PATH"] || "/usr/bin/chromium"
if (!existsSync(executablePath)) {
  console.error(`no Chromium at ${executablePath}: install it, or set CHROMIUM_PATH`)
  process.exit(1)
}

const browser = await chromium.launch({
  executablePath,
  args: [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync"
  ]
})
try {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    colorScheme: values.light ? "light" : "dark"
  })
  page.setDefaultTimeout(PATIENCE_MS)
  await page.goto(values.url)
  if (new URL(values.url).hash === "") {
    await page
      .locator("#view tbody tr")
      .filter({ hasNotText: "$1.0000" })
      .locator("a")
      .first()
      .click()
    // the pointer would lie on the chart
    await page.mouse.move(0, 0)
  }
  await page.waitForSelector('#connection[data-state="open"]')
  await page.waitForSelector("#lanes tr")
  await page.waitForFunction(
    ([candles, trades]) =>
      Number(document.getElementById("chart")?.dataset["candles"]) >= candles &&
      document.querySelectorAll("#tape tr").length >= trades,
    /** @type {const} */ ([CANDLES_MIN, TRADES_MIN])
  )
  await page.waitForTimeout(SETTLE_MS)
  // a lane that is not well has a line that says why; the start, and a busy machine, bring some
  await page.waitForFunction(
    () =>
      document.querySelector(".lane-note") === null &&
      document.getElementById("connection-text")?.textContent === "Live"
  )
  mkdirSync(dirname(values.out), { recursive: true })
  await page.screenshot({ path: values.out })
  console.log(`${values.out}: ${await page.title()}`)
} finally {
  await browser.close()
}
