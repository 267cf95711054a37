/**
 * Reads the result of `getTransaction`, and each transaction of `getBlock`, in the encodings `json`
 * and `jsonParsed`, of the versions legacy, 0 and 1.
 */
import { fromBase58 } from "../../../src/domain/base58.ts"
import { isMoving, moveOf, moveOfParsed } from "../moves.ts"
import { type MalformedTransaction, type Move, pathOf, type Transaction } from "../transaction.ts"
import { type Fields, fieldsOf, listOf, textsOf, wholeNumber } from "./fields.ts"
import { type Draft, matchLogs, NOTHING_LOGGED } from "./match-logs.ts"
import { lamportChangesOf, tokenBalancesOf } from "./read-balances.ts"
import { type Keys, keysOf } from "./read-keys.ts"

/** What a block tells once for all its transactions. */
export interface BlockFacts {
  readonly slot: number | null
  readonly blockTimeSeconds: number | null
}

const NO_DATA = new Uint8Array(0)
const NO_ACCOUNTS: ReadonlyArray<string> = []

const malformed = (reason: string): MalformedTransaction => ({
  _tag: "MalformedTransaction",
  reason
})

/** Returns the accounts that an instruction lists, by index or by name; null where one is none. */
const accountsOf = (listed: unknown, keys: Keys): ReadonlyArray<string> | null => {
  const found = listOf(listed)?.map(one =>
    typeof one === "string" ? one : keys.all[wholeNumber(one) ?? -1]
  )
  return found?.every(account => account !== undefined) === true ? found : null
}

/** One literal, and nothing made for what is empty: a block has tens of thousands of them. */
const draftOf = (
  path: number,
  height: number,
  program: string,
  move: Move | null,
  accounts: ReadonlyArray<string> = NO_ACCOUNTS,
  data: Uint8Array = NO_DATA
): Draft => ({ path, height, parent: -1, program, accounts, data, move, logged: NOTHING_LOGGED })

/** What instructions are read by. */
interface Reading {
  readonly keys: Keys
  readonly watched: ReadonlySet<string> | null
}

/** Returns the instruction at a path; a text says what is wrong with it. */
const readInstruction = (
  value: unknown,
  { keys, watched }: Reading,
  outer: number,
  inner: number | null
): Draft | string => {
  const told = fieldsOf(value)
  const path = pathOf(outer, inner)
  if (told === null || path === null) return "an instruction is none, or has no path"
  const named = told["programId"]
  const program =
    typeof named === "string" ? named : keys.all[wholeNumber(told["programIdIndex"]) ?? -1]
  if (program === undefined) return "an instruction has no program"
  const height = inner === null ? 1 : (wholeNumber(told["stackHeight"]) ?? 0)
  const parsed = told["parsed"]
  if (parsed !== undefined) return draftOf(path, height, program, moveOfParsed(program, parsed))
  if (watched !== null && !watched.has(program) && !isMoving(program)) {
    return draftOf(path, height, program, null)
  }
  const accounts = accountsOf(told["accounts"], keys)
  const text = told["data"]
  const data = typeof text === "string" ? fromBase58(text) : null
  if (accounts === null) return "an instruction lists an account that is none"
  if (data === null) return "the data of an instruction is no base58"
  return draftOf(path, height, program, moveOf(program, accounts, data), accounts, data)
}

/** Returns the inner instructions by their outer one; null where the list is none. */
const innerLists = (value: unknown): ReadonlyMap<number, ReadonlyArray<unknown>> | null => {
  const lists = new Map<number, ReadonlyArray<unknown>>()
  for (const one of listOf(value) ?? [null]) {
    const told = fieldsOf(one)
    const outer = wholeNumber(told?.["index"])
    const list = listOf(told?.["instructions"])
    if (outer === null || list === null || lists.has(outer)) return null
    lists.set(outer, list)
  }
  return lists
}

/** Returns all instructions as they ran; a text says what is wrong. */
const readInstructions = (
  message: Fields,
  meta: Fields,
  reading: Reading
): Array<Draft> | string => {
  const outers = listOf(message["instructions"])
  const inners = innerLists(meta["innerInstructions"])
  if (outers === null || inners === null) return "the instructions are no list"
  const all: Array<Draft> = []
  for (const [outer, told] of outers.entries()) {
    const read = readInstruction(told, reading, outer, null)
    if (typeof read === "string") return read
    all.push(read)
    for (const [inner, one] of (inners.get(outer) ?? []).entries()) {
      const call = readInstruction(one, reading, outer, inner)
      if (typeof call === "string") return call
      all.push(call)
    }
  }
  const last = Math.max(-1, ...inners.keys())
  return last < outers.length ? all : "inner instructions belong to no instruction"
}

/** Ends the reading: who called whom follows from the heights in their order. */
const nameParents = (all: ReadonlyArray<Draft>): void => {
  /** the newest instruction of each height up to `last` */
  const newest: Array<number> = [-1]
  let last = 0
  for (const [at, one] of all.entries()) {
    // unknown heights: older nodes told none, and the log was cut off
    if (one.height === 0) one.height = 2
    const { height } = one
    newest[height] = at
    if (height > 1 && height <= last + 1) one.parent = newest[height - 1]!
    last = height
  }
}

const versionOf = (value: unknown): Transaction["version"] | null =>
  value === undefined || value === "legacy" ? "legacy" : value === 0 || value === 1 ? value : null

/**
 * Returns a transaction of its JSON, or why it is none.
 *
 * @param watched programs of whose instructions accounts and data are read, beside those that move
 *   tokens; null for all programs
 */
export const readTransaction = (
  json: unknown,
  block: BlockFacts = { slot: null, blockTimeSeconds: null },
  watched: ReadonlySet<string> | null = null
): Transaction | MalformedTransaction => {
  const told = fieldsOf(json)
  const meta = fieldsOf(told?.["meta"])
  const transaction = fieldsOf(told?.["transaction"])
  const message = fieldsOf(transaction?.["message"])
  if (told === null || transaction === null || message === null) return malformed("no message")
  if (meta === null) return malformed("no meta: the node kept no result of the transaction")
  const version = versionOf(told["version"])
  if (version === null) return malformed("the version is another than legacy, 0 and 1")
  const [signature] = textsOf(transaction["signatures"]) ?? []
  const keys = keysOf(message, meta)
  const feePayer = keys?.all[0]
  if (signature === undefined) return malformed("no signature")
  if (keys === null || feePayer === undefined) return malformed("the account keys are none")
  const drafts = readInstructions(message, meta, { keys, watched })
  if (typeof drafts === "string") return malformed(drafts)
  const tokenBalances = tokenBalancesOf(meta, keys)
  const lamportChanges = lamportChangesOf(meta, keys)
  if (tokenBalances === null || lamportChanges === null) return malformed("the balances are none")
  const log = matchLogs(drafts, textsOf(meta["logMessages"]))
  nameParents(drafts)
  return {
    _tag: "Transaction",
    signature,
    slot: wholeNumber(told["slot"]) ?? block.slot,
    blockTimeSeconds: wholeNumber(told["blockTime"]) ?? block.blockTimeSeconds,
    version,
    failed: meta["err"] !== null && meta["err"] !== undefined,
    feePayer,
    signers: keys.signers,
    accountKeys: keys.all,
    instructions: drafts,
    log,
    tokenBalances,
    lamportChanges,
    hasBalances: Array.isArray(meta["postTokenBalances"])
  }
}
