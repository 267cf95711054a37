/** What a transaction tells of pools but for swaps, by events, else by instructions. */
import { gainOf, movesWithin } from "./instruction-moves.ts"
import type { PoolEvent, Refusal } from "./swap.ts"
import type { Instruction, Transaction } from "./transaction.ts"
import type { PoolCall, PoolFacts, SolanaVenue } from "./venue.ts"
import type { VenueEvent } from "./venue-events.ts"

/** An instruction that works on a pool, at its place in the transaction. */
export interface PoolCallAt {
  readonly venue: SolanaVenue
  readonly call: PoolCall
}

/** Facts by what tells them: an event of some rank, or the instruction itself. */
interface Told {
  readonly event: string
  readonly rank: number
  readonly facts: PoolFacts
}

interface Found {
  readonly poolEvents: Array<PoolEvent>
  readonly refusals: Array<Refusal>
}

const accountAt = ({ accounts }: Instruction, at: number | undefined): string | null =>
  at === undefined ? null : (accounts.at(at) ?? null)

/**
 * Whose shares an instruction burns, by the balances that the node told; null where it burns none,
 * or those of several.
 */
const ownerOfBurnt = (transaction: Transaction, at: number): string | null => {
  const burnt = movesWithin(transaction, at).filter(({ native, from, to }) => {
    return !native && from !== null && to === null
  })
  const owners = burnt.map(({ from }) => transaction.tokenBalances.get(from ?? "")?.owner ?? null)
  return new Set(owners).size === 1 ? (owners[0] ?? null) : null
}

/** Returns facts in which what the instruction lists stands for what the event left out. */
const filled = (
  facts: PoolFacts,
  call: PoolCall,
  transaction: Transaction,
  at: number
): PoolFacts => {
  const { tokenBalances } = transaction
  const instruction = transaction.instructions[at]!
  const pool = accountAt(instruction, call.pool)
  if (facts.pool !== null && facts.pool !== pool) return facts
  const mintAt = (i: 0 | 1): string | null =>
    accountAt(instruction, call.mints?.[i]) ??
    tokenBalances.get(accountAt(instruction, call.vaults?.[i]) ?? "")?.mint ??
    null
  if (facts.kind === "graduated") return { ...facts, mint: facts.mint ?? mintAt(0) }
  const one = accountAt(instruction, call.mint)
  const only = facts.kind === "created" ? -1 : facts.amounts.findIndex(amount => amount !== 0n)
  const mints = [
    facts.mints[0] ?? (only === 0 ? one : null) ?? mintAt(0),
    facts.mints[1] ?? (only === 1 ? one : null) ?? mintAt(1)
  ] as const
  if (facts.kind === "created") {
    const terms = call.creates?.(instruction.data)
    const { deposit = null } = facts
    const owner = deposit?.owner ?? accountAt(instruction, call.owner)
    return {
      ...facts,
      ...(deposit === null ? {} : { deposit: { ...deposit, owner } }),
      mints,
      fee: facts.fee ?? terms?.fee ?? null,
      spacing: facts.spacing ?? terms?.spacing ?? null
    }
  }
  const listed = facts.owner ?? accountAt(instruction, call.owner)
  const owner = listed ?? (call.burns === true ? ownerOfBurnt(transaction, at) : null)
  return {
    ...facts,
    pool,
    mints,
    owner,
    position: facts.position ?? accountAt(instruction, call.position)
  }
}

/**
 * Returns the events of an instruction that tell of pools: of one that was told by call and by log
 * the call, which no limit of the log cuts off.
 */
const toldOnce = (events: ReadonlyArray<VenueEvent>): ReadonlyArray<VenueEvent> => {
  const called = new Set(events.flatMap(one => (one.carrier === "call" ? [one.pool?.name] : [])))
  return events.filter(({ pool, carrier }) => carrier === "call" || !called.has(pool?.name))
}

/** Returns the fees that an instruction paid out, by what its vaults lost. */
const feesBy = (call: PoolCall, transaction: Transaction, at: number): Told | null => {
  const instruction = transaction.instructions[at]!
  const [first, second] = [0, 1].map(i => accountAt(instruction, call.vaults?.[i]))
  if (call.collects !== true || !first || !second) return null
  const moves = movesWithin(transaction, at)
  const amounts = [-gainOf(moves, first, false), -gainOf(moves, second, false)] as const
  const unknown = { pool: null, owner: null, position: null, mints: [null, null] } as const
  return { event: call.name, rank: 0, facts: { kind: "fees", ...unknown, amounts } }
}

/** Returns what an instruction does by itself; a text says why that is unknown. */
const doneBy = (
  { name, pool, mints, owner, creates, graduatesTo }: PoolCall,
  instruction: Instruction
): Told | Refusal["reason"] | null => {
  if (creates === undefined && graduatesTo === undefined) return null
  const at = accountAt(instruction, pool)
  const [first, second] = [0, 1].map(i => accountAt(instruction, mints?.[i]))
  const to = accountAt(instruction, graduatesTo)
  if (!at || !first || !second || (graduatesTo !== undefined && to === null)) {
    return "an account of the instruction is missing"
  }
  if (creates === undefined) {
    return { event: name, rank: 0, facts: { kind: "graduated", pool: at, mint: first, to } }
  }
  const { deposit: amounts, ...terms } = creates(instruction.data)
  const by = accountAt(instruction, owner)
  const deposit = amounts === undefined ? null : { owner: by, amounts }
  const facts: PoolFacts = { kind: "created", pool: at, mints: [first, second], ...terms, deposit }
  return { event: name, rank: 0, facts }
}

const isNothing = (amounts: readonly [bigint, bigint]): boolean =>
  amounts.every(amount => amount === 0n)

/**
 * Returns what is told by facts: of a pool that is created with a deposit both, of a position that
 * got fees with its change both of these, as far as they are any.
 */
const inParts = (facts: PoolFacts): ReadonlyArray<PoolFacts> => {
  if (facts.kind === "fees") return isNothing(facts.amounts) ? [] : [facts]
  if (facts.kind === "liquidity") {
    const { fees, before: _before, ...position } = facts
    if (fees === undefined) return [facts]
    const { fees: _fees, ...change } = facts
    const paid: PoolFacts = { ...position, kind: "fees", amounts: fees }
    return isNothing(fees) ? [change] : [change, paid]
  }
  if (facts.kind !== "created") return [facts]
  const { deposit = null, ...created } = facts
  if (deposit === null || isNothing(deposit.amounts)) return [created]
  const { pool, mints } = created
  const before = [0n, 0n] as const
  return [created, { kind: "liquidity", pool, mints, position: null, before, ...deposit }]
}

/** Adds what one instruction tells. */
const addInstruction = (
  found: Found,
  transaction: Transaction,
  at: number,
  events: ReadonlyArray<VenueEvent>,
  call: PoolCallAt | undefined
): void => {
  const instruction = transaction.instructions[at]!
  const { path } = instruction
  const told: Array<Told> = []
  const refuse = (venue: SolanaVenue, reason: Refusal["reason"]) =>
    found.refusals.push({ venue, path, reason })
  for (const { venue, pool, swap, payload } of toldOnce(events)) {
    if (pool === null) continue
    const facts =
      payload.length < pool.least
        ? "an event is shorter than its layout"
        : pool.read(payload, instruction.accounts)
    // of a swap's event its instruction says so
    if (typeof facts === "string" && swap === null) refuse(venue, facts)
    if (typeof facts !== "string" && facts !== null)
      told.push({ event: pool.name, rank: pool.rank ?? 0, facts })
  }
  const venue = call?.venue ?? events[0]?.venue
  if (venue === undefined) return
  const done =
    call === undefined
      ? null
      : (feesBy(call.call, transaction, at) ?? doneBy(call.call, instruction))
  if (typeof done === "string") refuse(venue, done)
  else if (done !== null && told.every(({ facts }) => facts.kind !== done.facts.kind)) {
    const { facts } = done
    const isTold = told.some(one => one.facts.kind === "liquidity")
    told.push(
      isTold && facts.kind === "created" ? { ...done, facts: { ...facts, deposit: null } } : done
    )
  }
  for (const { event, rank, facts } of told) {
    const isBest = told.every(other => other.facts.kind !== facts.kind || other.rank >= rank)
    if (!isBest) continue
    const whole = call === undefined ? facts : filled(facts, call.call, transaction, at)
    for (const one of inParts(whole)) {
      found.poolEvents.push({ venue, path, event, facts: one })
    }
  }
}

/**
 * Returns what a transaction tells of pools, in the order of its instructions; events that cannot
 * be read are refused.
 *
 * @param calls by the place of the instruction in the transaction
 */
export const poolEventsOf = (
  transaction: Transaction,
  events: ReadonlyArray<VenueEvent>,
  calls: ReadonlyMap<number, PoolCallAt>
): Found => {
  const found: Found = { poolEvents: [], refusals: [] }
  const byTeller = new Map<number, Array<VenueEvent>>()
  for (const one of events) {
    if (one.pool === null || one.instruction < 0) continue
    const so = byTeller.get(one.instruction)
    if (so === undefined) byTeller.set(one.instruction, [one])
    else so.push(one)
  }
  const tellers = new Set([...byTeller.keys(), ...calls.keys()])
  for (const at of [...tellers].toSorted((a, b) => a - b)) {
    addInstruction(found, transaction, at, byTeller.get(at) ?? [], calls.get(at))
  }
  return found
}
