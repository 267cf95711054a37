/** The query for the holders of a token. */
import type { QueryRefusal } from "../../engine/lane/protocol.ts"
import { type FoldsContext, memoryQuery } from "../../engine/query.ts"
import { fromHex, toHex } from "../../src/domain/address.ts"
import { assuranceOf } from "../../src/domain/assurance.ts"
import { NULL_I32 } from "../../streams/batch/columns.ts"
import { BACKFILL_GAP } from "../../streams/source.ts"
import { gapsOf, wordsOf } from "../coverage/queries.ts"
import { tokens } from "../tokens/output.ts"
import {
  type AskedToken,
  ledgerAnswer,
  MOST_RANKED,
  type Progress,
  pinOf
} from "./queries.answer.ts"
import { readLedger } from "./reading.ts"
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

const endsOf = (runs: ReadonlyArray<{ readonly toBlock: number }>): ReadonlyArray<number> =>
  runs.map(({ toBlock }) => toBlock)

/** Returns what the source knows, with the gaps and doubtful blocks of the folded log. */
const progressOf = (context: FoldsContext, params: HoldersParams): Progress => {
  const { reached, problem, unaudited } = params
  return {
    ...{ reached, problem, unaudited },
    gaps: endsOf(gapsOf(context).filter(({ reason }) => reason !== BACKFILL_GAP)),
    words: endsOf(wordsOf(context).filter(({ grade }) => assuranceOf(grade) === "word"))
  }
}

/** Returns a token's facts other than its transfers. */
const askedToken = (context: FoldsContext, address: string): AskedToken => {
  const list = context.output(tokens)
  const token = list.find(fromHex(address))
  if (token < 0) return { address, decimals: null, totalSupply: null }
  const { decimals, total_supply: supply } = list.columns()
  const bytes = supply.subarray(token * 32, token * 32 + 32)
  return {
    address,
    decimals: decimals[token] === NULL_I32 ? null : (decimals[token] as number),
    // a column of bytes holds zeros for null
    totalSupply: bytes.some(byte => byte !== 0) ? BigInt(toHex(bytes)) : null
  }
}

/** Whether a token may be pinned: it is a side of a pool, or the registry names it. */
const isKnown = (context: FoldsContext, address: string): boolean =>
  context.output(tokens).find(fromHex(address)) >= 0 ||
  context.chain.anchors.some(anchor => anchor.address === address)

const notTracked = (context: FoldsContext, address: string): QueryRefusal => {
  const { id } = context.chain
  return isKnown(context, address)
    ? {
        status: 503,
        code: "HOLDERS_PENDING",
        message: `transfers of token ${address} are not in the log of chain ${id} yet`
      }
    : {
        status: 404,
        code: "UNKNOWN_TOKEN",
        message: `token ${address} is not a side of an indexed pool on chain ${id}`
      }
}

/** Answers `later` for a token whose earlier transfers are being joined: it is asked again then. */
export const holdersQuery = memoryQuery("holders", (context, params: HoldersParams) => {
  const address = params.token.toLowerCase()
  const ledger = context.output(holders)
  const slot = ledger.find(fromHex(address))
  if (slot < 0) return { refused: notTracked(context, address) }
  if (ledger.joining.has(slot)) return { later: true }
  const wanted = { rows: Math.max(params.limit, MOST_RANKED), wallets: MOST_RANKED }
  const reading = readLedger(ledger, slot, wanted)
  const pin = pinOf(address, reading.marks)
  if (pin === null) return { refused: notTracked(context, address) }
  const token = askedToken(context, address)
  const value = ledgerAnswer(
    context,
    token,
    pin,
    reading,
    params.limit,
    progressOf(context, params)
  )
  return { value }
})
