// @ts-check
/**
 * What the page shows, and how the address bar keeps it: `/?chain=8453&token=0x…&tf=1m`, and with
 * the swap panel open `&pay=0x…&receive=0x…&amount=1.5&slippage=50` (slippage in basis points).
 */

/** @typedef {import("./types.d.ts").Selection} Selection */
/** @typedef {import("./types.d.ts").Timeframe} Timeframe */
/** @typedef {import("./types.d.ts").SwapChoice} SwapChoice */

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

export const TIMEFRAME_DEFAULT = "1m"

/** @type {(tf: string) => number} */
export const secondsOf = tf => TIMEFRAMES.find(each => each.tf === tf)?.seconds ?? 60

const ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** @type {(text: string) => boolean} */
export const isAddress = text => ADDRESS.test(text)

/** Basis points by which a swap may give less than quoted, as `GET /v1/quote` takes them. */
export const SLIPPAGE_BPS = Object.freeze({ least: 1, most: 5000, default: 50 })

/** @type {(query: URLSearchParams) => SwapChoice | null} */
const readSwap = query => {
  const [pay = "", receive = ""] = ["pay", "receive"].map(name => query.get(name)?.trim() ?? "")
  if (!isAddress(pay) || !isAddress(receive)) return null
  const amount = query.get("amount")?.trim() ?? ""
  const slippage = Number(query.get("slippage") ?? "")
  const { least, most, default: usual } = SLIPPAGE_BPS
  const isGood = Number.isInteger(slippage) && slippage >= least && slippage <= most
  return {
    pay: pay.toLowerCase(),
    receive: receive.toLowerCase(),
    amount: /^\d{0,60}(\.\d{0,60})?$/.test(amount) ? amount : "",
    slippageBps: isGood ? slippage : usual
  }
}

/**
 * Reads a selection; what is absent or malformed is null, or the default interval.
 *
 * @param {string} search the address's query, with or without its question mark
 * @returns {Selection} chain as written (id or key), token in lower case
 */
export const readSelection = search => {
  const query = new URLSearchParams(search)
  const chain = query.get("chain")?.trim().toLowerCase() || null
  const token = query.get("token")?.trim() ?? ""
  const tf = query.get("tf") ?? ""
  return {
    chain,
    token: isAddress(token) ? token.toLowerCase() : null,
    tf: TIMEFRAMES.find(each => each.tf === tf)?.tf ?? TIMEFRAME_DEFAULT,
    swap: readSwap(query)
  }
}

/**
 * The query that reads back as the selection.
 *
 * @param {Selection} selection
 * @returns {string} with its question mark
 */
export const writeSelection = ({ chain, token, tf, swap }) => {
  const query = new URLSearchParams()
  if (chain) query.set("chain", chain)
  if (token) query.set("token", token)
  query.set("tf", tf)
  if (swap) {
    query.set("pay", swap.pay)
    query.set("receive", swap.receive)
    if (swap.amount !== "") query.set("amount", swap.amount)
    if (swap.slippageBps !== SLIPPAGE_BPS.default) query.set("slippage", String(swap.slippageBps))
  }
  return `?${query}`
}

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
