/**
 * Liquidity events of Maverick V2 pools (maverick-v2-examples, `IMaverickV2Pool.sol`). Both hold a
 * struct of two arrays behind a head; the bins' own amounts are shares, so only the tokens' totals
 * become facts.
 */
import type { BatchBuilder } from "../../batch/builder.ts"
import { NONE } from "../../batch/id-table.ts"
import { arrayLength, arrayProblem, arrayRejection, pointsTo } from "../abi-array.ts"
import { fitsSigned, fitsUnsigned, isAddressWord, type RawLog, word } from "../raw-log.ts"
import { rejection } from "../rejection.ts"

const UINT8 = 1
const UINT32 = 4
const UINT128 = 16
const INT32 = 32

/** True where each of `length` words from `at` on passes. */
const each = (
  { data }: RawLog,
  at: number,
  length: number,
  isValid: (bytes: Uint8Array, from: number) => boolean
): boolean => {
  for (let i = 0; i < length; i++) if (!isValid(data, word(at + i))) return false
  return true
}

const isUint = (bytesWide: number) => (bytes: Uint8Array, from: number) =>
  fitsUnsigned(bytes, from, bytesWide)
const isInt32 = (bytes: Uint8Array, from: number) => fitsSigned(bytes, from, INT32)

/** One token of the pool: A is 0, B is 1. */
const pushReserve = (log: RawLog, out: BatchBuilder, at: number, index: number, sign: 1 | -1) => {
  const { ids } = out
  const c = out.columns.ReserveChanged
  c.pool.push(ids.account(log.account))
  c.venueKind.push(out.sym("maverick-v2"))
  c.owner.push(ids.addressWord(log.data, word(1)))
  c.token.push(NONE)
  c.index.push(index)
  if (sign === 1) c.amount.pushUnsigned(log.data, word(at))
  else c.amount.pushNegated(log.data, word(at))
  c.reason.push(out.sym("liquidity"))
  out.end("ReserveChanged", log.logIndex)
}

const parties = ({ data }: RawLog): boolean =>
  isAddressWord(data, word(0)) && isAddressWord(data, word(1))

/** Sender, recipient, subaccount, struct (kind, ticks, amounts), amount of A, of B, bins. */
export const addLiquidity = (log: RawLog, out: BatchBuilder): string | null => {
  const head = 7
  if (log.topicCount !== 1) return rejection.topicCount
  if (log.dataLength < word(head + 3)) return rejection.dataLength
  if (!pointsTo(log, 3, head)) return arrayRejection.offset
  const ticks = arrayLength(log, head + 1, head + 3, 1, head)
  if (ticks < 0) return arrayProblem(ticks)
  const amounts = arrayLength(log, head + 2, head + 4 + ticks, 1, head)
  if (amounts < 0) return arrayProblem(amounts)
  const binsAt = head + 5 + ticks + amounts
  const bins = arrayLength(log, 6, binsAt)
  if (bins < 0) return arrayProblem(bins)
  if (log.dataLength !== word(binsAt + 1 + bins)) return rejection.dataLength
  if (!parties(log)) return rejection.address
  if (!fitsUnsigned(log.data, word(head), UINT8)) return rejection.uint8
  if (!each(log, head + 4, ticks, isInt32)) return rejection.int32
  if (!each(log, head + 5 + ticks, amounts, isUint(UINT128))) return rejection.uint128
  if (!each(log, binsAt + 1, bins, isUint(UINT32))) return rejection.uint32
  pushReserve(log, out, 4, 0, 1)
  pushReserve(log, out, 5, 1, 1)
  return null
}

/** Sender, recipient, subaccount, struct (bins, amounts), amount of A, of B. */
export const removeLiquidity = (log: RawLog, out: BatchBuilder): string | null => {
  const head = 6
  if (log.topicCount !== 1) return rejection.topicCount
  if (log.dataLength < word(head + 2)) return rejection.dataLength
  if (!pointsTo(log, 3, head)) return arrayRejection.offset
  const bins = arrayLength(log, head, head + 2, 1, head)
  if (bins < 0) return arrayProblem(bins)
  const amountsAt = head + 3 + bins
  const amounts = arrayLength(log, head + 1, amountsAt, 1, head)
  if (amounts < 0) return arrayProblem(amounts)
  if (log.dataLength !== word(amountsAt + 1 + amounts)) return rejection.dataLength
  if (!parties(log)) return rejection.address
  if (!each(log, head + 3, bins, isUint(UINT32))) return rejection.uint32
  if (!each(log, amountsAt + 1, amounts, isUint(UINT128))) return rejection.uint128
  pushReserve(log, out, 4, 0, -1)
  pushReserve(log, out, 5, 1, -1)
  return null
}
