/** What is to be read of pinned tokens next. */
import { NOTHING_GRADE } from "../../src/domain/assurance.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import type { BlockRange, Creation } from "../../streams/source.ts"
import { firstOf, openBlocks, type Pin } from "./pin-ledger.ts"
import type { Filled } from "./pin-parts.ts"

/** From where on a token's transfers can be had, and what lies before. */
export interface Floor {
  readonly block: number
  readonly reach: "creation" | "genesis" | "floor"
  /** why it is not the beginning; null where it is */
  readonly problem: string | null
}

/** What is to be read of a token, and what lies before it. */
export type Wanted = Omit<Filled, "grade">

/** Transfers of tokens to be read in a run of blocks, and what each lacks of it. */
export interface PinJob {
  readonly part: BlockRange
  readonly tokens: ReadonlyArray<string>
  readonly wanted: ReadonlyArray<Wanted>
}

/** Block 0 has no transactions. */
const FROM_GENESIS: Floor = { block: 1, reach: "genesis", problem: null }

/** Where to begin as the chain tells it; else at the first block that the registry knows of. */
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

/** What is open of one token; null where nothing is, or the rest is not final yet. */
const openOf = (pin: Pin, floor: Floor, final: number): BlockRange | null => {
  const [open] = openBlocks(pin, floor.block, final)
  if (open === undefined) return null
  // the last blocks wait until all of them are final: else each would be a part of its own
  const isTail = open.fromBlock > floor.block && pin.addedBlock - 1 > final
  return isTail ? null : open
}

/**
 * What can be said of tokens of which nothing is missing, as of one that was created after it was
 * pinned.
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
 * The next job: tokens whose open blocks end at the same one are read together, as those are that
 * were pinned together.
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
 * Of what tokens lack, what lies in a run of blocks that were read, the least known with a grade;
 * the first of it tells what lies before.
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
