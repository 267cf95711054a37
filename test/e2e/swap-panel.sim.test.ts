/**
 * The page's swap panel in Chromium, over a real engine and a simulated chain with real contracts:
 * what it shows is what the server quotes, and what it sends is what it showed.
 */
import type { Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import type { Quote } from "../../api/groups/trade/quote.api.ts"
import { amountText } from "../../api/web/amounts.js"
import { chromiumPath, openPage, type WatchedPage } from "../support/browser.ts"
import { isLong } from "../support/rounds.ts"
import { SwapStage } from "../support/swap-stage.ts"
import { putWallet, type TestWallet } from "../support/test-wallet.ts"

const NATIVE = `0x${"0".repeat(40)}`
const WETH = "0x4200000000000000000000000000000000000006"
const USDC = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"
const BASE = 8453

describe.skipIf(chromiumPath === undefined)("the swap panel on a real engine", () => {
  let stage: SwapStage
  let watched: WatchedPage
  let page: Page
  let wallet: TestWallet

  beforeAll(async () => {
    stage = await SwapStage.open()
    watched = await openPage(stage.engine.url, "/", {}, async opened => {
      const node = (method: string, params: ReadonlyArray<unknown>) => stage.node(method, params)
      const name = "Test <b>wallet</b>"
      const options = { name, account: stage.account, chainId: BASE, knownChains: [BASE], node }
      wallet = await putWallet(opened, options)
    })
    page = watched.page
  })
  afterAll(async () => {
    await stage?.close()
    await watched?.close()
  })
  afterEach(() => expect(watched.faultsOfItsOwn()).toEqual([]))

  const open = async (query: string, chainId = BASE) => {
    Object.assign(wallet, { chainId, refuses: false })
    wallet.asked.length = 0
    await watched.load(`/#/base/token/${USDC}?${query}`)
    await page.waitForSelector("#tape tr")
  }
  const swapLink = (pay: string, receive: string, amount = "") =>
    `tf=1m&pay=${pay}&receive=${receive}&amount=${amount}`
  const state = () => page.locator("#swap").getAttribute("data-state")

  const legsShown = () =>
    page.locator("#swap-route .leg").evaluateAll(legs =>
      legs.map(leg => {
        const [inputAmount, outputAmount] = [...leg.querySelectorAll("[data-raw]")].map(each =>
          each.getAttribute("data-raw")
        )
        const { pool, dex, percent } = (leg as HTMLElement).dataset
        return { pool, dex, percent: Number(percent), inputAmount, outputAmount }
      })
    )
  const legsOf = ({ routePlan }: Quote) =>
    routePlan.map(({ percent, swapInfo: { pool, dex, inputAmount, outputAmount } }) => ({
      ...{ pool, dex, percent, inputAmount, outputAmount }
    }))
  const raw = (selector: string) => page.locator(selector).getAttribute("data-raw")
  const text = (selector: string) => page.locator(selector).textContent()
  const connect = async () => {
    await page.click("#swap-wallets button")
    await page.waitForSelector("#swap-account button")
  }
  /** Waits until the panel has sent something, and gives its hash. */
  const sent = async (what: "approval" | "swap") => {
    const row = page.locator(`#swap-sent [data-what="${what}"]`).first()
    await row.waitFor()
    return String(await row.getAttribute("data-hash"))
  }
  const rowsOf = (hash: string) => page.locator(`#tape tr[data-key^="${hash}:"].mine`).count()

  it("quotes as it is typed what the server quotes, and swaps it with its print on the tape", async () => {
    await open("tf=1m")
    await page.click("#swap-open")
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("swap-amount")
    await page.keyboard.type("700", { delay: 20 })
    const quote = await stage.quote({
      ...{ inputMint: NATIVE, outputMint: USDC, amount: 700n * 10n ** 18n }
    })
    await expect.poll(() => raw("#swap-out")).toBe(quote.outputAmount)
    expect(quote.routePlan.length).toBeGreaterThan(1)
    expect(await legsShown()).toEqual(legsOf(quote))
    expect(await raw("#swap-least [data-raw]")).toBe(quote.otherAmountThreshold)
    expect(await text("#swap-impact")).toBe(`${Number(quote.priceImpactPct).toFixed(2)} %`)
    expect(await page.locator(".warnings li").allTextContents()).toContain(quote.warnings?.[0])
    expect(page.url()).toContain(`&pay=${NATIVE}&receive=${USDC}&amount=700`)

    await connect()
    expect(await text("#swap-account bdi")).toBe("Test <b>wallet</b>")
    expect(await page.locator("#swap-approval").isVisible()).toBe(false)
    await page.waitForSelector('#swap-simulation[data-state="good"]')
    expect(await text("#swap-simulation")).toMatch(
      /^Tried on the newest block: [\d,.]+ USDC would arrive, [\d,.]+ at least\.$/
    )
    const call = JSON.parse(String(await text('[data-call="Swap"] pre')))
    expect(call).toMatchObject({ chainId: BASE, from: stage.account, to: stage.router })
    expect(call.value).toBe(String(700n * 10n ** 18n))

    await page.click("#swap-send")
    const hash = await sent("swap")
    expect(await text(`#swap-sent [data-hash="${hash}"] [role=status]`)).toBe("waits for its block")
    await stage.mine()
    const ofDollars = quote.routePlan.filter(({ swapInfo }) => swapInfo.outputMint === USDC)
    await expect.poll(() => rowsOf(hash)).toBe(ofDollars.length)
    await expect
      .poll(() => text(`#swap-sent [data-hash="${hash}"] [role=status]`))
      .toMatch(/^stands in block \d+, and on the tape$/)
  })

  it("has the payment approved first, by keyboard, and sells what was bought", async () => {
    await open(swapLink(USDC, WETH, "1000"))
    await expect.poll(state).toBe("quoted")
    await connect()
    await page.waitForSelector("#swap-approve")
    expect(await text("#swap-approval-text")).toMatch(/ has to be allowed to take 1,000 USDC \(/)
    expect(
      await page
        .locator("#swap-approval-text button")
        .evaluateAll(buttons => buttons.map(button => (button as HTMLElement).dataset["copy"]))
    ).toEqual([stage.router, USDC])
    expect(await text("#swap-simulation")).toMatch(
      /^Tried as if approved: [\d.]+ WETH would arrive, [\d,.]+ at least\.$/
    )
    expect(await page.locator("#swap-send").getAttribute("aria-disabled")).toBe("true")

    await page.focus("#swap-approve")
    await page.keyboard.press("Enter")
    await sent("approval")
    await stage.mine()
    await page.waitForSelector("#swap-approval", { state: "hidden" })
    await page.waitForSelector('#swap-send[aria-disabled="false"]')
    await page.focus("#swap-send")
    await page.keyboard.press("Enter")
    const hash = await sent("swap")
    await stage.mine()
    await expect.poll(() => rowsOf(hash)).toBeGreaterThan(0)
    expect(wallet.asked.filter(method => method === "eth_sendTransaction")).toHaveLength(2)
  })

  it("tells what the wallet has of what is paid before any amount, and pays all", async () => {
    await open(swapLink(USDC, WETH))
    expect(await page.locator("#swap-balance").isVisible()).toBe(false)
    await connect()
    const data = `0x70a08231${stage.account.slice(2).padStart(64, "0")}`
    const balance = BigInt(String(await stage.node("eth_call", [{ to: USDC, data }, "latest"])))
    await expect.poll(() => raw("#swap-balance-text")).toBe(String(balance))
    expect(await text("#swap-balance-text")).toMatch(/^Balance [\d,.]+ USDC$/)
    await page.click("#swap-max")
    await expect.poll(() => page.inputValue("#swap-amount")).toBe(amountText(balance, 6))
    await page.click("#swap-leave")
    await page.waitForSelector("#swap-balance", { state: "hidden" })
  })

  it("pays all native units but what the gas may cost", async () => {
    await open(swapLink(NATIVE, USDC, "1"))
    await expect.poll(state).toBe("quoted")
    await connect()
    await page.waitForSelector('#swap-send[aria-disabled="false"]')
    const { transaction } = JSON.parse(String(await page.getAttribute("#swap-calls", "data-shown")))
    const told = await Promise.all([
      stage.node("eth_getBalance", [stage.account, "latest"]),
      stage.node("eth_gasPrice", [])
    ])
    const [native, price] = told.map(value => BigInt(String(value))) as [bigint, bigint]
    await expect.poll(() => raw("#swap-balance-text")).toBe(String(native))
    await page.click("#swap-max")
    const most = native - (BigInt(transaction.gas) * price * 5n) / 4n
    await expect.poll(() => page.inputValue("#swap-amount")).toBe(amountText(most, 18))
  })

  it("says in words why there is no route", async () => {
    await open(swapLink(NATIVE, USDC, "0.000000000000000001"))
    await expect.poll(state).toBe("no-route")
    expect(await text("#swap-message")).toBe("So small an amount buys nothing. Try a larger one.")
    expect(await page.isVisible("#swap-send")).toBe(false)
    expect(await page.isVisible("#swap-taker")).toBe(false)
    await page.fill("#swap-amount", "1e5")
    expect(await text("#swap-form-problem")).toBe("Write the amount in digits, like 1.5.")
    await page.fill("#swap-amount", "0.5")
    await expect.poll(state).toBe("quoted")
  })

  // half a minute, until a quote has expired
  it.runIf(isLong)("lets nobody swap an expired quote, and gets a new one", async () => {
    await open(swapLink(NATIVE, USDC, "1"))
    await connect()
    await page.waitForSelector('#swap-send[aria-disabled="false"]')
    await page.route("**/v1/quote?*", route => route.abort())
    await expect.poll(state).toBe("expired")
    expect(await text("#swap-message")).toBe(
      "This quote has expired. The server does not answer. This page keeps trying."
    )
    expect(await page.locator("#swap-send").getAttribute("aria-disabled")).toBe("true")
    await page.unroute("**/v1/quote?*")
    await expect.poll(state).toBe("quoted")
  })

  it("gets a new quote where the server says that one has expired", async () => {
    await open(swapLink(NATIVE, USDC, "2"))
    const refusal = { error: "QUOTE_EXPIRED", message: "quote again" }
    const once = { times: 1 }
    await page.route("**/v1/swap", route => route.fulfill({ status: 400, json: refusal }), once)
    await expect.poll(state).toBe("quoted")
    let release = () => {}
    const seen = new Promise<void>(resolve => {
      release = resolve
    })
    await page.route("**/v1/quote?*", async route => {
      await seen
      await route.continue()
    })
    await connect()
    await expect
      .poll(() => text("#swap-problem"))
      .toBe("The quote has expired. A new one is being fetched.")
    release()
    await page.waitForSelector('#swap-send[aria-disabled="false"]')
    expect(await text("#swap-problem")).toBe("")
  })

  it("says that the wallet refuses, and asks again when told", async () => {
    await open(swapLink(NATIVE, USDC, "3"))
    await expect.poll(state).toBe("quoted")
    wallet.refuses = true
    await page.click("#swap-wallets button")
    await expect.poll(() => text("#swap-problem")).toBe("The wallet refused. Nothing was sent.")
    wallet.refuses = false
    await connect()
    await page.waitForSelector('#swap-send[aria-disabled="false"]')
    wallet.refuses = true
    await page.click("#swap-send")
    await expect.poll(() => text("#swap-problem")).toBe("The wallet refused. Nothing was sent.")
    expect(await page.locator("#swap-sent li").count()).toBe(0)
    wallet.refuses = false
    await page.click("#swap-send")
    await sent("swap")
    expect(await text("#swap-problem")).toBe("")
    await stage.mine()
  })

  it("has a wallet of another chain switched first", async () => {
    await open(swapLink(NATIVE, USDC, "4"), 1)
    await expect.poll(state).toBe("quoted")
    await connect()
    await expect
      .poll(() => text("#swap-problem"))
      .toBe("The wallet is on chain 1, this swap on Base.")
    expect(await page.locator("#swap-send").isVisible()).toBe(false)
    expect(await text("#swap-switch")).toBe("Switch the wallet to Base")
    await page.click("#swap-switch")
    await page.waitForSelector('#swap-send[aria-disabled="false"]')
    expect(await text("#swap-problem")).toBe("")
    // it goes elsewhere without a word
    wallet.chainId = 1
    await page.click("#swap-send")
    await expect
      .poll(() => text("#swap-problem"))
      .toBe("The wallet says: it is on chain 1, the transaction is of chain 8453")
    expect(wallet.asked).not.toContain("eth_sendTransaction")
  })

  it.each([
    [390, 844],
    [320, 640]
  ])(
    "fits a phone of %d × %d, in the dark, with a name for every control",
    async (width, height) => {
      await open(swapLink(NATIVE, USDC, "700"))
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme: "dark" })
      await expect.poll(state).toBe("quoted")
      await connect()
      await page.waitForSelector('#swap-simulation[data-state="good"]')
      await page.click("#swap-calls summary")
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth
      )
      expect(overflow).toBe(0)
      const unnamed = await page
        .locator("#swap button, #swap input, #swap [tabindex], #swap output")
        .evaluateAll(controls =>
          controls
            .filter(control => {
              const { labels } = control as HTMLInputElement
              const name = control.getAttribute("aria-label") ?? control.textContent?.trim()
              return !name && !labels?.length
            })
            .map(control => control.outerHTML)
        )
      expect(unnamed).toEqual([])
    }
  )

  it("makes the transaction for an address where there is no wallet", async () => {
    await watched.close()
    watched = await openPage(
      stage.engine.url,
      `/#/base/token/${USDC}?${swapLink(NATIVE, USDC, "1")}`
    )
    page = watched.page
    await expect.poll(state).toBe("quoted")
    expect(await page.locator("#swap-no-wallet").isVisible()).toBe(true)
    await page.fill("#swap-taker", stage.account)
    await page.waitForSelector("#swap-calls")
    await page.click("#swap-calls summary")
    await page.click('[data-call="Swap"] button')
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(JSON.parse(copied)).toMatchObject({
      from: stage.account,
      to: stage.router,
      chainId: BASE
    })
    expect(await page.locator("#swap-send").isVisible()).toBe(false)
  })
})
