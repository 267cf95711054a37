/**
 * The journal of blocks: number, time and branch of each, written before the block is mined. Block
 * contents follow from these and the seed, so a devchain killed at any moment mines the same blocks
 * with the same hashes again, and whoever read the old ones sees no fork.
 */
import type { BlockToPlan } from "./block-plan.ts"

export const journalLine = ({ number, time, branch }: BlockToPlan): string =>
  `${number} ${time} ${branch}\n`

const LINE = /^(\d+) (\d+) (\d+)$/

/**
 * The blocks to mine again, oldest first. A number that comes once more (a retry, a fork) replaces
 * the earlier line and all after it. A last line cut short by a crash is left out.
 */
export const readJournal = (text: string): ReadonlyArray<BlockToPlan> => {
  const blocks: Array<BlockToPlan> = []
  for (const line of text.slice(0, text.lastIndexOf("\n") + 1).split("\n")) {
    const [, number, time, branch] = LINE.exec(line) ?? []
    if (number === undefined) continue
    while ((blocks.at(-1)?.number ?? -1) >= Number(number)) blocks.pop()
    blocks.push({ number: Number(number), time: Number(time), branch: Number(branch) })
  }
  return blocks
}
