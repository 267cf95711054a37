/**
 * How it is known that a block's logs are all there. A seal's grade says it: receipts or a bloom
 * that the block commits to, two endpoints that tell the same, or one node's word.
 */

/** `proven` by what blocks commit to; `compared`: two tell the same; `word`: one does. */
export type Assurance = "proven" | "compared" | "word"

const PROVEN: ReadonlySet<string> = new Set(["root", "receipts", "bloom"])
const COMPARED: ReadonlySet<string> = new Set(["second"])

/** Of a block that is a gap, which `GapFound` tells. */
const GAP_GRADE = "unproven"

export const assuranceOf = (grade: string): Assurance =>
  PROVEN.has(grade) || grade === GAP_GRADE ? "proven" : COMPARED.has(grade) ? "compared" : "word"

/** Blocks that far apart are of one run: between them stand such as have no logs. */
export const RUN_BLOCKS = 64
