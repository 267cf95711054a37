/**
 * Candles beyond the plain ones: of a pool, below a minute, in other units, with more fields, with
 * what is not believed. Read from the tables, never from copies of them.
 */
import { Effect, Option } from "effect"
import { type QueryContext, rowsQuery } from "../../engine/query.ts"
import {
  bucketsIn,
  closeBefore,
  estimatedWallets,
  hashesIn,
  MOST_PRINTS,
  MOST_SAMPLED,
  walletsIn
} from "./buckets.ts"
import type { Candle } from "./candle.ts"
import {
  type Coverage,
  finalTime,
  isCovered,
  ofKept,
  readCoverage,
  type Stretch,
  unknownIn
} from "./coverage.ts"
import { carried, fillBuckets } from "./fill.ts"
import type { Bucket } from "./fold.ts"
import { candleWarnings, refuseUntraded } from "./queries.ts"
import { type Subject, type SubjectParams, subjectOf } from "./subject.ts"
import { hashText } from "./swap-hash.ts"
import { type AnyFrame, frameOf } from "./time-frame.ts"
import {
  candlesAnswer,
  refuseReversed,
  type Window,
  type WindowParams,
  windowAsked
} from "./window.ts"

/** Optional fields of a candle, by name. */
export const CANDLE_FIELDS = [
  "buys",
  "sells",
  "buyVol",
  "sellVol",
  "buyers",
  "sellers",
  "trades",
  "filtered",
  "hash",
  "final",
  "state"
] as const

type Field = (typeof CANDLE_FIELDS)[number]

/** Fields that are null, or not exact, and why. */
interface Remark {
  readonly fields: ReadonlyArray<Field>
  readonly reason: string
}

/** A candle with whatever was asked for. */
export type RichCandle = Candle & { readonly [field in Field]?: unknown }

const isOfWallets = (field: Field): boolean => field === "buyers" || field === "sellers"

/** What the fields of a page are made of. */
interface Facts {
  readonly fields: ReadonlyArray<Field>
  readonly buckets: ReadonlyMap<number, Bucket>
  readonly wallets: Effect.Success<ReturnType<typeof walletsIn>> | null
  readonly hashes: Effect.Success<ReturnType<typeof hashesIn>> | null
  readonly coverage: Coverage
  readonly finalTime: number | null
}

const NO_HASH = { hi: 0, lo: 0 }

/** Dollars of micro-dollars. */
const dollars = (micro: number): number => micro / 1e6

const stateOf = (bucket: Bucket | undefined): string =>
  bucket === undefined ? "empty" : bucket.n > 0 ? "traded" : "unpriced"

/** The value of a field of the bucket at `time`. */
const fieldOf = (facts: Facts, field: Field, time: Stretch): unknown => {
  const bucket = facts.buckets.get(time.from)
  const { trades = 0, buys = 0, v = 0, bv = 0, outliers = 0 } = bucket ?? {}
  switch (field) {
    case "trades":
      return trades
    case "buys":
      return buys
    case "sells":
      return trades - buys
    case "buyVol":
      return dollars(bv)
    case "sellVol":
      return dollars(v - bv)
    case "filtered":
      return outliers
    case "buyers":
    case "sellers":
      // of trades without any known wallet nobody can say how many there were
      return (
        facts.wallets?.get(time.from)?.[field] ?? (facts.wallets === null || trades > 0 ? null : 0)
      )
    case "hash": {
      if (bucket !== undefined && bucket.hash === null && facts.hashes === null) return null
      const { hi, lo } = bucket?.hash ?? facts.hashes?.get(time.from) ?? NO_HASH
      return hashText(hi, lo)
    }
    case "final":
      return (
        facts.finalTime !== null && time.to <= facts.finalTime && isCovered(facts.coverage, time)
      )
    case "state":
      return stateOf(bucket)
  }
}

const candleOf = (
  { t, o, h, l, c, volume, n }: Bucket,
  { pair, factor, named }: Subject
): Candle => {
  const isDollars = pair === null || named["quote"] !== "token"
  return {
    t,
    o: (o as number) * factor,
    h: (h as number) * factor,
    l: (l as number) * factor,
    c: (c as number) * factor,
    v: isDollars ? dollars(volume) : volume,
    n
  }
}

const fieldsOf = ({ fields }: RichParams): ReadonlyArray<Field> =>
  fields === "" ? [] : (fields.split(",") as Array<Field>)

/**
 * Distinct wallets: all where `every` is 1, an estimate from one in so many, and none where that is
 * far too many.
 */
const walletFacts = (
  context: QueryContext,
  series: Subject["series"],
  frame: AnyFrame,
  window: Stretch,
  every: number
) => {
  if (every <= 1) return Effect.asSome(walletsIn(context, series, frame, window))
  return every > MOST_SAMPLED
    ? Effect.succeedNone
    : Effect.asSome(estimatedWallets(context, series, frame, window, every))
}

const day = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10)

/** Reads what fields need beside buckets; some things only of so many prints. */
const factsOf = (
  context: QueryContext,
  { series }: Subject,
  frame: AnyFrame,
  window: Stretch,
  fields: ReadonlyArray<Field>,
  buckets: ReadonlyArray<Bucket>,
  coverage: Coverage
) =>
  Effect.gen(function* () {
    const trades = buckets.reduce((sum, bucket) => sum + bucket.trades, 0)
    const unavailable: Array<Remark> = []
    const estimated: Array<Remark> = []
    const wanted = fields.filter(isOfWallets)
    const isKept = window.from >= context.rawFrom || buckets.every(({ t }) => t >= context.rawFrom)
    const tooOld = `trades of before ${day(context.rawFrom)} are no longer kept: ask for later buckets`
    const tooMany = `the page has ${trades} trades, more than ${MOST_PRINTS}: ask for fewer buckets`
    let wallets: Facts["wallets"] = null
    if (wanted.length > 0 && !isKept) unavailable.push({ fields: wanted, reason: tooOld })
    else if (wanted.length > 0) {
      const every = Math.ceil(trades / MOST_PRINTS)
      wallets = Option.getOrNull(yield* walletFacts(context, series, frame, window, every))
      if (wallets === null) unavailable.push({ fields: wanted, reason: tooMany })
      else if (every > 1) {
        const reason = `the page has ${trades} trades: one wallet in ${every} is counted`
        estimated.push({ fields: wanted, reason })
      }
    }
    let hashes: Facts["hashes"] = null
    if (fields.includes("hash") && frame.base === null) {
      if (trades > MOST_PRINTS) unavailable.push({ fields: ["hash"], reason: tooMany })
      else hashes = yield* hashesIn(context, series, frame, window)
    }
    const facts: Facts = {
      fields,
      buckets: new Map(buckets.map(bucket => [bucket.t, bucket])),
      wallets,
      hashes,
      coverage,
      finalTime: fields.includes("final") ? yield* finalTime(context) : null
    }
    return { facts, unavailable, estimated }
  })

/** The window of a request; without the open bucket where it asks for closed ones. */
const windowOf = (context: QueryContext, params: RichParams, frame: AnyFrame): Window => {
  const window = windowAsked(context, params)
  if (!params.closed) return window
  const end = window.openEnd - frame.seconds
  if (window.to <= end) return window
  const closed = windowAsked(context, { ...params, to: end })
  return { ...closed, from: Math.min(closed.from, closed.to) }
}

export type RichParams = WindowParams &
  SubjectParams & {
    readonly fill: boolean
    /** without the bucket that is still open */
    readonly closed: boolean
    /** outliers included */
    readonly raw: boolean
    /** names with commas between them */
    readonly fields: string
  }

/** Why buckets with trades have no count of wallets though the page has. */
const unnamed = (
  { wallets, fields }: Facts,
  list: ReadonlyArray<RichCandle>,
  isSampled: boolean
): ReadonlyArray<Remark> => {
  const wanted = fields.filter(isOfWallets)
  const without = list.filter(one => wanted.some(field => one[field] === null)).length
  if (wallets === null || without === 0) return []
  const reason = isSampled
    ? "none of the wallets that are counted traded in"
    : "the log names no sender of any trade of"
  return [{ fields: wanted, reason: `${reason} ${without} of the buckets` }]
}

export const richCandles = rowsQuery("richCandles", (context, params: RichParams) =>
  Effect.gen(function* () {
    const frame = frameOf(params.tf)
    yield* refuseReversed(params)
    const subject = yield* subjectOf(context, params)
    const window = windowOf(context, params, frame)
    const { from, to, openEnd } = window
    const { raw, fill } = params
    const buckets =
      from < to ? yield* bucketsIn(context, subject.series, frame, { from, to }, raw) : []
    if (buckets.length === 0 && subject.pair === null) {
      yield* refuseUntraded(context, subject.token, subject.address)
    }
    const previous =
      fill && from < to ? yield* closeBefore(context, subject.series, frame, from, raw) : null
    const blocks = yield* readCoverage(context, previous?.t ?? from)
    const coverage = frame.base === null ? ofKept(context, blocks) : blocks
    const span = { from, to: Math.min(to, openEnd) }
    const priced = buckets.filter(bucket => bucket.n > 0).map(bucket => candleOf(bucket, subject))
    const close = carried(previous, from, coverage)
    const list = fill
      ? fillBuckets(priced, frame, span, close === null ? null : close * subject.factor, coverage)
      : priced
    const fields = fieldsOf(params)
    const { facts, unavailable, estimated } = yield* factsOf(
      ...([context, subject, frame, { from, to }, fields, buckets, coverage] as const)
    )
    const rich = list.map((candle): RichCandle => {
      const time = { from: candle.t, to: candle.t + frame.seconds }
      const more = fields.map(field => [field, fieldOf(facts, field, time)])
      return { ...candle, ...Object.fromEntries(more) }
    })
    unavailable.push(...unnamed(facts, rich, estimated.length > 0))
    const unknown = unknownIn(coverage, span)
    return {
      ...candlesAnswer(context, { ...params, token: subject.address }, window, rich, unknown),
      ...subject.named,
      ...candleWarnings(context, subject.token),
      ...(raw ? { raw } : {}),
      ...(frame.base === null ? { reachesFrom: coverage.start } : {}),
      ...(unavailable.length > 0 ? { unavailable } : {}),
      ...(estimated.length > 0 ? { estimated } : {})
    }
  })
)
