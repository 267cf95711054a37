/** In which block a node runs calls: a node may answer another one than it was asked for. */
import type { StateAnswer } from "../../venue.ts"

/** The block that is read. */
export interface ReadBlock {
  readonly number: number
  readonly hash: string
  readonly time: number
}

/**
 * Code of no contract, which answers with the time and the number of the block that it runs in:
 * `TIMESTAMP`, `NUMBER`.
 */
export const BLOCK_CODE = "0x426000524360205260406000f3"

const abs = (value: bigint): bigint => (value < 0n ? -value : value)

/** More than a chain has in a second, less than lies between its numbers and those of another. */
const MOST_BLOCKS_APART = 256n

/**
 * Whether a node ran the code in another block than in the one it was asked for, as nodes do that
 * know no blocks by their hash, or tell of what they remember. A node that runs no code of this
 * sort tells nothing.
 */
export const isOfOther = (answer: StateAnswer, { number, time }: ReadBlock): boolean => {
  const [seconds, height] = answer ?? []
  if (seconds === undefined || height === undefined) return false
  const apart = height - BigInt(number)
  return seconds !== BigInt(time) || (apart !== 0n && abs(apart) <= MOST_BLOCKS_APART)
}
