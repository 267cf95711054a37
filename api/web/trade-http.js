// @ts-check
/** Quotes, built swaps and simulations, as the server gives them. */

import { Problem, post, read } from "./http.js"

/** @typedef {import("./types.d.ts").Quote} Quote */
/** @typedef {import("./types.d.ts").SwapOrder} SwapOrder */
/** @typedef {import("./types.d.ts").BuiltSwap} BuiltSwap */
/** @typedef {import("./types.d.ts").UnsignedCall} UnsignedCall */
/** @typedef {import("./types.d.ts").Simulation} Simulation */

/**
 * @param {SwapOrder} order
 * @param {AbortSignal} signal
 * @returns {Promise<{ quote: Quote, lifeMs: number }>} `lifeMs`: how long it is good from now on
 */
export const loadQuote = async (order, signal) => {
  const { body, at } = await read("/quote", { ...order }, signal)
  if (!Array.isArray(body?.routePlan) || typeof body.expiresAt !== "number") {
    throw new Problem("BAD_ANSWER", "the server's answer is no quote")
  }
  return { quote: body, lifeMs: Math.max(0, body.expiresAt - at) * 1000 }
}

/** @type {(quote: Quote, taker: string, signal: AbortSignal) => Promise<BuiltSwap>} */
export const buildSwap = async (quote, taker, signal) => {
  const { body } = await post("/swap", { ...quote, taker }, signal)
  return body
}

/**
 * What a transaction would do now.
 *
 * @param {UnsignedCall} call
 * @param {boolean} assumeFunded as if the payment were there and approved
 * @param {AbortSignal} signal
 * @returns {Promise<Simulation>}
 */
export const simulateSwap = async (call, assumeFunded, signal) => {
  const { body } = await post("/swap/simulate", { ...call, assumeFunded }, signal)
  return body
}
