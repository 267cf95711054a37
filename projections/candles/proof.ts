/** The swaps of one bucket, page by page, with what its candle says of them. */
import { Effect } from "effect"
import { type Row, type RowsView, rowsQuery } from "../../engine/query.ts"
import { numberOf } from "../../engine/store/sql.ts"
import { isCovered, ofKept, type Stretch, unknownIn } from "../../src/domain/covered-time.ts"
import { shownChain } from "../../src/domain/shown-chain.ts"
import { hashText } from "../../src/math/swap-hash.ts"
import { finalTime, readCoverage } from "../coverage/covered-time.ts"
import { printOf } from "../tape/queries.ts"
import { seqsOf, tapeRows } from "../tape/token-prints.ts"
import { bucketsIn, hashesIn } from "./buckets.ts"
import { candlesOf, sumsOf } from "./candle.ts"
import { refuseUntraded } from "./queries.ts"
import { type Subject, type SubjectParams, subjectOf } from "./subject.ts"
import { type AnyFrame, bucketStart, frameOf } from "./time-frame.ts"

/** Why a print is in no price: `null` where it is in one. */
const reasonOf = (row: Row, isDollars: boolean): string | null => {
  if ((Number(row["flags"]) & 1) === 1) return "outlier"
  const price = numberOf(row, "price")
  if (price !== null && price > 0) return null
  return isDollars && row["usd"] === null ? "unpriced" : "too_little"
}

export type ProofParams = SubjectParams & {
  readonly tf: string
  /** Unix seconds */
  readonly t: number
  readonly limit: number
  /** place of the last swap of the page before; both null for the first page */
  readonly afterBlock: number | null
  readonly afterLogIndex: number | null
}

/** Prints of a page behind a place in the chain, one more than asked for where there is one. */
const pageOf = (
  view: RowsView,
  { series }: Subject,
  time: Stretch,
  { afterBlock, afterLogIndex, limit }: ProofParams
) => {
  const block = afterBlock
  const after =
    afterBlock === null
      ? ""
      : `WHERE block > ${block} OR (block = ${block} AND log_index > ${afterLogIndex})`
  return view.rows(`SELECT seq, ts, block, log_index, usd, flags, price
    FROM (${series.prints(time)}) ${after} ORDER BY seq LIMIT ${limit + 1}`)
}

/** The swaps of a page as the asked token sees them. */
const swapsOf = (view: RowsView, subject: Subject, page: ReadonlyArray<Row>) =>
  Effect.gen(function* () {
    const rows = yield* tapeRows(view, seqsOf(page))
    const bySeq = new Map(rows.map(row => [Number(row["seq"]), row]))
    const isDollars = subject.series.unit === "dollars"
    return page.map(shown => {
      const { outlier: _, ...print } = printOf(
        view,
        subject.token,
        bySeq.get(Number(shown["seq"])) as Row
      )
      const reason = reasonOf(shown, isDollars)
      return {
        ...print,
        ...(isDollars ? {} : { priceQuote: numberOf(shown, "price") }),
        counted: reason === null,
        reason
      }
    })
  })

/** What the candle of the bucket says, and of all its prints. */
const bucketOf = (view: RowsView, { series }: Subject, time: Stretch, frame: AnyFrame) =>
  Effect.gen(function* () {
    const buckets = yield* bucketsIn(view, series, frame, time, {})
    const [bucket] = buckets
    if (bucket === undefined) {
      const isKept = time.from >= view.keptFrom.raw
      return { candle: null, trades: 0, hash: isKept ? hashText(0, 0) : null }
    }
    const hash = (yield* hashesIn({ view, series, frame, window: time, buckets }))?.get(time.from)
    const [candle = null] = candlesOf(buckets, series.unit === "ratio" ? null : 1)
    return { candle, ...sumsOf(bucket), hash: hash ? hashText(hash.hi, hash.lo) : null }
  })

/** The bucket that `t` lies in, with a page of the swaps behind it. */
export const candleProof = rowsQuery("candleProof", (view, params: ProofParams) =>
  Effect.gen(function* () {
    const { tf } = params
    const frame = frameOf(tf)
    const subject = yield* subjectOf(view, params)
    if (subject.pair === null) yield* refuseUntraded(view, subject.token, subject.address)
    const from = bucketStart(frame, params.t)
    const time = { from, to: from + frame.seconds }
    const rows = yield* pageOf(view, subject, time, params)
    const { limit } = params
    const page = rows.slice(0, limit)
    const last = page[page.length - 1]
    const coverage = ofKept(view.keptFrom.raw, yield* readCoverage(view, from))
    const final = yield* finalTime(view)
    return {
      chain: shownChain(view.chain),
      token: subject.address,
      ...subject.named,
      tf,
      from: time.from,
      to: time.to,
      ...(yield* bucketOf(view, subject, time, frame)),
      final: final !== null && time.to <= final && isCovered(coverage, time),
      unknown: unknownIn(coverage, { from, to: Math.min(time.to, view.blockTime + 1) }),
      swaps: yield* swapsOf(view, subject, page),
      nextAfter:
        rows.length > limit && last !== undefined ? `${last["block"]}:${last["log_index"]}` : null
    }
  })
)
