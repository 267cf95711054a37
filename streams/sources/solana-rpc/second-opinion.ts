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
import type { Nodes, Told } from "./nodes.ts"
import { borneOut, headDifference, rightOf, wholeOf } from "./told-apart.ts"
import { warnSeldom } from "./warning.ts"

/** A block as it is given out, and who told it. */
export interface Graded {
  readonly _tag: "Graded"
  readonly slot: number
  readonly block: AnsweredBlock
  readonly by: number
  readonly grade: BlockGrade
}

/**
 * What two answers of one block both tell, in the order of the first: a transaction that one of
 * them leaves out may be missing there as well as invented here.
 */
const commonOf = (told: Told, { block: { signatures: theirs } }: Told): Told => {
  const { block } = told
  const both = new Set(theirs)
  const signatures = block.signatures.filter(one => both.has(one))
  const transactions = block.transactions.filter(
    one => one._tag === "MalformedTransaction" || both.has(one.signature)
  )
  return { ...told, block: { ...block, signatures, transactions } }
}

/**
 * The answer with the earlier of two times, where nobody says which is right: one that is ahead
 * would be that of all blocks after it, one that is behind is that of its parent.
 */
const withEarlierTime = (told: Told, { block: { timeSeconds: other } }: Told): Told => {
  const { timeSeconds: own } = told.block
  if (own === null || other === null || own <= other) return told
  return { ...told, block: { ...told.block, timeSeconds: other } }
}

/** Which of two answers a third endpoint tells the same transactions as; null where neither. */
const likeThird = (nodes: Nodes, slot: number, certainty: Certainty, two: readonly [Told, Told]) =>
  Effect.gen(function* () {
    const labels = new Set(two.map(({ by }) => nodes.labelOf(by)))
    const third = yield* nodes.elsewhere(labels, slot, "signatures", certainty)
    if (third === null) return null
    const { hash, signatures } = third.block
    const isLike = ({ block }: Told): boolean =>
      block.hash === hash && block.signatures.join() === signatures.join()
    return two.find(isLike) ?? null
  })

/** Says that two endpoints tell other transactions, and that nobody is blamed for it. */
const warnOfDispute = (nodes: Nodes, slot: number, two: readonly [Told, Told]) => {
  const [mine, theirs] = two.map(({ by }) => nodes.labelOf(by))
  const words =
    `${mine} and ${theirs} tell of different transactions of blocks, and no third endpoint is ` +
    "heard: what both tell is kept, and those blocks are gaps until two tell the same"
  return warnSeldom(nodes, "transactions", words, slot)
}

/** Answers that are taken instead of another, for one block: then endpoints only contradict. */
const MOST_TURNS = 3

/**
 * Grades a block by what another endpoint says of it. Instead of an answer that is found wrong
 * another one is taken, and graded in its turn: of an endpoint that a third agrees with, whose head
 * of the block is right, or whose balances bear its swaps out. Who tells more transactions than
 * another may have invented some, so of two alone none is believed.
 */
export const graded = (
  nodes: Nodes,
  slot: number,
  certainty: Certainty,
  told: Told,
  turns = MOST_TURNS
): Effect.Effect<Graded, SourceError> => {
  const as = (grade: BlockGrade, { block, by }: Told = told): Graded => ({
    ...{ _tag: "Graded", slot, block, by, grade }
  })
  return Effect.gen(function* () {
    const better = turns === 0 ? null : yield* borneOut(nodes, slot, certainty, told)
    if (better !== null) return yield* graded(nodes, slot, certainty, better, turns - 1)
    const own = new Set([nodes.labelOf(told.by)])
    const other = yield* nodes.elsewhere(own, slot, "signatures", certainty)
    if (other === null || other.block.hash !== told.block.hash) return as("word")
    if (headDifference(told.block, other.block) !== null) {
      const right = turns === 0 ? null : yield* rightOf(nodes, slot, certainty, [told, other])
      if (right === null) return as("word", withEarlierTime(told, other))
      return yield* graded(nodes, slot, certainty, right, turns - 1)
    }
    const [ours, theirs] = [told.block.signatures, other.block.signatures]
    if (ours.join() === theirs.join()) return as(nodes.isSplit ? "word" : "second")
    const right = yield* likeThird(nodes, slot, certainty, [told, other])
    if (right === null) {
      yield* warnOfDispute(nodes, slot, [told, other])
      return as("unproven", commonOf(told, other))
    }
    const wrong = right === told ? other : told
    const words = `slot ${slot} is told with other transactions than two others tell`
    yield* nodes.asking.convict(wrong.by, `${nodes.labelOf(wrong.by)}: ${words}`)
    if (right === told) return as(nodes.isSplit ? "word" : "second")
    const whole = turns === 0 ? null : yield* wholeOf(nodes, slot, certainty, right)
    if (whole === null) return as("unproven", commonOf(told, other))
    return yield* graded(nodes, slot, certainty, whole, turns - 1)
  })
}
