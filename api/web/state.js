// @ts-check
/** What there is to choose on the page, and a value that tells of its changes. */

import { isSolana } from "./addresses.js"

/** @typedef {import("./types.d.ts").Timeframe} Timeframe */

/** The intervals of `GET /v1/candles`, with their length in seconds. Weeks start on Monday. */
/** @type {ReadonlyArray<{ tf: Timeframe, seconds: number, name: string }>} */
export const TIMEFRAMES = Object.freeze([
  { tf: "1m", seconds: 60, name: "1 minute" },
  { tf: "5m", seconds: 300, name: "5 minutes" },
  { tf: "15m", seconds: 900, name: "15 minutes" },
  { tf: "1h", seconds: 3600, name: "1 hour" },
  { tf: "4h", seconds: 14_400, name: "4 hours" },
  { tf: "1d", seconds: 86_400, name: "1 day" },
  { tf: "1w", seconds: 604_800, name: "1 week" }
])

/** @type {Timeframe} */
export const TIMEFRAME_DEFAULT = "1m"

/** @type {(tf: string) => number} */
export const secondsOf = tf => TIMEFRAMES.find(each => each.tf === tf)?.seconds ?? 60

/** Basis points by which a swap may give less than quoted, as `GET /v1/quote` takes them. */
export const SLIPPAGE_BPS = Object.freeze({ least: 1, most: 5000, default: 50 })

/** The lists of tokens, by the name that addresses have. */
/** @type {ReadonlyArray<{ board: import("./types.d.ts").BoardName, name: string }>} */
export const BOARDS = Object.freeze([
  { board: "volume", name: "Volume" },
  { board: "movers", name: "Movers" },
  { board: "new", name: "New" },
  { board: "graduated", name: "Graduated" }
])

/** What stands beside a token's chart. */
/** @type {ReadonlyArray<{ tab: import("./types.d.ts").TokenTab, name: string }>} */
export const TABS = Object.freeze([
  { tab: "trades", name: "Trades" },
  { tab: "windows", name: "Windows" },
  { tab: "holders", name: "Holders" },
  { tab: "pools", name: "Pools" },
  { tab: "why", name: "Why" }
])

/**
 * Those that a chain has: where transfers of tokens are not read, nobody's holdings are known.
 *
 * @type {(chain: string) => typeof TABS}
 */
export const tabsOf = chain => TABS.filter(({ tab }) => tab !== "holders" || !isSolana(chain))

/** What a chart's prices are in. */
/** @type {ReadonlyArray<{ quote: import("./types.d.ts").CandleUnit["quote"], name: string }>} */
export const QUOTES = Object.freeze([
  { quote: "usd", name: "Price in dollars" },
  { quote: "mcap", name: "Market cap" },
  { quote: "token", name: "Price in quote tokens" }
])

/** UTC days that a wallet is looked at over. */
export const WALLET_DAYS = Object.freeze({ choices: [1, 7, 30], default: 7 })

/**
 * A value and who wants to hear of its changes.
 *
 * @template {object} S
 * @param {S} initial
 */
export const createStore = initial => {
  let state = initial
  /** @type {Set<(state: S, before: S) => void>} */
  const listeners = new Set()
  return {
    get: () => state,
    /** @type {(change: Partial<S>) => void} */
    set: change => {
      const before = state
      state = { ...state, ...change }
      for (const listener of listeners) listener(state, before)
    },
    /** @type {(listener: (state: S, before: S) => void) => () => void} */
    subscribe: listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
  }
}
