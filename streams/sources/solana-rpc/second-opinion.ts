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

/** A block as it is given out, and who told it. */
export interface Graded {
  readonly _tag: "Graded"
  readonly slot: number
  readonly block: AnsweredBlock
  readonly by: number
  readonly grade: BlockGrade
}

/** Whether all of a few stand among others, in the same order. */
export const isWithin = (few: ReadonlyArray<string>, all: ReadonlyArray<string>): boolean => {
  let found = 0
  for (const one of all) if (one === few[found]) found++
  return found === few.length
}

const without = (left: number): string =>
  `leaves out ${left} transaction${left === 1 ? "" : "s"} that another endpoint tells`

/** Takes the block of the endpoint that told more, and blames the other. */
const fuller = (nodes: Nodes, slot: number, certainty: Certainty, few: Told, more: Told) =>
  Effect.gen(function* () {
    const left = more.block.signatures.length - few.block.signatures.length
    const whole = yield* nodes.elsewhere(nodes.allBut(more.by), slot, "full", certainty)
    const isWhole =
      whole?.block.hash === more.block.hash &&
      whole.block.signatures.join() === more.block.signatures.join()
    if (whole === null || !isWhole) return null
    yield* nodes.asking.convict(few.by, `${nodes.labelOf(few.by)}: slot ${slot} ${without(left)}`)
    return whole
  })

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

/** Answers that are taken instead of another, for one block: then endpoints only contradict. */
const MOST_TURNS = 3

/**
 * Grades a block by what another endpoint says of it. Instead of an answer that is found wrong
 * another one is taken, and graded in its turn: of an endpoint that tells more transactions, whose
 * head of the block is right, or whose balances bear its swaps out.
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
    if (right !== null) {
      const wrong = right === told ? other : told
      const words = `slot ${slot} is told with other transactions than two others tell`
      yield* nodes.asking.convict(wrong.by, `${nodes.labelOf(wrong.by)}: ${words}`)
      if (right === told) return as(nodes.isSplit ? "word" : "second")
      const whole = turns === 0 ? null : yield* wholeOf(nodes, slot, certainty, right)
      if (whole !== null) return yield* graded(nodes, slot, certainty, whole, turns - 1)
    }
    if (isWithin(theirs, ours)) {
      const left = without(ours.length - theirs.length)
      yield* nodes.asking.convict(other.by, `${nodes.labelOf(other.by)}: slot ${slot} ${left}`)
      return as("word")
    }
    const whole = isWithin(ours, theirs) ? yield* fuller(nodes, slot, certainty, told, other) : null
    return whole === null ? as("unproven") : as("word", whole)
  })
}
