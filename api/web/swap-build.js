// @ts-check
/** Makes the unsigned transaction of a quote, and tries it on paper before anybody signs it. */

import { Problem } from "../../client/retry.js"
import { shortAmount } from "./amounts.js"
import { cleanLabel, symbolOf } from "./format.js"
import { buildSwap, simulateSwap } from "./http.js"
import { causeWords } from "./swap-words.js"

/** @typedef {import("./types.d.ts").Quote} Quote */
/** @typedef {import("./types.d.ts").Token} Token */
/** @typedef {import("./types.d.ts").BuiltSwap} BuiltSwap */
/** @typedef {import("./types.d.ts").Simulation} Simulation */
/**
 * @typedef {object} Prepared
 * @property {Quote} quote
 * @property {string} taker
 * @property {BuiltSwap} swap
 * @property {Simulation | Problem} trial as things are; a problem where it could not be tried
 * @property {Simulation | null} approved as if approved; null where that makes no difference
 */

/**
 * @param {Quote} quote
 * @param {string} taker
 * @param {AbortSignal} signal
 * @returns {Promise<Prepared>}
 * @throws {Problem} where nothing can be built
 */
export const prepare = async (quote, taker, signal) => {
  const swap = await buildSwap(quote, taker, signal)
  /** @type {(assumeFunded: boolean) => Promise<Simulation | Problem>} */
  const tried = assumeFunded =>
    simulateSwap(swap.transaction, assumeFunded, signal).catch(cause => {
      if (cause instanceof Problem) return cause
      throw cause
    })
  const trial = await tried(false)
  const isUnapproved = !(trial instanceof Problem) && trial.cause === "router-not-approved"
  const approved = isUnapproved ? await tried(true) : null
  return {
    ...{ quote, taker, swap, trial },
    approved: approved instanceof Problem ? null : approved
  }
}

/** @type {(quote: Quote) => string} */
const orderOf = ({ chain, inputMint, outputMint, inputAmount, slippageBps }) =>
  [chain, inputMint, outputMint, inputAmount, slippageBps].join(" ")

/** Whether two quotes are of one order. @type {(a: Quote, b: Quote) => boolean} */
export const isSameOrder = (a, b) => orderOf(a) === orderOf(b)

/** @type {(quote: Quote) => string} what a transaction is made of */
const contentOf = ({
  chain,
  inputMint,
  outputMint,
  inputAmount,
  otherAmountThreshold,
  routerLegs
}) => [chain, inputMint, outputMint, inputAmount, otherAmountThreshold, routerLegs].join(" ")

/** Whether what one quote became serves for another. @type {(a: Quote, b: Quote) => boolean} */
export const isSameSwap = (a, b) => contentOf(a) === contentOf(b)

/** Whether an approval is known to have to come first. @type {(made: Prepared) => boolean} */
export const wantsApproval = ({ swap: { approval } }) => approval?.needed === true

/** Whether nothing speaks against sending it. @type {(made: Prepared) => boolean} */
export const isSendable = made =>
  !wantsApproval(made) && (made.trial instanceof Problem || made.trial.ok)

/** @type {(made: Prepared, receive: Token) => { text: string, isGood: boolean }} */
export const trialWords = ({ swap, trial, approved }, receive) => {
  if (trial instanceof Problem) {
    const text = `Not tried before signing: ${cleanLabel(trial.message, 200)}.`
    return { text, isGood: false }
  }
  const short = (/** @type {string | null} */ raw) =>
    shortAmount(BigInt(raw ?? 0), receive.decimals)
  const least = short(swap.otherAmountThreshold)
  const arriving = (/** @type {Simulation} */ { outputAmount }) =>
    `${short(outputAmount)} ${symbolOf(receive)} would arrive, ${least} at least`
  if (trial.ok) {
    return { text: `Tried on the newest block: ${arriving(trial)}.`, isGood: true }
  }
  if (approved?.ok === true) {
    const text = `Tried as if approved: ${arriving(approved)}.`
    return { text, isGood: true }
  }
  return { text: causeWords(approved ?? trial), isGood: false }
}
