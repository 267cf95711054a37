/**
 * The journal of blocks: number, time and branch of each, written before the block is mined. Block
 * contents follow from these and the seed, so a devchain killed at any moment mines the same blocks
 * with the same hashes again, and whoever read the old ones sees no fork.
 */
import type { BlockToPlan } from "./block-plan.ts"

export const journalLine = ({ number, time, branch }: BlockToPlan): string =>
  `${number} ${time} ${branch}\n`

const LINE = /^\d+ \d+ \d+$/

export interface Journal {
  /** the blocks to mine again, oldest first */
  readonly blocks: ReadonlyArray<BlockToPlan>
  /** whether a crash cut the last line short, which is left out */
  readonly isTorn: boolean
  /** the first line that is none, counted from 1, which no crash leaves; null for none */
  readonly damagedLine: number | null
}

/**
 * Reads a journal. A number that comes once more (a retry, a fork) replaces the earlier line and
 * all after it.
 */
export const readJournal = (text: string): Journal => {
  const blocks: Array<BlockToPlan> = []
  const lines = text.split("\n")
  const rest = lines.pop() ?? ""
  const damaged = lines.findIndex(line => !LINE.test(line))
  for (const line of lines.slice(0, damaged < 0 ? lines.length : damaged)) {
    const [number = 0, time = 0, branch = 0] = line.split(" ").map(Number)
    while ((blocks.at(-1)?.number ?? -1) >= number) blocks.pop()
    blocks.push({ number, time, branch })
  }
  return { blocks, isTorn: rest !== "", damagedLine: damaged < 0 ? null : damaged + 1 }
}
