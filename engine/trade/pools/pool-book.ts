/**
 * The pools of one chain as its log tells them: facts, states of their kinds' models, and an index
 * by pair. Blocks go in whole and in log order; a `Rollback` takes states back, as far as a journal
 * of the last changes reaches. Quotes read it between blocks.
 */
import { ZERO_ADDRESS } from "../../../src/domain/address.ts"
import { type ChainConfig, wrappedNativeOf } from "../../../src/domain/chain.ts"
import { type EventBatch, KIND } from "../../../streams/batch/batch.ts"
import type { BlockRef, Event, EventOf } from "../../../streams/event.ts"
import { eventAt } from "../../../streams/event-objects.ts"
import { EventViews } from "../../../streams/event-view.ts"
import {
  factsOfCreated,
  isClaim,
  kindNamed,
  kindOfPool,
  venueIdOf,
  venueOfOneContract
} from "../../../streams/pool-venue.ts"
import { sealOf } from "../../../streams/quote-check/pool-check.ts"
import type { WantedState } from "../../../streams/source.ts"
import type { BookImage, Listing, PoolImage } from "./book-image.ts"
import { OpenProofs } from "./open-proofs.ts"
import { type PoolIndex, poolIndex } from "./pool-index.ts"
import { PoolJournal } from "./pool-journal.ts"
import type { PoolMarket, TradePool } from "./pool-market.ts"
import { emptySlot, type KnownPool, type PoolSlot, reasonOf } from "./pool-slot.ts"
import { countQuotable, type PoolCounts, type StatedPool } from "./quotable.ts"
import { ReadRecord } from "./read-record.ts"
import { quotesAgree, ReadProof, RecentBlocks, stateOfRead } from "./read-state.ts"
import { Rollbacks } from "./rollbacks.ts"

/** Changes that can be taken back; a block of a busy chain makes some hundreds. */
const JOURNAL_CHANGES = 1 << 13

const NO_BLOCK: BlockRef = { number: 0, time: 0, hash: null, parentHash: null }

/** What the log's newest sealed block was, and the seq of its end. */
export interface BookPosition {
  readonly seq: number
  readonly block: BlockRef
}

export class PoolBook implements PoolMarket {
  private readonly chain: ChainConfig
  /** the token that wraps the native unit; null where there is none */
  private readonly native: string | null
  private readonly slots = new Map<string, PoolSlot>()
  /** contracts of pools whose id is not their address (Balancer V2) */
  private readonly contracts = new Map<string, PoolSlot>()
  private readonly decimals = new Map<string, number | null>()
  private readonly index: PoolIndex<PoolSlot> = poolIndex()
  private readonly views = new EventViews()
  private readonly journal: PoolJournal
  /** as they were added to the index */
  private readonly listings: Array<Listing> = []
  private readonly recent = new RecentBlocks()
  private readonly rollbacks: Rollbacks
  private readonly proofs = new OpenProofs()
  /** what came of states that were read */
  readonly reads = new ReadRecord()
  private seq = 0
  private at: BookPosition = { seq: 0, block: NO_BLOCK }

  /**
   * A book that begins with an image, or before the log's first event. `mostChanges` and up to as
   * many more can be taken back.
   */
  constructor(chain: ChainConfig, image: BookImage | null = null, mostChanges = JOURNAL_CHANGES) {
    this.chain = chain
    this.native = wrappedNativeOf(chain)
    this.journal = new PoolJournal(mostChanges, image?.seq ?? 0)
    this.rollbacks = new Rollbacks(image?.rollbacks)
    if (image !== null) this.restore(image)
  }

  private restore({ seq, at, pools, listings, decimals }: BookImage): void {
    this.at = at
    this.seq = seq
    for (const [token, known] of decimals) this.decimals.set(token, known)
    for (const { pool, known, swaps, untold } of pools) {
      const slot = emptySlot(pool)
      this.slots.set(pool, slot)
      slot.swaps = swaps
      const kind = known === null ? undefined : kindNamed(known.kind)
      if (known === null || kind === undefined) continue
      slot.known = { ...known, kind }
      if (untold !== null) slot.proof = new ReadProof(kind, known.facts, known.state, untold)
    }
    for (const { pool, tokens } of listings) this.list(this.slot(pool), tokens)
  }

  /** The book as it stands between two segments. */
  image(): BookImage {
    const pools = [...this.slots.values()].map(({ pool, known, swaps, proof }): PoolImage => {
      const told = known === null ? null : { ...known, kind: known.kind.kind }
      return { pool, known: told, swaps, untold: proof?.untoldPlaces ?? null }
    })
    const { seq, at } = this
    const [listings, decimals] = [[...this.listings], [...this.decimals]]
    return { seq, at, pools, listings, decimals, rollbacks: this.rollbacks.all }
  }

  /** The newest block that was folded whole. */
  get position(): BookPosition {
    return this.at
  }

  /** Number of pools. */
  get size(): number {
    return this.slots.size
  }

  /**
   * Takes the events of a segment, the first of which has the seq `firstSeq`. Returns false where a
   * `Rollback` reaches behind the journal: then the log is to be folded from its beginning.
   */
  take(batch: EventBatch, firstSeq: number): boolean {
    this.recent.add(batch, firstSeq)
    for (let i = 0; i < batch.count; i++) {
      this.seq = firstSeq + i
      const kind = batch.kind.get(i)
      if (kind === KIND.BlockSealed) this.sealed(this.views.at(batch, i).block)
      else if (kind === KIND.Rollback) {
        const toSeq = batch.columns.Rollback.toSeq.get(batch.row.get(i))
        this.rollbacks.add({ seq: this.seq, toSeq })
        if (!this.journal.takeBack(toSeq)) return false
        this.recent.undo(toSeq, batch, firstSeq)
      } else this.event(this.views.at(batch, i), batch, i)
    }
    return true
  }

  /** Remembers the events of a segment that an image has: states may be read at its blocks. */
  recall(batch: EventBatch, firstSeq: number): void {
    this.recent.add(batch, firstSeq)
    const { toSeq } = batch.columns.Rollback
    for (let row = 0; row < toSeq.count; row++) {
      this.recent.undo(toSeq.get(row), batch, firstSeq)
    }
  }

  /** The first seq of the segments that are remembered; null where there are none. */
  get recallsFrom(): number | null {
    return this.recent.firstSeq
  }

  /** Pools that hold both tokens; the same objects until something of them changes. */
  readonly between = (tokenA: string, tokenB: string): ReadonlyArray<TradePool> => {
    const pools: Array<TradePool> = []
    for (const slot of this.index.between(tokenA, tokenB)) {
      const { known, shown } = slot
      if (known === null) continue
      // what moves with the time alone has moved to the newest block
      const sealSeq = known.kind.pool.byTime === true ? this.at.seq : 0
      if (shown !== null && shown.known === known && shown.sealSeq === sealSeq) {
        pools.push(shown.trade)
        continue
      }
      const trade = this.tradePool(slot.pool, known)
      slot.shown = { known, sealSeq, trade }
      pools.push(trade)
    }
    return pools
  }

  private tradePool(pool: string, { kind, dex, factory, facts, state }: KnownPool): TradePool {
    const isNative = this.native !== null && facts.tokens.includes(ZERO_ADDRESS)
    const now = kind.pool.byTime === true ? kind.pool.fold(state, sealOf(this.at.block)) : state
    const canonical = isNative ? { ...facts, tokens: facts.tokens.map(this.wrapped) } : facts
    return { pool, dex: dex ?? kind.kind, kind, factory, facts: canonical, isNative, state: now }
  }

  /** All pools of which more is known than that they exist. */
  *pools(): IterableIterator<StatedPool> {
    for (const { known } of this.slots.values()) if (known !== null) yield known
  }

  /** How many pools there are, how many can be quoted, and why others cannot. */
  counts(): PoolCounts {
    return countQuotable(this.reasons())
  }

  private *reasons(): IterableIterator<string | null> {
    for (const slot of this.slots.values())
      if (slot.known !== null) yield reasonOf(slot, slot.known)
  }

  /** Whether what was quoted at a position was undone since. */
  isUndone(seq: number): boolean {
    return this.rollbacks.undid(seq)
  }

  /** Pools that traded, whose state is not known, and of which it can be read; most swaps first. */
  wanted(): ReadonlyArray<WantedState> {
    return this.readable(reason => reason !== null)
  }

  /** Pools that traded and are quoted, of which the state can be read; most swaps first. */
  audited(): ReadonlyArray<WantedState> {
    return this.readable(reason => reason === null)
  }

  private readable(counts: (reason: string | null) => boolean): ReadonlyArray<WantedState> {
    const traded: Array<{ readonly swaps: number; readonly known: KnownPool }> = []
    for (const slot of this.slots.values()) {
      const { known, swaps } = slot
      if (known === null || swaps === 0 || known.facts.tokens.length < 2) continue
      if (known.kind.stateRead === undefined || !counts(reasonOf(slot, known))) continue
      traded.push({ swaps, known })
    }
    traded.sort((a, b) => b.swaps - a.swaps || (a.known.facts.pool < b.known.facts.pool ? -1 : 1))
    return traded.map(({ known: { kind, factory, facts } }) => ({
      ...{ venueKind: kind.kind, factory, facts }
    }))
  }

  /** Decimals of a token; null where nobody told. */
  decimalsOf(token: string): number | null {
    return this.decimals.get(token) ?? null
  }

  /** Pools of the native unit are found under the token that wraps it. */
  private readonly wrapped = (token: string): string =>
    token === ZERO_ADDRESS ? (this.native ?? token) : token

  private sealed(block: BlockRef): void {
    for (const slot of this.proofs.settle()) {
      this.reads.contradicted(slot.pool, block.number)
      if (slot.known !== null) this.drop(slot, slot.known)
    }
    const before = this.at
    this.at = { seq: this.seq, block }
    this.journal.changed(this.seq, () => {
      this.at = before
    })
  }

  private event(event: Event, batch: EventBatch, place: number): void {
    if (event.kind === "TokenSeen") this.token(event)
    else if (event.kind === "GapFound") this.gap()
    else if (event.kind === "PoolCreated") this.created(event)
    else if (event.kind === "PoolStateRead") this.stateRead(event)
    else if ("pool" in event) {
      const { pool } = event
      if (pool === null) return
      const slot = this.slotOf(event, pool)
      this.fold(slot, event)
      if (event.kind === "SwapExecuted") slot.swaps++
      if (slot.proof !== null) this.proofs.take(slot, eventAt(batch, place))
    }
  }

  /**
   * A state read at a recent block is brought here; where the log tells one, they are compared.
   * What was known then counts for nothing: how far back a book can tell depends on where it began,
   * and all books have to say the same of a position.
   */
  private stateRead(event: EventOf<"PoolStateRead">): void {
    const { pool, venueKind, readBlock, readHash } = event
    const slot = this.slotOf(event, pool)
    const { known } = slot
    const after = this.recent.endOf(readBlock, readHash)
    if (known === null || known.kind.kind !== venueKind || after === null) return
    const { kind, facts, factory } = known
    const read = stateOfRead({ kind, facts, factory, known: known.state }, event)
    if (read === null) return
    const proof = new ReadProof(kind, facts, read)
    const { state, refuted } = proof.bring(this.recent.eventsOf(pool, after, this.seq))
    if (reasonOf(slot, known) === null) {
      return this.compare(slot, known, readBlock, refuted === null ? state : null)
    }
    if (refuted !== null) return this.reads.contradicted(pool, refuted)
    this.put(slot, { ...known, state })
    slot.proof = proof.agrees === null ? proof : null
  }

  /**
   * Holds what the log tells of a pool against what its contracts said at a block, brought here;
   * null: a swap since then is none of that.
   */
  private compare(slot: PoolSlot, known: KnownPool, readBlock: number, read: unknown): void {
    const { kind, facts } = known
    const now = (state: unknown): unknown =>
      kind.pool.byTime === true ? kind.pool.fold(state, sealOf(this.at.block)) : state
    const agree = read !== null && quotesAgree(kind, facts, now(known.state), now(read))
    if (agree === true) this.reads.agreed()
    if (agree !== false) return
    this.reads.differed(slot.pool, readBlock)
    this.drop(slot, known)
  }

  /** Nothing is known of a pool's state any more: it is read again. */
  private drop(slot: PoolSlot, known: KnownPool): void {
    slot.proof = null
    this.put(slot, { ...known, state: known.kind.pool.initial(known.facts) })
  }

  /** A pool that nobody listed says it made may be one of long ago, which is not empty. */
  private created(event: EventOf<"PoolCreated">): void {
    const { chain } = this
    const { pool, factory, venueKind, source, tokens } = event
    const kind = kindNamed(kindOfPool(chain, factory, venueKind))
    if (kind === undefined) return
    const slot = this.slot(pool)
    const claimed = isClaim(chain, source, factory, venueKind)
    const isTold = slot.known !== null && slot.known.facts.tokens.length > 0
    if (!(isTold && claimed)) {
      const facts = factsOfCreated(chain, event, token => this.decimalsOf(token))
      const single = venueOfOneContract(chain, kind.kind)
      const dex = venueIdOf(chain, factory, venueKind) ?? single?.id ?? null
      const known = slot.known
      const state = known !== null && known.kind === kind ? known.state : kind.pool.initial(facts)
      this.put(slot, { kind, dex, factory, facts, state })
      this.list(slot, tokens.map(this.wrapped))
    }
    if (slot.known === null) return
    const told: Event = claimed ? { ...event, source: "call" } : event
    this.fold(slot, told)
  }

  private list(slot: PoolSlot, tokens: ReadonlyArray<string>): void {
    const contract = slot.pool.length > 42 ? slot.pool.slice(0, 42) : null
    const before = contract === null ? undefined : this.contracts.get(contract)
    const unlist = this.index.add(slot, tokens)
    if (unlist === null && (contract === null || before === slot)) return
    this.listings.push({ pool: slot.pool, tokens })
    if (contract !== null) this.contracts.set(contract, slot)
    this.journal.changed(this.seq, () => {
      this.listings.pop()
      unlist?.()
      if (contract === null) return
      if (before === undefined) this.contracts.delete(contract)
      else this.contracts.set(contract, before)
    })
  }

  private slot(pool: string): PoolSlot {
    const known = this.slots.get(pool) ?? this.contracts.get(pool)
    if (known !== undefined) return known
    const slot = emptySlot(pool)
    this.slots.set(pool, slot)
    return slot
  }

  /** The pool of an event; of one that was not told of, what the event itself says it is. */
  private slotOf(event: Event, pool: string): PoolSlot {
    const slot = this.slot(pool)
    if (slot.known !== null || !("venueKind" in event)) return slot
    const kind = kindNamed(event.venueKind)
    if (kind === undefined) return slot
    const dex = venueOfOneContract(this.chain, kind.kind)?.id ?? null
    const facts = { pool, tokens: [], fee: null, tickSpacing: null, decimals: [] }
    this.put(slot, { kind, dex, factory: null, facts, state: kind.pool.initial(facts) })
    return slot
  }

  private fold(slot: PoolSlot, event: Event): void {
    const { known } = slot
    if (known === null) return
    const state = known.kind.pool.fold(known.state, event)
    if (state === known.state) return
    // each field by its name: copying all and then setting one takes twice as long
    const { kind, dex, factory, facts } = known
    this.put(slot, { kind, dex, factory, facts, state })
  }

  /** What happened in blocks that are missing is told by no event: no state outlives them. */
  private gap(): void {
    for (const slot of this.slots.values()) {
      if (slot.known === null) continue
      const { kind, facts } = slot.known
      slot.proof = null
      this.put(slot, { ...slot.known, state: kind.pool.initial(facts) })
    }
  }

  private token({ token, decimals }: EventOf<"TokenSeen">): void {
    const before = this.decimals.get(token)
    if (decimals === null || before === decimals) return
    this.decimals.set(token, decimals)
    this.journal.changed(this.seq, () => {
      if (before === undefined) this.decimals.delete(token)
      else this.decimals.set(token, before)
    })
    for (const slot of this.index.of(this.wrapped(token))) {
      if (slot.known === null) continue
      const { facts } = slot.known
      const told = facts.tokens.map(one => this.decimalsOf(one))
      this.put(slot, { ...slot.known, facts: { ...facts, decimals: told } })
    }
  }

  private put(slot: PoolSlot, known: KnownPool): void {
    this.journal.changing(this.seq, slot)
    slot.known = known
  }
}
