// @ts-check
/** What a swap is of: its tokens, its amount, its slippage, as chosen and as asked. Pure. */

import { readAmount } from "./amounts.js"
import { SLIPPAGE_BPS } from "./state.js"

/** @typedef {import("./types.d.ts").Chain} Chain */
/** @typedef {import("./types.d.ts").Token} Token */
/** @typedef {import("./types.d.ts").SwapChoice} SwapChoice */
/** @typedef {import("./types.d.ts").SwapOrder} SwapOrder */
/** @typedef {{ ok: true, order: SwapOrder } | { ok: false, problem: string }} ReadOrder */

/** The native unit's address in quotes. */
export const NATIVE = `0x${"0".repeat(40)}`

/**
 * The native unit as a token to pay with or to receive; null where the chain has none of its own,
 * as where it is a token itself.
 *
 * @type {(chain: Chain) => Token | null}
 */
export const nativeOf = ({ native, anchors }) =>
  anchors.some(({ kind }) => kind === "native")
    ? {
        address: NATIVE,
        symbol: native.symbol,
        name: "the chain's own unit",
        decimals: native.decimals,
        priceUsd: null,
        change24hPct: null,
        changeSince: null
      }
    : null

/**
 * What a token's swap begins with: it is bought, with the native unit where there is one, else
 * with the first anchor; who looks at the wrapped native unit or at that anchor pays with another.
 *
 * @type {(chain: Chain, token: string) => SwapChoice | null} null: nothing to pay with is known
 */
export const firstChoice = (chain, token) => {
  const wrapped = chain.anchors.find(({ kind }) => kind === "native")?.address
  const native = nativeOf(chain)
  const means = [
    ...(native === null || token === wrapped ? [] : [native.address]),
    ...chain.anchors.filter(({ kind }) => kind !== "native").map(({ address }) => address),
    ...chain.anchors.map(({ address }) => address)
  ]
  const pay = means.find(address => address !== token)
  return pay === undefined
    ? null
    : { pay, receive: token, amount: "", slippageBps: SLIPPAGE_BPS.default }
}

/** @type {(choice: SwapChoice) => SwapChoice} pays with what was received; the amount is another */
export const turned = choice => ({
  ...choice,
  pay: choice.receive,
  receive: choice.pay,
  amount: ""
})

/**
 * A choice with another token on one side; where the other side has it, the two change places.
 *
 * @param {SwapChoice} choice
 * @param {"pay" | "receive"} side
 * @param {string} token
 * @returns {SwapChoice}
 */
export const withToken = (choice, side, token) => {
  const other = side === "pay" ? "receive" : "pay"
  if (choice[other] === token) return turned(choice)
  return { ...choice, [side]: token, ...(side === "pay" ? { amount: "" } : {}) }
}

/**
 * Percent as typed, in basis points; null where it is none that a quote takes.
 *
 * @type {(text: string) => number | null}
 */
export const readSlippage = text => {
  const match = /^(\d{1,2})(?:\.(\d{1,2}))?$/.exec(text.trim())
  if (match === null) return null
  const bps = Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0"))
  return bps >= SLIPPAGE_BPS.least && bps <= SLIPPAGE_BPS.most ? bps : null
}

/** @type {(bps: number) => string} basis points as percent: 50 → 0.5 */
export const slippageText = bps => String(bps / 100)

/**
 * The order of a choice.
 *
 * @param {Chain} chain
 * @param {SwapChoice} choice
 * @param {number | null} decimals of the token paid with
 * @returns {ReadOrder | null} null while there is no amount
 */
export const orderOf = (chain, choice, decimals) => {
  if (choice.amount.trim() === "") return null
  const amount = readAmount(choice.amount, decimals)
  if (!amount.ok) return amount
  const { pay, receive, slippageBps } = choice
  return {
    ok: true,
    order: {
      chain: /** @type {number} of an EVM chain: no other is traded on */ (chain.id),
      ...{ inputMint: pay, outputMint: receive, amount: String(amount.raw), slippageBps }
    }
  }
}
