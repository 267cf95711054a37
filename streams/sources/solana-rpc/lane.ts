/** What reading one chain is made of, and how blocks leave it. */
import { Clock, Effect, Queue } from "effect"
import type { Certainty } from "../../../src/platform/solana-rpc.ts"
import type { Rollback, SolanaBatch, SolanaBlock } from "../../solana/block.ts"
import type { LogTail, SourceError } from "../../source.ts"
import type { StatusBoard } from "../../status-board.ts"
import type { Audit } from "./audit.ts"
import { timed } from "./block-time.ts"
import type { ChainLinks } from "./chain-links.ts"
import { LISTED_SLOTS } from "./far-head.ts"
import type { NodeError, Nodes } from "./nodes.ts"
import type { Pace } from "./pace.ts"
import { type Graded, graded } from "./second-opinion.ts"
import type { Untold } from "./told-block.ts"
import { warn } from "./warning.ts"

export interface SolanaLane {
  readonly nodes: Nodes
  readonly links: ChainLinks
  readonly status: StatusBoard<"solana-rpc">
  readonly pace: Pace
  readonly audit: Audit
  readonly older: LogTail["older"] | undefined
  /** the newest slot whose block began no log, since nobody told its time; -1 for none */
  readonly untimed: { slot: number }
  /** no log is continued: all there is was given out since the start */
  readonly isWhole: boolean
  readonly out: Queue.Enqueue<SolanaBatch>
}

/** Blocks that are asked for at once. */
export const IN_FLIGHT = 6

/** Waits after a page without a block. */
const EMPTY_PAGE_MS = 100

/** The next slots with blocks, some from `from` on; none where there are none up to `to`. */
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

/** What was given out since the start. */
const counted = (lane: SolanaLane, blocks: ReadonlyArray<SolanaBlock>): void => {
  const { logs, quarantined } = lane.status.read()
  const all = blocks.flatMap(({ transactions }) => transactions)
  const malformed = all.filter(({ _tag }) => _tag === "MalformedTransaction").length
  const last = blocks[blocks.length - 1]
  if (last === undefined) return
  lane.status.emitted(last.slot, logs + all.length - malformed, quarantined + malformed)
}

/** Blocks that are built on one before it is final, as the chain's rules have it. */
const FINAL_AFTER = 32

/** Takes back what came after a block, and says so where it had been final. */
const goBack = (lane: SolanaLane, { toBlock, fromBlock }: Rollback, now: number) =>
  Effect.gen(function* () {
    const { links } = lane
    const depth = links.all.filter(({ slot }) => slot > toBlock).length
    const wasFinal = toBlock < links.finalSlot || depth > FINAL_AFTER
    const upTo = links.finalSlot > toBlock ? ` up to slot ${links.finalSlot}` : ""
    links.cutAfter(toBlock)
    lane.audit.cutAfter(toBlock)
    lane.status.reorged(depth, fromBlock, now)
    if (!wasFinal) return
    const words =
      `the chain replaced ${depth} blocks, from slot ${toBlock + 1} to ${fromBlock}, which were ` +
      `final${upTo}: what was said of them before is void`
    yield* warn(lane.status, words, fromBlock)
  })

/**
 * Gives out blocks that join the last one, or `back` and the branch that stands instead.
 *
 * @param timeBefore time of the block that they join, for those of which no node tells theirs
 */
export const give = (
  lane: SolanaLane,
  back: Rollback | null,
  branch: ReadonlyArray<Graded>,
  timeBefore: number | null = lane.links.last?.time ?? null
): Effect.Effect<void, SourceError> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const blocks = yield* timed(lane.nodes, branch, back?.toTime ?? timeBefore)
    if (back !== null) yield* goBack(lane, back, now)
    for (const [at, block] of blocks.entries()) {
      const { slot, hash, height, timeSeconds: time, grade } = block
      const { by, timeBy, block: told } = branch[at] as Graded
      const isOwn = told.timeSeconds === time
      lane.links.push({ slot, hash, height, time, by, timeBy: isOwn ? timeBy : null })
      lane.nodes.saw({ slot, timeSeconds: time })
      lane.audit.saw(block, lane.nodes.labelOf(by))
      lane.status.wrote(grade)
    }
    counted(lane, blocks)
    yield* Queue.offer(lane.out, back === null ? blocks : [back, ...blocks])
    const last = lane.links.last
    if (last !== null) lane.status.reached(last.slot, now)
  })
