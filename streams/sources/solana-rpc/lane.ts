/** What reading one chain is made of, and how blocks leave it. */
import { Clock, Effect, Queue } from "effect"
import { UNLOGGED_GRADE } from "../../../src/domain/assurance.ts"
import { steadyMillis } from "../../../src/platform/elapsed.ts"
import type { Certainty } from "../../../src/platform/solana-rpc.ts"
import type { Rollback, SolanaBatch, SolanaBlock } from "../../solana/block.ts"
import { lacksLogs } from "../../solana/decoded-block.ts"
import type { LogTail, SourceError } from "../../source.ts"
import type { StatusBoard } from "../../status-board.ts"
import type { Audit } from "./audit.ts"
import { timed } from "./block-time.ts"
import type { ChainLinks } from "./chain-links.ts"
import { LISTED_SLOTS } from "./far-head.ts"
import type { NodeError, Nodes } from "./nodes.ts"
import type { Pace } from "./pace.ts"
import { type Graded, graded } from "./second-opinion.ts"
import type { ToldBlock, Untold } from "./told-block.ts"
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
  /** it gives out the newest blocks, and with them what is in doubt of those before */
  readonly isHead: boolean
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

/**
 * A block as others tell it, where whoever told it has told another one falsely; as it was told
 * where nobody else answers.
 */
const believed = (nodes: Nodes, slot: number, certainty: Certainty, told: ToldBlock) =>
  Effect.gen(function* () {
    const doubted = nodes.tellers.doubted(yield* steadyMillis)
    if (!doubted.has(nodes.labelOf(told.by))) return told
    const other = yield* nodes.elsewhere(doubted, slot, "full", certainty)
    return other?.block.hash === told.block.hash ? other : told
  })

/** No more than a word is what one tells who has told others falsely, or what lacks logs. */
const withDoubts = (found: Graded, isDoubted: boolean): Graded => {
  if (found.grade !== "second") return found
  if (isDoubted) return { ...found, grade: "word" }
  return lacksLogs(found.block.transactions) ? { ...found, grade: UNLOGGED_GRADE } : found
}

/** The block of a slot with all its transactions, as far as endpoints tell. */
export const wholeBlock = (
  nodes: Nodes,
  slot: number,
  certainty: Certainty
): Effect.Effect<Graded | Untold, NodeError> =>
  Effect.gen(function* () {
    const told = yield* nodes.block(slot, "full", certainty)
    if (told._tag === "Untold") return told
    const mine = yield* believed(nodes, slot, certainty, told)
    const found = yield* graded(nodes, slot, certainty, mine)
    if (found._tag === "Untold") return found
    const doubted = nodes.tellers.doubted(yield* steadyMillis)
    return withDoubts(found, doubted.has(nodes.labelOf(found.by)))
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
    lane.nodes.tellers.cutAfter(toBlock)
    lane.status.reorged(depth, fromBlock, now)
    if (!wasFinal) return
    const words =
      `the chain replaced ${depth} blocks, from slot ${toBlock + 1} to ${fromBlock}, which were ` +
      `final${upTo}: what was said of them before is void`
    yield* warn(lane.status, words, fromBlock)
  })

/** What has lost its proof of what was given out before; it is said of whom. */
const doubtsBefore = ({ nodes, status, isHead }: SolanaLane, [next]: ReadonlyArray<SolanaBlock>) =>
  Effect.gen(function* () {
    if (!isHead || next === undefined) return []
    const { slot: at } = next
    const lost = nodes.tellers.takeLost(at)
    for (const { by, blocks, doubts } of lost) {
      const [from, to] = [doubts[0]?.fromBlock, doubts[doubts.length - 1]?.toBlock]
      const words =
        `${by} told blocks falsely: ${blocks} that it told from slot ${from} to ${to} are gaps ` +
        "until others tell them"
      yield* warn(status, words, at)
    }
    return lost.flatMap(({ doubts }) => doubts)
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
    const doubts = yield* doubtsBefore(lane, blocks)
    const steadyMs = yield* steadyMillis
    for (const [at, block] of blocks.entries()) {
      const { slot, hash, height, timeSeconds: time, grade } = block
      const { by, timeBy, block: told } = branch[at] as Graded
      const isOwn = told.timeSeconds === time
      lane.links.push({ slot, hash, height, time, by, timeBy: isOwn ? timeBy : null })
      const label = lane.nodes.labelOf(by)
      lane.nodes.saw({ slot, timeSeconds: time })
      lane.audit.saw(block, label)
      lane.nodes.tellers.saw(slot, label, grade === "word", steadyMs)
      lane.status.wrote(grade)
    }
    counted(lane, blocks)
    yield* Queue.offer(lane.out, [...(back === null ? [] : [back]), ...doubts, ...blocks])
    const last = lane.links.last
    if (last !== null) lane.status.reached(last.slot, now)
  })
