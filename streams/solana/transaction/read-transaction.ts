/**
 * Reads the result of `getTransaction`, and each transaction of `getBlock`, in the encodings `json`
 * and `jsonParsed`, of the versions legacy, 0 and 1.
 */
import { fromBase58, writeFromBase58 } from "../../../src/domain/base58.ts"
import { isMoving, moveOf, moveOfParsed } from "../moves.ts"
import { type MalformedTransaction, pathOf, type Transaction } from "../transaction.ts"
import { type Fields, fieldsOf, listOf, textsOf, wholeNumber } from "./fields.ts"
import { Draft, matchLogs } from "./match-logs.ts"
import { lamportChangesOf, tokenBalancesOf } from "./read-balances.ts"
import { type Keys, keysOf } from "./read-keys.ts"

/** What a block tells once for all its transactions. */
export interface BlockFacts {
  readonly slot: number | null
  readonly blockTimeSeconds: number | null
}

// Copies of these, as objects of classes, are made in the young generation, whatever V8 has learnt
// of how long others lived that the same place made (decision 222).
const NO_DRAFTS: ReadonlyArray<Draft> = []
const NO_ACCOUNTS: ReadonlyArray<string> = []

const NO_BASE58 = "the data of an instruction is no base58"

/** Characters of the longest data that is read in one place: tokens are moved by 45 at most. */
const ROOM = 1024

const malformed = (reason: string): MalformedTransaction => ({
  _tag: "MalformedTransaction",
  reason
})

/** Returns the accounts that an instruction lists, by index or by name; null where one is none. */
const accountsOf = (listed: unknown, { all }: Keys): ReadonlyArray<string> | null => {
  const list = listOf(listed)
  if (list === null) return null
  const found = NO_ACCOUNTS.slice()
  for (const one of list) {
    const account = typeof one === "string" ? one : all[wholeNumber(one) ?? -1]
    if (account === undefined) return null
    found.push(account)
  }
  return found
}

/** What is read of an instruction: nothing, what it moves, or accounts and data with that. */
type Wanted = "nothing" | "move" | "all"

/** What instructions are read by. */
interface Reading {
  readonly keys: Keys
  readonly watched: ReadonlySet<string> | null
  /** by the index of a program, as far as it is known: most instructions are of a few of them */
  readonly wanted: Array<Wanted | undefined>
}

const wantedOf = (program: string, watched: ReadonlySet<string> | null): Wanted =>
  watched === null || watched.has(program) ? "all" : isMoving(program) ? "move" : "nothing"

/** Data of which only the move is read is written over by the next. */
const scratch = new Uint8Array(ROOM)

/** Returns the instruction of a program by its accounts and bytes; a text says what is wrong. */
const readTold = (
  { keys }: Reading,
  draft: Draft,
  told: Fields,
  wanted: Wanted
): Draft | string => {
  const accounts = accountsOf(told["accounts"], keys)
  const text = told["data"]
  if (accounts === null) return "an instruction lists an account that is none"
  if (typeof text !== "string") return NO_BASE58
  if (wanted === "move" && text.length <= ROOM) {
    const length = writeFromBase58(text, scratch)
    if (length < 0) return NO_BASE58
    draft.move = moveOf(draft.program, accounts, scratch, length)
    return draft
  }
  const data = fromBase58(text, Buffer.allocUnsafe)
  if (data === null) return NO_BASE58
  draft.accounts = accounts
  draft.data = data
  draft.move = moveOf(draft.program, accounts, data, data.length)
  return draft
}

/** Returns the instruction at a path; a text says what is wrong with it. */
const readInstruction = (
  value: unknown,
  reading: Reading,
  outer: number,
  inner: number | null
): Draft | string => {
  const told = fieldsOf(value)
  const path = pathOf(outer, inner)
  if (told === null || path === null) return "an instruction is none, or has no path"
  const named = told["programId"]
  const index = typeof named === "string" ? null : wholeNumber(told["programIdIndex"])
  const program = typeof named === "string" ? named : reading.keys.all[index ?? -1]
  if (program === undefined) return "an instruction has no program"
  const height = inner === null ? 1 : (wholeNumber(told["stackHeight"]) ?? 0)
  const draft = new Draft(path, height, program)
  if (told["parsed"] !== undefined) {
    draft.move = moveOfParsed(program, told["parsed"])
    return draft
  }
  const wanted = reading.wanted[index ?? -1] ?? wantedOf(program, reading.watched)
  if (index !== null) reading.wanted[index] = wanted
  return wanted === "nothing" ? draft : readTold(reading, draft, told, wanted)
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
  const all = NO_DRAFTS.slice()
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

class ReadTransaction implements Transaction {
  readonly _tag = "Transaction"
  readonly signature: string
  slot: number | null = null
  blockTimeSeconds: number | null = null
  readonly version: Transaction["version"]
  failed = false
  readonly feePayer: string
  readonly signers: ReadonlySet<string>
  readonly accountKeys: ReadonlyArray<string>
  readonly instructions: ReadonlyArray<Draft>
  readonly log: Transaction["log"]
  readonly tokenBalances: Transaction["tokenBalances"]
  readonly lamportChanges: Transaction["lamportChanges"]
  hasBalances = false

  constructor(
    signature: string,
    version: Transaction["version"],
    { all, signers }: Keys,
    instructions: ReadonlyArray<Draft>,
    log: Transaction["log"],
    tokenBalances: Transaction["tokenBalances"],
    lamportChanges: Transaction["lamportChanges"]
  ) {
    this.signature = signature
    this.version = version
    this.feePayer = all[0]!
    this.signers = signers
    this.accountKeys = all
    this.instructions = instructions
    this.log = log
    this.tokenBalances = tokenBalances
    this.lamportChanges = lamportChanges
  }
}

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
  if (signature === undefined) return malformed("no signature")
  if (keys === null) return malformed("the account keys are none")
  const instructions = readInstructions(message, meta, { keys, watched, wanted: [] })
  if (typeof instructions === "string") return malformed(instructions)
  const balances = tokenBalancesOf(meta, keys)
  const lamports = lamportChangesOf(meta, keys)
  if (balances === null || lamports === null) return malformed("the balances are none")
  const log = matchLogs(instructions, textsOf(meta["logMessages"]))
  nameParents(instructions)
  const read = new ReadTransaction(signature, version, keys, instructions, log, balances, lamports)
  read.slot = wholeNumber(told["slot"]) ?? block.slot
  read.blockTimeSeconds = wholeNumber(told["blockTime"]) ?? block.blockTimeSeconds
  read.failed = meta["err"] !== null && meta["err"] !== undefined
  read.hasBalances = Array.isArray(meta["postTokenBalances"])
  return read
}
