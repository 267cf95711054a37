// @ts-check
/**
 * What the page shows, and how the address keeps it behind `#`: `#/base`, `#/base/boards/volume`,
 * `#/base/token/0x…?tf=1m`, `#/base/wallet/0x…`, `#/base/totals`, `#/status`. With the swap panel
 * open a token's has `&pay=0x…&receive=0x…&amount=1.5&slippage=50` (slippage in basis points).
 */

import { isSolana, readAccount, readPool } from "./addresses.js"
import {
  BOARDS,
  QUOTES,
  SLIPPAGE_BPS,
  TIMEFRAME_DEFAULT,
  TIMEFRAMES,
  tabsOf,
  WALLET_DAYS
} from "./state.js"

/** @typedef {import("./types.d.ts").PageRoute} PageRoute */
/** @typedef {import("./types.d.ts").TokenRoute} TokenRoute */
/** @typedef {import("./types.d.ts").SwapChoice} SwapChoice */

/** @type {(chain: string, query: URLSearchParams) => SwapChoice | null} */
const readSwap = (chain, query) => {
  // swaps are not quoted there
  if (isSolana(chain)) return null
  const [pay, receive] = ["pay", "receive"].map(name =>
    readAccount(chain, query.get(name)?.trim() ?? "")
  )
  if (!pay || !receive) return null
  const amount = query.get("amount")?.trim() ?? ""
  const slippage = Number(query.get("slippage") ?? "")
  const { least, most, default: usual } = SLIPPAGE_BPS
  const isGood = Number.isInteger(slippage) && slippage >= least && slippage <= most
  return {
    pay,
    receive,
    amount: /^\d{0,60}(\.\d{0,60})?$/.test(amount) ? amount : "",
    slippageBps: isGood ? slippage : usual
  }
}

/** @type {(query: URLSearchParams, name: string) => number | null} null where it is none above 0 */
const numberIn = (query, name) => {
  const value = Number(query.get(name) ?? "")
  return Number.isFinite(value) && value > 0 ? value : null
}

/** @type {(chain: string, query: URLSearchParams) => import("./types.d.ts").CandleUnit} */
const readUnit = (chain, query) => {
  const pool = readPool(chain, query.get("pool") ?? "")
  const quote = QUOTES.find(each => each.quote === query.get("unit"))?.quote ?? "usd"
  return { pool, quote: quote === "token" && pool === null ? "usd" : quote }
}

/** @type {(chain: string, query: URLSearchParams) => import("./types.d.ts").TradeFilter} */
const readFilter = (chain, query) => {
  const side = query.get("side")
  return {
    side: side === "buy" || side === "sell" ? side : null,
    wallet: readAccount(chain, query.get("wallet") ?? ""),
    minUsd: numberIn(query, "minUsd")
  }
}

/** What a token's page shows unless its address says more. */
/** @type {Omit<TokenRoute, "view" | "chain" | "token">} */
const USUAL = {
  ...{ tf: TIMEFRAME_DEFAULT, tab: "trades", at: null, swap: null, quote: "usd", pool: null },
  ...{ side: null, wallet: null, minUsd: null }
}

/** A token's page as it begins. @type {(chain: string, token: string) => TokenRoute} */
export const tokenRoute = (chain, token) => ({ view: "token", chain, token, ...USUAL })

/** The part of a route that its path names. @typedef {{ chain: string, of: string }} Place */

/** What is shown of a chain where the address names no more. */
export const FIRST_BOARD = "volume"

/** @typedef {(place: Place, query: URLSearchParams) => PageRoute | null} Reader */
/** @type {{ readonly [view: string]: Reader }} */
const READERS = {
  boards: ({ chain, of }, query) => {
    const board = of === "" ? FIRST_BOARD : BOARDS.find(each => each.board === of)?.board
    return board ? { view: "boards", chain, board, sort: query.get("sort") } : null
  },
  token: ({ chain, of }, query) => {
    const token = readAccount(chain, of)
    if (token === null) return null
    const tf = TIMEFRAMES.find(each => each.tf === query.get("tf"))?.tf ?? TIMEFRAME_DEFAULT
    return {
      ...{ view: "token", chain, token, tf, swap: readSwap(chain, query) },
      ...{ tab: tabsOf(chain).find(({ tab }) => tab === query.get("tab"))?.tab ?? "trades" },
      ...{ at: numberIn(query, "at"), ...readUnit(chain, query), ...readFilter(chain, query) }
    }
  },
  wallet: ({ chain, of }, query) => {
    const wallet = readAccount(chain, of)
    if (wallet === null) return null
    const { choices, default: usual } = WALLET_DAYS
    const days = choices.find(each => String(each) === query.get("days")) ?? usual
    return { view: "wallet", chain, wallet, days }
  },
  totals: ({ chain, of }) => (of === "" ? { view: "totals", chain } : null)
}

/**
 * Reads what stands behind the address; what is malformed in a query counts as not there.
 *
 * @param {string} hash with its `#`, or empty
 * @returns {PageRoute} chain by id or key, accounts as answers have them
 */
export const readRoute = hash => {
  const [path = "", search = ""] = hash.replace(/^#/, "").split("?")
  const [, first = "", view = "", of = "", ...more] = path.split("/")
  if (first === "") return view === "" ? { view: "home" } : { view: "unknown", hash }
  if (first === "status" && view === "") return { view: "status" }
  // a chain alone is its boards
  const named = view === "" ? "boards" : view
  const read = Object.hasOwn(READERS, named) && more.length === 0 ? READERS[named] : undefined
  // no answer has the number that Solana goes by elsewhere, so the directory cannot tell it
  const chain = first === "1399811149" ? "solana" : first.toLowerCase()
  return read?.({ chain, of }, new URLSearchParams(search)) ?? { view: "unknown", hash }
}

/** @type {(path: string, values: { readonly [name: string]: string | null }) => string} */
const addressOf = (path, values) => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value) query.set(name, value)
  return query.size === 0 ? `#/${path}` : `#/${path}?${query}`
}

/** @type {(route: TokenRoute) => string} */
const tokenAddress = ({ chain, token, tf, swap, ...more }) => {
  const slippage = swap?.slippageBps === SLIPPAGE_BPS.default ? null : swap?.slippageBps
  return addressOf(`${chain}/token/${token}`, {
    tf,
    unit: more.quote === USUAL.quote ? null : more.quote,
    pool: more.pool,
    tab: more.tab === USUAL.tab ? null : more.tab,
    at: more.at === null ? null : String(more.at),
    ...{ side: more.side, wallet: more.wallet },
    minUsd: more.minUsd === null ? null : String(more.minUsd),
    ...(swap && { pay: swap.pay, receive: swap.receive, amount: swap.amount }),
    slippage: slippage ? String(slippage) : null
  })
}

/**
 * What reads back as the route.
 *
 * @param {PageRoute} route
 * @returns {string} with its `#`
 */
export const writeRoute = route => {
  switch (route.view) {
    case "boards":
      return addressOf(`${route.chain}/boards/${route.board}`, { sort: route.sort })
    case "token":
      return tokenAddress(route)
    case "wallet":
      return addressOf(`${route.chain}/wallet/${route.wallet}`, {
        days: route.days === WALLET_DAYS.default ? null : String(route.days)
      })
    case "totals":
      return addressOf(`${route.chain}/totals`, {})
    case "status":
      return "#/status"
    case "unknown":
      return route.hash
    case "home":
      return "#/"
  }
}

/**
 * A token's page as links have it, at the usual interval.
 *
 * @type {(chain: string, token: string) => string}
 */
export const tokenLink = (chain, token) => writeRoute(tokenRoute(chain, token))

/**
 * Addresses before there were routes named their market in the query: `/?chain=8453&token=0x…`.
 *
 * @param {string} search
 * @returns {string | null} what stands behind `#` for it; null where it names no market
 */
export const routeOfQuery = search => {
  const query = new URLSearchParams(search)
  const [chain, token] = [query.get("chain"), query.get("token")]
  if (chain === null || token === null) return null
  query.delete("chain")
  query.delete("token")
  return writeRoute(readRoute(`#/${chain}/token/${token}?${query}`))
}
