/**
 * Swaps of a transaction by `@solana/kit` in the straightforward way: what the node told is walked
 * as objects, base58 and structs are decoded by kit's codecs, and each swap's vaults are compared
 * with the balances. It knows where the accounts of the venues' instructions stand from the venues
 * themselves; versions and cases that the measured transactions do not have are left out, which
 * makes it quicker than a whole decoder could be.
 */
import {
  getBase16Decoder,
  getBase58Encoder,
  getBase64Encoder,
  getStructDecoder,
  getU8Decoder,
  getU32Decoder,
  getU64Decoder,
  type ReadonlyUint8Array
} from "@solana/kit"
import type { Hop, SolanaVenue, SwapCall } from "../../streams/solana/venue.ts"
import { venuesByProgram as venues } from "../../streams/solana/venues.ts"
import { type KitEvent, kitEvents } from "./kit-events.ts"
import type { KitInstruction, KitTransaction } from "./kit-transaction.ts"

/** A swap as both sides of the contest must find it. */
export interface PlainSwap {
  readonly signature: string
  readonly program: string
  readonly pool: string
  readonly user: string
  readonly mintIn: string | null
  readonly mintOut: string | null
  readonly amountIn: bigint
  readonly amountOut: bigint
  readonly verdict: string
}

const [base16, base58, base64] = [getBase16Decoder(), getBase58Encoder(), getBase64Encoder()]
const SYSTEM = "11111111111111111111111111111111"
const TOKEN_PROGRAMS = [
  "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
  "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"
]
const NATIVE_MINT = "So11111111111111111111111111111111111111112"
const EVENT_TAG = "e445a52e51cb9a1d"

/** An instruction with the programs and accounts that its indices mean. */
interface Call {
  readonly program: string
  readonly accounts: ReadonlyArray<string>
  readonly data: string
  readonly height: number
  /** what called it; null for an outer one */
  readonly parent: Call | null
  /** payloads that it logged, in base64 */
  readonly logged: Array<string>
}

const callsOf = (told: KitTransaction, keys: ReadonlyArray<string>): Array<Call> => {
  const inner = new Map((told.meta.innerInstructions ?? []).map(one => [one.index, one]))
  const calls: Array<Call> = []
  const add = ({ programIdIndex, accounts, data }: KitInstruction, height: number) => {
    calls.push({
      program: keys[programIdIndex] as string,
      accounts: accounts.map(index => keys[index] as string),
      data,
      height,
      parent: calls.findLast(call => call.height === height - 1) ?? null,
      logged: []
    })
  }
  for (const [index, outer] of told.transaction.message.instructions.entries()) {
    add(outer, 1)
    for (const one of inner.get(index)?.instructions ?? []) add(one, Number(one.stackHeight))
  }
  return calls
}

/** Gives each call what it logged: the k-th `invoke` of a program is its k-th instruction. */
const attachLogs = (calls: ReadonlyArray<Call>, lines: ReadonlyArray<string>): void => {
  const stack: Array<Call> = []
  let next = 0
  for (const line of lines) {
    const words = line.split(" ")
    if (line.startsWith("Program data: ")) stack.at(-1)?.logged.push(words[2] as string)
    else if (line.startsWith("Program log: ray_log: ")) {
      stack.at(-1)?.logged.push(words[3] as string)
    } else if (words[0] === "Program" && words[2] === "invoke") {
      const at = calls.findIndex((call, i) => i >= next && call.program === words[1])
      stack.push(calls[at] as Call)
      next = at + 1
    } else if (words[0] === "Program" && (words[2] === "success" || words[2] === "failed:")) {
      stack.pop()
    }
  }
}

const tagOf = ({ tagBytes }: SolanaVenue, bytes: ReadonlyUint8Array): string =>
  base16.decode(bytes.slice(0, tagBytes))

/** The event of a swap: of the calls that a program made to itself, else of what it logged. */
const eventOf = (call: Call, venue: SolanaVenue, calls: ReadonlyArray<Call>): KitEvent | null => {
  const payloads =
    venue.eventAuthority === null
      ? call.logged.map(text => base64.encode(text))
      : calls
          .filter(({ parent, program }) => parent === call && program === venue.program)
          .map(({ data }) => base58.encode(data))
          .filter(bytes => base16.decode(bytes.slice(0, 8)) === EVENT_TAG)
          .map(bytes => bytes.slice(8))
  for (const payload of payloads) {
    const read = kitEvents[venue.program]?.[tagOf(venue, payload)]
    if (read !== undefined) return read(payload)
  }
  return null
}

/** One side of a swap. */
interface Side {
  readonly vault: string
  readonly native: boolean
  readonly mint: string | null
  readonly gain: bigint
}

interface Found {
  readonly call: Call
  readonly pool: string
  readonly user: string
  readonly into: Side
  readonly from: Side
}

/** What token accounts held before and after, and of which token. */
interface Held {
  readonly mint: string
  before: bigint
  after: bigint
}

const heldOf = ({ meta }: KitTransaction, keys: ReadonlyArray<string>): Map<string, Held> => {
  const held = new Map<string, Held>()
  for (const side of ["before", "after"] as const) {
    const list = side === "before" ? meta.preTokenBalances : meta.postTokenBalances
    for (const { accountIndex, mint, uiTokenAmount } of list ?? []) {
      const account = keys[accountIndex] as string
      const one = held.get(account) ?? { mint, before: 0n, after: 0n }
      one[side] = BigInt(uiTokenAmount.amount)
      held.set(account, one)
    }
  }
  return held
}

const swapOf = (
  call: Call,
  { user, inputFirst }: SwapCall,
  hop: Hop,
  event: KitEvent,
  held: ReadonlyMap<string, Held>
): Found => {
  const account = (at: number) => call.accounts.at(at) as string
  const [first, second] = hop.vaults.map(at => ({ vault: account(at), native: false })) as [
    { vault: string; native: boolean },
    { vault: string; native: boolean }
  ]
  if (hop.lamports !== undefined) {
    second.vault = account(hop.lamports)
    second.native = true
  }
  const isFirstIn = inputFirst === true || event.firstIn === true
  const [into, from] = isFirstIn ? [first, second] : [second, first]
  const mint = (one: typeof first) =>
    one.native ? NATIVE_MINT : (held.get(one.vault)?.mint ?? null)
  return {
    call,
    pool: account(hop.pool),
    user: account(user),
    into: { ...into, mint: mint(into), gain: event.amountIn },
    from: { ...from, mint: mint(from), gain: -event.amountOut }
  }
}

const transfer = getStructDecoder([
  ["kind", getU8Decoder()],
  ["amount", getU64Decoder()]
])
const systemTransfer = getStructDecoder([
  ["kind", getU32Decoder()],
  ["lamports", getU64Decoder()]
])

/** Where the instructions that move tokens have who loses and who gains. */
const TOKEN_MOVES: { readonly [kind: number]: readonly [from: number, to: number] } = {
  3: [0, 1],
  7: [-1, 1],
  8: [0, -1],
  12: [0, 2],
  14: [-1, 1],
  15: [0, -1]
}

interface Moved {
  readonly native: boolean
  readonly from: string | undefined
  readonly to: string | undefined
  readonly amount: bigint
}

const movedBy = ({ program, accounts, data }: Call): Moved | null => {
  const isToken = TOKEN_PROGRAMS.includes(program)
  if (!isToken && program !== SYSTEM) return null
  const bytes = base58.encode(data)
  if (bytes.length < (isToken ? 9 : 12)) return null
  if (isToken) {
    const { kind, amount } = transfer.decode(bytes)
    const places = TOKEN_MOVES[kind]
    if (places === undefined) return null
    return { native: false, from: accounts[places[0]], to: accounts[places[1]], amount }
  }
  const { kind, lamports } = systemTransfer.decode(bytes)
  if (kind !== 0 && kind !== 2) return null
  return { native: true, from: accounts[0], to: accounts[1], amount: lamports }
}

const isWithin = (call: Call, swaps: ReadonlySet<Call>): boolean => {
  for (let above = call.parent; above !== null; above = above.parent)
    if (swaps.has(above)) return true
  return swaps.has(call)
}

/** What a vault gained by the balances that the node told. */
const gainedBy = (
  { meta }: KitTransaction,
  keys: ReadonlyArray<string>,
  held: ReadonlyMap<string, Held>,
  { vault, native }: Side
): bigint | null => {
  if (!native) {
    const one = held.get(vault)
    return one === undefined ? null : one.after - one.before
  }
  const at = keys.indexOf(vault)
  return BigInt(meta.postBalances[at] as number) - BigInt(meta.preBalances[at] as number)
}

/** Whether each swap's vaults gained and lost what all swaps and transfers say. */
const verdictsOf = (
  told: KitTransaction,
  keys: ReadonlyArray<string>,
  calls: ReadonlyArray<Call>,
  held: ReadonlyMap<string, Held>,
  found: ReadonlyArray<Found>
): ReadonlyArray<string> => {
  const swaps = new Set(found.map(({ call }) => call))
  const beside = calls.filter(call => !isWithin(call, swaps)).flatMap(call => movedBy(call) ?? [])
  const isRight = (side: Side): boolean => {
    const isSame = (one: Side) => one.vault === side.vault && one.native === side.native
    let expected = 0n
    for (const { into, from } of found)
      for (const one of [into, from]) if (isSame(one)) expected += one.gain
    for (const { native, from, to, amount } of beside) {
      if (native !== side.native) continue
      if (to === side.vault) expected += amount
      if (from === side.vault) expected -= amount
    }
    return gainedBy(told, keys, held, side) === expected
  }
  return found.map(({ into, from }) => (isRight(into) && isRight(from) ? "ok" : "bad"))
}

/** The swaps of a transaction that did not fail, each held against its vaults. */
export const swapsByKit = (told: KitTransaction): ReadonlyArray<PlainSwap> => {
  const { meta, transaction } = told
  if (meta.err !== null) return []
  const { writable = [], readonly = [] } = meta.loadedAddresses ?? {}
  const keys = [...transaction.message.accountKeys, ...writable, ...readonly]
  const calls = callsOf(told, keys)
  const ofVenues = calls.filter(({ program }) => venues.has(program))
  if (ofVenues.length === 0) return []
  attachLogs(calls, meta.logMessages ?? [])
  const held = heldOf(told, keys)
  const found: Array<Found> = []
  for (const call of ofVenues) {
    const venue = venues.get(call.program) as SolanaVenue
    if (call.accounts.length === 1) continue
    const layout = venue.swapCalls[tagOf(venue, base58.encode(call.data))]
    const event = layout === undefined ? null : eventOf(call, venue, calls)
    const hop = layout?.hops[0]
    if (layout === undefined || hop === undefined || event === null) continue
    if (event.pool !== null && event.pool !== call.accounts.at(hop.pool)) continue
    found.push(swapOf(call, layout, hop, event, held))
  }
  const verdicts = verdictsOf(told, keys, calls, held, found)
  return found.map(({ call, pool, user, into, from }, at) => ({
    signature: transaction.signatures[0] as string,
    program: call.program,
    pool,
    user,
    mintIn: into.mint,
    mintOut: from.mint,
    amountIn: into.gain,
    amountOut: -from.gain,
    verdict: verdicts[at] as string
  }))
}
