/**
 * How it is known that a block's logs are all there, and are as they are told. A seal's grade says
 * it: receipts or a bloom that the block commits to, two endpoints that tell the same, or one
 * node's word. Such a word are also receipts that do not give the root in the header: they have as
 * many logs as the bloom and their numbers show, but nothing commits to the amounts. Proven is the
 * block's time with them, in a header that gives the block's hash. On Solana two that tell the same
 * tell the same signatures, parent, height and time: failed flags, balances, instructions and logs
 * are one's word, of which an audit compares samples; where one is found out, what it told is a gap
 * until others tell it. Of who sent transactions, and of
 * their hashes, a grade says nothing: `SourceStatus.senders` counts what is known of these.
 */

/** `proven` by what blocks commit to; `compared`: two tell the same; `word`: one does. */
export type Assurance = "proven" | "compared" | "word"

/** Of a block whose receipts give the root that its header names. */
export const ROOT_GRADE = "root"

const PROVEN: ReadonlySet<string> = new Set([ROOT_GRADE, "bloom"])

/** Whether more than the word of an endpoint stands for a block of this grade. */
export const isProof = (grade: string): boolean => PROVEN.has(grade)

const COMPARED: ReadonlySet<string> = new Set(["second"])

/** Of a block that is a gap, which `GapFound` tells. */
const GAP_GRADE = "unproven"

/** Of a block whose header does not give its hash, or lacks fields: a word, its time with it. */
export const UNSEALED_GRADE = "unsealed"

/** Of a block whose receipts do not give the root in its header, or lack fields. */
export const ROOTLESS_GRADE = "receipts"

/** Of a block of Solana that two tell alike, of some of whose transactions nobody tells the log. */
export const UNLOGGED_GRADE = "unlogged"

/** Of blocks that nobody has to read, as those before a token was created. */
export const NOTHING_GRADE = "nothing"

/** What a file tells: nobody else can be asked. */
export const FILE_GRADE = "file"

export const assuranceOf = (grade: string): Assurance =>
  PROVEN.has(grade) || grade === GAP_GRADE || grade === NOTHING_GRADE
    ? "proven"
    : COMPARED.has(grade)
      ? "compared"
      : "word"

const ORDER: ReadonlyArray<Assurance> = ["proven", "compared", "word"]

/** The grade of the two that says less. */
export const lesserGrade = (a: string, b: string): string =>
  ORDER.indexOf(assuranceOf(b)) > ORDER.indexOf(assuranceOf(a)) ? b : a

/** Blocks that far apart are of one run: between them stand such as have no logs. */
export const RUN_BLOCKS = 64
