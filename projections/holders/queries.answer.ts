/** What is told of a token's holders: shares, concentration, and how much of the past is known. */
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
import { type Supply, supplyNow } from "./supply.ts"

/** Numbers of holders whose shares together are told. */
const RANKS = [1, 5, 10, 20, 50, 100] as const

/** Wallets, and holders, that shares together need. */
export const MOST_RANKED = 100

const ZERO_HOLDER = `0x${"0".repeat(40)}`

/** The token's address and what the lane's memory tells of it. */
export interface AskedToken {
  readonly address: string
  readonly decimals: number | null
  /** raw units as of the newest reading of all */
  readonly totalSupply: bigint | null
}

/** What speaks for and against the ledger besides its rows. */
export interface Progress {
  /** how far the reading of earlier transfers is; null where none is under way */
  readonly reached: number | null
  /** last blocks of the runs that are not proven */
  readonly gaps: ReadonlyArray<number>
  /** and of those that are one node's word */
  readonly words: ReadonlyArray<number>
  /** why transfers of before the pin are not there; null where they come, or are */
  readonly problem: string | null
  /** why holders could not be compared with the contract when that was tried last; else null */
  readonly unaudited: string | null
}

/** Runs of blocks since the token was pinned that speak against its ledger. */
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

/** Where the log's transfers of a token begin and end; null where it says of none that they are. */
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
  /** why the ledger may not be the whole truth; empty where all that can be checked agrees */
  readonly doubts: ReadonlyArray<string>
  readonly supply: Supply
  readonly rows: ReadonlyArray<HolderRow>
  readonly holders: number
  readonly heldByWallets: bigint
}

/** A number of things that are, or of one that is. */
const counted = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${count} ${many}`

/** What is missing of the past. */
const missingOf = (pin: Pin, problem: string | null): string => {
  const floor = floorOf(pin)
  const before = `transfers before block ${floor} are not in the ledger`
  return pin.filled.some(({ reach, fromBlock }) => reach === "floor" && fromBlock === floor)
    ? `when the token was created cannot be told: transfers before block ${floor} are not read`
    : problem === null
      ? `${before} yet`
      : `${before}: ${problem}`
}

const stretch = (first: Mark, last: Mark): string => `${first.fromBlock}..${last.toBlock}`

/** What is said of parts of the past by how they were read, where anything is. */
const gradesDoubt = (
  marks: ReadonlyArray<Mark>,
  isDoubted: (grade: string | null) => boolean,
  say: (blocks: string) => string
): ReadonlyArray<string> => {
  const found = marks
    .filter(({ reach, grade }) => reach !== null && isDoubted(grade))
    .toSorted((a, b) => a.fromBlock - b.fromBlock)
  const [first, last] = [found[0], found[found.length - 1]]
  return first === undefined || last === undefined ? [] : [say(stretch(first, last))]
}

const PIN_AGAIN = "an endpoint with receipts, or a second one, lets a new pin of it be checked"

/** Transfers that a node may have left out: nothing proves that all are here. */
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

/** What speaks against the ledger: transfers that are missing, or that do not explain the token. */
const doubtsOf = (
  pin: Pin,
  { sums, negatives, audit, marks }: Reading,
  { matches, supply }: Supply,
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

/** Puts the zero address among the holders where it has some. */
const sharesOf = (token: AskedToken, pin: Pin, reading: Reading, unproven: Unproven): Shares => {
  const read = reading.supply ?? token.totalSupply
  const supply = supplyNow(reading.sums, read, reading.fits, isComplete(pin))
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

/** Of all of it 100 at most, however doubles round; more only where there is more than all. */
const percent = (part: bigint, supply: bigint | null): number | null => {
  if (supply === null || supply <= 0n) return null
  const pct = Number(part * 100n) / Number(supply)
  return part <= supply ? Math.min(100, pct) : pct
}

/** Shares of the largest, together. */
const concentration = (rows: ReadonlyArray<HolderRow>, supply: bigint | null) => {
  const told: { [top: string]: number | null } = {}
  let sum = 0n
  let next = 0
  for (const rank of RANKS) {
    for (; next < Math.min(rank, rows.length); next++) sum += (rows[next] as HolderRow).balance
    told[`top${rank}`] = percent(sum, supply)
  }
  return told
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
