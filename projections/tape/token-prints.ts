/**
 * The newest prints of a token as rows of the tape. The token's index has all of them but their
 * transactions, which the tape tells: of one column pair a few rows are read, not whole rows.
 */
import { Effect } from "effect"
import type { QueryContext, Row } from "../../engine/projection.ts"

export const prints = (where: string, columns = "seq"): string =>
  `SELECT ${columns} FROM (SELECT * FROM prints WHERE ${where}
    UNION ALL SELECT * FROM prints_tail WHERE ${where})`

const COLUMNS = `seq, ts, block, log_index, pool, buy, usd, price, amount, unscaled, flags,
  wallet_hi, wallet_lo`

export const seqsOf = (rows: ReadonlyArray<Row>): ReadonlyArray<number> =>
  rows.map(row => Number(row["seq"]))

const atSeqs = (seqs: ReadonlyArray<number>): string =>
  `seq BETWEEN ${Math.min(...seqs)} AND ${Math.max(...seqs)} AND seq IN (${seqs.join(",")})`

/**
 * The tape rows at these positions, newest first. Their places are found first, for which one
 * column is read; by positions alone the whole tape would be.
 */
export const tapeRows = (context: QueryContext, seqs: ReadonlyArray<number>) =>
  seqs.length === 0
    ? Effect.succeed([] as ReadonlyArray<Row>)
    : context.rows(
        `SELECT * FROM tape WHERE rowid IN (SELECT rowid FROM tape WHERE ${atSeqs(seqs)})
         ORDER BY seq DESC`
      )

/** The rows of the tape that these prints of a token are of, newest first. */
const tapeRowsOf = (context: QueryContext, token: number, found: ReadonlyArray<Row>) =>
  Effect.gen(function* () {
    const seqs = seqsOf(found)
    // a swap of a token for itself is two of its prints and one row
    if (new Set(seqs).size < seqs.length) return yield* tapeRows(context, seqs)
    if (seqs.length === 0) return []
    const txs = yield* context.rows(`SELECT seq, tx_hi, tx_lo FROM tape WHERE ${atSeqs(seqs)}`)
    const bySeq = new Map(txs.map(row => [Number(row["seq"]), row]))
    return found.map((row): Row => {
      const { buy, amount, price, ...rest } = row
      const { tx_hi, tx_lo } = bySeq.get(Number(row["seq"])) ?? {}
      // as the swap's token 0, whichever it is
      return { ...rest, token0: token, bought0: buy, amount0: amount, price0: price, tx_hi, tx_lo }
    })
  })

/** Which prints of a token. */
export interface Wanted {
  /** a condition on prints, the token's among them */
  readonly where: string
  readonly limit: number
  readonly offset: number
  /** the newest position that may be among them */
  readonly seq: number
  /** prints of the token that the condition may leave, of all positions */
  readonly among: number
}

/** Positions that are looked through first at least. */
const LEAST_STRETCH = 65_536
/** So many times as far as the page reaches where prints lie evenly. */
const SPARE = 4

/** Newest positions in which a page is looked for, one after the other. */
const stretchesOf = ({ limit, offset, seq, among }: Wanted): ReadonlyArray<number> => {
  const even = (seq * (limit + offset) * SPARE) / Math.max(1, among)
  const first = Math.max(LEAST_STRETCH, Math.ceil(even))
  return first * 2 < seq ? [first, Number.POSITIVE_INFINITY] : [Number.POSITIVE_INFINITY]
}

/** A page of a token's prints, newest first. */
export const pageOfPrints = (context: QueryContext, token: number, wanted: Wanted) =>
  Effect.gen(function* () {
    const { where, limit, offset, seq } = wanted
    const cut = `ORDER BY seq DESC LIMIT ${limit} OFFSET ${offset}`
    let found: ReadonlyArray<Row> = []
    // a whole page among the newest prints is the page, whatever lies before them
    for (const stretch of stretchesOf(wanted)) {
      const newest = Number.isFinite(stretch) ? ` AND seq > ${seq - stretch}` : ""
      found = yield* context.rows(`${prints(`${where}${newest}`, COLUMNS)} ${cut}`)
      if (found.length === limit) break
    }
    return yield* tapeRowsOf(context, token, found)
  })
