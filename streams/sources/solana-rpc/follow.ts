/**
 * Follows the head: blocks in the order of their parents, whatever lists of slots say. A block that
 * joins the chain further back is a fork; it is followed where the endpoints have left the old
 * branch, with a `Rollback` first.
 */
import { Effect, Queue, Stream } from "effect"
import { steadyMillis } from "../../../src/platform/elapsed.ts"
import type { Certainty } from "../../../src/platform/solana-rpc.ts"
import type { Rollback } from "../../solana/block.ts"
import { SourceError } from "../../source.ts"
import { joinOf, type Link, linksOf } from "./chain-links.ts"
import { give, IN_FLIGHT, LISTED_SLOTS, listed, type SolanaLane, wholeBlock } from "./lane.ts"
import type { NodeError, View } from "./nodes.ts"
import type { Graded } from "./second-opinion.ts"

/** Looks at the head between two looks at what is final. */
const LOOKS_PER_SETTLE = 8

/** Links read at once from the log, where a branch began before those in memory. */
const OLDER_LINKS = 64

const furthest = (views: ReadonlyArray<View>): number =>
  views.reduce((most, { head }) => Math.max(most, head), -1)

/** Whether endpoints have left the branch that ends at `last` for one that reaches `tip`. */
const hasLeft = (lane: SolanaLane, last: Link, tip: Graded): Effect.Effect<boolean, NodeError> =>
  Effect.gen(function* () {
    const { nodes } = lane
    if (nodes.asking.pool.isOneNode) {
      // an old answer from somewhere would look like a fork: the node is asked again
      const again = yield* nodes.block(tip.slot, "none", "confirmed")
      return again._tag === "Told" && again.block.hash === tip.block.hash
    }
    const views = yield* nodes.views(last.slot)
    const ours = views.filter(({ hash }) => hash === last.hash)
    const theirs = views.filter(({ hash, head }) => hash !== last.hash && head >= tip.slot)
    if (theirs.length !== ours.length) return theirs.length > ours.length
    return furthest(theirs) > furthest(ours)
  })

/** Puts older links of the log before those in memory; false where it has none. */
const extend = ({ links, older }: SolanaLane): Effect.Effect<boolean, SourceError> =>
  Effect.gen(function* () {
    const first = links.all[0]
    if (older === undefined || first === undefined) return false
    const told = linksOf(yield* older(first.slot - 1, OLDER_LINKS))
    links.prepend(told)
    return told.length > 0
  })

const noCommonBlock = ({ links, nodes }: SolanaLane): SourceError =>
  new SourceError({
    message:
      `the chain at ${[...nodes.labels].join(", ")} shares none of the blocks from slot ` +
      `${links.all[0]?.slot} to ${links.last?.slot}: it is another chain, or was begun anew`,
    fatal: true
  })

/**
 * Whether a branch from before the first link may be the chain's: where nothing that was given out
 * is final yet, or nothing was given out since the start. Else it is of who answers of other slots.
 */
const isFromBefore = ({ links, isWhole, status }: SolanaLane): boolean =>
  isWhole ? links.finalSlot < 0 : status.read().emittedBlock === null

const backTo = (ancestor: Link, last: Link): Rollback => ({
  _tag: "Rollback",
  ...{ toBlock: ancestor.slot, toHash: ancestor.hash, toTime: ancestor.time, fromBlock: last.slot }
})

/** What a branch joins that is from before the first link; its time is its child's if not told. */
const linkBefore = (
  { nodes }: SolanaLane,
  branch: ReadonlyArray<Graded>,
  certainty: Certainty
): Effect.Effect<Link, NodeError> => {
  const { parentSlot: slot, parentHash: hash } = (branch[0] as Graded).block
  return Effect.map(nodes.block(slot, "none", certainty), told => {
    const own = told._tag === "Told" && told.block.hash === hash ? told.block.timeSeconds : null
    const [later = null] = branch.flatMap(({ block }) => block.timeSeconds ?? [])
    return { slot, hash, height: null, time: own ?? later }
  })
}

/** Gives out a branch that joins at `ancestor`; false where the endpoints have not left for it. */
const switchTo = (lane: SolanaLane, ancestor: Link, branch: ReadonlyArray<Graded>) =>
  Effect.gen(function* () {
    const last = lane.links.last as Link
    if (ancestor === last) {
      yield* give(lane, null, branch)
      return true
    }
    const tip = branch[branch.length - 1] as Graded
    if (!(yield* hasLeft(lane, last, tip))) {
      yield* lane.nodes.asking.distrust(tip.by, `slot ${tip.slot} is of a branch of its own`)
      return false
    }
    yield* give(lane, backTo(ancestor, last), branch)
    return true
  })

/** Asks for parents until the block of a slot joins the chain, and gives them all out. */
const adopt = (
  lane: SolanaLane,
  tip: Graded,
  certainty: Certainty
): Effect.Effect<boolean, NodeError> =>
  Effect.gen(function* () {
    const { nodes, links } = lane
    const branch = [tip]
    for (;;) {
      const [first] = branch as [Graded]
      const join = joinOf(links.all, first.slot, first.block)
      if (join._tag === "Joined") return yield* switchTo(lane, join.ancestor, branch)
      if (join._tag === "Deeper") {
        if (yield* extend(lane)) continue
        if (isFromBefore(lane) && (yield* hasLeft(lane, links.last as Link, tip))) {
          if (!lane.isWhole) return yield* noCommonBlock(lane)
          const before = yield* linkBefore(lane, branch, certainty)
          yield* give(lane, backTo(before, links.last as Link), branch)
          return true
        }
        yield* nodes.asking.distrust(tip.by, `slot ${tip.slot} is of a chain of its own`)
        return false
      }
      if (join._tag === "Contradicts") {
        yield* nodes.asking.convict(first.by, `${nodes.labelOf(first.by)}: ${join.reason}`)
        return false
      }
      const parent = yield* wholeBlock(nodes, join.slot, certainty)
      if (parent._tag === "Untold" || parent.block.hash !== first.block.parentHash) {
        const words = `slot ${first.slot} names a parent in slot ${join.slot} that is not there`
        yield* nodes.asking.distrust(first.by, words)
        return false
      }
      branch.unshift(parent)
    }
  })

/** Gives out the next block; false where the chain is to be looked at again. */
const place = (lane: SolanaLane, found: Graded): Effect.Effect<boolean, NodeError> => {
  const last = lane.links.last
  if (last === null) return Effect.as(give(lane, null, [found]), true)
  // it came before, as a parent of a later one
  return found.slot <= last.slot ? Effect.succeed(true) : adopt(lane, found, "confirmed")
}

/** Gives out blocks up to the head, as far as endpoints have them. */
const advance = (lane: SolanaLane, from: number, head: number): Effect.Effect<void, NodeError> =>
  Effect.gen(function* () {
    for (let next = from; next <= head; ) {
      const slots = yield* listed(lane.nodes, next, head, "confirmed")
      const isPlaced = yield* Stream.fromIterable(slots).pipe(
        Stream.mapEffect(slot => wholeBlock(lane.nodes, slot, "confirmed"), {
          concurrency: IN_FLIGHT
        }),
        Stream.mapEffect(found =>
          found._tag === "Untold" ? Effect.succeed(false) : place(lane, found)
        ),
        Stream.takeUntil(placed => !placed),
        Stream.runFold(
          () => slots.length > 0,
          (_, placed) => placed
        )
      )
      if (!isPlaced) return
      next = (lane.links.last?.slot ?? head) + 1
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
      lane.pace.sampled(head, yield* steadyMillis)
      lane.status.sawHead(head)
      const last = lane.links.last
      yield* advance(lane, last === null ? (start ?? head) : last.slot + 1, head)
      lane.status.enter("live")
      if (looks % LOOKS_PER_SETTLE === 0) yield* settle(lane)
      yield* Effect.raceFirst(Queue.take(news), Effect.sleep(lane.pace.pollMs))
    }
  })
