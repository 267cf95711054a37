/** What is said of gaps: their blocks may lack something, or hold what is wrong. */
import { BACKFILL_GAP, DOUBTED_GAP, type Gap } from "../../streams/source.ts"

/** Returns gaps of blocks that were read; history that is yet to be read is none. */
export const unprovenOf = (gaps: ReadonlyArray<Gap>): ReadonlyArray<Gap> =>
  gaps.filter(({ reason }) => reason !== BACKFILL_GAP)

const RETOLD = /^other (.+) were told of some of them first$/

/** Returns the reason of a gap of blocks that were told otherwise later; see `differingText`. */
export const retoldReason = (what: string): string =>
  `other ${what} were told of some of them first`

/** Returns what is wrong with a gap's blocks, where nothing of them is known to be missing. */
const wrongIn = (reason: string): string | null =>
  reason === DOUBTED_GAP ? "transactions" : (RETOLD.exec(reason)?.[1] ?? null)

/** Gaps of one kind. */
export interface GapKind {
  /** what is true of their blocks, in words behind "blocks" */
  readonly what: string
  /** whether the blocks may be incomplete, and are not only told wrong */
  readonly lacks: boolean
  /** one at least */
  readonly gaps: readonly [Gap, ...ReadonlyArray<Gap>]
}

/**
 * Returns gaps by what is true of them, in the order of the first of each kind.
 *
 * @param contents what blocks of the chain hold (`Family`)
 */
export const gapKinds = (
  gaps: ReadonlyArray<Gap>,
  contents: "logs" | "transactions"
): ReadonlyArray<GapKind> => {
  const kinds = new Map<string, GapKind>()
  for (const gap of gaps) {
    const wrong = wrongIn(gap.reason)
    const what =
      wrong === null
        ? `may lack ${contents}`
        : `may have wrong ${wrong.replace("transactions", contents)}`
    const others = kinds.get(what)?.gaps
    const all = others === undefined ? ([gap] as const) : ([...others, gap] as const)
    kinds.set(what, { what, lacks: wrong === null, gaps: all })
  }
  return [...kinds.values()]
}
