/** Reads of candles: one window of a token or of a pool (spec 4.5). */
import { Effect } from "effect"
import { type RowsView, rowsQuery } from "../../engine/query.ts"
import { ofKept, unknownIn } from "../../src/domain/covered-time.ts"
import { readCoverage } from "../coverage/covered-time.ts"
import { printsOf } from "../tape/output.ts"
import { tokens } from "../tokens/output.ts"
import { unknownToken } from "../tokens/queries.ts"
import { bucketsIn, closeBefore } from "./buckets.ts"
import { candlesOf, type Field, fieldOf, type RichCandle } from "./candle.ts"
import { candlesOfCopies } from "./copied-candles.ts"
import { readFacts, unnamedWallets } from "./facts.ts"
import { carried, fillBuckets } from "./fill.ts"
import { subjectOf } from "./subject.ts"
import { frameOf } from "./time-frame.ts"
import {
  type CandlesParams,
  candlesAnswer,
  isPlain,
  keptOf,
  refuseReversed,
  spanOf,
  windowAsked
} from "./window.ts"

/** Of a token without any print nothing is known. */
export const refuseUntraded = (view: RowsView, token: number, address: string) =>
  printsOf(view, token) === 0 ? Effect.fail(unknownToken(view, address)) : Effect.void

const UNSCALED =
  "the token has told no decimals: its trades have no price a token, and there are no candles " +
  "without one; its trades are listed"

const fieldsOf = ({ fields }: CandlesParams): ReadonlyArray<Field> =>
  fields === "" ? [] : (fields.split(",") as Array<Field>)

const fromRows = (view: RowsView, params: CandlesParams) =>
  Effect.gen(function* () {
    const frame = frameOf(params.tf)
    const subject = yield* subjectOf(view, params)
    yield* refuseReversed(params)
    const { series, token, address, named } = subject
    const window = windowAsked(view, params)
    const { from, to } = window
    const { raw } = params
    const plain = isPlain(params)
    const buckets = yield* bucketsIn(view, series, frame, { from, to }, { raw, plain })
    if (buckets.length === 0 && subject.pair === null) {
      yield* refuseUntraded(view, token, address)
    }
    const isScaled = !Number.isNaN(view.output(tokens).scale(token))
    const fill = params.fill && isScaled
    const kept = keptOf(view, frame)
    const isCut = from < kept
    // of what is not kept nothing is told, and nothing is carried from there but the last close
    const since = Math.max(from, kept)
    const previous = fill && since < to ? yield* closeBefore(view, series, frame, since, raw) : null
    const answer = { ...params, token: address }
    const warned = isScaled ? {} : { warnings: [UNSCALED] }
    const priced = candlesOf(buckets, series.unit === "ratio" ? null : subject.factor)
    const coverage = ofKept(kept, yield* readCoverage(view, previous?.t ?? from))
    const span = spanOf(window)
    const close = carried(previous, since, coverage)
    const first = close === null ? null : close * subject.factor
    const list = fill
      ? fillBuckets(priced, frame, { from: since, to: span.to }, first, coverage)
      : priced
    const unknown = unknownIn(coverage, span)
    const reaches = frame.base === null || isCut ? { reachesFrom: coverage.start } : {}
    if (plain) {
      const page = candlesAnswer(view, answer, window, list, unknown)
      return { ...page, ...warned, ...reaches }
    }
    const fields = fieldsOf(params)
    const read = { view, series, frame, window: { from, to }, buckets }
    const { facts, unavailable, estimated } = yield* readFacts(read, fields, coverage)
    const rich = list.map((candle): RichCandle => {
      const time = { from: candle.t, to: candle.t + frame.seconds }
      const more = fields.map(field => [field, fieldOf(facts, field, time)])
      return { ...candle, ...Object.fromEntries(more) }
    })
    unavailable.push(...unnamedWallets(facts, fields, rich, estimated.length > 0))
    return {
      ...candlesAnswer(view, answer, window, rich, unknown),
      ...named,
      ...warned,
      ...(raw ? { raw } : {}),
      ...reaches,
      ...(unavailable.length > 0 ? { unavailable } : {}),
      ...(estimated.length > 0 ? { estimated } : {})
    }
  })

export const candlesQuery = rowsQuery("candles", fromRows, candlesOfCopies)
