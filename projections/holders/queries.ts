/**
 * `holders` { token, limit, reached, gaps, words, problem, unaudited }: answered from memory, and
 * from the tables where the fold is too far ahead of what is committed.
 */
import { Effect } from "effect"
import {
  type MemoryContext,
  type Query,
  type QueryContext,
  type QueryParams,
  type Recall,
  Refused
} from "../../engine/projection.ts"
import { fromHex, toHex } from "../../src/domain/address.ts"
import { NULL_I32 } from "../../streams/batch/columns.ts"
import { tokens } from "../tokens/output.ts"
import {
  type AskedToken,
  ledgerAnswer,
  MOST_RANKED,
  type Progress,
  pinOf
} from "./queries/answer.ts"
import { type Asked, type Reading, readLedger } from "./reading.ts"
import { readTables } from "./row-reading.ts"
import { holders } from "./tables.ts"

type Memory = MemoryContext & Pick<QueryContext, "output">

const addressIn = (params: QueryParams): string => String(params["token"]).toLowerCase()

/** Blocks, as text with spaces between them. */
const blocksIn = (text: QueryParams[string] | undefined): ReadonlyArray<number> =>
  typeof text === "string" && text !== "" ? text.split(" ").map(Number) : []

const progressOf = ({ reached, gaps, words, problem, unaudited }: QueryParams): Progress => ({
  reached: reached === null || reached === undefined ? null : Number(reached),
  gaps: blocksIn(gaps),
  words: blocksIn(words),
  problem: typeof problem === "string" ? problem : null,
  unaudited: typeof unaudited === "string" ? unaudited : null
})

/** What is known of a token besides its transfers. */
const askedToken = (context: Memory, address: string): AskedToken => {
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
const isKnown = (context: Memory, address: string): boolean =>
  context.output(tokens).find(fromHex(address)) >= 0 ||
  context.chain.anchors.some(anchor => anchor.address === address)

const notTracked = (context: Memory, address: string): Refused => {
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
const recalled = (context: Memory, address: string, limit: number): Reading | undefined => {
  const ledger = context.output(holders)
  const token = ledger.slotAt(address, context.seq)
  if (token < 0) return undefined
  return readLedger(ledger, token, askedOf(context, limit)) ?? undefined
}

const recallHolders: Recall = (context, params) => {
  const address = addressIn(params)
  const reading = recalled(context, address, Number(params["limit"]))
  const pin = reading === undefined ? null : pinOf(address, reading.marks)
  if (reading === undefined || pin === null) return undefined
  const token = askedToken(context, address)
  return ledgerAnswer(context, token, pin, reading, Number(params["limit"]), progressOf(params))
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

const listHolders: Query = Effect.fnUntraced(function* (context, params) {
  const address = addressIn(params)
  const found = yield* readPinned(context, address, Number(params["limit"]))
  if (found === null) return yield* Effect.fail(notTracked(context, address))
  const { pin, reading } = found
  const token = askedToken(context, address)
  return ledgerAnswer(context, token, pin, reading, Number(params["limit"]), progressOf(params))
})

export const queries = { holders: listHolders }
export const recalls = { holders: recallHolders }
