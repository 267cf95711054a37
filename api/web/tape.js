// @ts-check
/** The prints of a token, newest first: pure changes of a list. */

/** @typedef {import("./types.d.ts").Trade} Trade */
/** @typedef {import("./types.d.ts").Print} Print */

/** @type {(trade: Trade) => string} the trade's identity on its chain */
const keyOf = trade => `${trade.tx}:${trade.logIndex}`

/** @type {(trade: Trade, seq: number | null) => Print} */
const printOf = (trade, seq) => ({ key: keyOf(trade), trade, seq, undone: false })

/**
 * Whether a filter lets a trade through, as the server's does: one without dollars has not enough.
 *
 * @param {Trade} trade
 * @param {import("./types.d.ts").TradeFilter} filter
 */
export const isWanted = (trade, { side, wallet, minUsd }) =>
  (side === null || trade.side === side) &&
  (wallet === null || trade.wallet === wallet) &&
  (minUsd === null || (trade.usd ?? 0) >= minUsd)

/** @type {(trades: ReadonlyArray<Trade>) => Print[]} a page, newest first */
export const printsOf = trades => trades.map(trade => printOf(trade, null))

/** @type {(prints: ReadonlyArray<Print>) => Set<string>} */
const standingKeys = prints => new Set(prints.filter(each => !each.undone).map(each => each.key))

/**
 * A trade off the socket, put first unless it is there already (a resumed socket repeats its last
 * position). An undone print does not count: a reorganisation may include the trade again.
 *
 * @param {ReadonlyArray<Print>} prints
 * @param {Trade} trade
 * @param {number} seq
 * @returns {ReadonlyArray<Print>}
 */
export const addTrade = (prints, trade, seq) => {
  const key = keyOf(trade)
  const known = prints.some(each => each.key === key && !each.undone)
  return known ? prints : [printOf(trade, seq), ...prints]
}

/**
 * An older page, put last.
 *
 * @param {ReadonlyArray<Print>} prints
 * @param {ReadonlyArray<Trade>} trades
 * @returns {ReadonlyArray<Print>}
 */
export const addOlder = (prints, trades) => {
  const known = standingKeys(prints)
  return [...prints, ...printsOf(trades).filter(each => !known.has(each.key))]
}

/**
 * Strikes what a reorganisation undid: prints after `toSeq` and before the undo itself.
 *
 * @param {ReadonlyArray<Print>} prints
 * @param {number} seq position of the undo
 * @param {number} toSeq newest position that still stands
 * @returns {ReadonlyArray<Print>}
 */
export const strike = (prints, seq, toSeq) =>
  prints.map(each =>
    each.seq !== null && each.seq > toSeq && each.seq < seq ? { ...each, undone: true } : each
  )

/** Order of the chain, newest first. @type {(a: Print, b: Print) => number} */
const byPosition = ({ trade: a }, { trade: b }) => b.block - a.block || b.logIndex - a.logIndex

/**
 * Brings prints in line with a page read anew, which is the truth back to its oldest trade: what
 * it lacks is struck, what it has more is put in its place.
 *
 * @param {ReadonlyArray<Print>} prints
 * @param {ReadonlyArray<Trade>} trades newest first
 * @param {boolean} complete whether the page is all there is
 * @returns {ReadonlyArray<Print>}
 */
export const reconcile = (prints, trades, complete) => {
  const told = new Set(trades.map(keyOf))
  const oldest = trades.at(-1)?.ts ?? Number.NEGATIVE_INFINITY
  const kept = prints.map(each =>
    // Trades of the page's oldest second may continue on the next page.
    !told.has(each.key) && (complete || each.trade.ts > oldest) ? { ...each, undone: true } : each
  )
  const known = standingKeys(kept)
  const missing = printsOf(trades).filter(each => !known.has(each.key))
  return missing.length === 0 ? kept : [...missing, ...kept].sort(byPosition)
}
