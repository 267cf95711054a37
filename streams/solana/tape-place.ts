/** Where an event of a block stands: one number that orders all events as they ran. */
import { partsOfPath, pathOf } from "./transaction.ts"

/** Places that a transaction has, and what its parts have room for. */
const IN_TRANSACTION = 2 ** 17
const IN_OUTER = 2 ** 11
const IN_INSTRUCTION = 2 ** 4
const CALLS = IN_OUTER / IN_INSTRUCTION

/**
 * Returns the place of an event: 15 bits for the transaction, 6 for the outer instruction, 7 for
 * the call within it, 4 for what one instruction tells. The runtime allows 64 instructions in all,
 * and a block holds some thousand transactions; null where something has no room all the same.
 *
 * @param path of the instruction, see `pathOf`
 * @param part which of what the instruction tells, from 0
 */
export const placeOf = (transaction: number, path: number, part: number): number | null => {
  const [outer, call] = partsOfPath(path)
  const fits =
    transaction < 2 ** 15 && outer < 64 && call < CALLS && part >= 0 && part < IN_INSTRUCTION
  return fits
    ? transaction * IN_TRANSACTION + outer * IN_OUTER + call * IN_INSTRUCTION + part
    : null
}

/** The transaction, the path and the part that a place is made of. */
export const partsOfPlace = (place: number) => {
  const within = place % IN_TRANSACTION
  const outer = Math.floor(within / IN_OUTER)
  const call = Math.floor((within % IN_OUTER) / IN_INSTRUCTION)
  return {
    transaction: Math.floor(place / IN_TRANSACTION),
    path: pathOf(outer, call === 0 ? null : call - 1) as number,
    part: place % IN_INSTRUCTION
  }
}
