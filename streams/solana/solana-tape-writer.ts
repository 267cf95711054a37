/** From blocks of Solana to the tape: what they tell of pools, and what stands before that. */
import { base58Ids, ID_BYTES, idBytes } from "../../src/domain/ids.ts"
import type { BatchBuilder } from "../batch/builder.ts"
import type { FactBook } from "../facts.ts"
import { forgetOldest } from "../forget-oldest.ts"
import type { Forgotten } from "../late-facts.ts"
import { DOUBTED_GAP, type LogBlock } from "../source.ts"
import { pushPool, pushQuarantined } from "../tape-events.ts"
import { TapeWriter, type TapeWriterOptions } from "../tape-writer.ts"
import { BinSteps } from "./bin-steps.ts"
import type { Doubt, PartOfBlock, Rollback, SolanaBlock } from "./block.ts"
import type { DecodedBlock, ReadTransaction } from "./decoded-block.ts"
import { NATIVE_MINT } from "./moves.ts"
import { stepToldBy, withPrice } from "./pool-after.ts"
import { pushBinStep, pushFees, pushGraduated, pushLiquidity } from "./pool-tape-events.ts"
import type { Decoded, PoolEvent, Refusal, Swap } from "./swap.ts"
import {
  contradiction,
  type MintPair,
  mintsInOrder,
  pushSwap,
  type VirtualReserves
} from "./swap-events.ts"
import { placeOf } from "./tape-place.ts"
import type { Transaction } from "./transaction.ts"
import type { VaultCheck } from "./vault-check.ts"
import type { SolanaVenue } from "./venue.ts"
import { emptyTable, type VenueTable, withTransaction } from "./venue-table.ts"
import { solanaVenues } from "./venues.ts"

/** The account under which a transaction is quarantined whose program nobody knows. */
const NOBODY = new Uint8Array(ID_BYTES)
const NOTHING = new Uint8Array(0)

const NO_ACCOUNT = "an account of the pool is none"

/** Lamports of one SOL, as a power of ten. */
const NATIVE_DECIMALS = 9

/** Why a block may not hold all of its transactions: the reason of a gap. */
const DIFFERENT = "two endpoints tell of different transactions, and no third decides"
const NOT_IN_FILES = "the files hold a part of these slots, or none"

/** Blocks of which the time is known, for a rollback to one of them. */
const TIMES_KEPT = 1024

export interface SolanaTapeWriterOptions extends Omit<TapeWriterOptions, "form" | "facts"> {
  /** gets what swaps tell of pools and mints */
  readonly facts: FactBook
  /** the last blocks of the log, oldest first */
  readonly blocks: ReadonlyArray<LogBlock>
  /** as far as the log tells them; gets those that it will */
  readonly binSteps?: BinSteps
}

/** Something that an instruction tells, in the order in which it is written. */
type Told =
  | { readonly path: number; readonly swap: Swap; readonly check: VaultCheck }
  | { readonly path: number; readonly poolEvent: PoolEvent }
  | { readonly path: number; readonly refused: Refusal }

/**
 * What a transaction tells, as its instructions ran. Of one instruction a new pool comes before
 * swaps in it, and a curve's end after the swap that brought it.
 */
const toldIn = ({ swaps, refusals, poolEvents }: Decoded, checks: ReadonlyArray<VaultCheck>) => {
  const told: Array<Told> = refusals.map(refused => ({ path: refused.path, refused }))
  const events = poolEvents.map(poolEvent => ({ path: poolEvent.path, poolEvent }))
  told.push(...events.filter(({ poolEvent }) => poolEvent.facts.kind === "created"))
  for (const [at, swap] of swaps.entries()) {
    told.push({ path: swap.path, swap, check: checks[at] as VaultCheck })
  }
  told.push(...events.filter(({ poolEvent }) => poolEvent.facts.kind !== "created"))
  return told.toSorted((a, b) => a.path - b.path)
}

/** Whether nodes told accounts as the chain has them: what is no account is not to become one. */
const areAccounts = (...texts: ReadonlyArray<string>): boolean =>
  texts.every(text => base58Ids.parseAccount(text) !== null)

/** The program that the outer instruction calls of which a path is a part. */
const outerProgram = ({ instructions }: Transaction, path: number): string | null =>
  instructions.findLast(({ height, path: own }) => height === 1 && own <= path)?.program ?? null

/** What every pool is known by. */
const poolOf = ({ name, program }: SolanaVenue, pool: string, mints: MintPair) => ({
  ...{ pool, venueKind: name, factory: program },
  tokens: mintsInOrder(...mints)
})

export class SolanaTapeWriter extends TapeWriter {
  private readonly book: FactBook
  private readonly times = new Map<number, number>()
  private readonly binSteps: BinSteps
  /** bin steps that the open block tells, by pool */
  private readonly newSteps = new Map<string, number>()
  private slot = -1
  /** forgotten with a rollback, which takes back what was written */
  private readonly virtuals: VirtualReserves = new Map()
  private newestTime: number
  private newestSlot: number | null
  /** said with the next block */
  private doubts: ReadonlyArray<Doubt> = []
  /** what venues told since the start, as the interface's status has it */
  table: VenueTable = emptyTable(solanaVenues)
  /**
   * Changes of liquidity that are not written, since nothing in their transaction tells which pool
   * and mints their amounts are of: in the wrong order they would be a falsehood. They could be
   * read, so they are not quarantined; what the pool holds its next swap tells.
   */
  untold = 0
  /** blocks that were written and undone */
  orphaned = 0

  constructor(options: SolanaTapeWriterOptions) {
    super({ ...options, form: base58Ids })
    this.book = options.facts
    this.binSteps = options.binSteps ?? new BinSteps()
    for (const { number, time } of options.blocks) if (time !== undefined) this.keep(number, time)
    this.newestTime = options.last?.time ?? 0
    this.newestSlot = options.last?.number ?? null
  }

  /** What was read of the past tells of a token: it is known, whatever is undone here. */
  knowsOfPast(token: string): void {
    if (!this.knowsToken(token)) this.tokens.addAddress(token, 0)
  }

  /**
   * Writes a block, of no earlier time than the one before. A part of one has no hash, and is a
   * gap: it says nothing of what else there was.
   */
  writeBlock({ block, transactions }: DecodedBlock): void {
    const time = Math.max(this.newestTime, block.timeSeconds)
    this.newestTime = time
    this.slot = block.slot
    this.newSteps.clear()
    this.keep(block.slot, time)
    if (block._tag === "PartOfBlock") this.beginBlock(block.slot, time, null, null)
    else {
      const [hash, parentHash] = [idBytes(block.hash), idBytes(block.parentHash)]
      this.beginBlock(block.slot, time, hash, parentHash, block.parentSlot)
    }
    if (this.problem !== null) return
    for (const { fromBlock, toBlock } of this.doubts) this.gap(fromBlock, toBlock, DOUBTED_GAP)
    this.doubts = []
    let place = 0
    for (const one of transactions) {
      if ("unread" in one) this.unread(this.blockFacts(), NOBODY, one.unread, 0)
      else {
        const { signature } = one.transaction
        while (place < block.signatures.length && block.signatures[place] !== signature) place++
        this.transaction(one, place)
      }
    }
    if (block.grade === "unproven") this.gap(block.slot, block.slot, DIFFERENT)
    if (block.grade === "file") this.tellMissing(block)
    this.newestSlot = block.slot
    this.endBlock(block.grade, block._tag === "Block")
  }

  /** What was written of some slots is a gap from the next block on. */
  doubt(doubt: Doubt): void {
    this.doubts = [...this.doubts, doubt]
  }

  /** Undoes what came after a block, whose time is that of the log where it is remembered. */
  undo({ toBlock, toHash, toTime, fromBlock }: Rollback): Forgotten {
    const time = this.times.get(toBlock) ?? toTime
    for (const slot of this.times.keys()) {
      if (slot <= toBlock) continue
      this.times.delete(slot)
      this.orphaned++
    }
    this.virtuals.clear()
    this.binSteps.forgetAfter(toBlock)
    this.newestTime = time
    this.newestSlot = toBlock
    const head = { number: toBlock, time, hash: idBytes(toHash), parentHash: null }
    return this.rollback(head, fromBlock, "reorg")
  }

  /**
   * Tells which slots ahead of a block of files nobody knows: those up to its parent, of a part of
   * one up to the slot itself. Before the first block nothing is missing: the log begins with it.
   */
  private tellMissing(block: SolanaBlock | PartOfBlock): void {
    const to = block._tag === "PartOfBlock" ? block.slot : block.parentSlot
    const from = this.newestSlot === null ? block.slot : this.newestSlot + 1
    if (from <= to) this.gap(from, to, NOT_IN_FILES)
  }

  private keep(slot: number, time: number): void {
    this.times.set(slot, time)
    forgetOldest(this.times, TIMES_KEPT)
  }

  private transaction({ transaction, decoded, checks }: ReadTransaction, place: number): void {
    this.table = withTransaction(this.table, decoded, checks)
    const told = toldIn(decoded, checks)
    const [first] = told
    if (first === undefined) return
    const { signature, feePayer } = transaction
    const program = outerProgram(transaction, first.path)
    const id = idBytes(signature)
    if (id.length !== base58Ids.txBytes || !areAccounts(feePayer, program ?? feePayer)) {
      return this.unread(this.blockFacts(), NOBODY, "its signature or an account is none", 0)
    }
    const target = program === null ? null : idBytes(program)
    this.beginTx(id, place, idBytes(feePayer), target)
    let [path, part] = [-1, 0]
    for (const one of told) {
      part = one.path === path ? part + 1 : 0
      path = one.path
      this.tell(transaction, one, placeOf(place, path, part))
    }
  }

  private tell(transaction: Transaction, told: Told, place: number | null): void {
    const { venue } = "refused" in told ? told.refused : "swap" in told ? told.swap : told.poolEvent
    const program = idBytes(venue.program)
    if (place === null) {
      return this.unread(this.blockFacts(), program, "it stands where no place has room", 0)
    }
    if (!this.follows(place)) return
    if ("refused" in told) return this.unread(this.events(), program, told.refused.reason, place)
    if ("poolEvent" in told) return this.tellPool(transaction, told.poolEvent, place)
    const { swap, check } = told
    if (check.verdict === "bad") {
      // nothing that this swap alone says is believed: neither its pool and mints nor its reserves
      return this.unread(this.events(), program, contradiction(swap, check), place)
    }
    if (swap.in.mint === null || swap.out.mint === null) {
      return this.unread(this.events(), program, "the mint of a vault is not told", place)
    }
    const mints = [swap.in.mint, swap.out.mint] as const
    if (!areAccounts(swap.pool, swap.user, swap.trader, ...mints)) {
      return this.unread(this.events(), program, "an account of the swap is none", place)
    }
    this.learn(transaction, venue, swap.pool, mints)
    const priced = withPrice(transaction, this.stepOf(swap, place), swap)
    pushSwap(this.events(), this.virtuals, transaction, priced, check, { block: this.slot, place })
    this.wrote(false)
  }

  /** The bin step of a swap's pool as the log has it: it gets one that the swap tells first. */
  private stepOf(swap: Swap, place: number): number | null {
    const { pool } = swap
    const known = this.newSteps.get(pool) ?? this.binSteps.before(pool, this.slot)
    const told = known === null ? stepToldBy(swap) : null
    if (told === null) return known
    this.learnStep(pool, told)
    pushBinStep(this.events(), pool, told, place)
    return told
  }

  private learnStep(pool: string, step: number): void {
    this.newSteps.set(pool, step)
    this.binSteps.learn({ pool, step, block: this.slot })
  }

  /** Writes what an instruction tells of a pool, where what it is about is known. */
  private tellPool(transaction: Transaction, { venue, facts }: PoolEvent, place: number): void {
    const program = idBytes(venue.program)
    if (facts.kind === "graduated") {
      const { pool, to } = facts
      if (!areAccounts(pool, to ?? pool))
        return this.unread(this.events(), program, NO_ACCOUNT, place)
      // of one mint nothing is learned; a curve that the book has is told as with its swaps
      if (this.book.pool(pool) !== null) this.announcePool(idBytes(pool))
      pushGraduated(this.events(), facts, this.knowsPool(pool), place)
      return this.wrote(false)
    }
    const { pool } = facts
    const [one, other] = this.mintsOfPool(facts)
    const isTold = pool !== null && one !== null && other !== null
    if (facts.kind !== "created" && !isTold) this.untold++
    // a new pool whose mints are not told is known by its first swap
    if (!isTold) return
    if (facts.kind === "created" && this.knowsPool(pool)) return
    const owner = facts.kind === "created" ? null : facts.owner
    const position = facts.kind === "created" ? null : facts.position
    if (!areAccounts(pool, one, other, owner ?? pool, position ?? pool)) {
      return this.unread(this.events(), program, NO_ACCOUNT, place)
    }
    const mints = [one, other] as const
    if (facts.kind === "created") {
      const { spacing } = facts
      if (venue.shape === "bins" && spacing !== null) this.learnStep(pool, spacing)
      this.learnMints(transaction, mints)
      const { fee, spacing: tickSpacing } = facts
      pushPool(
        this.events(),
        { ...poolOf(venue, pool, mints), fee, tickSpacing, source: "log" },
        place
      )
      this.created(true)
    } else {
      this.learn(transaction, venue, pool, mints)
      const change = { venue, pool, owner, position, sender: transaction.feePayer, mints }
      const { amounts } = facts
      if (facts.kind === "fees") pushFees(this.events(), { ...change, amounts }, place)
      else pushLiquidity(this.events(), { ...change, amounts, before: facts.before }, place)
    }
    this.wrote(false)
  }

  /** The mints of facts: the one that they lack is the pool's other one, where that is known. */
  private mintsOfPool({ pool, mints }: Exclude<PoolEvent["facts"], { kind: "graduated" }>) {
    const [one, other] = mints
    if (pool === null || (one === null) === (other === null)) return mints
    const tokens = this.book.pool(pool)?.tokens ?? []
    const rest = tokens.find(mint => mint !== (one ?? other)) ?? null
    return [one ?? rest, other ?? rest] as const
  }

  /** Notes mints that the log does not know: their decimals are told with balances. */
  private learnMints(transaction: Transaction, mints: MintPair): void {
    for (const token of mints) {
      const told = this.book.token(token)
      if (this.knowsToken(token) || (told !== null && told.decimals !== null)) continue
      const known = [...transaction.tokenBalances.values()].find(({ mint }) => mint === token)
      const decimals = token === NATIVE_MINT ? NATIVE_DECIMALS : (known?.decimals ?? null)
      const untold = { token, symbol: null, name: null, totalSupply: null, source: "call" } as const
      this.book.addToken({ ...(told ?? untold), decimals })
    }
  }

  /** Puts in front of a pool's event what it tells of a pool that the log does not know yet. */
  private learn(transaction: Transaction, venue: SolanaVenue, pool: string, mints: MintPair): void {
    if (!this.knowsPool(pool)) {
      this.learnMints(transaction, mints)
      const untold = { fee: null, tickSpacing: null, source: "call" } as const
      this.book.addPool({ ...poolOf(venue, pool, mints), ...untold })
    }
    this.announcePool(idBytes(pool))
  }

  /** Says of a transaction, or of what one of its programs told, why it was not read. */
  private unread(out: BatchBuilder, account: Uint8Array, reason: string, place: number): void {
    const by = out.ids.account(account)
    pushQuarantined(out, { account: by, topics: NOTHING, data: NOTHING, reason }, place)
    this.wrote(true)
  }
}
