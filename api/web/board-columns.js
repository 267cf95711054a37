// @ts-check
/** What boards show of a token. */

import { element } from "./dom.js"
import {
  cleanLabel,
  formatInteger,
  formatPrice,
  formatSince,
  formatUsd,
  shortAddress,
  symbolOf,
  UNKNOWN
} from "./format.js"
import { changeMark, tokenAnchor } from "./marks.js"

/** @typedef {import("./types.d.ts").BoardRow} BoardRow */
/** @typedef {import("./rows.js").Column<BoardRow>} Column */

const NAME_MAX = 32

/** @type {(seconds: number | null | undefined) => string} */
const since = seconds => formatSince(seconds, Date.now() / 1000)

/** @type {(words: string, title: string) => HTMLElement} */
const flag = (words, title) => element("span", { class: "flag", title }, words)

/** @type {(row: BoardRow) => HTMLElement[]} */
const flagsOf = ({ wash, impostor, listed }) => [
  ...(wash ? [flag("wash", "Its trades look made up: its page says why")] : []),
  ...(impostor ? [flag("impostor", "Its symbol reads like another token's")] : []),
  ...(listed ? [] : [flag("unlisted", "On no token list")])
]

/** @type {(chain: string) => Column} */
const token = chain => ({
  name: "Token",
  cell: row => {
    const name = cleanLabel(row.name, NAME_MAX)
    return [
      tokenAnchor(chain, row.address, symbolOf(row)),
      " ",
      element("bdi", { class: "muted" }, name || shortAddress(row.address)),
      ...flagsOf(row).flatMap(mark => [" ", mark])
    ]
  }
})

/** @type {Column} */
const price = {
  name: "Price",
  isNumber: true,
  cell: ({ priceUsd }) => [priceUsd === null ? UNKNOWN : `$${formatPrice(priceUsd)}`]
}

/** Seconds of the shortest window that is called a day: boards count whole hours. */
const LEAST_DAY = 23 * 3600

/** @type {Column} a young token's change says since when it counts */
const change = {
  name: "Change 24 h",
  sort: "change",
  isNumber: true,
  cell: ({ change24hPct, changeSince }) => {
    const isYoung = changeSince !== null && Date.now() / 1000 - changeSince < LEAST_DAY
    const from = isYoung ? [element("small", {}, ` since ${since(changeSince)}`)] : []
    return [changeMark(change24hPct), ...from]
  }
}

/** @type {(name: string, of: (row: BoardRow) => string, sort?: string) => Column} */
const figure = (name, of, sort) => ({
  name,
  isNumber: true,
  ...(sort && { sort }),
  cell: row => [of(row)]
})

const volume = figure("Volume 24 h", row => formatUsd(row.volume24h), "volume")
const trades = figure("Trades", row => formatInteger(row.trades24h), "trades")
const traders = figure("Traders", row => formatInteger(row.traders), "traders")
const worth = figure("Market cap", row => formatUsd(row.marketCapUsd), "mcap")
const last = figure("Last trade", row => since(row.lastTradeTs))

/** @type {Column[]} */
const moved = [
  {
    name: "Change 2 h",
    isNumber: true,
    sort: "change2h",
    cell: row => [changeMark(row.change2hPct ?? null)]
  },
  figure("Volume 2 h", row => formatUsd(row.volume2h), "volume2h"),
  figure("Trades 2 h", row => formatInteger(row.trades2h), "trades2h")
]
const first = figure("First trade", row => since(row.firstTradeTs), "first")
const launched = figure("Launched", row => since(row.launch?.ts), "first")
const liquidity = figure("Liquidity", row => formatUsd(row.liquidityUsd), "liquidity")
/** @type {Column} */
const launcher = {
  name: "Launcher",
  cell: row => [row.launcher ? shortAddress(cleanLabel(row.launcher.name, 42)) : "not known"]
}

/** @type {(board: import("./types.d.ts").BoardName, chain: string) => Column[]} */
export const columnsOf = (board, chain) => {
  const own = {
    volume: [price, change, volume, trades, traders, worth, last],
    movers: [price, ...moved, change, volume, traders],
    new: [first, price, change, volume, trades, traders, worth],
    graduated: [launched, price, change, liquidity, volume, trades, launcher]
  }[board]
  return [token(chain), ...own]
}

/** What a row counts for by a sort; null where it is not known. */
/** @type {{ readonly [sort: string]: (row: BoardRow) => number | null | undefined }} */
const VALUES = {
  change: row => row.change24hPct,
  volume: row => row.volume24h,
  trades: row => row.trades24h,
  traders: row => row.traders,
  mcap: row => row.marketCapUsd,
  change2h: row => row.change2hPct,
  volume2h: row => row.volume2h,
  trades2h: row => row.trades2h,
  first: row => row.launch?.ts ?? row.firstTradeTs,
  liquidity: row => row.liquidityUsd
}

/**
 * Largest first, what is not known last.
 *
 * @type {(rows: ReadonlyArray<BoardRow>, sort: string | null) => ReadonlyArray<BoardRow>}
 */
export const sortRows = (rows, sort) => {
  const value = sort !== null && Object.hasOwn(VALUES, sort) ? VALUES[sort] : undefined
  if (value === undefined) return rows
  const of = (/** @type {BoardRow} */ row) => value(row) ?? Number.NEGATIVE_INFINITY
  return rows.toSorted((a, b) => of(b) - of(a) || 0)
}
