// @ts-check
/** What the page reads of the HTTP API, by the typed client that everybody else can have too. */

import { swaptape } from "../../client/client.js"

/** @typedef {import("./types.d.ts").Chain} Chain */
/** @typedef {import("./types.d.ts").Token} Token */
/** @typedef {import("./types.d.ts").Trade} Trade */
/** @typedef {import("./types.d.ts").CandlePage} CandlePage */
/** @typedef {import("./types.d.ts").Quote} Quote */
/** @typedef {import("./types.d.ts").SwapOrder} SwapOrder */
/** @typedef {import("./types.d.ts").BuiltSwap} BuiltSwap */
/** @typedef {import("./types.d.ts").UnsignedCall} UnsignedCall */
/** @typedef {import("./types.d.ts").Simulation} Simulation */
/** @typedef {import("../../client/live.d.ts").Place} Place */

/** Asks the server that the page came from. */
export const api = swaptape()

/** @type {(value: string | null) => string | null} an address of the web, and nothing else */
const explorerOf = value => (value !== null && /^https:\/\/[a-z0-9.-]+$/.test(value) ? value : null)

/** @type {(signal: AbortSignal) => Promise<Chain[]>} */
export const loadChains = async signal => {
  const { body } = await api.listChains({}, { signal })
  return body.chains.map(row => ({
    ...row,
    explorer: explorerOf(row.explorer),
    hasKeyedTape: row.routes.trades.startsWith("/v1/chains/")
  }))
}

/** A chain as parameters name it. @type {(chain: { readonly id: number | string }) => string} */
const named = ({ id }) => String(id)

const TOKENS_MAX = 1000
const SEARCH_MAX = 60

/** @type {(chain: Chain, signal: AbortSignal) => Promise<ReadonlyArray<Token>>} server's order */
export const loadTokens = async (chain, signal) => {
  const query = /** @type {const} */ ({
    chain: named(chain),
    limit: TOKENS_MAX,
    includeUnlisted: "1"
  })
  return (await api.listTokens(query, { signal })).body.tokens
}

/**
 * What a token costs, and what its last day was to that moment.
 *
 * @param {Chain} chain
 * @param {string} address
 * @param {AbortSignal} signal
 */
export const loadTokenStats = (chain, address, signal) =>
  api.getTokenStats({ chain: named(chain), address }, { signal })

/** @type {(chain: Chain, text: string, signal: AbortSignal) => Promise<ReadonlyArray<Token>>} */
export const searchTokens = async (chain, text, signal) => {
  const query = { chain: named(chain), q: text.slice(0, 64), limit: SEARCH_MAX }
  return (await api.searchTokens(query, { signal })).body.tokens
}

/** @type {(signal: AbortSignal) => Promise<import("./types.d.ts").Status>} */
export const loadStatus = async signal => (await api.getStatus({}, { signal })).body

/**
 * @param {{ chain: Chain, token: string, tf: CandlePage["tf"], to?: number, limit?: number,
 *   unit?: import("./types.d.ts").CandleUnit }} wanted
 * @param {AbortSignal} signal
 * @returns {Promise<CandlePage & Place>} oldest first
 */
export const loadCandles = async ({ chain, unit, ...wanted }, signal) => {
  const quote = unit?.quote === "usd" ? undefined : unit?.quote
  const query = { chain: named(chain), ...wanted, quote, pool: unit?.pool ?? undefined }
  const { body, seq, log } = await api.getCandles(query, { signal })
  return { ...body, seq, log }
}

const TRADES_PER_PAGE = 50

/**
 * A page of trades, newest first.
 *
 * @param {{ chain: Chain, token: string, after: ReadonlyArray<Trade>,
 *   filter: import("./types.d.ts").TradeFilter }} wanted `after`: the trades
 *   already had, newest first; the page holds what comes after them (and may repeat some).
 *   `filter`: those that are wanted alone
 * @param {AbortSignal} signal
 * @returns {Promise<{ trades: ReadonlyArray<Trade>, more: boolean } & Place>}
 */
export const loadTrades = async ({ chain, token, after, filter }, signal) => {
  const asked = { address: token, limit: TRADES_PER_PAGE }
  const { side, wallet, minUsd } = filter
  const isAll = side === null && wallet === null && minUsd === null
  if (chain.hasKeyedTape && isAll) {
    const last = after.at(-1)
    const before = last && `${last.ts}:${last.block}:${last.logIndex}`
    const { body, seq, log } = await api.getChainTrades(
      { chain: chain.key, ...asked, before },
      { signal }
    )
    return { trades: body.trades, more: body.nextBefore !== null, seq, log }
  }
  const page = Math.floor(after.length / TRADES_PER_PAGE) + 1
  const { body, seq, log } = await api.getTokenTrades(
    {
      ...{ chain: named(chain), ...asked, page, side: side ?? undefined },
      ...{ wallet: wallet ?? undefined, min: minUsd ?? undefined }
    },
    { signal }
  )
  return { trades: body.trades, more: page * TRADES_PER_PAGE < body.total, seq, log }
}

/**
 * @param {SwapOrder} order
 * @param {AbortSignal} signal
 * @returns {Promise<{ quote: Quote, lifeMs: number }>} `lifeMs`: how long it is good from now on
 */
export const loadQuote = async (order, signal) => {
  const query = { ...order, chain: String(order.chain) }
  const { body, at } = await api.getQuote(query, { signal })
  return { quote: body, lifeMs: Math.max(0, body.expiresAt - at) * 1000 }
}

/** @type {(quote: Quote, taker: string, signal: AbortSignal) => Promise<BuiltSwap>} */
export const buildSwap = async (quote, taker, signal) =>
  (await api.postSwap({ ...quote, taker }, { signal })).body

/**
 * What a transaction would do now; funded: as if the payment were there and approved.
 *
 * @type {(call: UnsignedCall, assumeFunded: boolean, signal: AbortSignal) => Promise<Simulation>}
 */
export const simulateSwap = async (call, assumeFunded, signal) =>
  (await api.postSimulate({ ...call, assumeFunded }, { signal })).body
