/** Reads what the optional fields of candles are made of, and says what could not be read. */
import { Effect } from "effect"
import type { RowsView } from "../../engine/query.ts"
import type { CoveredTime } from "../../src/domain/covered-time.ts"
import { finalTime } from "../coverage/covered-time.ts"
import { hashesIn, MOST_PRINTS, MOST_SAMPLED, type Page, tradesOf, walletsIn } from "./buckets.ts"
import { type Facts, type Field, isOfWallets, type RichCandle } from "./candle.ts"

/** Fields that are null, or not exact, and why. */
export interface Remark {
  readonly fields: ReadonlyArray<Field>
  readonly reason: string
}

const notKept = ({ keptFrom }: RowsView): string =>
  `trades of before ${new Date(keptFrom.raw * 1000).toISOString().slice(0, 10)} are no longer kept: ` +
  "ask for later buckets"

/** Reads what fields need beside buckets; some things only of so many prints. */
export const readFacts = (page: Page, fields: ReadonlyArray<Field>, coverage: CoveredTime) =>
  Effect.gen(function* () {
    const { view, buckets } = page
    const trades = tradesOf(buckets)
    const every = Math.ceil(trades / MOST_PRINTS)
    const tooMany = `the page has ${trades} trades, more than ${MOST_PRINTS}: ask for fewer buckets`
    const unavailable: Array<Remark> = []
    const estimated: Array<Remark> = []
    const ofWallets = fields.filter(isOfWallets)
    let wallets: Facts["wallets"] = null
    if (buckets.some(({ t }) => t < view.keptFrom.raw)) {
      if (ofWallets.length > 0) unavailable.push({ fields: ofWallets, reason: notKept(view) })
    } else if (ofWallets.length > 0) {
      const sampled = `the page has ${trades} trades: one wallet in ${every} is counted`
      if (every > MOST_SAMPLED) unavailable.push({ fields: ofWallets, reason: tooMany })
      else wallets = yield* walletsIn(page, every)
      if (wallets !== null && every > 1) estimated.push({ fields: ofWallets, reason: sampled })
    }
    let hashes: Facts["hashes"] = null
    if (fields.includes("hash")) {
      hashes = yield* hashesIn(page)
      if (hashes === null) unavailable.push({ fields: ["hash"], reason: tooMany })
    }
    const facts: Facts = {
      buckets: new Map(buckets.map(bucket => [bucket.t, bucket])),
      wallets,
      hashes,
      coverage,
      finalTime: fields.includes("final") ? yield* finalTime(view) : null
    }
    return { facts, unavailable, estimated }
  })

/** Why buckets with trades have no count of wallets though the page has. */
export const unnamedWallets = (
  { wallets }: Facts,
  fields: ReadonlyArray<Field>,
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
