/**
 * Blocks of a range of final slots, in order, each the parent of the next: what a list of slots
 * leaves out is asked for by its child, and the first block behind the range proves its end. A
 * block is given out once its child has named it.
 */
import { Effect, Stream } from "effect"
import { type BlockRange, type LateReading, SourceError } from "../../source.ts"
import { timeOf } from "./block-time.ts"
import { joinOf, type Link } from "./chain-links.ts"
import { LISTED_SLOTS } from "./far-head.ts"
import { give, IN_FLIGHT, listed, type SolanaLane, wholeBlock } from "./lane.ts"
import type { NodeError } from "./nodes.ts"
import type { Graded } from "./second-opinion.ts"

/** Times that a block is asked for that is not there, or does not fit its neighbours. */
const MOST_TRIES = 6
const FIRST_WAIT_MS = 100

const failed = (message: string): SourceError => new SourceError({ message, fatal: false })

/**
 * Why a block is not known well enough to close a gap; null where it is. Of several endpoints two
 * must tell it: one alone may be the one whose word made the gap.
 */
const doubtOf = ({ nodes }: SolanaLane, { slot, grade }: Graded): string | null => {
  if (grade === "unproven") return `slot ${slot}: endpoints tell of different transactions`
  return grade === "word" && nodes.labels.size > 1
    ? `slot ${slot}: one endpoint's word alone`
    : null
}

/** A final block, of whichever endpoint has it; fails where a doubtful one would be of no use. */
const finalBlock = (
  lane: SolanaLane,
  slot: number,
  reading: LateReading
): Effect.Effect<Graded, NodeError> =>
  Effect.gen(function* () {
    for (let tries = 1; ; tries++) {
      const found = yield* wholeBlock(lane.nodes, slot, "finalized")
      if (found._tag === "Graded") {
        const doubt = reading === "proofs" ? doubtOf(lane, found) : null
        return doubt === null ? found : yield* failed(doubt)
      }
      if (found.gone || tries >= MOST_TRIES) {
        return yield* failed(`slot ${slot}: no endpoint has its block: ${found.reason}`)
      }
      yield* lane.nodes.asking.pause(FIRST_WAIT_MS * 2 ** tries)
    }
  })

const linkOf = ({ slot, block, by, timeBy }: Graded): Link => ({
  slot,
  hash: block.hash,
  height: block.height,
  time: block.timeSeconds,
  by,
  timeBy
})

/** Reads one range. */
class PastReader {
  private readonly lane: SolanaLane
  private readonly fromSlot: number
  private readonly toSlot: number
  private readonly reading: LateReading
  /** the newest block: its child has not been seen yet */
  private held: Graded | null = null

  constructor(lane: SolanaLane, { fromBlock, toBlock }: BlockRange, reading: LateReading) {
    this.lane = lane
    this.reading = reading
    this.fromSlot = fromBlock
    this.toSlot = toBlock
  }

  /** The block of a slot; those behind the range are not given out, and may be doubtful. */
  block(slot: number): Effect.Effect<Graded, NodeError> {
    return finalBlock(this.lane, slot, slot > this.toSlot ? "ranges" : this.reading)
  }

  /** What the next block must join; null at the range's beginning. */
  private get before(): Link | null {
    return this.held === null ? this.lane.links.last : linkOf(this.held)
  }

  /** The time that the first of some blocks has where it is told without one. */
  private timeBefore([first]: ReadonlyArray<Graded>): Effect.Effect<number | null, SourceError> {
    const { nodes, links } = this.lane
    const known = links.last?.time ?? first?.block.timeSeconds ?? null
    if (known !== null || first === undefined) return Effect.succeed(known)
    return timeOf(nodes, { slot: first.slot, hash: first.block.hash }, "finalized")
  }

  /** Takes the next block, and those between it and the one before; false where they do not fit. */
  private take(next: Graded): Effect.Effect<boolean, NodeError> {
    return Effect.gen({ self: this }, function* () {
      const { before } = this
      if (before !== null && next.slot <= before.slot) return true
      const branch = [next]
      for (;;) {
        const [first] = branch as [Graded]
        const { parentSlot, parentHash } = first.block
        const isFirst = before === null && parentSlot < this.fromSlot
        const join = before === null ? null : joinOf([before], first.slot, first.block)
        if (isFirst || join?._tag === "Joined") break
        if (join !== null && join._tag !== "NeedsParent") return false
        const parent = yield* this.block(parentSlot)
        if (parent.block.hash !== parentHash) return false
        branch.unshift(parent)
      }
      const known = [...(this.held === null ? [] : [this.held]), ...branch.slice(0, -1)]
      // lists may leave out the first slots behind the range
      const given = known.filter(({ slot }) => slot <= this.toSlot)
      this.held = next
      if (given.length > 0) yield* give(this.lane, null, given, yield* this.timeBefore(given))
      return true
    })
  }

  /** Takes the next block; where it does not fit, it and the one before are asked for again. */
  place(found: Graded): Effect.Effect<void, NodeError> {
    const { asking } = this.lane.nodes
    return Effect.gen({ self: this }, function* () {
      let next = found
      for (let tries = 1; !(yield* this.take(next)); tries++) {
        const { held } = this
        const words = `slots ${this.before?.slot} and ${next.slot} do not fit together`
        if (tries >= MOST_TRIES) return yield* failed(words)
        yield* asking.distrust(next.by, words)
        if (held !== null) {
          yield* asking.distrust(held.by, words)
          const again = yield* this.block(held.slot)
          // what it joins was told by others
          if (again.block.parentHash === held.block.parentHash) this.held = again
        }
        yield* asking.pause(FIRST_WAIT_MS * 2 ** tries)
        next = yield* this.block(next.slot)
      }
    })
  }
}

/** The first slot behind a range that has a final block, once there is one. */
const slotBehind = (lane: SolanaLane, toSlot: number): Effect.Effect<number, NodeError> =>
  Effect.gen(function* () {
    for (;;) {
      const final = yield* lane.nodes.head("finalized")
      const [slot] = yield* listed(lane.nodes, toSlot + 1, final, "finalized")
      if (slot !== undefined) return slot
      yield* Effect.sleep(lane.pace.pollMs)
    }
  })

/**
 * Gives out the blocks of a range of slots, once they are final; the first block behind it names
 * the last one of it. Fails where one must be proven that endpoints do not bear out.
 */
export const readPast = (
  lane: SolanaLane,
  { fromBlock, toBlock }: BlockRange,
  reading: LateReading
): Effect.Effect<void, NodeError> =>
  Effect.gen(function* () {
    const behind = yield* slotBehind(lane, toBlock)
    const last = lane.links.last
    const reader = new PastReader(lane, { fromBlock, toBlock }, reading)
    for (let at = Math.max(fromBlock, (last?.slot ?? -1) + 1); at <= toBlock; at += LISTED_SLOTS) {
      const end = Math.min(toBlock, at + LISTED_SLOTS - 1)
      const slots = yield* lane.nodes.slots(at, end, "finalized")
      yield* Stream.fromIterable(slots).pipe(
        Stream.mapEffect(slot => reader.block(slot), { concurrency: IN_FLIGHT }),
        Stream.runForEach(found => reader.place(found))
      )
    }
    yield* reader.place(yield* reader.block(behind))
  })
