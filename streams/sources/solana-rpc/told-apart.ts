/** What two endpoints tell of one block that cannot both be true, and who is to be believed. */
import { Effect } from "effect"
import { UNLOGGED_GRADE } from "../../../src/domain/assurance.ts"
import type { Certainty } from "../../../src/platform/solana-rpc.ts"
import { decodeTransactions, lacksLogs, type ReadTransaction } from "../../solana/decoded-block.ts"
import type { AnsweredBlock } from "../../solana/transaction/read-answer.ts"
import { lacksBalances } from "../../solana/vault-check.ts"
import type { SourceError } from "../../source.ts"
import type { Nodes, View } from "./nodes.ts"
import type { ToldBlock } from "./told-block.ts"
import { warnSeldom } from "./warning.ts"

/** Whether two things that are told differ. What is not told is null, and differs from nothing. */
export const differ = <A>(a: A | null, b: A | null): boolean => a !== null && b !== null && a !== b

/**
 * Returns what two answers of one hash tell otherwise of the block itself, in words; null where
 * they agree. What one of them does not tell is no difference.
 */
export const headDifference = (a: AnsweredBlock, b: AnsweredBlock): string | null => {
  if (a.parentSlot !== b.parentSlot || a.parentHash !== b.parentHash) return "parents"
  if (differ(a.height, b.height)) return "heights"
  return differ(a.timeSeconds, b.timeSeconds) ? "times" : null
}

/** Asks the endpoint that told an answer for the block with all its transactions. */
export const wholeOf = (
  nodes: Nodes,
  slot: number,
  certainty: Certainty,
  { by, block }: ToldBlock
) =>
  Effect.gen(function* () {
    if (block.hasTransactions) return { _tag: "Told", block, by } as const
    const whole = yield* nodes.elsewhere(nodes.allBut(by), slot, "full", certainty)
    return whole?.block.hash === block.hash ? whole : null
  })

/**
 * Whether an answer tells a height, and its endpoint has the block that it names as its parent, of
 * a height one less. Honest nodes tell heights; who leaves a slot out, or puts one in, tells
 * heights that do not fit those of others, or none.
 */
const fitsItsParent = (nodes: Nodes, certainty: Certainty, { by, block }: ToldBlock) =>
  Effect.gen(function* () {
    if (block.height === null) return false
    const parent = yield* nodes.elsewhere(nodes.allBut(by), block.parentSlot, "none", certainty)
    return parent?.block.hash === block.parentHash && parent.block.height === block.height - 1
  })

/**
 * Returns which of two answers more of the other endpoints bear out; null where as many bear out
 * either, as where nobody else is heard.
 */
export const moreTold = (
  nodes: Nodes,
  two: readonly [ToldBlock, ToldBlock],
  views: ReadonlyArray<View>,
  isLike: (view: AnsweredBlock, one: AnsweredBlock) => boolean
): ToldBlock | null => {
  const heard = new Set(two.map(({ by }) => nodes.labelOf(by)))
  const others = views.flatMap(({ by, block }) =>
    block === null || heard.has(nodes.labelOf(by)) ? [] : [block]
  )
  const votesFor = ({ block }: ToldBlock) => others.filter(view => isLike(view, block)).length
  const [mine, theirs] = [votesFor(two[0]), votesFor(two[1])]
  if (mine === theirs) return null
  return mine > theirs ? two[0] : two[1]
}

/**
 * Returns whose answer is right where two differ in the head of a block: the one that more others
 * agree with; else the one that fits its parent where the other does not. The other is blamed. Null
 * where nothing decides: a warning says so, and nobody is blamed.
 */
export const rightOf = (
  nodes: Nodes,
  slot: number,
  certainty: Certainty,
  two: readonly [ToldBlock, ToldBlock]
): Effect.Effect<ToldBlock | null, SourceError> =>
  Effect.gen(function* () {
    const [told, other] = two
    const what = headDifference(told.block, other.block)
    const blame = (right: ToldBlock, words: string) => {
      const { by } = right === told ? other : told
      const reason = `${nodes.labelOf(by)}: slot ${slot} ${words}`
      return Effect.as(nodes.asking.convict(by, reason), right)
    }
    const views = yield* nodes.views(slot, certainty)
    const right = moreTold(nodes, two, views, (view, one) => {
      return view.hash === one.hash && headDifference(view, one) === null
    })
    if (right !== null) {
      return yield* blame(right, `is told as two others do not tell it: they differ in ${what}`)
    }
    if (what === "parents") {
      const fits = (one: ToldBlock) => fitsItsParent(nodes, certainty, one)
      const [isOurs, isTheirs] = [yield* fits(told), yield* fits(other)]
      const words = "is told on another parent than its height allows"
      if (isOurs !== isTheirs) return yield* blame(isOurs ? told : other, words)
    }
    const [mine, theirs] = [nodes.labelOf(told.by), nodes.labelOf(other.by)]
    const words = `${mine} and ${theirs} tell of different ${what} of blocks, and no other decides`
    yield* warnSeldom(nodes, ["heads", mine, theirs], words, slot)
    return null
  })

/** Whether balances contradict a swap: no honest node tells such a transaction. */
const isContradicted = ({ checks }: ReadTransaction): boolean =>
  checks.some(({ verdict }) => verdict === "bad")

/** Whether a swap is contradicted by balances, has none to be held against, or cannot be read. */
const isUnborne = (one: ReadTransaction): boolean =>
  one.decoded.refusals.length > 0 || isContradicted(one) || one.checks.some(lacksBalances)

/** What is read of the transactions of an answer. */
const readIn = ({ transactions }: AnsweredBlock): ReadonlyArray<ReadTransaction> =>
  decodeTransactions(transactions).flatMap(one => ("unread" in one ? [] : [one]))

/**
 * Transactions of which something may have been changed or left out, by their signatures: another
 * answer would show it. Each that is read has logged, so a log is missing where its node keeps none
 * or withholds it; that logs are cut off is no such sign.
 */
const doubtful = (block: AnsweredBlock): ReadonlyMap<string, ReadTransaction> =>
  new Map(
    readIn(block)
      .filter(one => one.transaction.log === "missing" || isUnborne(one))
      .map(one => [one.transaction.signature, one])
  )

/** Transactions of watched programs that could not be read at all. */
const unreadIn = ({ transactions }: AnsweredBlock): number =>
  decodeTransactions(transactions).filter(one => "unread" in one).length

/** How many transactions of an answer may have been changed. */
const doubtsIn = (block: AnsweredBlock): number => doubtful(block).size + unreadIn(block)

/** Whether an answer tells the swaps of some transactions: as many, or more that can be read. */
const tellsSwapsOf = (
  block: AnsweredBlock,
  some: ReadonlyMap<string, ReadTransaction>
): boolean => {
  const swaps = new Map(
    readIn(block).map(({ transaction, decoded }) => [transaction.signature, decoded.swaps.length])
  )
  return [...some].every(([signature, { decoded }]) => {
    return (swaps.get(signature) ?? -1) >= decoded.swaps.length
  })
}

/** Says what nobody bears out. */
const warnOfDoubts = (nodes: Nodes, slot: number, { by, block }: ToldBlock) =>
  Effect.gen(function* () {
    const mine = nodes.labelOf(by)
    if (lacksLogs(block.transactions)) {
      const words =
        `${mine} tells no log of transactions of slot ${slot}, and no other endpoint that ` +
        `answers tells more of them: such blocks are graded ${UNLOGGED_GRADE}`
      yield* warnSeldom(nodes, ["logs", mine], words, slot)
    }
    const count = readIn(block).filter(isUnborne).length + unreadIn(block)
    if (count === 0) return
    const some =
      `swaps of ${count} transactions in slot ${slot} are contradicted by balances, have ` +
      `none, or cannot be read, as ${mine} tells them`
    yield* warnSeldom(nodes, ["swaps", mine], `${some}; no other endpoint bears them out`, slot)
  })

/**
 * Asks another endpoint for a block with doubtful transactions. Returns its answer where it has all
 * of their swaps and bears more of them out; who told the first is blamed, and what it told of
 * others is in doubt where that one contradicts itself: what is only lacking is seen in each block.
 * Null where nothing is doubtful; and with a warning where nobody else answers, or the other tells
 * no better.
 */
export const borneOut = (
  nodes: Nodes,
  slot: number,
  certainty: Certainty,
  told: ToldBlock
): Effect.Effect<ToldBlock | null, SourceError> =>
  Effect.gen(function* () {
    const bad = doubtful(told.block)
    const count = doubtsIn(told.block)
    if (count === 0) return null
    const mine = nodes.labelOf(told.by)
    const other = yield* nodes.elsewhere(new Set([mine]), slot, "full", certainty)
    const isOne = other?.block.hash === told.block.hash
    const theirs = isOne ? doubtsIn(other.block) : count
    if (!isOne || theirs >= count || !tellsSwapsOf(other.block, bad)) {
      yield* warnOfDoubts(nodes, slot, told)
      return null
    }
    const words =
      `${mine}: slot ${slot} with ${count} transactions whose swaps its balances do not bear out, ` +
      `or without their logs, and ${theirs} of them as ${nodes.labelOf(other.by)} tells it`
    const liesIn = (block: AnsweredBlock) => readIn(block).filter(isContradicted).length
    const isLie = liesIn(told.block) > liesIn(other.block)
    yield* isLie ? nodes.belie(told.by, words) : nodes.asking.convict(told.by, words)
    return other
  })
