/**
 * Runs of blocks that are not proven to have all their logs. The grade in a block's seal says how
 * it is known: proven by receipts or a bloom, compared between two endpoints, or one node's word.
 */
import {
  type Assurance,
  assuranceOf,
  FILE_GRADE,
  ROOTLESS_GRADE,
  UNLOGGED_GRADE,
  UNSEALED_GRADE
} from "../../src/domain/assurance.ts"
import { familyOf } from "../../src/domain/chain-family.ts"
import type { NamedChain } from "../../src/domain/shown-chain.ts"
import type { BlockRange, Gap } from "../../streams/source.ts"
import { gapKinds, unprovenOf } from "./gap-words.ts"

/** A stretch in which `blocks` blocks have a grade that proves nothing. */
export interface WordRun extends BlockRange {
  readonly grade: string
  readonly blocks: number
}

const sumOf = (runs: ReadonlyArray<WordRun>): number =>
  runs.reduce((sum, { blocks }) => sum + blocks, 0)

/** Returns the lowest assurance of the runs; `proven` without any. */
export const leastOf = (runs: ReadonlyArray<WordRun>): Assurance => {
  const all = new Set(runs.map(({ grade }) => assuranceOf(grade)))
  return all.has("word") ? "word" : all.has("compared") ? "compared" : "proven"
}

/** Whether a grade is one node's word that a second node could confirm: a file's is not. */
export const isWord = (grade: string): boolean =>
  assuranceOf(grade) === "word" && grade !== FILE_GRADE

/** Runs of one grade that are shown one by one. */
const MAX_SHOWN_RUNS = 50

const joined = (runs: ReadonlyArray<WordRun>): ReadonlyArray<WordRun> => {
  const [first, last] = [runs[0], runs[runs.length - 1]]
  if (first === undefined || last === undefined) return []
  return [{ ...last, fromBlock: first.fromBlock, blocks: sumOf(runs) }]
}

/**
 * Returns the newest runs of each grade, with all older ones joined to one, by their first block.
 * No run is left out, because warnings to readers are made from these.
 */
export const toldRuns = (runs: ReadonlyArray<WordRun>): ReadonlyArray<WordRun> => {
  const grades = [...new Set(runs.map(({ grade }) => grade))]
  const shown = grades.flatMap(grade => {
    const all = runs.filter(run => run.grade === grade)
    const newest = Math.max(0, all.length - MAX_SHOWN_RUNS)
    return [...joined(all.slice(0, newest)), ...all.slice(newest)]
  })
  return shown.sort((a, b) => a.fromBlock - b.fromBlock)
}

const DOUBTS = new Map([
  [
    "word",
    "nothing shows that all of their transactions are here, as blocks of Solana commit to none. " +
      "A second endpoint that tells the same would bear them out"
  ],
  [
    UNSEALED_GRADE,
    "nothing proves their times and logs, since their headers do not give their hashes. " +
      "An endpoint that tells all fields of a header lets them be checked"
  ],
  [
    ROOTLESS_GRADE,
    "nothing proves the amounts in their logs, since their receipts do not give the roots in their " +
      "headers. Another endpoint may tell receipts that do"
  ],
  [
    UNLOGGED_GRADE,
    "nobody who was asked tells all logs of their transactions, so what only logs tell, as " +
      "reserves, may be missing. An endpoint that keeps logs would tell it"
  ]
])

/** Returns why runs are no more than a word, and what may help; a general text for mixed grades. */
const doubtOf = (words: ReadonlyArray<WordRun>): string => {
  const grades = new Set(words.map(({ grade }) => grade))
  const [grade = ""] = grades
  const doubt = grades.size === 1 ? DOUBTS.get(grade) : undefined
  return (
    doubt ??
    "nothing proves that all logs are here. A second endpoint, or one with receipts, lets them be checked"
  )
}

/** Returns the warning about words; none for blocks of a file, which the user chose. */
export const wordWarning = (runs: ReadonlyArray<WordRun>): ReadonlyArray<string> => {
  const words = runs.filter(({ grade }) => isWord(grade))
  const [first, last] = [words[0], words[words.length - 1]]
  if (first === undefined || last === undefined) return []
  const blocks = sumOf(words)
  const what =
    blocks === 1
      ? `1 block, ${first.fromBlock}, is`
      : `${blocks} blocks of ${first.fromBlock}..${last.toBlock} are`
  return [`${what} one node's word: ${doubtOf(words)}`]
}

/** Returns warnings about gaps, one for each kind; none about history that is not read yet. */
export const gapWarnings = (
  gaps: ReadonlyArray<Gap>,
  chain: Pick<NamedChain, "family">
): ReadonlyArray<string> => {
  const { contents, settled } = familyOf(chain)
  return gapKinds(unprovenOf(gaps), contents).map(({ what, gaps: [first, ...others] }) => {
    const { length } = others
    const more = length === 0 ? "" : ` and ${length} other stretch${length === 1 ? "" : "es"}`
    return (
      `blocks ${first.fromBlock}..${first.toBlock}${more} ${what}: ${first.reason}. ` +
      `They are read again until ${settled}`
    )
  })
}
