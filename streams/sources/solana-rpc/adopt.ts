/**
 * Where a block goes that does not simply follow: its parents are asked for until it joins. A block
 * that joins the chain further back is a fork; it is followed where the endpoints have left the old
 * branch, with a `Rollback` first. Where it contradicts what was given out, endpoints are asked
 * which of both is theirs: what was told wrong once is taken back, since all that is true would
 * contradict it for ever.
 */
import { Effect } from "effect"
import type { Certainty } from "../../../src/platform/solana-rpc.ts"
import type { Rollback } from "../../solana/block.ts"
import { SourceError } from "../../source.ts"
import { isAheadOf, timeOf, toldAhead, untimed } from "./block-time.ts"
import { type Contradiction, type Join, joinOf, type Link, linksOf } from "./chain-links.ts"
import { give, type SolanaLane, wholeBlock } from "./lane.ts"
import type { NodeError, Side } from "./nodes.ts"
import type { Graded } from "./second-opinion.ts"
import { show, warn } from "./warning.ts"

/** Blocks of a branch that are held until it joins: lists of slots leave out no more in a row. */
const MOST_BRANCH = 512

/** Links read at once from the log, where a branch began before those in memory. */
const OLDER_LINKS = 64

const furthest = (sides: ReadonlyArray<Side>): number =>
  sides.reduce((most, { head }) => Math.max(most, head), -1)

/**
 * Whether endpoints have left the branch that ends with what was given out for one that reaches
 * `tip`, back to a slot: where more are on that one, or as many that are further. What was final is
 * left for no endpoint that as many others contradict.
 */
const hasLeft = (lane: SolanaLane, tip: Graded, to: number): Effect.Effect<boolean, NodeError> =>
  Effect.gen(function* () {
    const last = lane.links.last as Link
    const sides = yield* lane.nodes.sides(last, { slot: tip.slot, hash: tip.block.hash })
    const ours = sides.filter(({ on }) => on === "ours")
    const theirs = sides.filter(({ on }) => on === "theirs")
    if (theirs.length !== ours.length) return theirs.length > ours.length
    return to >= lane.links.finalSlot && furthest(theirs) > furthest(ours)
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

/** Looks at what a block joins, and takes back what it replaces. */
class Adoption {
  private readonly lane: SolanaLane
  private readonly tip: Graded
  private readonly certainty: Certainty
  private readonly branch: Array<Graded>
  /** the link that was told wrong, as endpoints say now: it and what came after it is void */
  private wrong: Link | null
  /** its time was, and the block is the chain's */
  private readonly isOfTime: boolean

  /** @param early the link whose time was told wrong, where that is why the block is looked at */
  constructor(lane: SolanaLane, tip: Graded, certainty: Certainty, early: Link | null = null) {
    this.lane = lane
    this.tip = tip
    this.certainty = certainty
    this.branch = [tip]
    this.wrong = early
    this.isOfTime = early !== null
  }

  private get first(): Graded {
    return this.branch[0] as Graded
  }

  /** Asks for parents until the block joins, and gives them all out; false where it does not. */
  get run(): Effect.Effect<boolean, NodeError> {
    return Effect.gen({ self: this }, function* () {
      for (;;) {
        const join = this.join()
        if (join._tag === "Joined") return yield* this.switchTo(join.ancestor)
        if (join._tag === "NeedsParent") {
          if (!(yield* this.askForParent(join.slot))) return false
        } else if (join._tag === "Contradicts") {
          if (!(yield* this.doubt(join))) return false
        } else if (!(yield* extend(this.lane))) return yield* this.goBefore()
      }
    })
  }

  /** Where the branch joins what stands. */
  private join(): Join {
    const { wrong } = this
    const { slot, block } = this.first
    const all = this.lane.links.all
    if (wrong === null) return joinOf(all, slot, block)
    const standing = all.filter(link => link.slot < wrong.slot)
    if (standing.length > 0) return joinOf(standing, slot, block)
    return block.parentSlot < wrong.slot
      ? { _tag: "Deeper" }
      : { _tag: "NeedsParent", slot: block.parentSlot }
  }

  private askForParent(slot: number): Effect.Effect<boolean, NodeError> {
    const { lane, first, certainty } = this
    return Effect.gen({ self: this }, function* () {
      if (this.branch.length >= MOST_BRANCH) {
        const words = `${MOST_BRANCH} blocks before slot ${this.tip.slot} are left out of lists of slots`
        yield* lane.nodes.asking.distrust(this.tip.by, words)
        return false
      }
      const parent = yield* wholeBlock(lane.nodes, slot, certainty)
      const isThere = parent._tag === "Graded" && parent.block.hash === first.block.parentHash
      // its time is told as wrong as it was
      if (isThere && this.isOfTime && isAheadOf(parent.block.timeSeconds, this.tip)) return false
      if (isThere) this.branch.unshift(parent)
      else {
        const words = `slot ${first.slot} names a parent in slot ${slot} that is not there`
        yield* lane.nodes.asking.distrust(first.by, words)
      }
      return isThere
    })
  }

  /**
   * A block contradicts a link. Where endpoints tell that block and no longer the end of what was
   * given out, the link was told wrong; else who told the block.
   */
  private doubt(join: Contradiction): Effect.Effect<boolean, NodeError> {
    const { lane, first, tip } = this
    const { nodes, links } = lane
    return Effect.gen({ self: this }, function* () {
      const { link, slot, reason } = join
      if (this.wrong !== null || !(yield* hasLeft(lane, tip, link.slot - 1))) {
        yield* nodes.asking.convict(first.by, `${nodes.labelOf(first.by)}: ${reason}`)
        return false
      }
      // it is the chain's block where it says it is: its height was told wrong, which no log holds
      if (slot === link.slot) links.forgetHeight(link)
      else this.wrong = yield* this.firstWrong(link)
      return true
    })
  }

  /** The oldest of the links up to one that endpoints tell otherwise now. */
  private firstWrong(link: Link): Effect.Effect<Link, SourceError> {
    const { nodes, links } = this.lane
    return Effect.gen({ self: this }, function* () {
      let wrong = link
      const older = links.all.filter(({ slot }) => slot < link.slot)
      for (const one of older.toReversed()) {
        const views = yield* nodes.views(one.slot, this.certainty)
        const told = views.flatMap(({ block }) => (block === null ? [] : [block.hash]))
        const ours = told.filter(hash => hash === one.hash)
        if (ours.length >= told.length - ours.length) break
        wrong = one
      }
      return wrong
    })
  }

  /** Gives out the branch, which joins at a link. */
  private switchTo(ancestor: Link): Effect.Effect<boolean, NodeError> {
    const { lane, tip, branch } = this
    return Effect.gen({ self: this }, function* () {
      if (ancestor === lane.links.last) {
        if (!(yield* this.retime())) yield* give(lane, null, branch)
        return true
      }
      if (this.wrong === null && !(yield* hasLeft(lane, tip, ancestor.slot))) {
        const words = `slot ${tip.slot} is of a branch of its own`
        yield* lane.nodes.asking.distrust(tip.by, words)
        return false
      }
      yield* this.goBack(ancestor)
      return true
    })
  }

  /** Takes back what has a time that was told wrong, with all after it; false where none has. */
  private retime(): Effect.Effect<boolean, NodeError> {
    const { lane, tip, certainty } = this
    return Effect.gen(function* () {
      const early = yield* toldAhead(lane.nodes, lane.links.all, tip, certainty)
      return early !== null && (yield* new Adoption(lane, tip, certainty, early).run)
    })
  }

  /** Gives out a branch from before the first link, where it may be the chain's. */
  private goBefore(): Effect.Effect<boolean, NodeError> {
    const { lane, tip, branch, first, certainty } = this
    return Effect.gen({ self: this }, function* () {
      const { parentSlot: slot, parentHash: hash } = first.block
      if (this.wrong === null) {
        if (!isFromBefore(lane) || !(yield* hasLeft(lane, tip, slot))) {
          const words = `slot ${tip.slot} is of a chain of its own`
          yield* lane.nodes.asking.distrust(tip.by, words)
          return false
        }
        if (!lane.isWhole) return yield* noCommonBlock(lane)
      }
      // that of its child stands for a time that nobody tells any more
      const [later = null] = branch.flatMap(({ block }) => block.timeSeconds ?? [])
      const time = (yield* timeOf(lane.nodes, { slot, hash }, certainty)) ?? later
      yield* this.goBack({ slot, hash, height: null, time, by: null, timeBy: null })
      return true
    })
  }

  /** Takes back what came after a block, and gives out the branch instead. */
  private goBack({ slot, hash, time }: Link): Effect.Effect<void, NodeError> {
    const { lane, branch, certainty } = this
    return Effect.gen({ self: this }, function* () {
      const { slot: fromBlock } = lane.links.last as Link
      const toTime = time ?? (yield* timeOf(lane.nodes, { slot, hash }, certainty))
      if (toTime === null) {
        return yield* new SourceError({ message: untimed(lane.nodes, slot), fatal: false })
      }
      const back: Rollback = { _tag: "Rollback", toBlock: slot, toHash: hash, toTime, fromBlock }
      yield* give(lane, back, branch)
      if (this.wrong !== null) yield* this.blame(this.wrong, back)
    })
  }

  /** Says which block was told wrong, and by whom. */
  private blame({ slot, by: teller, timeBy }: Link, { toBlock, fromBlock }: Rollback) {
    const { nodes, status } = this.lane
    const what = this.isOfTime ? "with a time ahead of later blocks" : "as another block than it is"
    const by = this.isOfTime ? timeBy : teller
    return Effect.gen(function* () {
      const who =
        by === null ? "by an endpoint that is not known any more" : `by ${nodes.labelOf(by)}`
      const told = `slot ${slot} was told ${what}, ${who}`
      const words = `${told}: what was given out from slot ${toBlock + 1} to ${fromBlock} is replaced`
      if (by === null) return yield* warn(status, words, fromBlock)
      yield* show(status, words, fromBlock)
      yield* nodes.asking.convict(by, words)
    })
  }
}

/**
 * Gives out a block with those between it and what was given out before, and a `Rollback` first
 * where it is of another branch; false where the chain is to be looked at again.
 */
export const adopt = (
  lane: SolanaLane,
  tip: Graded,
  certainty: Certainty
): Effect.Effect<boolean, NodeError> => new Adoption(lane, tip, certainty).run
