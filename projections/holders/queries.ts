/**
 * The holders of a token: from memory, and from the tables where the fold is too far ahead of what
 * is committed.
 */
import { Effect } from "effect"
import {
  type FoldsContext,
  type MemoryContext,
  type QueryContext,
  type Recall,
  Refused,
  type RowsAnswer,
  rowsQuery
} from "../../engine/query.ts"
import { fromHex, toHex } from "../../src/domain/address.ts"
import { NULL_I32 } from "../../streams/batch/columns.ts"
import { tokens } from "../tokens/output.ts"
import {
  type AskedToken,
  ledgerAnswer,
  MOST_RANKED,
  type Progress,
  pinOf
} from "./queries.answer.ts"
import { type Asked, type Reading, readLedger } from "./reading.ts"
import { readTables } from "./row-reading.ts"
import { holders } from "./tables.ts"

export type HoldersParams = {
  readonly token: string
  readonly limit: number
  /** the block down to which the source has read the token's past; null where it reads none */
  readonly reached: number | null
  /** last blocks of gaps, and of runs that are one node's word, with spaces between them */
  readonly gaps: string
  readonly words: string
  /** why the past cannot be read, and why the contract could not be asked */
  readonly problem: string | null
  readonly unaudited: string | null
}

const blocksIn = (text: string): ReadonlyArray<number> =>
  text === "" ? [] : text.split(" ").map(Number)

const progressOf = ({ reached, gaps, words, problem, unaudited }: HoldersParams): Progress => ({
  reached,
  gaps: blocksIn(gaps),
  words: blocksIn(words),
  problem,
  unaudited
})

/** What is known of a token besides its transfers. */
const askedToken = (context: FoldsContext, address: string): AskedToken => {
  const list = context.output(tokens)
  const token = list.find(fromHex(address))
  if (token < 0) return { address, decimals: null, totalSupply: null }
  const { decimals, total_supply: supply } = list.columns()
  const bytes = supply.subarray(token * 32, token * 32 + 32)
  return {
    address,
    decimals: decimals[token] === NULL_I32 ? null : (decimals[token] as number),
    // all zeros are null there
    totalSupply: bytes.some(byte => byte !== 0) ? BigInt(toHex(bytes)) : null
  }
}

/** Whether a token is worth a pin: a side of a pool, or one that the registry names. */
const isKnown = (context: FoldsContext, address: string): boolean =>
  context.output(tokens).find(fromHex(address)) >= 0 ||
  context.chain.anchors.some(anchor => anchor.address === address)

const notTracked = (context: FoldsContext, address: string): Refused => {
  const { id } = context.chain
  return isKnown(context, address)
    ? new Refused({
        status: 503,
        code: "HOLDERS_PENDING",
        message: `transfers of token ${address} are not in the log of chain ${id} yet`
      })
    : new Refused({
        status: 404,
        code: "UNKNOWN_TOKEN",
        message: `token ${address} is not a side of an indexed pool on chain ${id}`
      })
}

const askedOf = ({ seq, block }: MemoryContext, limit: number): Asked => ({
  seq,
  block,
  rows: Math.max(limit, MOST_RANKED),
  wallets: MOST_RANKED
})

/** A reading from memory; undefined where memory does not tell. */
const recalled = (context: FoldsContext, address: string, limit: number): Reading | undefined => {
  const ledger = context.output(holders)
  const token = ledger.slotAt(address, context.seq)
  if (token < 0) return undefined
  return readLedger(ledger, token, askedOf(context, limit)) ?? undefined
}

const recallHolders: Recall<HoldersParams> = (context, params) => {
  const address = params.token.toLowerCase()
  const reading = recalled(context, address, params.limit)
  const pin = reading === undefined ? null : pinOf(address, reading.marks)
  if (reading === undefined || pin === null) return undefined
  const token = askedToken(context, address)
  return ledgerAnswer(context, token, pin, reading, params.limit, progressOf(params))
}

/** A reading from the tables with its pin; null where the log holds none. */
const readPinned = Effect.fnUntraced(function* (
  context: QueryContext,
  address: string,
  limit: number
) {
  const ledger = context.output(holders)
  const token = ledger.slotAt(address, context.seq)
  if (token < 0) return null
  const reading = yield* readTables(context, ledger, token, askedOf(context, limit))
  const pin = reading === null ? null : pinOf(address, reading.marks)
  return reading === null || pin === null ? null : { reading, pin }
})

const listHolders: RowsAnswer<HoldersParams> = Effect.fnUntraced(function* (context, params) {
  const address = params.token.toLowerCase()
  const found = yield* readPinned(context, address, params.limit)
  if (found === null) return yield* Effect.fail(notTracked(context, address))
  const { pin, reading } = found
  const token = askedToken(context, address)
  return ledgerAnswer(context, token, pin, reading, params.limit, progressOf(params))
})

export const holdersQuery = rowsQuery("holders", listHolders, recallHolders)
