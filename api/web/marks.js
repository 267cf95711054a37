// @ts-check
/** Small marks that several views show: links to tokens and wallets, gains and losses. */

import { element } from "./dom.js"
import { cleanLabel, formatPercent, formatUsd, shortAddress, symbolOf, UNKNOWN } from "./format.js"
import { tokenLink, writeRoute } from "./routes.js"
import { WALLET_DAYS } from "./state.js"

/** @type {(chain: string, token: string, text: string) => HTMLElement} */
export const tokenAnchor = (chain, token, text) => {
  const link = element("a", { class: "row-link", title: token }, element("bdi", {}, text))
  link.href = tokenLink(chain, token)
  return link
}

/** @type {(chain: string, wallet: string | null) => HTMLElement} */
export const walletAnchor = (chain, wallet) => {
  if (wallet === null) {
    return element("span", { class: "muted", title: "A router, or not attributed" }, UNKNOWN)
  }
  const link = element("a", { class: "address", title: wallet }, shortAddress(wallet))
  link.href = writeRoute({ view: "wallet", chain, wallet, days: WALLET_DAYS.default })
  return link
}

/** @type {(value: number | null | undefined) => string} */
const sideOf = value => (!value ? "" : value > 0 ? "up" : "down")

/** @type {(change: number | null) => HTMLElement} percent */
export const changeMark = change =>
  element("span", { class: sideOf(change) }, formatPercent(change))

/** @type {(usd: number | null | undefined) => HTMLElement} dollars won or lost, with their sign */
export const gainMark = usd =>
  element("span", { class: sideOf(usd) }, `${usd && usd > 0 ? "+" : ""}${formatUsd(usd)}`)

/**
 * Names and what they are.
 *
 * @type {(facts: ReadonlyArray<readonly [string, string | Node]>) => HTMLElement}
 */
export const factList = facts =>
  element(
    "dl",
    { class: "facts" },
    ...facts.map(([name, value]) =>
      element("div", {}, element("dt", {}, name), element("dd", {}, value))
    )
  )

/**
 * Bad news one by one, or the words that there is none.
 *
 * @type {(name: string, lines: ReadonlyArray<string>, none: string) => HTMLElement}
 */
export const wordList = (name, lines, none) => {
  const items = lines.map(line => element("li", {}, line))
  const list = element("ul", { class: lines.length > 0 ? "bad-news" : "muted" }, ...items)
  if (lines.length === 0) list.append(element("li", {}, none))
  return element("div", { class: "words" }, element("h3", {}, name), list)
}

/**
 * A pool as people call it: its tokens, its venue, its fee.
 *
 * @type {(pool: import("./types.d.ts").PoolRow) => string}
 */
export const poolName = ({ token0, token1, dex, feePct }) => {
  const names = [token0, token1].map(each => (each === null ? UNKNOWN : symbolOf(each)))
  const fee = feePct === null ? "" : ` ${feePct} %`
  return `${names.join("/")} ${cleanLabel(dex ?? "unknown venue", 40)}${fee}`
}

/**
 * The answer of the API that figures here are of, for who wants it whole.
 *
 * @type {(path: string, asked: { readonly [name: string]: string | number | undefined }) => Node}
 */
export const answerLink = (path, asked) => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(asked)) {
    if (value !== undefined) query.set(name, String(value))
  }
  const link = element("a", {}, "The whole answer of the API")
  link.href = `${path}?${query}`
  link.target = "_blank"
  link.rel = "noopener noreferrer"
  return link
}
