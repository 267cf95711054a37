/** Reads the swaps of some candidates, oldest first, and folds each candidate's. */
import { Effect } from "effect"
import type { ResultColumns, Row, RowsView } from "../../../engine/query.ts"
import { physicalParts, readNames } from "../../../engine/store/table.ts"
import { tapeTable } from "../../../projections/tape/tables.ts"
import type { BoardWindow } from "./board-window.ts"
import { CandidateFold, type CandidatePrint } from "./candidate-fold.ts"
import type { SumsOf } from "./wallet-sums.ts"

/** Rows that are read and folded at once: some milliseconds of the lane's thread. */
const SLICE_ROWS = 20_000

const TX_PARTS = physicalParts("tx", { type: "tx" }).map(({ name }) => name)
/** 32-bit words of a transaction's id. */
const WORDS = 4

/** Tells whether a wallet's swap is in the transaction of its swap before. */
class Transactions {
  private readonly last: Uint32Array

  constructor(wallets: number) {
    this.last = new Uint32Array(wallets * TX_PARTS.length * WORDS)
  }

  isSame(who: number, row: number, parts: ReadonlyArray<Uint32Array>): boolean {
    let same = true
    for (let part = 0; part < parts.length; part++) {
      const words = parts[part] as Uint32Array
      for (let word = 0; word < WORDS; word++) {
        const place = (who * parts.length + part) * WORDS + word
        const value = words[row * WORDS + word] as number
        if (this.last[place] !== value) same = false
        this.last[place] = value
      }
    }
    return same
  }
}

/** The columns of swaps by name, and what follows from a row. */
const readerOf = ({ money, scales }: SumsOf, found: ResultColumns) => {
  const names = ["who", "ts", "pool", "bought0", "usd", "unscaled", "flags"] as const
  const column = Object.fromEntries(names.map(name => [name, found.numbers(name)])) as {
    readonly [name in (typeof names)[number]]: Float64Array
  }
  const token = [found.numbers("token0"), found.numbers("token1")] as const
  const amount = [found.numbers("amount0"), found.numbers("amount1")] as const
  const parts = TX_PARTS.map(part => found.words(part))
  const printsOf = (row: number, usd: number | null): ReadonlyArray<CandidatePrint> =>
    ([0, 1] as const).flatMap(side => {
      const tokenId = token[side][row] as number
      if (Number.isNaN(tokenId) || money.has(tokenId)) return []
      const isRaw = (((column.unscaled[row] as number) >> side) & 1) === 1
      const units = isRaw ? (scales.get(tokenId) ?? 1) : 1
      const isBelieved = (((column.flags[row] as number) >> side) & 1) === 0
      return [
        {
          token: tokenId,
          isBuy: column.bought0[row] === 1 - side,
          amount: ((amount[side][row] as number) || 0) / units,
          usd: isBelieved ? usd : null
        }
      ]
    })
  return { column, parts, token, printsOf }
}

const take = (
  folds: ReadonlyArray<CandidateFold>,
  transactions: Transactions,
  sums: SumsOf,
  found: ResultColumns
): void => {
  const { column, parts, token, printsOf } = readerOf(sums, found)
  const isMoney = (side: 0 | 1, row: number) => sums.money.has(token[side][row] as number)
  for (let row = 0; row < found.count; row++) {
    const who = column.who[row] as number
    const told = column.usd[row] as number
    const usd = Number.isNaN(told) ? null : told
    folds[who]?.take({
      ts: column.ts[row] as number,
      pool: column.pool[row] as number,
      isSameTx: transactions.isSame(who, row, parts),
      isQuoted: isMoney(0, row) || isMoney(1, row),
      usd: column.flags[row] === 0 ? usd : null,
      prints: printsOf(row, usd)
    })
  }
}

/** What the swaps of wallets tell; null of one that lacks a swap. */
interface Folded {
  readonly folds: ReadonlyArray<CandidateFold | null>
  /** why swaps could not be read, of the first that could not; null where all could */
  readonly problem: string | null
}

/** What the tables said: ahead of it in the message stands the statement. */
const reasonIn = (message: string): string =>
  /\w+ Error: [^\n]*/.exec(message)?.[0] ?? (message.split("\n").at(-1) as string)

/** Why a candidate is left out though all slices were read. */
const LACKING = "the swaps that were read are not as many as the wallet's sums count"

const NOTHING_FOLDED: Folded = { folds: [], problem: null }

/** SQL of the candidates' swaps between two positions. */
const sliceSql = (values: string, { from }: SumsOf, first: number, last: number): string =>
  `SELECT who, ts, pool, token0, token1, amount0, amount1, bought0, usd, unscaled, flags,
     ${readNames(tapeTable, "tx")}
   FROM ${tapeTable.name} JOIN (VALUES ${values}) w(who, top, hi, lo)
     ON wallet_lo = lo AND wallet_hi = hi AND wallet_top = top
   WHERE seq BETWEEN ${first} AND ${last} AND ts >= ${from} ORDER BY seq`

/**
 * Returns what the swaps of wallets tell, in the order of the wallets: rows of the sums, of which
 * `swaps` is how many swaps each has. A slice that cannot be read is tried again once; what it
 * would have told is missing then, and the wallets that lack a swap are null; why, is logged once.
 */
export const foldCandidates = (
  view: RowsView,
  { sums, first, newest }: BoardWindow,
  wallets: ReadonlyArray<Row>
): Effect.Effect<Folded> =>
  Effect.gen(function* () {
    if (first === null || newest === null || wallets.length === 0) return NOTHING_FOLDED
    const folds = wallets.map(() => new CandidateFold())
    const transactions = new Transactions(wallets.length)
    const values = wallets
      .map(
        (row, i) => `(${i}, ${row["wallet_top"]}::UHUGEINT, ${row["wallet_hi"]}::UHUGEINT,
          ${row["wallet_lo"]}::UINTEGER)`
      )
      .join(", ")
    const swapsOf = (row: Row) => Number(row["swaps"])
    const rows = wallets.reduce((sum, row) => sum + swapsOf(row), 0)
    const step = Math.ceil((newest - first + 1) / Math.max(1, Math.ceil(rows / SLICE_ROWS)))
    let [problem, slices]: [string | null, number] = [null, 0]
    for (let at = first; at <= newest; at += step) {
      const sql = sliceSql(values, sums, at, Math.min(newest, at + step - 1))
      const read = Effect.tap(view.columns(sql), columns =>
        Effect.sync(() => take(folds, transactions, sums, columns))
      )
      const failed = yield* Effect.flip(Effect.retry(read, { times: 1 })).pipe(
        Effect.orElseSucceed(() => null)
      )
      if (failed === null) continue
      slices++
      problem ??= reasonIn(failed.message)
    }
    if (problem !== null) {
      yield* Effect.logWarning(
        `smart traders: ${slices} of the slices of the candidates' swaps could not be read: ${problem}`
      )
    }
    const whole = folds.map((fold, i) => (fold.swaps === swapsOf(wallets[i] as Row) ? fold : null))
    const isLacking = whole.some(fold => fold === null)
    return { folds: whole, problem: problem ?? (isLacking ? LACKING : null) }
  })
