/** Puts blocks together of what files hold of one slot. */
import { basename } from "node:path"
import type { PartOfBlock, SolanaBlock } from "../../solana/block.ts"
import type { MalformedTransaction, Transaction } from "../../solana/transaction.ts"
import type { BlockFacts } from "../file/block-facts.ts"
import type { Place } from "./slot-index.ts"
import type { SolanaDocument } from "./solana-documents.ts"

/** What files hold of one slot, in the order of `Place`s. */
export type SlotParts = ReadonlyArray<{
  readonly place: Place
  readonly document: SolanaDocument | undefined
}>

/** Why the reading ends here, with the place that it ends at. */
export interface SlotProblem {
  readonly _tag: "SlotProblem"
  readonly place: Place
  readonly reason: string
}

/** A block, and how often something in it was told again. */
export interface FileBlock {
  readonly _tag: "FileBlock"
  readonly block: SolanaBlock | PartOfBlock
  readonly duplicates: number
}

const CHANGED = "the file was changed while it was read"

const problem = (place: Place, reason: string): SlotProblem => ({
  _tag: "SlotProblem",
  place,
  reason
})

/** The second at which the slot's block was made; null where nothing tells it. */
const timeOf = (parts: SlotParts, facts: BlockFacts): number | SlotProblem | null => {
  let time = null as number | null
  for (const { place } of parts) {
    const { slot, timeSeconds } = place
    if (timeSeconds === null) continue
    if (time !== null && time !== timeSeconds) {
      return problem(place, `slot ${slot} has another time than in the lines before`)
    }
    time = timeSeconds
  }
  const [first] = parts
  const stated = first === undefined ? undefined : facts.get(first.place.slot)?.time
  if (first === undefined || stated === undefined || time === null) return time ?? stated ?? null
  const reason = `slot ${first.place.slot} has another time in the file of block times`
  return time === stated ? time : problem(first.place, reason)
}

const transactionAt = ({ document, place }: SlotParts[number]): Transaction | null => {
  if (document?._tag !== "LooseTransactions") return null
  const one = document.transactions[place.part]
  return one?._tag === "Transaction" && one.slot === place.slot ? one : null
}

/** The single transactions of a slot that no block of the files holds. */
const partOf = (parts: SlotParts, timeSeconds: number): FileBlock | SlotProblem => {
  const first = parts[0] as SlotParts[number]
  const found = new Map<string, Transaction | MalformedTransaction>()
  for (const part of parts) {
    const one = transactionAt(part)
    if (one === null) return problem(part.place, CHANGED)
    if (!found.has(one.signature)) found.set(one.signature, one)
  }
  const block: PartOfBlock = {
    _tag: "PartOfBlock",
    grade: "file",
    slot: first.place.slot,
    timeSeconds,
    signatures: [...found.keys()],
    transactions: [...found.values()]
  }
  return { _tag: "FileBlock", block, duplicates: parts.length - found.size }
}

/** A whole block, with what else the files hold of its slot, which must be of it. */
const wholeOf = (
  parts: SlotParts,
  timeSeconds: number,
  paths: ReadonlyArray<string>
): FileBlock | SlotProblem => {
  const { place, document } = parts[0] as SlotParts[number]
  if (document?._tag !== "AnsweredBlock") return problem(place, CHANGED)
  const where = `${basename(paths[place.file] ?? "")}:${place.line}`
  const signatures = new Set(document.signatures)
  for (const other of parts.slice(1)) {
    const { slot } = place
    if (other.document?._tag === "AnsweredBlock") {
      if (other.document.hash === document.hash) continue
      return problem(other.place, `slot ${slot} has another block in ${where}`)
    }
    const one = transactionAt(other)
    if (one === null) return problem(other.place, CHANGED)
    if (!signatures.has(one.signature)) {
      return problem(other.place, `slot ${slot} lacks the transaction in its block of ${where}`)
    }
  }
  const { hash, parentHash, parentSlot, height, failed, transactions } = document
  const block: SolanaBlock = {
    _tag: "Block",
    grade: "file",
    slot: place.slot,
    timeSeconds,
    by: null,
    ...{ hash, parentHash, parentSlot, height, failed, transactions },
    signatures: document.signatures
  }
  return { _tag: "FileBlock", block, duplicates: parts.length - 1 }
}

/**
 * Returns the block of a slot, or of which single transactions there are the part; why it cannot be
 * one; null where nothing tells its time.
 *
 * @param facts times of blocks by their slots, for those whose files do not tell it
 */
export const blockOfSlot = (
  parts: SlotParts,
  facts: BlockFacts,
  paths: ReadonlyArray<string>
): FileBlock | SlotProblem | null => {
  const time = timeOf(parts, facts)
  if (time === null || typeof time !== "number") return time
  return parts[0]?.place.part === -1 ? wholeOf(parts, time, paths) : partOf(parts, time)
}
