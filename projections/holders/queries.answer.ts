/** The answer about a token's holders: shares, concentration, and how much of the past is known. */
import {
  firstOf,
  floorOf,
  isComplete,
  type Pin,
  type PinMark
} from "../../engine/late/pin-ledger.ts"
import type { MemoryContext } from "../../engine/query.ts"
import { assuranceOf } from "../../src/domain/assurance.ts"
import { BURN_SINKS_VERSION } from "./burn-sinks.ts"
import { BURN, HOLDER_KINDS, WALLET } from "./known-holders.ts"
import type { Mark } from "./ledger.ts"
import { compareRows, type HolderRow, type Reading } from "./reading.ts"
import { READ_BEFORE, type Supply, supplyNow } from "./supply.ts"

/** The answer gives the common share of this many largest holders. */
const RANKS = [1, 5, 10, 20, 50, 100] as const

/** Largest holders, and largest wallets, that the common shares are computed from. */
export const MOST_RANKED = 100

const ZERO_HOLDER = `0x${"0".repeat(40)}`

/** The token's address and its facts in the lane's memory. */
export interface AskedToken {
  readonly address: string
  readonly decimals: number | null
  /** raw units as of the token's newest reading */
  readonly totalSupply: bigint | null
}

/** What makes the ledger more or less complete, besides its rows. */
export interface Progress {
  /** the block that the reading of earlier transfers has reached; null where none is under way */
  readonly reached: number | null
  /** last block of each run of blocks that is not proven */
  readonly gaps: ReadonlyArray<number>
  /** last block of each run of blocks that is one node's word */
  readonly words: ReadonlyArray<number>
  /** why transfers of before the pin are missing; null where they are being read, or are there */
  readonly problem: string | null
  /** why the last attempt to compare holders with the contract failed; null where it did not */
  readonly unaudited: string | null
}

/** Numbers of runs of blocks since the pin whose transfers are in doubt, by the reason. */
interface Unproven {
  readonly gaps: number
  readonly words: number
  readonly problem: string | null
}

const unprovenSince = ({ addedBlock }: Pin, { gaps, words, problem }: Progress): Unproven => ({
  gaps: gaps.filter(last => last >= addedBlock).length,
  words: words.filter(last => last >= addedBlock).length,
  problem
})

/** Returns the blocks whose transfers of a token the log holds; null where the token has no pin. */
export const pinOf = (token: string, marks: ReadonlyArray<Mark>): Pin | null => {
  const added = marks.filter(({ reach }) => reach === null).map(({ at }) => at)
  if (added.length === 0) return null
  const filled = marks.filter(({ reach }) => reach !== null)
  return {
    token,
    addedBlock: Math.min(...added),
    filled: filled.map((mark): PinMark => ({ token, ...mark }))
  }
}

interface Shares {
  /** reasons why the ledger may be incomplete; empty where everything that can be checked agrees */
  readonly doubts: ReadonlyArray<string>
  readonly supply: Supply
  readonly rows: ReadonlyArray<HolderRow>
  readonly holders: number
  readonly heldByWallets: bigint
}

/** Returns a number with its noun, in the singular for one. */
const counted = (count: number, singular: string, plural: string): string =>
  count === 1 ? `1 ${singular}` : `${count} ${plural}`

/** Returns the sentence that says which transfers are missing. */
const missingOf = (pin: Pin, problem: string | null): string => {
  const floor = floorOf(pin)
  if (floor === 0) {
    const words =
      "transfers of all blocks from block 0 on are in the ledger, but the log does not say that none is missing"
    return problem === null ? `${words} yet` : `${words}: ${problem}`
  }
  const before = `transfers before block ${floor} are not in the ledger`
  return pin.filled.some(({ reach, fromBlock }) => reach === "floor" && fromBlock === floor)
    ? `when the token was created cannot be told: transfers before block ${floor} are not read`
    : problem === null
      ? `${before} yet`
      : `${before}: ${problem}`
}

const stretch = (first: Mark, last: Mark): string => `${first.fromBlock}..${last.toBlock}`

/**
 * Returns the sentence that `say` makes of the blocks whose grade is doubted; none where no grade
 * is.
 */
const gradesDoubt = (
  marks: ReadonlyArray<Mark>,
  isDoubted: (grade: string | null) => boolean,
  say: (blocks: string) => string
): ReadonlyArray<string> => {
  const doubted = marks
    .filter(({ reach, grade }) => reach !== null && isDoubted(grade))
    .toSorted((a, b) => a.fromBlock - b.fromBlock)
  const [first, last] = [doubted[0], doubted[doubted.length - 1]]
  return first === undefined || last === undefined ? [] : [say(stretch(first, last))]
}

const PIN_AGAIN = "an endpoint with receipts, or a second one, lets a new pin of it be checked"

/** Returns the doubts about blocks that are one node's word, which may have left transfers out. */
const wordDoubts = (
  { addedBlock }: Pin,
  marks: ReadonlyArray<Mark>,
  words: number
): ReadonlyArray<string> => [
  ...(words === 0
    ? []
    : [
        `${counted(words, "run of blocks is", "runs of blocks are")} the word of one node or file since block ` +
          `${addedBlock}: nothing proves that no transfer was left out`
      ]),
  ...gradesDoubt(
    marks,
    grade => grade !== null && assuranceOf(grade) === "word",
    blocks => `transfers of blocks ${blocks} are in part one node's word: ${PIN_AGAIN}`
  ),
  ...gradesDoubt(
    marks,
    grade => grade === null,
    blocks =>
      `the log does not tell how the transfers of blocks ${blocks} are known, as an earlier ` +
      `version read them: ${PIN_AGAIN}`
  )
]

/** Returns all doubts: transfers that are missing, and transfers that do not explain the token. */
const doubtsOf = (
  pin: Pin,
  { sums, negatives, audit, marks }: Reading,
  { matches, supply, isReadBefore }: Supply,
  { gaps, words, problem }: Unproven
): ReadonlyArray<string> => [
  ...(isComplete(pin) ? [] : [missingOf(pin, problem)]),
  ...(gaps === 0
    ? []
    : [
        `${counted(gaps, "run of blocks is", "runs of blocks are")} not proven ` +
          `since block ${pin.addedBlock}`
      ]),
  ...wordDoubts(pin, marks, words),
  ...(isComplete(pin) && supply === null ? ["the token's supply could not be read"] : []),
  ...(isReadBefore
    ? [
        `transfers make a supply of ${sums.made}; the token's is read again, since what was read ` +
          "is older than the ledger"
      ]
    : []),
  ...(matches === false
    ? [
        `transfers make a supply of ${sums.made}, the token says ${supply}: ` +
          "its balances change without transfers, or some are missing"
      ]
    : []),
  ...(negatives === 0
    ? []
    : [`${counted(negatives, "address", "addresses")} sent more than the ledger saw them get`]),
  ...(audit === null || audit.differing === 0
    ? []
    : [
        `${audit.differing} of ${counted(audit.sampled, "sampled holder has", "sampled holders have")} ` +
          "another balance on chain: this token changes balances without transfers " +
          "(rebasing or fees), or some are missing"
      ])
]

/** Computes shares and doubts, with the zero address among the holders where it has a balance. */
const sharesOf = (token: AskedToken, pin: Pin, reading: Reading, unproven: Unproven): Shares => {
  const read = reading.supply ?? token.totalSupply
  const fits = reading.supply === null ? READ_BEFORE : reading.fits
  const supply = supplyNow(reading.sums, read, fits, isComplete(pin))
  const { atZero } = supply
  const zero: HolderRow = { holder: ZERO_HOLDER, balance: atZero, kind: BURN }
  const isHolder = atZero > 0n
  return {
    doubts: doubtsOf(pin, reading, supply, unproven),
    supply,
    rows: isHolder ? [...reading.top, zero].sort(compareRows) : reading.top,
    holders: reading.holders + (isHolder ? 1 : 0),
    heldByWallets: reading.held - reading.heldElsewhere
  }
}

/**
 * Returns a part of the supply in percent: 100 at most however doubles round, and above 100 only
 * where the part is larger than the supply.
 */
const percent = (part: bigint, supply: bigint | null): number | null => {
  if (supply === null || supply <= 0n) return null
  const pct = Number(part * 100n) / Number(supply)
  return part <= supply ? Math.min(100, pct) : pct
}

/** Returns the common shares of the largest holders, by their number. */
const concentration = (rows: ReadonlyArray<HolderRow>, supply: bigint | null) => {
  const shares: { [top: string]: number | null } = {}
  let sum = 0n
  let next = 0
  for (const rank of RANKS) {
    for (; next < Math.min(rank, rows.length); next++) sum += (rows[next] as HolderRow).balance
    shares[`top${rank}`] = percent(sum, supply)
  }
  return shares
}

const walletsOf = (rows: ReadonlyArray<HolderRow>): ReadonlyArray<HolderRow> =>
  rows.filter(({ kind }) => kind === WALLET)

/** The body of the holder routes (spec, part 2). */
export const ledgerAnswer = (
  context: MemoryContext,
  token: AskedToken,
  pin: Pin,
  reading: Reading,
  limit: number,
  progress: Progress
) => {
  const unproven = unprovenSince(pin, progress)
  const shares = sharesOf(token, pin, reading, unproven)
  const { doubts, supply, rows, holders, heldByWallets } = shares
  const scale = token.decimals === null ? null : Number(`1e${token.decimals}`)
  const first = firstOf(pin)
  return {
    chain: context.chain.id,
    token: token.address,
    tracked: true,
    complete: doubts.length === 0,
    incompleteBecause: doubts.length === 0 ? null : doubts,
    coverage: {
      addedBlock: pin.addedBlock,
      floorBlock: floorOf(pin),
      createdBlock: first?.reach === "creation" ? first.fromBlock : null,
      backfillCursor: isComplete(pin) ? null : progress.reached,
      forwardCursor: context.block,
      logs: reading.logs,
      ...unproven
    },
    audit: reading.audit === null ? null : { ...reading.audit, at: reading.audit.at * 1000 },
    unaudited: progress.unaudited,
    decimals: token.decimals,
    totalSupply: supply.supply === null ? null : String(supply.supply),
    supplyFromTransfers: String(reading.sums.made),
    supplyMatches: supply.matches,
    holders,
    negativeHolders: reading.negatives,
    heldByWalletsPct: percent(heldByWallets, supply.supply),
    concentration: concentration(rows, supply.supply),
    walletConcentration: concentration(walletsOf(rows), supply.supply),
    burnSinksVersion: BURN_SINKS_VERSION,
    top: rows.slice(0, limit).map(({ holder, balance, kind }) => ({
      holder,
      balance: String(balance),
      amount: scale === null ? null : Number(balance) / scale,
      sharePct: percent(balance, supply.supply),
      kind: HOLDER_KINDS[kind]
    })),
    updatedAt: context.blockTime * 1000
  }
}
