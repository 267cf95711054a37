/**
 * Whether a block is whole: nothing in it commits to its transactions, so another endpoint is asked
 * for their signatures, a fiftieth of the block's text, and for parent, height and time with them.
 * What is in the transactions the other is asked for where balances contradict a swap; else the
 * audit compares samples of it.
 */
import { Effect } from "effect"
import type { Certainty } from "../../../src/platform/solana-rpc.ts"
import type { BlockGrade } from "../../solana/block.ts"
import type { AnsweredBlock } from "../../solana/transaction/read-answer.ts"
import type { SourceError } from "../../source.ts"
import { timeBorneOut } from "./block-time.ts"
import type { Nodes } from "./nodes.ts"
import { borneOut, headDifference, moreTold, rightOf, wholeOf } from "./told-apart.ts"
import type { ToldBlock, Untold } from "./told-block.ts"
import { warnSeldom } from "./warning.ts"

/** A block as it is given out, and who told it. */
export interface Graded {
  readonly _tag: "Graded"
  readonly slot: number
  readonly block: AnsweredBlock
  readonly by: number
  /** the place of the endpoint that told its time, where one did */
  readonly timeBy: number
  readonly grade: BlockGrade
}

/**
 * What two answers of one block both tell, in the order of the first: a transaction that one of
 * them leaves out may be missing there as well as invented here.
 */
const commonOf = (told: ToldBlock, { block: { signatures: theirs } }: ToldBlock): ToldBlock => {
  const { block } = told
  const both = new Set(theirs)
  const signatures = block.signatures.filter(one => both.has(one))
  const transactions = block.transactions.filter(
    one => one._tag === "MalformedTransaction" || both.has(one.signature)
  )
  return { ...told, block: { ...block, signatures, transactions } }
}

/**
 * The answer that tells the earlier of two times, where nobody says which is right: one that is
 * ahead would be that of all blocks after it, one that is behind is that of its parent.
 */
const earlierOf = (told: ToldBlock, other: ToldBlock): ToldBlock => {
  const [own, theirs] = [told.block.timeSeconds, other.block.timeSeconds]
  return own === null || theirs === null || own <= theirs ? told : other
}

/** Which of two answers a third endpoint tells the same transactions as; null where neither. */
const likeThird = (
  nodes: Nodes,
  slot: number,
  certainty: Certainty,
  two: readonly [ToldBlock, ToldBlock]
) =>
  Effect.gen(function* () {
    const labels = new Set(two.map(({ by }) => nodes.labelOf(by)))
    const third = yield* nodes.elsewhere(labels, slot, "signatures", certainty)
    if (third === null) return null
    const { hash, signatures } = third.block
    const isLike = ({ block }: ToldBlock): boolean =>
      block.hash === hash && block.signatures.join() === signatures.join()
    return two.find(isLike) ?? null
  })

/** Says that two endpoints tell other transactions, and that nobody is blamed for it. */
const warnOfDispute = (nodes: Nodes, slot: number, two: readonly [ToldBlock, ToldBlock]) => {
  const [mine, theirs] = two.map(({ by }) => nodes.labelOf(by))
  const words =
    `${mine} and ${theirs} tell of different transactions of blocks, and no third endpoint is ` +
    "heard: what both tell is kept, and those blocks are gaps until two tell the same"
  return warnSeldom(nodes, ["transactions", `${mine}`, `${theirs}`], words, slot)
}

/**
 * Returns which of two blocks of one slot is the chain's: the one that more others tell too. Who
 * still tells the other one is blamed: no two blocks of a slot are confirmed, so that it makes up a
 * branch, or is on another chain. Null where as many tell either, and nobody is blamed.
 */
const onBranch = (
  nodes: Nodes,
  slot: number,
  certainty: Certainty,
  two: readonly [ToldBlock, ToldBlock]
): Effect.Effect<ToldBlock | null, SourceError> =>
  Effect.gen(function* () {
    const [mine = "", theirs = ""] = two.map(({ by }) => nodes.labelOf(by))
    const views = yield* nodes.views(slot, certainty)
    const right = moreTold(nodes, two, views, (view, one) => view.hash === one.hash)
    if (right === null) {
      const words = `${mine} and ${theirs} tell of different blocks in slots, and no other decides`
      yield* warnSeldom(nodes, ["branches", mine, theirs], words, slot)
      return null
    }
    const wrong = right === two[0] ? two[1] : two[0]
    const again = views.find(({ by }) => by === wrong.by)
    // it may have left a fork meanwhile
    if (again?.block?.hash === wrong.block.hash) {
      const words = `slot ${slot} is told as another block than two others tell`
      yield* nodes.asking.convict(wrong.by, `${nodes.labelOf(wrong.by)}: ${words}`)
    }
    return right
  })

/** An answer that is wrong is given out no more where the right one is not told whole yet. */
const withheld = (nodes: Nodes, slot: number, { by }: ToldBlock): Untold => ({
  ...{ _tag: "Untold", gone: false, skipped: false },
  reason: `${nodes.labelOf(by)} is borne out in slot ${slot}, and does not tell its whole block`
})

/** Answers that are taken instead of another, for one block: then endpoints only contradict. */
const MOST_TURNS = 3

interface Compared extends Graded {
  /** its time is told by all that were heard of it */
  readonly isTimed: boolean
}

/**
 * Compares a block with what another endpoint says of it. Instead of an answer that is found wrong
 * another one is taken, and graded in its turn: of an endpoint that others agree with, whose head
 * of the block is right, or whose balances bear its swaps out. Who tells more transactions than
 * another may have invented some, so of two alone none is believed, whatever else they tell.
 */
const compared = (
  nodes: Nodes,
  slot: number,
  certainty: Certainty,
  told: ToldBlock,
  turns: number
): Effect.Effect<Compared | Untold, SourceError> => {
  const as = (grade: BlockGrade, { block, by }: ToldBlock = told): Compared => ({
    ...{ _tag: "Graded", slot, block, by, timeBy: by, grade },
    isTimed: block.timeSeconds !== null
  })
  /** The answer that is right is graded in turn, once it is there as a whole. */
  const instead = (right: ToldBlock) =>
    Effect.gen(function* () {
      const whole = yield* wholeOf(nodes, slot, certainty, right)
      if (whole === null) return withheld(nodes, slot, right)
      return yield* compared(nodes, slot, certainty, whole, turns - 1)
    })
  return Effect.gen(function* () {
    const better = turns === 0 ? null : yield* borneOut(nodes, slot, certainty, told)
    if (better !== null) return yield* compared(nodes, slot, certainty, better, turns - 1)
    const own = new Set([nodes.labelOf(told.by)])
    const other = yield* nodes.elsewhere(own, slot, "signatures", certainty)
    if (other === null) return as("word")
    if (other.block.hash !== told.block.hash) {
      const right = turns === 0 ? null : yield* onBranch(nodes, slot, certainty, [told, other])
      return right === null ? as("word") : yield* instead(right)
    }
    let mine = told
    let timeBy = told.by
    let isWord = nodes.split.isSplit
    if (headDifference(told.block, other.block) !== null) {
      const right = turns === 0 ? null : yield* rightOf(nodes, slot, certainty, [told, other])
      if (right !== null) return yield* instead(right)
      const { by, block } = earlierOf(told, other)
      mine = { ...told, block: { ...told.block, timeSeconds: block.timeSeconds } }
      timeBy = by
      isWord = true
    }
    const [ours, theirs] = [told.block.signatures, other.block.signatures]
    const borne = { ...as(isWord ? "word" : "second", mine), timeBy }
    const alike = { ...borne, isTimed: borne.isTimed && other.block.timeSeconds !== null }
    if (ours.join() === theirs.join()) return alike
    const right = yield* likeThird(nodes, slot, certainty, [told, other])
    const disputed = { ...as("unproven", commonOf(mine, other)), timeBy }
    if (right === null) {
      yield* warnOfDispute(nodes, slot, [told, other])
      return disputed
    }
    const wrong = right === told ? other : told
    const words = `slot ${slot} is told with other transactions than two others tell`
    yield* nodes.belie(wrong.by, `${nodes.labelOf(wrong.by)}: ${words}`)
    if (right === told) return alike
    const whole = turns === 0 ? null : yield* wholeOf(nodes, slot, certainty, right)
    if (whole === null) return disputed
    return yield* compared(nodes, slot, certainty, whole, turns - 1)
  })
}

/** Grades a block by what other endpoints say of it, which tell its time where its own does not. */
export const graded = (
  nodes: Nodes,
  slot: number,
  certainty: Certainty,
  told: ToldBlock
): Effect.Effect<Graded | Untold, SourceError> =>
  Effect.gen(function* () {
    const found = yield* compared(nodes, slot, certainty, told, MOST_TURNS)
    if (found._tag === "Untold") return found
    const { isTimed, ...one } = found
    return isTimed ? one : yield* timeBorneOut(nodes, certainty, one)
  })
