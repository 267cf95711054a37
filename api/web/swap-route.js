// @ts-check
/** A quote drawn: what it gives and costs, and its route as legs with pool, venue and share. */

import { shortAmount } from "./amounts.js"
import { copyButton, element, explorerLink } from "./dom.js"
import {
  cleanLabel,
  formatInteger,
  formatPrice,
  formatUsd,
  shortAddress,
  symbolOf,
  UNKNOWN
} from "./format.js"
import { impactGrade, impactText, warningsOf } from "./swap-words.js"

/** @typedef {import("./types.d.ts").Token} Token */
/** @typedef {import("./types.d.ts").Quote} Quote */
/** @typedef {import("./types.d.ts").RouteLeg} RouteLeg */
/**
 * @typedef {object} Setting
 * @property {Token} pay
 * @property {Token} receive
 * @property {(address: string) => Token} tokenAt
 * @property {string | null} explorer
 */
/** @typedef {{ from: string, to: string, legs: ReadonlyArray<RouteLeg> }} Hop */

/**
 * The legs of a route by what they trade, in their order: shares of a hop are of what it is sold.
 *
 * @type {(legs: ReadonlyArray<RouteLeg>) => ReadonlyArray<Hop>}
 */
export const hopsOf = legs => {
  /** @type {Map<string, { from: string, to: string, legs: RouteLeg[] }>} */
  const hops = new Map()
  for (const leg of legs) {
    const { inputMint: from, outputMint: to } = leg.swapInfo
    const hop = hops.get(`${from} ${to}`)
    if (hop === undefined) hops.set(`${from} ${to}`, { from, to, legs: [leg] })
    else hop.legs.push(leg)
  }
  return [...hops.values()]
}

/** @type {(raw: string, token: Token) => HTMLElement} */
const amountOf = (raw, token) =>
  element(
    "span",
    { class: "amount", "data-raw": raw },
    `${shortAmount(BigInt(raw), token.decimals)} `,
    element("bdi", {}, symbolOf(token))
  )

/** @type {(leg: RouteLeg, setting: Setting) => HTMLElement} */
const legRow = ({ percent, swapInfo }, { tokenAt, explorer }) => {
  const { dex, pool, inputMint, outputMint, inputAmount, outputAmount } = swapInfo
  const share = element("span", { class: "share", "aria-hidden": "true" })
  share.style.setProperty("--share", `${percent}%`)
  return element(
    "li",
    { class: "leg", "data-pool": pool, "data-dex": dex, "data-percent": String(percent) },
    element("span", { class: "percent" }, `${percent} %`),
    element("span", { class: "venue" }, cleanLabel(dex, 40)),
    element(
      "span",
      { class: "pool" },
      copyButton({ text: shortAddress(pool), value: pool, what: "Pool" }),
      explorerLink(explorer, "address", pool)
    ),
    share,
    element(
      "span",
      { class: "legs-amounts" },
      amountOf(inputAmount, tokenAt(inputMint)),
      " → ",
      amountOf(outputAmount, tokenAt(outputMint))
    )
  )
}

/** @type {(quote: Quote, setting: Setting) => HTMLElement} hop by hop */
export const routePart = ({ routePlan }, setting) => {
  const { tokenAt } = setting
  const hops = hopsOf(routePlan).map(({ from, to, legs }) => {
    const name = [symbolOf(tokenAt(from)), symbolOf(tokenAt(to))]
    const title = element(
      "p",
      { class: "hop-name" },
      element("bdi", {}, name[0] ?? ""),
      " → ",
      element("bdi", {}, name[1] ?? "")
    )
    const list = element("ul", { "aria-label": `Pools from ${name[0]} to ${name[1]}` })
    list.append(...legs.map(leg => legRow(leg, setting)))
    return element("li", { class: "hop" }, title, list)
  })
  return element("ol", { class: "route", "aria-label": "Route" }, ...hops)
}

/** @type {(name: string, id: string, ...value: (Node | string)[]) => HTMLElement} */
const fact = (name, id, ...value) =>
  element("div", {}, element("dt", {}, name), element("dd", { id }, ...value))

/** Dollars of gas, or its units where nobody tells a price. @type {(quote: Quote) => string} */
const gasText = ({ gasEstimate, gasCostUSD }) => {
  const units = `${formatInteger(Number(gasEstimate))} gas`
  return gasCostUSD === null
    ? `${units}, price unknown`
    : `${formatUsd(Number(gasCostUSD))}, ${units}`
}

/** @type {(quote: Quote, setting: Setting) => string} what one token paid gives */
const rateText = ({ inputAmount, outputAmount }, { pay, receive }) => {
  if (pay.decimals === null || receive.decimals === null) return UNKNOWN
  const paid = Number(inputAmount) / 10 ** pay.decimals
  return formatPrice(Number(outputAmount) / 10 ** receive.decimals / paid)
}

/** @type {(quote: Quote, setting: Setting) => HTMLElement} */
const factsOf = (quote, setting) => {
  const { pay, receive } = setting
  const facts = element(
    "dl",
    { class: "swap-facts" },
    fact(
      "Rate",
      "swap-rate",
      ...["1 ", element("bdi", {}, symbolOf(pay)), ` = ${rateText(quote, setting)} `],
      element("bdi", {}, symbolOf(receive))
    ),
    fact("Least received", "swap-least", amountOf(quote.otherAmountThreshold, receive)),
    fact("Price impact", "swap-impact", impactText(quote)),
    fact("Gas", "swap-gas", gasText(quote))
  )
  facts.querySelector("#swap-impact")?.classList.add(`impact-${impactGrade(quote)}`)
  return facts
}

/** What a quote gives and costs. @type {(quote: Quote, setting: Setting) => Node[]} */
export const quoteParts = (quote, setting) => {
  const warnings = warningsOf(quote).map(text => element("li", {}, text))
  return [
    factsOf(quote, setting),
    ...(warnings.length === 0 ? [] : [element("ul", { class: "warnings" }, ...warnings)])
  ]
}
