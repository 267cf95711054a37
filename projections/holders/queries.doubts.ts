/** Why a token's ledger may not be the whole truth, in words. */
import { floorOf, isComplete, type Pin } from "../../engine/late/pin-ledger.ts"
import { assuranceOf } from "../../src/domain/assurance.ts"
import type { Audit } from "./audits.ts"
import type { Sums, Supply } from "./supply.ts"

/** Numbers of runs of blocks since the pin whose transfers are in doubt, by the reason. */
export interface Unproven {
  readonly gaps: number
  /** one node's word */
  readonly words: number
  /** why transfers of before the pin are missing; null where they are being read, or are there */
  readonly problem: string | null
}

/** What is to be checked of a ledger. */
interface Checked {
  readonly pin: Pin
  readonly unproven: Unproven
  readonly sums: Sums
  readonly supply: Supply
  readonly negatives: number
  readonly audit: Audit | null
}

/** Returns a number with its noun, in the singular for one. */
const counted = (count: number, singular: string, plural: string): string =>
  count === 1 ? `1 ${singular}` : `${count} ${plural}`

/** Returns the sentence that says which transfers are missing. */
const missingOf = (pin: Pin, problem: string | null): string => {
  const floor = floorOf(pin)
  const why = problem === null ? " yet" : `: ${problem}`
  if (floor === 0) {
    return `transfers of all blocks from block 0 on are in the ledger, but the log does not say that none is missing${why}`
  }
  return pin.filled.some(({ reach, fromBlock }) => reach === "floor" && fromBlock === floor)
    ? `when the token was created cannot be told: transfers before block ${floor} are not read`
    : `transfers before block ${floor} are not in the ledger${why}`
}

/** Returns the stretch of filled blocks whose grade is doubted; null where no grade is. */
const doubtedBlocks = (
  { filled }: Pin,
  isDoubted: (grade: string | null) => boolean
): string | null => {
  const doubted = filled
    .filter(({ grade }) => isDoubted(grade))
    .toSorted((a, b) => a.fromBlock - b.fromBlock)
  const [first, last] = [doubted[0], doubted.at(-1)]
  return first === undefined ? null : `${first.fromBlock}..${last?.toBlock}`
}

const PIN_AGAIN = "an endpoint with receipts, or a second one, lets a new pin of it be checked"

/** Returns the doubts about blocks that are not proven, which may have left transfers out. */
const blockDoubts = ({ pin, unproven: { gaps, words } }: Checked): ReadonlyArray<string> => {
  const doubts: Array<string> = []
  const runs = (count: number): string => counted(count, "run of blocks is", "runs of blocks are")
  if (gaps > 0) doubts.push(`${runs(gaps)} not proven since block ${pin.addedBlock}`)
  if (words > 0) {
    doubts.push(
      `${runs(words)} the word of one node or file since block ${pin.addedBlock}: nothing proves ` +
        "that no transfer was left out"
    )
  }
  const ofWord = doubtedBlocks(pin, grade => grade !== null && assuranceOf(grade) === "word")
  if (ofWord !== null) {
    doubts.push(`transfers of blocks ${ofWord} are in part one node's word: ${PIN_AGAIN}`)
  }
  const untold = doubtedBlocks(pin, grade => grade === null)
  if (untold !== null) {
    doubts.push(
      `the log does not tell how the transfers of blocks ${untold} are known, as an earlier ` +
        `version read them: ${PIN_AGAIN}`
    )
  }
  return doubts
}

/**
 * Returns all doubts, transfers that are missing and transfers that do not explain the token; none
 * where everything that can be checked agrees.
 */
export const doubtsOf = (checked: Checked): ReadonlyArray<string> => {
  const { pin, unproven, sums, supply, negatives, audit } = checked
  const doubts: Array<string> = []
  if (!isComplete(pin)) doubts.push(missingOf(pin, unproven.problem))
  doubts.push(...blockDoubts(checked))
  if (isComplete(pin) && supply.supply === null) {
    doubts.push("the token's supply could not be read")
  }
  if (supply.isReadBefore) {
    doubts.push(
      `transfers make a supply of ${sums.made}; the token's is read again, since what was read ` +
        "is older than the ledger"
    )
  }
  if (supply.matches === false) {
    doubts.push(
      `transfers make a supply of ${sums.made}, the token says ${supply.supply}: ` +
        "its balances change without transfers, or some are missing"
    )
  }
  if (negatives > 0) {
    doubts.push(
      `${counted(negatives, "address", "addresses")} sent more than the ledger saw them get`
    )
  }
  if (audit !== null && audit.differing > 0) {
    doubts.push(
      `${audit.differing} of ${counted(audit.sampled, "sampled holder has", "sampled holders have")} ` +
        "another balance on chain: this token changes balances without transfers " +
        "(rebasing or fees), or some are missing"
    )
  }
  return doubts
}
