/**
 * States that were read from contracts (`PoolStateRead`): brought to where the log is, and held
 * against the pool's next swaps, since a node may lie.
 */
import type { EventBatch } from "../../../streams/batch/batch.ts"
import type { Event, EventOf } from "../../../streams/event.ts"
import { eventAt } from "../../../streams/event-objects.ts"
import { EventViews } from "../../../streams/event-view.ts"
import { UNKNOWN } from "../../../streams/known-state.ts"
import { type OnVerdict, PoolCheck } from "../../../streams/quote-check/pool-check.ts"
import { ASKED_LESS, type Verdict } from "../../../streams/quote-check/verdict.ts"
import { unpackAnswers } from "../../../streams/state-answers.ts"
import type { AnyVenueKind, PoolFacts, Quote } from "../../../streams/venue.ts"
import { ringOf } from "./quotable.ts"

/** Blocks behind the newest one that a state may be read at. */
const RECENT_BLOCKS = 64

const ADDRESS_TEXT = 42

/** The log's last blocks, kept to bring states from the block they were read at to the newest. */
export class RecentBlocks {
  /** `count`: how many events of the batch were not undone */
  private readonly segments: Array<{
    readonly batch: EventBatch
    readonly firstSeq: number
    count: number
  }> = []
  private readonly views = new EventViews()

  add(batch: EventBatch, firstSeq: number): void {
    this.segments.push({ batch, firstSeq, count: batch.count })
    const oldest = lastBlock(batch) - RECENT_BLOCKS
    while (lastBlock(this.segments[0]?.batch ?? batch) < oldest) this.segments.shift()
  }

  /** First seq of the oldest of them; null where there are none. */
  get firstSeq(): number | null {
    return this.segments[0]?.firstSeq ?? null
  }

  /** Forgets the events after a seq, which a rollback in this segment undid. */
  undo(toSeq: number, batch: EventBatch, firstSeq: number): void {
    this.cutAfter(toSeq)
    // what follows it in its own segment counts
    this.add(batch, firstSeq)
  }

  private cutAfter(seq: number): void {
    while ((this.segments.at(-1)?.firstSeq ?? 0) > seq) this.segments.pop()
    const last = this.segments.at(-1)
    if (last !== undefined) last.count = Math.min(last.count, seq + 1 - last.firstSeq)
  }

  /** Seq of the end of a block with this hash; null where the log does not hold it among these. */
  endOf(block: number, hash: string): number | null {
    for (const { batch, firstSeq, count } of this.segments) {
      for (let i = 0; i < count; i++) {
        const at = batch.block.get(i)
        if (batch.blocks.number.get(at) !== block) continue
        if (batch.ids.text(batch.blocks.hash.get(at)) !== hash) continue
        if (this.views.at(batch, i).kind === "BlockSealed") return firstSeq + i
      }
    }
    return null
  }

  /** A pool's events behind a seq, up to another one, in order, those of the contract that its id
   *  begins with among them; each is an object of its own. */
  *eventsOf(pool: string, after: number, upTo: number): Generator<Event> {
    const contract = pool.slice(0, ADDRESS_TEXT)
    for (const { batch, firstSeq, count } of this.segments) {
      for (let i = Math.max(0, after + 1 - firstSeq); i < count; i++) {
        if (firstSeq + i > upTo) return
        const view = this.views.at(batch, i)
        if (!("pool" in view) || view.kind === "PoolStateRead") continue
        if (view.pool === pool || view.pool === contract) yield eventAt(batch, i)
      }
    }
  }
}

const lastBlock = (batch: EventBatch): number =>
  batch.blocks.count === 0 ? 0 : batch.blocks.number.get(batch.blocks.count - 1)

/** A read of a pool's state, and what was known of the pool when it was read. */
export interface ReadQuestion {
  readonly kind: AnyVenueKind
  readonly facts: PoolFacts
  readonly factory: string | null
  readonly known: unknown
}

/** The state at the end of the block that was read; null where the answers tell none. */
export const stateOfRead = (
  { kind, facts, factory, known }: ReadQuestion,
  { answers, readTime }: EventOf<"PoolStateRead">
): unknown => {
  const told = unpackAnswers(answers)
  if (told === null || kind.stateRead === undefined) return null
  return kind.stateRead.state({ facts, factory, known, time: readTime }, told)
}

/** Whether a swap is none of the state's: it paid otherwise, or left other reserves. */
const contradicts = (verdict: Verdict): boolean =>
  (verdict.is === "other" && verdict.reason !== ASKED_LESS) ||
  (verdict.is === "unknown" && verdict.reason === UNKNOWN.skipped)

/**
 * Whether the pool's swaps agree with a state that was read. One tells nothing of tokens that it
 * does not trade: it takes one of each. Ticks and bins that no swap comes to are the kind's to
 * watch, which knows none any more once a swap passes them otherwise.
 */
export class ReadProof {
  /** null while the swaps do not tell */
  agrees: boolean | null = null
  private readonly check: PoolCheck
  /** places of the tokens that no swap traded as the state has it */
  private readonly untold: Set<number>

  constructor(
    kind: AnyVenueKind,
    facts: PoolFacts,
    state: unknown,
    untold: Iterable<number> = facts.tokens.keys()
  ) {
    this.untold = new Set(untold)
    this.check = new PoolCheck(kind, facts, (...told) => this.judge(...told), state)
  }

  get untoldPlaces(): ReadonlyArray<number> {
    return [...this.untold]
  }

  private judge(...[verdict, , sides]: Parameters<OnVerdict>): void {
    if (contradicts(verdict)) this.agrees ??= false
    if (verdict.is !== "exact" || typeof sides === "string") return
    this.untold.delete(sides.tokenIn)
    this.untold.delete(sides.tokenOut)
    if (this.untold.size === 0) this.agrees ??= true
  }

  /** The state after the events since it was read; `refuted`: block of the swap that is not its. */
  bring(events: Iterable<Event>): { readonly state: unknown; readonly refuted: number | null } {
    let block = 0
    for (const event of events) {
      this.take(event)
      block = event.block.number
      if (this.agrees === false) break
    }
    this.settle()
    return { state: this.check.standing, refuted: this.agrees === false ? block : null }
  }

  /**
   * Takes the pool's next event, which stays an object of its own. A swap may be several events:
   * it is judged as a whole, by the time that its block is over (`settle`).
   */
  take(event: Event): void {
    this.check.event(event)
  }

  /** The block is over, and with it every swap. */
  settle(): void {
    this.check.settle()
  }
}

/** Powers of two by which two states are compared: from dust to more than any pool has. */
const COMPARED_BITS = [0, 16, 32, 48, 64, 80, 96]

/**
 * Whether a state that was read quotes as the log's own does, wherever it quotes: it may be a part
 * of the pool. Null where neither tells anything.
 */
export const quotesAgree = (
  kind: AnyVenueKind,
  facts: PoolFacts,
  own: unknown,
  read: unknown
): boolean | null => {
  let compared = 0
  for (const [tokenIn, tokenOut] of ringOf(facts.tokens.length)) {
    for (const bits of COMPARED_BITS) {
      const amount = 1n << BigInt(bits)
      const [ours, theirs] = [own, read].map(state =>
        kind.pool.quote(state, facts, tokenIn, tokenOut, amount)
      ) as [Quote, Quote]
      if (isUnknown(ours) || isUnknown(theirs)) continue
      compared++
      if (!isSame(ours, theirs)) return false
    }
  }
  return compared === 0 ? null : true
}

const isUnknown = (quote: Quote): boolean => !quote.ok && quote.reason === "unknown-state"

const isSame = (a: Quote, b: Quote): boolean =>
  a.ok && b.ok
    ? a.amountIn === b.amountIn && a.amountOut === b.amountOut
    : !a.ok && !b.ok && a.reason === b.reason
