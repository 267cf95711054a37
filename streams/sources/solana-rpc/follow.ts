/** Follows the head: blocks in the order of their parents, whatever lists of slots say. */
import { Clock, Effect, Queue, Stream } from "effect"
import { steadyMillis } from "../../../src/platform/elapsed.ts"
import { adopt } from "./adopt.ts"
import { timeOf, untimed } from "./block-time.ts"
import { LISTED_SLOTS } from "./far-head.ts"
import { give, IN_FLIGHT, listed, type SolanaLane, wholeBlock } from "./lane.ts"
import type { NodeError } from "./nodes.ts"
import type { Graded } from "./second-opinion.ts"
import { warnSeldom } from "./warning.ts"

/** Looks at the head between two looks at what is final. */
const LOOKS_PER_SETTLE = 8

/** Gives out the first block of a log, which begins with one whose time is known. */
const begin = (lane: SolanaLane, first: Graded): Effect.Effect<void, NodeError> =>
  Effect.gen(function* () {
    const { slot, block } = first
    const placed = { slot, hash: block.hash }
    const time = block.timeSeconds ?? (yield* timeOf(lane.nodes, placed, "confirmed"))
    if (time !== null) return yield* give(lane, null, [first], time)
    lane.untimed.slot = Math.max(lane.untimed.slot, slot)
    const words = `${untimed(lane.nodes, slot)}; the log begins with a later block`
    yield* warnSeldom(lane.nodes, ["untimed"], words, slot)
  })

/** Gives out the next block; false where the chain is to be looked at again. */
const place = (lane: SolanaLane, found: Graded): Effect.Effect<boolean, NodeError> => {
  const { last } = lane.links
  if (last === null) return Effect.as(begin(lane, found), true)
  // it came before, as a parent of a later one
  return found.slot <= last.slot ? Effect.succeed(true) : adopt(lane, found, "confirmed")
}

/** Slots in a row that are listed and have no block: more are a list that is not the chain's. */
const MOST_UNTOLD = 16

/**
 * Places the blocks of some slots that were listed. One of which no endpoint tells a block may be
 * too new, or skipped: it is, where a later block's parent lies before it. Returns false where the
 * chain is to be looked at again.
 */
const placeAll = (lane: SolanaLane, slots: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const untold: Array<number> = []
    const isPlaced = yield* Stream.fromIterable(slots).pipe(
      Stream.mapEffect(
        slot => Effect.map(wholeBlock(lane.nodes, slot, "confirmed"), found => ({ slot, found })),
        { concurrency: IN_FLIGHT }
      ),
      Stream.mapEffect(({ slot, found }) => {
        if (found._tag === "Untold") return Effect.succeed(untold.push(slot) < MOST_UNTOLD)
        if (untold.includes(found.block.parentSlot)) return Effect.succeed(false)
        untold.length = 0
        return place(lane, found)
      }),
      Stream.takeUntil(placed => !placed),
      Stream.runFold(
        () => slots.length > 0,
        (_, placed) => placed
      )
    )
    if (untold.length === MOST_UNTOLD) {
      const words = `slots ${untold[0]} to ${untold.at(-1)} are listed, and no endpoint has a block`
      const { asking } = lane.nodes
      yield* asking.distrust(
        asking.pool.primary,
        `${lane.nodes.labelOf(asking.pool.primary)}: ${words}`
      )
    }
    return isPlaced && untold.length === 0
  })

/** Gives out blocks up to the head, as far as endpoints have them. */
const advance = (lane: SolanaLane, from: number, head: number): Effect.Effect<void, NodeError> =>
  Effect.gen(function* () {
    for (let next = from; next <= head; ) {
      const slots = yield* listed(lane.nodes, next, head, "confirmed")
      if (!(yield* placeAll(lane, slots))) return
      next = Math.max(lane.links.last?.slot ?? head, lane.untimed.slot) + 1
    }
  })

/**
 * Compares the newest block that should be final with the final chain. A confirmed block that is
 * not in it was dropped, and the chain that is final stands instead.
 */
const settle = (lane: SolanaLane): Effect.Effect<void, NodeError> =>
  Effect.gen(function* () {
    const { nodes, links } = lane
    const final = yield* nodes.head("finalized")
    const link = links.upTo(final)
    if (link === null || link.slot <= links.finalSlot) return
    const to = Math.min(final, link.slot + LISTED_SLOTS - 1)
    const slots = yield* nodes.slots(link.slot, to, "finalized")
    const newest = slots[slots.length - 1]
    if (newest === undefined) return
    if (slots[0] === link.slot) {
      const told = yield* nodes.block(link.slot, "none", "finalized")
      if (told._tag === "Untold") return
      if (told.block.hash === link.hash) {
        links.settle(link.slot)
        return
      }
    }
    const found = yield* wholeBlock(nodes, newest, "finalized")
    if (found._tag === "Graded") yield* adopt(lane, found, "finalized")
  })

/** Follows the head for ever; `news` wakes it between its own looks. */
export const follow = (
  lane: SolanaLane,
  start: number | null,
  news: Queue.Dequeue<void>
): Effect.Effect<never, NodeError> =>
  Effect.gen(function* () {
    for (let looks = 0; ; looks++) {
      const head = yield* lane.nodes.head("confirmed")
      const toldAt = yield* steadyMillis
      lane.status.sawHead(head, yield* Clock.currentTimeMillis)
      const last = lane.links.last
      const first = Math.max(start ?? head, lane.untimed.slot + 1)
      yield* advance(lane, last === null ? first : last.slot + 1, head)
      // a head that no block is near to says nothing of the pace
      if (head - (lane.links.last?.slot ?? 0) < LISTED_SLOTS) lane.pace.sampled(head, toldAt)
      if (lane.links.last !== null) lane.status.enter("live")
      if (looks % LOOKS_PER_SETTLE === 0) yield* settle(lane)
      yield* Effect.raceFirst(Queue.take(news), Effect.sleep(lane.pace.pollMs))
    }
  })
