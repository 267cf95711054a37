/** The swaps of one swap instruction, by its events, else by what it moves. */
import { gainOf } from "./instruction-moves.ts"
import { NATIVE_MINT, TOKEN_2022 } from "./moves.ts"
import type { Refusal, Swap, SwapSide } from "./swap.ts"
import type { Instruction, Move, Transaction } from "./transaction.ts"
import type { Hop, SolanaVenue, SwapCall, SwapFacts } from "./venue.ts"
import type { VenueEvent } from "./venue-events.ts"

export interface CallInput {
  readonly transaction: Transaction
  /** the instruction's place in the transaction */
  readonly at: number
  readonly venue: SolanaVenue
  readonly call: SwapCall
  /** the venue's events that this instruction told */
  readonly events: ReadonlyArray<VenueEvent>
  /** what the instruction moves */
  readonly moves: ReadonlyArray<Move>
}

/** A swap as its event or its transfers tell it. */
interface Told {
  readonly event: string | null
  readonly facts: SwapFacts
}

/** An account of a pool that holds one of its sides. */
interface Vault {
  readonly account: string
  readonly native: boolean
  readonly mint: string | null
  /** see `SwapSide` */
  readonly share: string | null
}

/** Where a swap happens: its pool, and the vaults of first and second token. */
interface Place {
  readonly pool: string
  readonly first: Vault
  readonly second: Vault
}

type Reason = Refusal["reason"]

const MISSING = "an account of the instruction is missing"
const UNTOLD = "neither an event nor transfers tell the amounts"

const accountAt = ({ accounts }: Instruction, at: number): string | undefined => accounts.at(at)

/**
 * Returns the events to believe, in their order: of those told twice, the better ones by the
 * venue's rank, and of one event's copies those that the program told by a call, which no limit of
 * the log cuts off.
 */
const believed = (events: ReadonlyArray<VenueEvent>): ReadonlyArray<Told> | Reason => {
  let best: Array<VenueEvent> = []
  let [rank, carrier] = [Number.POSITIVE_INFINITY, "log"]
  for (const event of events) {
    if (event.swap === null || event.swap.rank > rank) continue
    const isBetter = event.swap.rank < rank || (event.carrier === "call" && carrier === "log")
    if (isBetter) {
      best = []
      rank = event.swap.rank
      carrier = event.carrier
    }
    if (event.carrier === carrier) best.push(event)
  }
  const told: Array<Told> = []
  for (const { swap, payload } of best) {
    if (swap === null) continue
    if (payload.length < swap.least) return "an event is shorter than its layout"
    told.push({ event: swap.name, facts: swap.read(payload) })
  }
  return told
}

const vaultOf = (
  { tokenBalances }: Transaction,
  instruction: Instruction,
  at: number,
  [mintAt, shareAt]: readonly [number | undefined, number | undefined]
): Vault | null => {
  const account = accountAt(instruction, at)
  if (account === undefined) return null
  const listed = mintAt === undefined ? undefined : accountAt(instruction, mintAt)
  const share = shareAt === undefined ? null : (accountAt(instruction, shareAt) ?? null)
  const mint = tokenBalances.get(account)?.mint ?? listed ?? null
  return { account, native: false, mint, share }
}

const placeOf = ({ transaction, at }: CallInput, hop: Hop, paysToken: boolean): Place | null => {
  const instruction = transaction.instructions[at]!
  const pool = accountAt(instruction, hop.pool)
  const [first, second] = ([0, 1] as const).map(i =>
    vaultOf(transaction, instruction, hop.vaults[i], [hop.mints?.[i], hop.shares?.[i]])
  ) as [Vault | null, Vault | null]
  if (pool === undefined || first === null || second === null) return null
  const curve = hop.lamports === undefined ? undefined : accountAt(instruction, hop.lamports)
  if (curve === undefined || paysToken) return { pool, first, second }
  return { pool, first, second: { account: curve, native: true, mint: NATIVE_MINT, share: null } }
}

/** Returns whether the first vault gained, by what was moved; null where that is not plain. */
const firstGained = ({ moves }: CallInput, { first, second }: Place): boolean | null => {
  const gains = [first, second].map(({ account, native }) => gainOf(moves, account, native))
  const [one, other] = [gains[0]!, gains[1]!]
  if (one > 0n && other < 0n) return true
  return one < 0n && other > 0n ? false : null
}

/** Token-2022 keeps a part of a transfer in what it moves, unsaid where the mint has such a fee. */
const maySkim = ({ tokenBalances }: Transaction, { first, second }: Place): boolean =>
  [first, second].some(({ account }) => tokenBalances.get(account)?.program === TOKEN_2022)

/** Returns the amounts that the instruction moved between the vaults and the user. */
const toldByMoves = (input: CallInput, place: Place): Told | null => {
  const firstIn = firstGained(input, place)
  if (firstIn === null) return null
  const [into, from] = firstIn ? [place.first, place.second] : [place.second, place.first]
  const facts: SwapFacts = {
    pool: null,
    firstIn,
    amountIn: gainOf(input.moves, into.account, into.native),
    amountOut: -gainOf(input.moves, from.account, from.native),
    after: null,
    ...(maySkim(input.transaction, place) ? { caveat: "a transfer fee may be unsaid" } : {})
  }
  return { event: null, facts }
}

/** Returns the swap at a place; a text says why there is none. */
const swapAt = (
  input: CallInput,
  hop: number,
  place: Place,
  { event, facts }: Told
): Swap | Reason => {
  const { transaction, at, venue, call } = input
  const instruction = transaction.instructions[at]!
  const user = accountAt(instruction, call.user)
  if (user === undefined) return MISSING
  if (facts.pool !== null && facts.pool !== place.pool) return "an event is of another pool"
  const firstIn = call.inputFirst === true ? true : (facts.firstIn ?? firstGained(input, place))
  if (firstIn === null) return UNTOLD
  const side = (vault: Vault, amount: bigint, slack = 0n): SwapSide => ({
    vault: vault.account,
    native: vault.native,
    mint: vault.mint,
    amount,
    share: vault.share,
    slack
  })
  const [into, from] = firstIn ? [place.first, place.second] : [place.second, place.first]
  return {
    venue,
    path: instruction.path,
    hop,
    instruction: call.name,
    pool: place.pool,
    user,
    trader: transaction.signers.has(user) ? user : transaction.feePayer,
    in: side(into, facts.amountIn, facts.slack?.in),
    out: side(from, facts.amountOut, facts.slack?.out),
    // transfers tell the direction by places, which are of the pool where they are not of the swap
    inIsFirst: call.inputFirst === true ? (event === null ? null : facts.firstIn) : firstIn,
    event,
    after: facts.after,
    caveat: facts.caveat ?? null
  }
}

/**
 * Returns the vaults of a swap whose instruction does not say where its accounts stand: those of
 * the pool that gained and lost just what the event says, by transfers that no swap before it has
 * taken. An account whose owner no balance tells is taken where none is told to be the pool's.
 */
const placeByMoves = (
  { transaction, moves }: CallInput,
  { pool, amountIn, amountOut }: SwapFacts,
  taken: Set<Move>
): Place | null => {
  const free = moves.filter(move => !move.native && !taken.has(move))
  const ownerOf = (account: string | null): string | null =>
    account === null ? null : (transaction.tokenBalances.get(account)?.owner ?? null)
  const ofPool = (fits: (move: Move) => boolean, side: "from" | "to"): Move | undefined => {
    const fitting = free.filter(fits)
    const own = fitting.find(move => pool !== null && ownerOf(move[side]) === pool)
    return own ?? fitting.find(move => ownerOf(move[side]) === null)
  }
  const paid = ofPool(({ amount, fee }) => amount - fee === amountIn, "to")
  const got = ofPool(move => move !== paid && move.amount === amountOut, "from")
  if (pool === null || !paid?.to || !got?.from) return null
  taken.add(paid).add(got)
  const [first, second] = [paid.to, got.from].map(account => ({
    account,
    native: false,
    mint: transaction.tokenBalances.get(account)?.mint ?? null,
    share: null
  }))
  return { pool, first: first!, second: second! }
}

/** Returns a swap for each event, of an instruction that trades with any number of pools. */
const swapsByEvents = (
  input: CallInput,
  told: ReadonlyArray<Told>
): ReadonlyArray<Swap> | Reason => {
  const taken = new Set<Move>()
  const swaps: Array<Swap> = []
  if (told.length === 0) return UNTOLD
  for (const [hop, one] of told.entries()) {
    const place = placeByMoves(input, one.facts, taken)
    if (place === null) return UNTOLD
    const swap = swapAt(input, hop, place, one)
    if (typeof swap === "string") return swap
    swaps.push(swap)
  }
  return swaps
}

/** Returns the swaps of an instruction; a text says why they cannot be read. */
export const swapsOfCall = (input: CallInput): ReadonlyArray<Swap> | Reason => {
  const told = believed(input.events)
  if (typeof told === "string") return told
  const { hops } = input.call
  if (hops.length === 0) return swapsByEvents(input, told)
  if (told.length > hops.length) return "more events than swaps"
  const swaps: Array<Swap> = []
  for (const [index, hop] of hops.entries()) {
    // a log that was cut off lacks the last ones, or all
    const event = told[index]
    const place = placeOf(input, hop, event?.facts.paysToken === true)
    if (place === null) return MISSING
    const one = event ?? toldByMoves(input, place)
    if (one === null) return UNTOLD
    const swap = swapAt(input, index, place, one)
    if (typeof swap === "string") return swap
    swaps.push(swap)
  }
  return swaps
}
