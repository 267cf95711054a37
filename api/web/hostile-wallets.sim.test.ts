/** The swap panel in Chromium beside wallets that never answer, answer junk, or replace what they sent. */

import type { Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import {
  chromiumPath,
  openPage,
  untilFilled,
  type WatchedPage
} from "../../test/support/browser.ts"
import { type PageServer, startPageServer } from "../../test/support/page-server.ts"

const ACCOUNT = `0x${"ab".repeat(20)}`
const OTHER = `0x${"cd".repeat(20)}`
const hashOf = (byte: string): string => `0x${byte.repeat(32)}`
const SENT_ANYWAY = "What you confirm in the wallet, or did, is sent all the same."

/** What a wallet of the page answers by method: a value, an error, or nothing at all. */
type Answer = { readonly value: unknown } | { readonly error: unknown } | "never"
type Answers = Record<string, Answer>

interface WalletWindow {
  readonly wallets: Record<
    string,
    { answers: Answers; late: Array<(value: unknown) => void>; tell: (value: unknown) => void }
  >
}

/** Announces two wallets, which answer by `window.wallets`. */
const putWallets = (page: Page, answers: Answers) =>
  page.addInitScript(given => {
    const wallets: WalletWindow["wallets"] = {}
    Object.assign(window, { wallets })
    for (const name of ["One", "Two"]) {
      const listeners: Array<(value: unknown) => void> = []
      const wallet = {
        answers: structuredClone(given) as Answers,
        late: [] as Array<(value: unknown) => void>,
        tell: (value: unknown) => listeners.forEach(listen => listen(value))
      }
      wallets[name] = wallet
      const request = ({ method }: { readonly method: string }) => {
        const answer = wallet.answers[method] ?? { value: null }
        if (answer === "never") {
          return new Promise(resolve => {
            wallet.late.push(resolve)
          })
        }
        return "error" in answer ? Promise.reject(answer.error) : Promise.resolve(answer.value)
      }
      const provider = {
        request,
        on: (event: string, listener: (value: unknown) => void) =>
          event === "accountsChanged" && listeners.push(listener),
        removeListener: () => {
          throw new Error("it stays")
        }
      }
      const detail = { info: { name }, provider }
      window.addEventListener("eip6963:requestProvider", () =>
        window.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }))
      )
    }
  }, answers)

describe.skipIf(chromiumPath === undefined)("the swap panel beside hostile wallets", () => {
  let server: PageServer
  let watched: WatchedPage
  let page: Page
  let path: string

  beforeAll(async () => {
    server = await startPageServer()
    const { chain, address } = server.market("WETH")
    const usual: Answers = {
      eth_requestAccounts: { value: [ACCOUNT] },
      eth_chainId: { value: `0x${chain.toString(16)}` },
      eth_sendTransaction: { value: hashOf("11") }
    }
    path = `/?chain=${chain}&token=${address}&tf=1m`
    watched = await openPage(server.url, path, {}, opened => putWallets(opened, usual))
    page = watched.page
  })
  afterAll(async () => {
    await watched?.close()
    await server?.close()
  })
  afterEach(() => expect(watched.faultsOfItsOwn()).toEqual([]))

  beforeEach(async () => {
    const { chain } = server.market("WETH")
    await watched.load(path)
    await page.route("**/v1/swap", route => {
      const { taker, ...quote } = route.request().postDataJSON()
      const { inputAmount, outputAmount, otherAmountThreshold } = quote
      const transaction = { chainId: chain, from: taker, to: OTHER, data: "0x01", value: "7" }
      const amounts = { inputAmount, outputAmount, otherAmountThreshold, recipient: taker }
      const more = { gasEstimate: "1", deadline: 4_000_000_000, approval: null }
      return route.fulfill({ json: { transaction, ...amounts, ...more } })
    })
    await page.route("**/v1/swap/simulate", route => {
      const json = { ok: true, outputAmount: "3", revert: null, cause: null, assumed: [] }
      return route.fulfill({ json })
    })
    await untilFilled(page)
    await page.click("#swap-open")
    await page.fill("#swap-amount", "1.5")
    await page.waitForSelector("#swap-wallets button")
  })

  const answers = (wallet: string, changed: Answers) =>
    page.evaluate(
      ([name, more]) =>
        Object.assign((window as unknown as WalletWindow).wallets[name]?.answers ?? {}, more),
      [wallet, changed] as const
    )
  const answerLate = (wallet: string, value: unknown) =>
    page.evaluate(
      ([name, told]) =>
        (window as unknown as WalletWindow).wallets[name]?.late.forEach(answer => answer(told)),
      [wallet, value] as const
    )
  const text = (selector: string) => page.locator(selector).textContent()
  const isFree = () => page.waitForSelector('#swap-send[aria-disabled="false"]')
  const connect = async (name: string) => {
    await page.click(`#swap-wallets button:has-text("${name}")`)
    await page.waitForSelector("#swap-account button")
    await isFree()
  }
  const sentHashes = () =>
    page
      .locator("#swap-sent li")
      .evaluateAll(rows => rows.map(row => (row as HTMLElement).dataset["hash"]))
  const stateOf = (hash: string) =>
    page.locator(`#swap-sent [data-hash="${hash}"]`).getAttribute("data-state")

  it("goes on where a transaction was replaced and never comes into a block", async () => {
    await connect("One")
    await page.click("#swap-send")
    await expect.poll(() => text("#swap-asking")).toBe("What was sent waits for its block.")
    expect(await page.locator("#swap-send").getAttribute("aria-disabled")).toBe("true")
    await page.click("#swap-stop")
    await isFree()
    expect([await text("#swap-problem"), await text("#swap-asking")]).toEqual([SENT_ANYWAY, ""])
    await answers("One", { eth_sendTransaction: { value: hashOf("22") } })
    await page.click("#swap-send")
    await expect.poll(sentHashes).toEqual([hashOf("22"), hashOf("11")])
    // junk is no receipt; the first one's block ends no waiting for the second
    await answers("One", { eth_getTransactionReceipt: { value: { status: "done" } } })
    expect(await page.locator("#swap-send").getAttribute("aria-disabled")).toBe("true")
    const receipt = { status: "0x1", blockNumber: "0x10" }
    await answers("One", { eth_getTransactionReceipt: { value: receipt } })
    await expect.poll(() => stateOf(hashOf("22"))).toBe("succeeded")
    await isFree()
  })

  it("connects another wallet where one never answers, and keeps that one", async () => {
    await answers("One", { eth_requestAccounts: "never" })
    await page.click('#swap-wallets button:has-text("One")')
    await expect.poll(() => text("#swap-asking")).toBe("Look at your wallet: it asks you.")
    await page.click("#swap-stop")
    expect(await text("#swap-asking")).toBe("")
    await answers("Two", { eth_requestAccounts: { value: [OTHER] } })
    await connect("Two")
    await answerLate("One", [ACCOUNT])
    expect(await text("#swap-account bdi")).toBe("Two")
  })

  it("shows what was sent although nobody waited for the wallet any more", async () => {
    await connect("One")
    await answers("One", { eth_sendTransaction: "never" })
    await page.click("#swap-send")
    await expect.poll(() => text("#swap-asking")).toBe("Look at your wallet: it asks you.")
    await page.click("#swap-leave")
    await page.waitForSelector("#swap-wallets button")
    expect(await text("#swap-problem")).toBe(SENT_ANYWAY)
    await answerLate("One", hashOf("33"))
    await expect.poll(sentHashes).toEqual([hashOf("33")])
  })

  it("makes the transaction anew for an account that takes the other's place", async () => {
    await connect("One")
    await page.evaluate(
      account => (window as unknown as WalletWindow).wallets["One"]?.tell([account]),
      OTHER
    )
    await isFree()
    const call = JSON.parse(String(await text('[data-call="Swap"] pre')))
    expect(call.from).toBe(OTHER)
  })

  it.each<readonly [string, Answer, string]>([
    ["junk for a hash", { value: "<b>0x</b>" }, "The wallet says: it gave no transaction hash"],
    ["nothing for a hash", { value: null }, "The wallet says: it gave no transaction hash"],
    ["an error without words", { error: {} }, "The wallet says: no reason"]
  ])("goes on where the wallet gives %s", async (_, answer, words) => {
    await connect("One")
    await answers("One", { eth_sendTransaction: answer })
    await page.click("#swap-send")
    await expect.poll(() => text("#swap-problem")).toBe(words)
    await isFree()
    expect(await sentHashes()).toEqual([])
  })
})
