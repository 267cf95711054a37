/** What reading one chain is made of, and how blocks leave it. */
import { Clock, Effect, Queue } from "effect"
import type { Certainty } from "../../../src/platform/solana-rpc.ts"
import type { Rollback, SolanaBatch, SolanaBlock } from "../../solana/block.ts"
import type { LogTail } from "../../source.ts"
import type { StatusBoard } from "../../status-board.ts"
import type { Audit } from "./audit.ts"
import type { ChainLinks } from "./chain-links.ts"
import type { NodeError, Nodes, Untold } from "./nodes.ts"
import type { Pace } from "./pace.ts"
import { type Graded, graded } from "./second-opinion.ts"

export interface SolanaLane {
  readonly nodes: Nodes
  readonly links: ChainLinks
  readonly status: StatusBoard<"solana-rpc">
  readonly pace: Pace
  readonly audit: Audit
  readonly older: LogTail["older"] | undefined
  /** no log is continued: all there is was given out since the start */
  readonly isWhole: boolean
  readonly out: Queue.Enqueue<SolanaBatch>
}

/** Blocks that are asked for at once. */
export const IN_FLIGHT = 6

/** Slots of which the blocks are listed at once; no node refuses so few. */
export const LISTED_SLOTS = 500

/** Waits after a page without a block: a head told wrong would be thousands of such pages. */
const EMPTY_PAGE_MS = 100

/**
 * The next slots with blocks, some from `from` on; none where there are none up to `to`. After a
 * page without a block the head is asked for again: it may have been told wrong.
 */
export const listed = (
  nodes: Nodes,
  from: number,
  to: number,
  certainty: Certainty
): Effect.Effect<ReadonlyArray<number>, NodeError> =>
  Effect.gen(function* () {
    let until = to
    for (let at = from; at <= until; at += LISTED_SLOTS) {
      const end = Math.min(until, at + LISTED_SLOTS - 1)
      const slots = yield* nodes.slots(at, end, certainty)
      if (slots.length > 0) return slots
      if (end === until) break
      yield* Effect.sleep(EMPTY_PAGE_MS)
      until = Math.min(until, yield* nodes.head(certainty))
    }
    return []
  })

/** The block of a slot with all its transactions, as far as endpoints tell. */
export const wholeBlock = (
  nodes: Nodes,
  slot: number,
  certainty: Certainty
): Effect.Effect<Graded | Untold, NodeError> =>
  Effect.gen(function* () {
    const told = yield* nodes.block(slot, "full", certainty)
    return told._tag === "Untold" ? told : yield* graded(nodes, slot, certainty, told)
  })

const solanaBlock = ({ slot, block, grade }: Graded): SolanaBlock => {
  const { _tag: _, ...content } = block
  return { ...content, _tag: "Block", slot, grade }
}

/** What was given out since the start. */
const counted = (lane: SolanaLane, blocks: ReadonlyArray<SolanaBlock>): void => {
  const { logs, quarantined } = lane.status.read()
  const all = blocks.flatMap(({ transactions }) => transactions)
  const malformed = all.filter(({ _tag }) => _tag === "MalformedTransaction").length
  const last = blocks[blocks.length - 1]
  if (last === undefined) return
  lane.status.emitted(last.slot, logs + all.length - malformed, quarantined + malformed)
}

/** Gives out blocks that join the last one, or `back` and the branch that stands instead. */
export const give = (
  lane: SolanaLane,
  back: Rollback | null,
  branch: ReadonlyArray<Graded>
): Effect.Effect<void> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (back !== null) {
      const depth = lane.links.all.filter(({ slot }) => slot > back.toBlock).length
      lane.links.cutAfter(back.toBlock)
      lane.audit.cutAfter(back.toBlock)
      lane.status.reorged(depth, back.fromBlock, now)
    }
    const blocks = branch.map(solanaBlock)
    for (const [at, block] of blocks.entries()) {
      const { slot, hash, height, timeSeconds: time, grade } = block
      lane.links.push({ slot, hash, height, time })
      lane.audit.saw(block, lane.nodes.labelOf(branch[at]!.by))
      lane.status.wrote(grade)
    }
    counted(lane, blocks)
    yield* Queue.offer(lane.out, back === null ? blocks : [back, ...blocks])
    const last = lane.links.last
    if (last !== null) lane.status.reached(last.slot, now)
  })
