/** The newest prints of a token as rows of the tape, from memory and from the token's index. */
import { Effect } from "effect"
import type { FoldsView, ReadError, Row, RowsView } from "../../engine/query.ts"
import { versions } from "../../engine/store/sql.ts"
import { readNames, rowsName } from "../../engine/store/table.ts"
import type { isBefore } from "./cursor.ts"
import { printsOf, tapeOutput } from "./output.ts"
import { printsTable, tapeTable } from "./tables.ts"

/** Columns of a print as the tape has them, the token its first, whichever it is. */
const AS_TAPE = `seq, ts, block, log_index, pool, token AS token0, buy AS bought0, usd,
  price AS price0, amount AS amount0, other_amount AS amount1, unscaled, flags, attribution,
  ${readNames(printsTable, "wallet", "tx")}`

export const seqsOf = (rows: ReadonlyArray<Row>): ReadonlyArray<number> =>
  rows.map(row => Number(row["seq"]))

const atSeqs = (seqs: ReadonlyArray<number>): string =>
  `seq BETWEEN ${Math.min(...seqs)} AND ${Math.max(...seqs)} AND seq IN (${seqs.join(",")})`

/** The table itself: a view, such as readers of the tape see, has no places. */
const TAPE = rowsName(tapeTable)

/**
 * The tape rows at these positions, newest first. Their places are found first, for which one
 * column is read; by positions alone the whole tape would be.
 */
export const tapeRows = (context: RowsView, seqs: ReadonlyArray<number>) =>
  seqs.length === 0
    ? Effect.succeed([] as ReadonlyArray<Row>)
    : context.rows(
        `SELECT * FROM ${TAPE} WHERE rowid IN (SELECT rowid FROM ${TAPE} WHERE ${atSeqs(seqs)})
         ORDER BY seq DESC`
      )

/** The rows of the tape that these prints are of, newest first. */
const tapeRowsOf = (context: RowsView, found: ReadonlyArray<Row>) => {
  const seqs = seqsOf(found)
  // a swap of a token for itself is two of its prints and one row
  const haveOnes = new Set(seqs).size === seqs.length
  // the tape alone names the other token, which an amount in its raw units needs
  const areScaled = found.every(row => (Number(row["unscaled"]) & 2) === 0)
  return haveOnes && areScaled ? Effect.succeed(found) : tapeRows(context, seqs)
}

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
  /** the newest of these prints, from the first on */
  readonly held?: ReadonlyArray<Row>
}

/** What memory holds of the newest prints of a token. */
export interface HeldPrints {
  /** newest first, a swap of the token for itself once */
  readonly rows: ReadonlyArray<Row>
  /** whether these are all that are wanted */
  readonly isWhole: boolean
  /** what stands from this position on is held: only before it there may be more */
  readonly from: number
}

/** The newest prints up to the present that memory holds, at most `count` that are `wanted`. */
export const heldPrints = (
  context: FoldsView,
  token: number,
  count: number,
  wanted: ReturnType<typeof isBefore> = () => true
): HeldPrints => {
  const { recent } = context.output(tapeOutput)
  const rows: Array<Row> = []
  const isWhole = recent.walk(token, context.seq, printsOf(context, token), (c, at) => {
    // what memory still holds and the tables hide
    if ((c.ts[at] as number) < context.keptFrom.raw) return false
    if (wanted(c.block[at] as number, c.log_index[at] as number, c.ts[at] as number)) {
      rows.push(recent.row(at))
    }
    return rows.length < count
  })
  return { rows, isWhole, from: recent.oldestSeq ?? context.seq + 1 }
}

/** Whether some swaps are of a token for itself: those are two of its prints, and one row. */
export const haveTwins = (rows: ReadonlyArray<Row>): boolean =>
  rows.some(row => row["token0"] === row["token1"])

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

/** What is to be read beside the prints that are held. */
const restOf = (wanted: Wanted): Wanted => {
  const { where, limit, offset, held = [] } = wanted
  const last = held.at(-1)
  if (last === undefined) return wanted
  const seq = Number(last["seq"]) - 1
  return {
    ...wanted,
    where: `${where} AND seq <= ${seq}`,
    seq,
    limit: Math.max(0, limit - held.slice(offset).length),
    offset: Math.max(0, offset - held.length)
  }
}

/** A page of a token's prints, newest first, a swap of it for itself once. */
export const pageOfPrints = (
  context: RowsView,
  wanted: Wanted
): Effect.Effect<ReadonlyArray<Row>, ReadError> =>
  Effect.gen(function* () {
    const known = (wanted.held ?? []).slice(wanted.offset, wanted.offset + wanted.limit)
    const rest = restOf(wanted)
    const { where, limit, offset, seq } = rest
    if (limit === 0) return known
    const cut = `ORDER BY seq DESC LIMIT ${limit} OFFSET ${offset}`
    let older: ReadonlyArray<Row> = []
    // a whole page among the newest prints is the page, whatever lies before them
    for (const stretch of stretchesOf(rest)) {
      const newest = Number.isFinite(stretch) ? ` AND seq > ${seq - stretch}` : ""
      const prints = versions(context, printsTable, `${where}${newest}`, AS_TAPE, seq)
      older = yield* context.rows(`${prints} ${cut}`)
      if (older.length === limit) break
    }
    const rows = [...known, ...(yield* tapeRowsOf(context, older))]
    // twins took two places and are one row
    const isCut = offset === 0 && older.length === limit && rows.length < wanted.limit
    return isCut ? yield* pageOfPrints(context, { ...wanted, held: rows }) : rows
  })
