/**
 * Times of blocks of which a node tells none, as nodes do whose voters have not told theirs: of the
 * block before it that has one, and never a time that nobody told.
 */
import { Effect } from "effect"
import type { Certainty } from "../../../src/platform/solana-rpc.ts"
import type { SolanaBlock } from "../../solana/block.ts"
import { SourceError } from "../../source.ts"
import type { Nodes, Placed } from "./nodes.ts"
import type { Graded } from "./second-opinion.ts"

/** Blocks before one without a time that are asked for theirs. */
const MOST_ANCESTORS = 32

/**
 * Returns the time of a block (Unix seconds): as any endpoint tells it, else that of the newest
 * block before it that has one; null where none of 32 does.
 */
export const timeOf = (
  nodes: Nodes,
  block: Placed,
  certainty: Certainty
): Effect.Effect<number | null, SourceError> =>
  Effect.gen(function* () {
    let { slot, hash } = block
    for (let asked = 0; asked <= MOST_ANCESTORS; asked++) {
      const views = yield* nodes.views(slot, certainty)
      const told = views.flatMap(view => (view.block?.hash === hash ? [view.block] : []))
      const [time] = told.flatMap(({ timeSeconds }) => timeSeconds ?? [])
      if (time !== undefined) return time
      const [one] = told
      if (one === undefined) return null
      slot = one.parentSlot
      hash = one.parentHash
    }
    return null
  })

/** What is said where nobody tells the time of a block that a log or a range begins with. */
export const untimed = (nodes: Nodes, slot: number): string =>
  `no endpoint (${[...nodes.labels].join(", ")}) tells the time of slot ${slot}, or of the ` +
  `${MOST_ANCESTORS} blocks before it: an endpoint that keeps times of blocks is needed`

/**
 * Makes of blocks what is given out: one whose time no node tells has that of the block before it.
 *
 * @param timeBefore time of the block that the first one joins; null where it is not known
 */
export const timed = (
  nodes: Nodes,
  branch: ReadonlyArray<Graded>,
  timeBefore: number | null
): Effect.Effect<ReadonlyArray<SolanaBlock>, SourceError> =>
  Effect.gen(function* () {
    let before = timeBefore
    const blocks: Array<SolanaBlock> = []
    for (const { slot, block, by, grade } of branch) {
      const { _tag: _, ...content } = block
      const timeSeconds: number | null = block.timeSeconds ?? before
      if (timeSeconds === null) {
        return yield* new SourceError({ message: untimed(nodes, slot), fatal: false })
      }
      blocks.push({ ...content, _tag: "Block", slot, timeSeconds, grade, by: nodes.labelOf(by) })
      before = timeSeconds
    }
    return blocks
  })
