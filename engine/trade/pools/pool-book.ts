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
import { type PoolIndex, poolIndex } from "./pool-index.ts"
import type { PoolMarket, TradePool } from "./pool-market.ts"
import { countQuotable, type PoolCounts, type StatedPool, whyUnquoted } from "./quotable.ts"
import { ReadProof, RecentBlocks, stateOfRead } from "./read-state.ts"

/** Changes that can be taken back; a block of a busy chain makes some hundreds. */
const JOURNAL_CHANGES = 1 << 13

/** What is known of a pool; replaced as a whole by every change. */
interface Known extends StatedPool {
  readonly dex: string | null
  readonly factory: string | null
}

interface Slot {
  readonly pool: string
  /** null where nothing is known (any more) */
  known: Known | null
  /** holds a state that was read against swaps until one tells; null where there is none */
  proof: ReadProof | null
  /** swaps that were seen, undone ones among them */
  swaps: number
  /** why it gives no quotes, as it was looked at last */
  why: { readonly known: Known; readonly reason: string | null } | null
  /** the pool as it was shown last, and what that was made of */
  shown: { readonly known: Known; readonly sealSeq: number; readonly trade: TradePool } | null
}

/** What one event changed, of a pool or of something else: undone in the reverse order. */
type Change = { readonly seq: number } & (
  | { readonly slot: Slot; readonly before: Known | null }
  | { readonly undo: () => void }
)

const NO_BLOCK: BlockRef = { number: 0, time: 0, hash: null, parentHash: null }

/** What the log's newest sealed block was, and the seq of its end. */
export interface BookPosition {
  readonly seq: number
  readonly block: BlockRef
}

export class PoolBook implements PoolMarket {
  private readonly chain: ChainConfig
  private readonly mostChanges: number
  /** the token that wraps the native unit; null where there is none */
  private readonly native: string | null
  private readonly slots = new Map<string, Slot>()
  /** contracts of pools whose id is not their address (Balancer V2) */
  private readonly contracts = new Map<string, Slot>()
  private readonly decimals = new Map<string, number | null>()
  private readonly index: PoolIndex<Slot> = poolIndex()
  private readonly views = new EventViews()
  private readonly journal: Array<Change> = []
  /** seq up to which changes can no longer be taken back */
  private settledSeq = 0
  private readonly recent = new RecentBlocks()
  private seq = 0
  private at: BookPosition = { seq: 0, block: NO_BLOCK }

  /** `mostChanges` and up to as many more can be taken back */
  constructor(chain: ChainConfig, mostChanges = JOURNAL_CHANGES) {
    this.chain = chain
    this.mostChanges = mostChanges
    this.native = wrappedNativeOf(chain)
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
        if (!this.takeBack(batch.columns.Rollback.toSeq.get(batch.row.get(i)))) return false
        // what follows it in its own segment counts
        this.recent.add(batch, firstSeq)
      } else this.event(this.views.at(batch, i), batch, i)
    }
    return true
  }

  /** Pools that hold both tokens; the same objects until something of them changes. */
  readonly between = (tokenA: string, tokenB: string): ReadonlyArray<TradePool> => {
    const found: Array<TradePool> = []
    for (const slot of this.index.between(tokenA, tokenB)) {
      const { known, shown } = slot
      if (known === null) continue
      // what moves with the time alone has moved to the newest block
      const sealSeq = known.kind.pool.byTime === true ? this.at.seq : 0
      if (shown !== null && shown.known === known && shown.sealSeq === sealSeq) {
        found.push(shown.trade)
        continue
      }
      const trade = this.tradePool(slot.pool, known)
      slot.shown = { known, sealSeq, trade }
      found.push(trade)
    }
    return found
  }

  private tradePool(pool: string, { kind, dex, factory, facts, state }: Known): TradePool {
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

  /** Pools that traded, whose state is not known, and of which it can be read; most swaps first. */
  wanted(): ReadonlyArray<WantedState> {
    const lacking: Array<{ readonly swaps: number; readonly known: Known }> = []
    for (const slot of this.slots.values()) {
      const { known, swaps } = slot
      if (known === null || swaps === 0 || known.facts.tokens.length < 2) continue
      if (known.kind.stateRead === undefined || reasonOf(slot, known) === null) continue
      lacking.push({ swaps, known })
    }
    lacking.sort((a, b) => b.swaps - a.swaps || (a.known.facts.pool < b.known.facts.pool ? -1 : 1))
    return lacking.map(({ known: { kind, factory, facts } }) => ({
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
    const before = this.at
    this.at = { seq: this.seq, block }
    this.keep(() => {
      this.at = before
    })
  }

  private event(event: Event, batch: EventBatch, place: number): void {
    if (event.kind === "TokenSeen") this.token(event)
    else if (event.kind === "GapFound") this.gap()
    else if (event.kind === "PoolCreated") this.created(event)
    else if (event.kind === "PoolStateRead") this.stateRead(event)
    else if ("pool" in event && event.pool !== null) {
      const slot = this.slotOf(event, event.pool)
      this.fold(slot, event)
      if (event.kind === "SwapExecuted") slot.swaps++
      if (slot.proof !== null) this.prove(slot, slot.proof, eventAt(batch, place))
    }
  }

  /** A state read at a recent block is brought here; where the log tells one, that stays. */
  private stateRead(event: EventOf<"PoolStateRead">): void {
    const { pool, venueKind, readBlock, readHash } = event
    const slot = this.slotOf(event, pool)
    const { known } = slot
    const after = this.recent.endOf(readBlock, readHash)
    if (known === null || known.kind.kind !== venueKind || after === null) return
    if (reasonOf(slot, known) === null) return
    const { kind, facts, factory } = known
    const before = this.stateAt(slot, after) ?? kind.pool.initial(facts)
    const read = stateOfRead({ kind, facts, factory, known: before }, event)
    if (read === null) return
    const state = this.recent.foldOn(kind, pool, read, after, this.seq)
    this.put(slot, { ...known, state })
    slot.proof = new ReadProof(kind, facts, state)
  }

  /** What was known of a pool at a seq, as far back as the journal tells. */
  private stateAt(slot: Slot, seq: number): unknown {
    const first = this.journal.find(
      change => change.seq > seq && "slot" in change && change.slot === slot
    )
    const known = first !== undefined && "slot" in first ? first.before : slot.known
    return known?.state ?? null
  }

  /** Drops a state that a swap contradicts: it is read again. */
  private prove(slot: Slot, proof: ReadProof, event: Event): void {
    proof.take(event)
    if (proof.agrees === null || slot.known === null) return
    slot.proof = null
    if (proof.agrees) return
    const { kind, facts } = slot.known
    this.put(slot, { ...slot.known, state: kind.pool.initial(facts) })
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
    const found: Event = claimed ? { ...copied(event), source: "call" } : event
    this.fold(slot, found)
  }

  private list(slot: Slot, tokens: ReadonlyArray<string>): void {
    const contract = slot.pool.length > 42 ? slot.pool.slice(0, 42) : null
    const before = contract === null ? undefined : this.contracts.get(contract)
    const unlist = this.index.add(slot, tokens)
    if (contract !== null) this.contracts.set(contract, slot)
    this.keep(() => {
      unlist()
      if (contract === null) return
      if (before === undefined) this.contracts.delete(contract)
      else this.contracts.set(contract, before)
    })
  }

  private slot(pool: string): Slot {
    const known = this.slots.get(pool) ?? this.contracts.get(pool)
    if (known !== undefined) return known
    const slot: Slot = { pool, known: null, shown: null, why: null, proof: null, swaps: 0 }
    this.slots.set(pool, slot)
    return slot
  }

  /** The pool of an event; of one that was not told of, what the event itself says it is. */
  private slotOf(event: Event, pool: string): Slot {
    const slot = this.slot(pool)
    if (slot.known !== null || !("venueKind" in event)) return slot
    const kind = kindNamed(event.venueKind)
    if (kind === undefined) return slot
    const dex = venueOfOneContract(this.chain, kind.kind)?.id ?? null
    const facts = { pool, tokens: [], fee: null, tickSpacing: null, decimals: [] }
    this.put(slot, { kind, dex, factory: null, facts, state: kind.pool.initial(facts) })
    return slot
  }

  private fold(slot: Slot, event: Event): void {
    const { known } = slot
    if (known === null) return
    const state = known.kind.pool.fold(known.state, event)
    if (state !== known.state) this.put(slot, { ...known, state })
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
    this.keep(() => {
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

  private put(slot: Slot, known: Known): void {
    this.note({ seq: this.seq, slot, before: slot.known })
    slot.known = known
  }

  private keep(undo: () => void): void {
    this.note({ seq: this.seq, undo })
  }

  private note(change: Change): void {
    this.journal.push(change)
    if (this.journal.length < 2 * this.mostChanges) return
    const gone = this.journal.splice(0, this.mostChanges)
    this.settledSeq = gone.at(-1)?.seq ?? this.settledSeq
  }

  /** Takes back what events after `toSeq` changed; false where not all of it is known. */
  private takeBack(toSeq: number): boolean {
    if (toSeq < this.settledSeq) return false
    this.recent.cutAfter(toSeq)
    for (let last = this.journal.at(-1); last !== undefined && last.seq > toSeq; ) {
      if ("undo" in last) last.undo()
      else restore(last.slot, last.before)
      this.journal.pop()
      last = this.journal.at(-1)
    }
    return true
  }
}

/** Why a pool gives no quotes, looked at again where it has changed; null where it gives some. */
const reasonOf = (slot: Slot, known: Known): string | null => {
  if (slot.why?.known !== known) slot.why = { known, reason: whyUnquoted(known) }
  return slot.why.reason
}

/** An event as an object of its own, of a view that will be of another. */
const copied = (event: EventOf<"PoolCreated">): EventOf<"PoolCreated"> => ({ ...event })

/** Puts back what was known; a proof begins anew with the state that stands then. */
const restore = (slot: Slot, before: Known | null): void => {
  slot.known = before
  if (slot.proof === null) return
  slot.proof = before === null ? null : new ReadProof(before.kind, before.facts, before.state)
}
