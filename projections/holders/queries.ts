/** The query for the holders of a token: shares, concentration, and how much of it is known. */

import { firstOf, floorOf, isComplete, type Pin, PinLedger } from "../../engine/late/pin-ledger.ts"
import { type FoldsView, memoryQuery } from "../../engine/query.ts"
import type { QueryRefusal } from "../../engine/question.ts"
import { unsignedAt } from "../../engine/store/wide-integer.ts"
import { assuranceOf } from "../../src/domain/assurance.ts"
import { BURN_SINKS_VERSION } from "../../src/domain/chains/burn-sinks.ts"
import { idBytes, idsOf } from "../../src/domain/ids.ts"
import { shownChain, updatedAt } from "../../src/domain/shown-chain.ts"
import { NULL_I32 } from "../../streams/batch/columns.ts"
import { BACKFILL_GAP } from "../../streams/source.ts"
import { coverageOutput } from "../coverage/output.ts"
import { gapsOf, wordsOf } from "../coverage/queries.ts"
import { tokens } from "../tokens/output.ts"
import { unknownToken } from "../tokens/queries.ts"
import { auditOf } from "./audits.ts"
import { BURN, HOLDER_KINDS, WALLET } from "./known-holders.ts"
import type { HolderLedger } from "./ledger.ts"
import { doubtsOf, type Unproven } from "./queries.doubts.ts"
import { compareRows, type HolderRow, readBalances } from "./reading.ts"
import { READ_BEFORE, sumsOf, supplyNow, supplyRead } from "./supply.ts"
import { holders } from "./tables.ts"

export type HoldersParams = {
  readonly token: string
  readonly limit: number
  /** the block down to which the source has read the token's past; null where it reads none */
  readonly reached: number | null
  /** why the past cannot be read, and why the contract could not be asked */
  readonly problem: string | null
  readonly unaudited: string | null
}

/** The answer gives the common share of this many largest holders, and largest wallets. */
const RANKS = [1, 5, 10, 20, 50, 100] as const
const MOST_RANKED = 100

/** Returns the blocks whose transfers of a token the log holds; null where the token has no pin. */
const pinOf = (view: FoldsView, token: string): Pin | null => {
  const { pins } = new PinLedger(view.output(coverageOutput).pins())
  return pins.find(pin => pin.token === token) ?? null
}

/** Returns how many gaps and doubtful runs of the folded log end at or after a pin. */
const unprovenSince = (view: FoldsView, { addedBlock }: Pin, problem: string | null): Unproven => {
  const isSince = ({ toBlock }: { readonly toBlock: number }) => toBlock >= addedBlock
  const gaps = gapsOf(view).filter(({ reason }) => reason !== BACKFILL_GAP)
  const words = wordsOf(view).filter(({ grade }) => assuranceOf(grade) === "word")
  return { gaps: gaps.filter(isSince).length, words: words.filter(isSince).length, problem }
}

/** Returns a token's decimals and the supply of its newest reading; null where unknown. */
const factsOf = (view: FoldsView, address: string) => {
  const list = view.output(tokens)
  const token = list.find(idBytes(address))
  if (token < 0) return { decimals: null, totalSupply: null }
  const { decimals, total_supply } = list.columns()
  return {
    decimals: decimals[token] === NULL_I32 ? null : (decimals[token] as number),
    // a column of bytes holds zeros for null
    totalSupply: unsignedAt(total_supply, token) || null
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

/** The body of the holder routes (spec, part 2). */
const answerOf = (
  view: FoldsView,
  { limit, reached, problem, unaudited }: HoldersParams,
  ledger: HolderLedger,
  slot: number,
  pin: Pin
) => {
  const { columns } = ledger.tables.tokens
  const { decimals, totalSupply } = factsOf(view, pin.token)
  const sums = sumsOf(columns, slot)
  const read = supplyRead(columns, slot)
  const fits = read === null ? READ_BEFORE : (columns.fits[slot] as number)
  const supply = supplyNow(sums, read ?? totalSupply, fits, isComplete(pin))
  const balances = readBalances(ledger, slot, Math.max(limit, MOST_RANKED))
  const { negatives, lacking, heldElsewhere } = balances
  const audit = auditOf(ledger, slot)
  const unproven = unprovenSince(view, pin, problem)
  const doubts = doubtsOf({ pin, unproven, sums, supply, negatives, audit })
  const zero: HolderRow = { holder: idsOf(view.chain).zero, balance: supply.atZero, kind: BURN }
  const isHolder = zero.balance > 0n
  const rows = isHolder ? [...balances.top, zero].sort(compareRows) : balances.top
  const scale = decimals === null ? null : Number(`1e${decimals}`)
  const first = firstOf(pin)
  // the sum of all balances is what was minted less burnt, without mints to the zero address
  const heldByWallets = sums.made - sums.kept - lacking - heldElsewhere
  return {
    chain: shownChain(view.chain),
    token: pin.token,
    tracked: true,
    complete: doubts.length === 0,
    incompleteBecause: doubts.length === 0 ? null : doubts,
    coverage: {
      addedBlock: pin.addedBlock,
      floorBlock: floorOf(pin),
      createdBlock: first?.reach === "creation" ? first.fromBlock : null,
      backfillCursor: isComplete(pin) ? null : reached,
      forwardCursor: view.block,
      logs: columns.logs[slot] as number,
      ...unproven
    },
    audit: audit === null ? null : { ...audit, at: audit.at * 1000 },
    unaudited,
    decimals,
    totalSupply: supply.supply === null ? null : String(supply.supply),
    supplyFromTransfers: String(sums.made),
    supplyMatches: supply.matches,
    holders: balances.holders + (isHolder ? 1 : 0),
    negativeHolders: negatives,
    heldByWalletsPct: percent(heldByWallets, supply.supply),
    concentration: concentration(rows, supply.supply),
    walletConcentration: concentration(
      rows.filter(({ kind }) => kind === WALLET),
      supply.supply
    ),
    burnSinksVersion: BURN_SINKS_VERSION,
    top: rows.slice(0, limit).map(({ holder, balance, kind }) => ({
      holder,
      balance: String(balance),
      amount: scale === null ? null : Number(balance) / scale,
      sharePct: percent(balance, supply.supply),
      kind: HOLDER_KINDS[kind]
    })),
    updatedAt: updatedAt(view)
  }
}

/** Whether a token may be pinned: it is a side of a pool, or the registry names it. */
const isKnown = (view: FoldsView, address: string): boolean =>
  view.output(tokens).find(idBytes(address)) >= 0 ||
  view.chain.anchors.some(anchor => anchor.address === address)

const notTracked = (view: FoldsView, address: string): QueryRefusal => {
  if (!isKnown(view, address)) return unknownToken(view, address).refusal
  return {
    status: 503,
    code: "HOLDERS_PENDING",
    message: `transfers of token ${address} are not in the log of chain ${shownChain(view.chain)} yet`
  }
}

/** Answers `later` for a token whose earlier transfers are being joined: it is asked again then. */
export const holdersQuery = memoryQuery("holders", (view, params: HoldersParams) => {
  const address = params.token
  const ledger = view.output(holders)
  const slot = ledger.find(idBytes(address))
  if (slot >= 0 && ledger.joining.has(slot)) return { later: true }
  const pin = slot < 0 ? null : pinOf(view, address)
  if (pin === null) return { refused: notTracked(view, address) }
  return { value: answerOf(view, params, ledger, slot, pin) }
})
