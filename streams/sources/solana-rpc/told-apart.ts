/** What two endpoints tell of one block that cannot both be true, and who is to be believed. */
import { Effect } from "effect"
import type { Certainty } from "../../../src/platform/solana-rpc.ts"
import { decodeTransactions, type ReadTransaction } from "../../solana/decoded-block.ts"
import type { AnsweredBlock } from "../../solana/transaction/read-answer.ts"
import type { SourceError } from "../../source.ts"
import type { Nodes, Told } from "./nodes.ts"

/** Blocks of the chain for which a warning stays. */
const WARNED_BLOCKS = 1_000

const differ = <A>(a: A | null, b: A | null): boolean => a !== null && b !== null && a !== b

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
const wholeOf = (nodes: Nodes, slot: number, certainty: Certainty, { by, block }: Told) =>
  Effect.gen(function* () {
    if (block.hasTransactions) return { _tag: "Told", block, by } as const
    const whole = yield* nodes.elsewhere(nodes.allBut(by), slot, "full", certainty)
    return whole?.block.hash === block.hash ? whole : null
  })

/** Whether the endpoint of an answer has the block that it names as its parent. */
const showsParent = (nodes: Nodes, certainty: Certainty, { by, block }: Told) =>
  Effect.map(
    nodes.elsewhere(nodes.allBut(by), block.parentSlot, "none", certainty),
    parent => parent?.block.hash === block.parentHash
  )

/**
 * Returns whose answer is right where two differ in the head of a block: the one that a third
 * endpoint agrees with; else the one whose parent is later, where it has that block, for the other
 * left a slot out. The other is blamed. Null where nothing decides: a warning says so.
 */
export const rightOf = (
  nodes: Nodes,
  slot: number,
  certainty: Certainty,
  [told, other]: readonly [Told, Told]
): Effect.Effect<Told | null, SourceError> =>
  Effect.gen(function* () {
    const what = headDifference(told.block, other.block)
    const [mine, theirs] = [nodes.labelOf(told.by), nodes.labelOf(other.by)]
    const blame = (right: Told, wrong: Told, words: string) =>
      Effect.andThen(
        nodes.asking.convict(wrong.by, `${nodes.labelOf(wrong.by)}: slot ${slot} ${words}`),
        wholeOf(nodes, slot, certainty, right)
      )
    const third = yield* nodes.elsewhere(new Set([mine, theirs]), slot, "none", certainty)
    if (third?.block.hash === told.block.hash) {
      const isLike = (one: Told) => headDifference(third.block, one.block) === null
      const words = `is told as two others do not tell it: they differ in ${what}`
      if (isLike(told) && !isLike(other)) return yield* blame(told, other, words)
      if (isLike(other) && !isLike(told)) return yield* blame(other, told, words)
    }
    const isOurs = told.block.parentSlot > other.block.parentSlot
    const [later, earlier] = isOurs ? [told, other] : [other, told]
    const left = later.block.parentSlot
    if (left !== earlier.block.parentSlot && (yield* showsParent(nodes, certainty, later))) {
      return yield* blame(later, earlier, `leaves out slot ${left}, whose block another has`)
    }
    const words = `${mine} and ${theirs} tell of different ${what} of blocks, and nobody else is heard`
    nodes.status.warn(words, slot + WARNED_BLOCKS)
    return null
  })

/** Transactions with a swap that balances contradict, by their signatures. */
const contradicted = ({ transactions }: AnsweredBlock): ReadonlyMap<string, ReadTransaction> => {
  const found = new Map<string, ReadTransaction>()
  for (const one of decodeTransactions(transactions)) {
    if ("unread" in one || !one.checks.some(({ verdict }) => verdict === "bad")) continue
    found.set(one.transaction.signature, one)
  }
  return found
}

/** Whether an answer tells all swaps of some transactions. */
const tellsSwapsOf = (
  { transactions }: AnsweredBlock,
  some: ReadonlyMap<string, ReadTransaction>
): boolean => {
  const swaps = new Map<string, number>()
  for (const one of decodeTransactions(transactions)) {
    if (!("unread" in one)) swaps.set(one.transaction.signature, one.decoded.swaps.length)
  }
  return [...some].every(([signature, { decoded }]) => {
    return swaps.get(signature) === decoded.swaps.length
  })
}

/**
 * Asks another endpoint for a block of which balances contradict swaps. Returns its answer where it
 * has all of these swaps and bears more of them out; who told the first is blamed. Null where no
 * swap is contradicted, nobody else answers, or the other contradicts them as well.
 */
export const borneOut = (
  nodes: Nodes,
  slot: number,
  certainty: Certainty,
  told: Told
): Effect.Effect<Told | null, SourceError> =>
  Effect.gen(function* () {
    const bad = contradicted(told.block)
    if (bad.size === 0) return null
    const mine = nodes.labelOf(told.by)
    const other = yield* nodes.elsewhere(new Set([mine]), slot, "full", certainty)
    if (other?.block.hash !== told.block.hash) return null
    if (contradicted(other.block).size >= bad.size || !tellsSwapsOf(other.block, bad)) return null
    const words =
      `slot ${slot} with balances that contradict swaps of ${bad.size} transactions, ` +
      `which those of ${nodes.labelOf(other.by)} bear out`
    yield* nodes.asking.convict(told.by, `${mine}: ${words}`)
    return other
  })
