/**
 * The journal of the simulated chain: each block as readers were told it, with the transactions as
 * they were sent, so that it is read again without running it, or made again from an older state.
 */
import { createHash } from "node:crypto"
import { getBase64EncodedWireTransaction } from "@solana/kit"
import type { Block, Made } from "./bank.ts"

/** A block, and its transactions as they were sent, in base64. */
export interface KeptBlock {
  readonly block: Block
  readonly wires: ReadonlyArray<string>
}

const SUM_LENGTH = 16
const sumOf = (text: string): string =>
  createHash("sha256").update(text).digest("hex").slice(0, SUM_LENGTH)

export const journalLine = ({ block, sent }: Made): string => {
  const kept: KeptBlock = { block, wires: sent.map(getBase64EncodedWireTransaction) }
  const text = JSON.stringify(kept)
  return `${sumOf(text)} ${text}\n`
}

/** The block of a line; null where the line is not as it was written. */
const blockOf = (line: string): KeptBlock | null => {
  const text = line.slice(SUM_LENGTH + 1)
  return line.startsWith(`${sumOf(text)} `) ? (JSON.parse(text) as KeptBlock) : null
}

export interface Journal {
  readonly kept: ReadonlyArray<KeptBlock>
  /** what of the text is whole: all but an end that was cut short */
  readonly whole: string
  /** lines that are not whole at the end: a kill leaves one at most */
  readonly tornLines: number
  /** the damaged line, counted from 1, where whole ones come after it, which no kill leaves */
  readonly damagedLine: number | null
}

export const readJournal = (text: string): Journal => {
  const lines = text.split("\n")
  // behind the last end of a line stands nothing, or what was cut short
  const rest = lines.pop() ?? ""
  const blocks = lines.map(blockOf)
  const bad = blocks.indexOf(null)
  const end = bad < 0 ? blocks.length : bad
  const isDamaged = blocks.slice(end).some(block => block !== null)
  return {
    kept: blocks.slice(0, end).filter(block => block !== null),
    whole: lines
      .slice(0, end)
      .map(line => `${line}\n`)
      .join(""),
    tornLines: blocks.length - end + (rest === "" ? 0 : 1),
    damagedLine: isDamaged ? end + 1 : null
  }
}

/**
 * The chain of blocks in the order in which they were made; one that stands on an older block took
 * the place of those after that one. It begins with `root` unless the oldest were removed. Returns
 * the slot of a block whose parent is missing, where there is one.
 */
export const chainOf = (
  root: Block,
  kept: ReadonlyArray<KeptBlock>
): ReadonlyArray<KeptBlock> | number => {
  let chain: Array<KeptBlock> = [{ block: root, wires: [] }]
  for (const [i, one] of kept.entries()) {
    const { previousBlockhash, slot } = one.block
    const at = chain.findLastIndex(({ block }) => block.blockhash === previousBlockhash)
    if (at < 0 && i > 0) return slot
    chain = at < 0 ? [] : chain
    chain.length = at + 1
    chain.push(one)
  }
  return chain
}
