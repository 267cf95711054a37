/** From blocks of Solana to the tape: which swaps they tell, and what stands before them. */
import { base58Ids, ID_BYTES, idBytes } from "../../src/domain/ids.ts"
import type { BatchBuilder } from "../batch/builder.ts"
import { NULL_I32 } from "../batch/columns.ts"
import type { FactBook } from "../facts.ts"
import type { LogBlock } from "../source.ts"
import { TapeWriter, type TapeWriterOptions } from "../tape-writer.ts"
import type { Rollback, SolanaBlock } from "./block.ts"
import { decodeTransaction } from "./decode-transaction.ts"
import { NATIVE_MINT } from "./moves.ts"
import type { Decoded, Refusal, Swap } from "./swap.ts"
import { mintsInOrder, pushSwap } from "./swap-events.ts"
import { placeOf } from "./tape-place.ts"
import type { Transaction } from "./transaction.ts"
import { checkVaults, type VaultCheck } from "./vault-check.ts"
import type { PoolFacts, SolanaVenue } from "./venue.ts"
import { emptyTable, type VenueTable, withTransaction } from "./venue-table.ts"
import { solanaVenues } from "./venues.ts"

const byProgram: ReadonlyMap<string, SolanaVenue> = new Map(
  solanaVenues.map(venue => [venue.program, venue])
)

/** The account under which a transaction is quarantined whose program nobody knows. */
const NOBODY = new Uint8Array(ID_BYTES)
const NOTHING = new Uint8Array(0)

/** Lamports of one SOL, as a power of ten. */
const NATIVE_DECIMALS = 9

/** Why a block may not hold all of its transactions: the reason of a gap. */
const DIFFERENT = "endpoints tell of different transactions, and none of all"

/** Blocks of which the time is known, for a rollback to one of them. */
const TIMES_KEPT = 1024

export interface SolanaTapeWriterOptions extends Omit<TapeWriterOptions, "form" | "facts"> {
  /** gets what swaps tell of pools and mints */
  readonly facts: FactBook
  /** the last blocks of the log, oldest first */
  readonly blocks: ReadonlyArray<LogBlock>
}

/** A transaction with what it tells; the reason of one that could not be read. */
type MaybeRead = { readonly unread: string } | ReadTransaction

interface ReadTransaction {
  readonly transaction: Transaction
  readonly decoded: Decoded
  readonly checks: ReadonlyArray<VaultCheck>
}

/** A block as it is before it is written: its transactions are decoded. */
export interface DecodedBlock {
  readonly block: SolanaBlock
  readonly transactions: ReadonlyArray<MaybeRead>
}

/** Decodes a block, whose mints may be asked for before it is written. */
export const decodeBlock = (block: SolanaBlock): DecodedBlock => ({
  block,
  transactions: block.transactions.map(one => {
    if (one._tag === "MalformedTransaction") return { unread: one.reason }
    const decoded = decodeTransaction(one, byProgram)
    return { transaction: one, decoded, checks: checkVaults(one, decoded.swaps) }
  })
})

/** The mints of a block's swaps and of its new pools, each once. */
export const mintsOf = ({ transactions }: DecodedBlock): ReadonlyArray<string> => {
  const mints = new Set<string | null>()
  for (const one of transactions) {
    if ("unread" in one) continue
    for (const swap of one.decoded.swaps) mints.add(swap.in.mint).add(swap.out.mint)
    for (const { facts } of one.decoded.poolEvents) {
      if (facts.kind === "created") for (const mint of facts.mints) mints.add(mint)
    }
  }
  return [...mints].filter(mint => mint !== null)
}

/** A new pool, and the venue that tells of it. */
type Creation = Extract<PoolFacts, { readonly kind: "created" }> & { readonly venue: SolanaVenue }

/** Something that an instruction tells, in the order in which it is written. */
type Told =
  | { readonly path: number; readonly swap: Swap; readonly check: VaultCheck }
  | { readonly path: number; readonly created: Creation }
  | { readonly path: number; readonly refused: Refusal }

/** What a transaction tells, as its instructions ran; a new pool before swaps in it. */
const toldIn = ({ swaps, refusals, poolEvents }: Decoded, checks: ReadonlyArray<VaultCheck>) => {
  const told: Array<Told> = refusals.map(refused => ({ path: refused.path, refused }))
  for (const { venue, path, facts } of poolEvents) {
    if (facts.kind === "created") told.push({ path, created: { ...facts, venue } })
  }
  for (const [at, swap] of swaps.entries()) {
    told.push({ path: swap.path, swap, check: checks[at] as VaultCheck })
  }
  return told.toSorted((a, b) => a.path - b.path)
}

/** Whether nodes told accounts as the chain has them: what is no account is not to become one. */
const areAccounts = (...texts: ReadonlyArray<string>): boolean =>
  texts.every(text => base58Ids.parseAccount(text) !== null)

/** The program that the outer instruction calls of which a path is a part. */
const outerProgram = ({ instructions }: Transaction, path: number): string | null =>
  instructions.findLast(({ height, path: own }) => height === 1 && own <= path)?.program ?? null

export class SolanaTapeWriter extends TapeWriter {
  private readonly book: FactBook
  private readonly times = new Map<number, number>()
  private newestTime: number
  /** what venues told since the start, as the interface's status has it */
  table: VenueTable = emptyTable(solanaVenues)

  constructor(options: SolanaTapeWriterOptions) {
    super({ ...options, form: base58Ids })
    this.book = options.facts
    for (const { number, time } of options.blocks) if (time !== undefined) this.keep(number, time)
    this.newestTime = options.last?.time ?? 0
  }

  /** Writes a block. One whose time no node knows has that of the block before. */
  writeBlock({ block, transactions }: DecodedBlock): void {
    const time = Math.max(this.newestTime, block.timeSeconds ?? 0)
    this.newestTime = time
    this.keep(block.slot, time)
    const [hash, parentHash] = [idBytes(block.hash), idBytes(block.parentHash)]
    this.beginBlock(block.slot, time, hash, parentHash, block.parentSlot)
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
    this.endBlock(block.grade, true)
  }

  /** Undoes what came after a block. */
  undo({ toBlock, toHash, fromBlock }: Rollback): void {
    const time = this.times.get(toBlock) ?? 0
    for (const slot of this.times.keys()) if (slot > toBlock) this.times.delete(slot)
    this.newestTime = time
    const head = { number: toBlock, time, hash: idBytes(toHash), parentHash: null }
    this.rollback(head, fromBlock, "reorg")
  }

  private keep(slot: number, time: number): void {
    this.times.set(slot, time)
    const [oldest] = this.times.keys()
    if (this.times.size > TIMES_KEPT && oldest !== undefined) this.times.delete(oldest)
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
    const { venue } = "refused" in told ? told.refused : "swap" in told ? told.swap : told.created
    const program = idBytes(venue.program)
    if (place === null) {
      return this.unread(this.blockFacts(), program, "it stands where no place has room", 0)
    }
    if (!this.follows(place)) return
    if ("refused" in told) return this.unread(this.events(), program, told.refused.reason, place)
    if ("created" in told) return this.create(transaction, told.created, place)
    const { swap, check } = told
    if (swap.in.mint === null || swap.out.mint === null) {
      return this.unread(this.events(), program, "the mint of a vault is not told", place)
    }
    const mints = [swap.in.mint, swap.out.mint] as const
    if (!areAccounts(swap.pool, swap.user, swap.trader, ...mints)) {
      return this.unread(this.events(), program, "an account of the swap is none", place)
    }
    this.learn(transaction, swap, mints)
    this.announcePool(idBytes(swap.pool))
    pushSwap(this.events(), transaction, swap, check, place)
    this.wrote(false)
  }

  /** Writes a new pool; one whose mints are not told is known by its first swap. */
  private create(transaction: Transaction, created: Creation, place: number): void {
    const { pool, venue, fee, spacing } = created
    const [one, other] = created.mints
    if (one === null || other === null || this.knowsPool(pool)) return
    if (!areAccounts(pool, one, other)) {
      const program = idBytes(venue.program)
      return this.unread(this.events(), program, "an account of the pool is none", place)
    }
    this.learnMints(transaction, [one, other])
    const out = this.events()
    const c = out.columns.PoolCreated
    c.pool.push(out.ids.account(idBytes(pool)))
    c.venueKind.push(out.sym(venue.name))
    c.factory.push(out.ids.account(idBytes(venue.program)))
    c.tokens.push(mintsInOrder(one, other).map(mint => out.ids.account(idBytes(mint))))
    c.fee.push(fee ?? NULL_I32)
    c.tickSpacing.push(spacing ?? NULL_I32)
    c.source.push(out.sym("log"))
    out.end("PoolCreated", place)
    this.created(true)
    this.wrote(false)
  }

  /** Notes mints that the log does not know: their decimals are told with balances. */
  private learnMints(transaction: Transaction, mints: readonly [string, string]): void {
    for (const token of mints) {
      if (this.knowsToken(token) || this.book.token(token) !== null) continue
      const known = [...transaction.tokenBalances.values()].find(({ mint }) => mint === token)
      const decimals = token === NATIVE_MINT ? NATIVE_DECIMALS : (known?.decimals ?? null)
      const untold = { symbol: null, name: null, totalSupply: null }
      this.book.addToken({ token, ...untold, decimals, source: "call" })
    }
  }

  /** Notes what a swap tells of its pool, where the log does not know it yet. */
  private learn(transaction: Transaction, swap: Swap, mints: readonly [string, string]): void {
    if (this.knowsPool(swap.pool)) return
    this.learnMints(transaction, mints)
    const { name, program } = swap.venue
    this.book.addPool({
      ...{ pool: swap.pool, venueKind: name, factory: program },
      tokens: mintsInOrder(...mints),
      ...{ fee: null, tickSpacing: null, source: "call" }
    })
  }

  /** Says of a transaction, or of what one of its programs told, why it was not read. */
  private unread(out: BatchBuilder, account: Uint8Array, reason: string, place: number): void {
    const c = out.columns.LogQuarantined
    c.address.push(out.ids.account(account))
    c.topics.push(NOTHING)
    c.data.push(NOTHING)
    c.reason.push(out.sym(reason))
    out.end("LogQuarantined", place)
    this.wrote(true)
  }
}
