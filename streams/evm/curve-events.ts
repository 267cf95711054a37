/** What events of Curve's pools have in common: they tell coins by their place in the pool. */
import type { BatchBuilder } from "../batch/builder.ts"
import { NULL_I32 } from "../batch/columns.ts"
import { NONE } from "../batch/id-table.ts"
import type { EventDecoder } from "../venue.ts"
import { fitsUnsigned, lowInt32, type RawLog, word } from "./raw-log.ts"
import { rejection } from "./rejection.ts"
import { pushNoPrice, pushOneWay, pushPoolTokens } from "./swap-columns.ts"

/** Coins that a pool has at most. */
export const MAX_COINS = 8

export const isPlace = (bytes: Uint8Array, from: number): boolean =>
  fitsUnsigned(bytes, from, 1) && (bytes[from + 31] as number) < MAX_COINS

/**
 * Pushes a swap whose buyer is topic 1 and whose first four words are the sold coin's place and
 * amount and the bought one's; or returns why it is none. The two columns stand for the lower and
 * the higher place; `place` of an underlying coin is stored as -1 less it: it is not one of the
 * pool's own.
 */
export const pushCurveSwap = (
  log: RawLog,
  out: BatchBuilder,
  kind: string,
  isUnderlying: boolean
): string | null => {
  const { data } = log
  if (!isPlace(data, word(0)) || !isPlace(data, word(2))) return rejection.coin
  const [sold, bought] = [lowInt32(data, word(0)), lowInt32(data, word(2))]
  if (sold === bought) return rejection.coin
  const { ids } = out
  const c = out.columns.SwapExecuted
  const soldFirst = sold < bought
  c.pool.push(ids.account(log.account))
  c.venueKind.push(out.sym(kind))
  c.sender.push(ids.addressWord(log.topics, word(1)))
  c.recipient.push(NONE)
  pushOneWay(c, soldFirst, data, word(1), word(3))
  pushNoPrice(c)
  const [first, second] = soldFirst ? [sold, bought] : [bought, sold]
  pushPoolTokens(c, isUnderlying ? -1 - first : first, isUnderlying ? -1 - second : second)
  out.end("SwapExecuted", log.logIndex)
  return null
}

/**
 * Coins that came or went, by the account in topic 1: so many from place `index` on, their amounts
 * from data word `at` on. Gives the pool's reference.
 */
export const pushCurveReserves = (
  log: RawLog,
  out: BatchBuilder,
  kind: string,
  index: number,
  count: number,
  at: number,
  isOut: boolean,
  reason: string
): number => {
  const c = out.columns.ReserveChanged
  const pool = out.ids.account(log.account)
  const owner = out.ids.addressWord(log.topics, word(1))
  const kindRef = out.sym(kind)
  const reasonRef = out.sym(reason)
  for (let i = 0; i < count; i++) {
    c.pool.push(pool)
    c.venueKind.push(kindRef)
    c.owner.push(owner)
    c.token.push(NONE)
    c.index.push(index === NULL_I32 ? NULL_I32 : index + i)
    if (isOut) c.amount.pushNegated(log.data, word(at + i))
    else c.amount.pushUnsigned(log.data, word(at + i))
    c.reason.push(reasonRef)
    out.end("ReserveChanged", log.logIndex)
  }
  return pool
}

/** An event of a pool itself; `abi` without the word `event`. */
export const curveEvent = (
  abi: string,
  topic0: string,
  decode: EventDecoder["decode"]
): EventDecoder => ({ abi: `event ${abi}`, topic0, decode, emitterIsPool: true })
