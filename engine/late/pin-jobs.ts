/** Plans which transfers of pinned tokens are read next. */
import { NOTHING_GRADE } from "../../src/domain/assurance.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import type { BlockRange, Creation } from "../../streams/source.ts"
import { firstOf, openBlocks, type Pin } from "./pin-ledger.ts"
import type { Filled } from "./pin-parts.ts"

/** The first block from which on a token's transfers can be read, and what lies before it. */
export interface Floor {
  readonly block: number
  readonly reach: "creation" | "genesis" | "floor"
  /** why the block is not the token's first; null where it is */
  readonly problem: string | null
}

/** The blocks to be read of one token, and what lies before them. */
export type Wanted = Omit<Filled, "grade">

/** A run of blocks to be read for some tokens, and the blocks of it that each token lacks. */
export interface PinJob {
  readonly part: BlockRange
  readonly tokens: ReadonlyArray<string>
  readonly wanted: ReadonlyArray<Wanted>
}

/** The floor of a token that may be as old as the chain. Block 0 has no transactions. */
const FROM_GENESIS: Floor = { block: 1, reach: "genesis", problem: null }

/**
 * Returns the floor: the token's creation or, where no node knows it, the registry's first block.
 */
export const floorFrom = (
  { venues }: ChainConfig,
  creation: Exclude<Creation, { readonly state: "absent" }>,
  addedBlock: number
): Floor => {
  if (creation.state === "created") {
    return creation.block > 0
      ? { block: creation.block, reach: "creation", problem: null }
      : FROM_GENESIS
  }
  const starts = venues.flatMap(({ startBlock = 0 }) => (startBlock < addedBlock ? startBlock : []))
  const block = Math.min(...starts.filter(start => start > 0))
  if (!Number.isFinite(block)) return FROM_GENESIS
  const problem =
    `when the token was created cannot be told (${creation.reason}): ` +
    `transfers before block ${block}, the registry's first, are not read`
  return { block, reach: "floor", problem }
}

/** Returns the first open blocks of a token; null where none is open, or they are not final yet. */
const openOf = (pin: Pin, floor: Floor, final: number): BlockRange | null => {
  const [open] = openBlocks(pin, floor.block, final)
  if (open === undefined) return null
  // the last blocks wait until all of them are final: otherwise each would become its own part
  const isTail = open.fromBlock > floor.block && pin.addedBlock - 1 > final
  return isTail ? null : open
}

/**
 * Returns statements about tokens of which no transfer is missing and the log does not say so yet,
 * as for a token that was created after its pin.
 */
export const unsaidOf = (
  pins: ReadonlyArray<Pin>,
  floors: ReadonlyMap<string, Floor>,
  final: number
): ReadonlyArray<Filled> =>
  pins.flatMap(pin => {
    const floor = floors.get(pin.token)
    if (floor === undefined || floor.reach === "floor" || floor.block > final) return []
    if (firstOf(pin) !== null || openBlocks(pin, floor.block, pin.addedBlock).length > 0) return []
    const { block, reach } = floor
    return [{ token: pin.token, fromBlock: block, toBlock: block, reach, grade: NOTHING_GRADE }]
  })

/**
 * Returns the next job; null for none. Tokens whose open blocks end at one block are read together,
 * as are tokens that were pinned together.
 */
export const nextJob = (
  pins: ReadonlyArray<Pin>,
  floors: ReadonlyMap<string, Floor>,
  final: number
): PinJob | null => {
  const open = pins.flatMap(pin => {
    const floor = floors.get(pin.token)
    const range = floor === undefined ? null : openOf(pin, floor, final)
    return floor === undefined || range === null ? [] : [{ token: pin.token, floor, range }]
  })
  const toBlock = open[0]?.range.toBlock
  if (toBlock === undefined) return null
  const together = open.filter(({ range }) => range.toBlock === toBlock)
  return {
    part: { fromBlock: Math.min(...together.map(({ range }) => range.fromBlock)), toBlock },
    tokens: together.map(({ token }) => token).sort(),
    wanted: together.map(({ token, floor, range: { fromBlock } }) => ({
      token,
      fromBlock,
      toBlock,
      reach: fromBlock === floor.block ? floor.reach : "part"
    }))
  }
}

/**
 * Returns the wanted blocks of each token that lie in a run of blocks that was read.
 *
 * @param grade the lowest grade of the blocks that were read
 */
export const wantedIn = (
  wanted: ReadonlyArray<Wanted>,
  { fromBlock, toBlock }: BlockRange,
  grade: string
): ReadonlyArray<Filled> =>
  wanted.flatMap(one => {
    const from = Math.max(one.fromBlock, fromBlock)
    const to = Math.min(one.toBlock, toBlock)
    if (from > to) return []
    const reach = from === one.fromBlock ? one.reach : "part"
    return [{ token: one.token, fromBlock: from, toBlock: to, reach, grade }]
  })
