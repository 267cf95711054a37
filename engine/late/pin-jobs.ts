/** What is to be read of pinned tokens next. */
import type { ChainConfig } from "../../src/domain/chain.ts"
import type { BlockRange, Creation } from "../../streams/source.ts"
import { firstOf, openBlocks, type Pin, type PinMark } from "./pin-ledger.ts"

/** From where on a token's transfers can be had, and what lies before. */
export interface Floor {
  readonly block: number
  readonly reach: "creation" | "genesis" | "floor"
  /** why it is not the beginning; null where it is */
  readonly problem: string | null
}

/** Transfers of tokens in a run of blocks, and what is to be said once they are in the log. */
export interface PinJob {
  readonly part: BlockRange
  readonly tokens: ReadonlyArray<string>
  readonly marks: ReadonlyArray<PinMark>
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
  if (open !== undefined) {
    // each part moves what stands behind it: the last blocks wait until all of them are final
    const isTail = open.fromBlock > floor.block && pin.addedBlock - 1 > final
    return isTail ? null : open
  }
  // nothing is missing, as of a token that was created after it was pinned: that is to be said
  const isUnsaid = firstOf(pin) === null && floor.reach !== "floor" && floor.block <= final
  return isUnsaid ? { fromBlock: floor.block, toBlock: floor.block } : null
}

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
    marks: together.map(({ token, floor, range: { fromBlock } }) => ({
      token,
      fromBlock,
      toBlock,
      reach: fromBlock === floor.block ? floor.reach : "part",
      at: toBlock
    }))
  }
}
