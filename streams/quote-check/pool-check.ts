/**
 * Follows one pool through its events and judges each of its swaps by the state before it. Some
 * contracts log what a swap leaves before the swap itself, some log one swap in several parts.
 */
import type { BlockRef, Event, EventOf } from "../event.ts"
import { reservesFit, UNKNOWN, whyNoFacts, whyUnknown } from "../known-state.ts"
import type { AnyVenueKind, PoolFacts, SwapSides } from "../venue.ts"
import { type Lopsided, sidesOf } from "./swap-sides.ts"
import { judge, type Verdict } from "./verdict.ts"

type Swap = EventOf<"SwapExecuted">

/** Logs that are one swap: their sums, and the pool before the first and after the last. */
interface OpenSwap {
  readonly first: Swap
  readonly before: unknown
  readonly after: unknown
  readonly parts: number
  readonly amount0In: bigint
  readonly amount0Out: bigint
  readonly amount1In: bigint
  readonly amount1Out: bigint
  readonly lastIndex: number
}

/** What a pair logs ahead of its swap: taken fees, then the reserves that it leaves. */
interface Ahead {
  readonly tx: string
  readonly before: unknown
  readonly synced: boolean
  /** raw units that left the reserves of each token as fees */
  readonly fees: readonly [bigint, bigint]
}

/** The end of a block, for states that move with the time alone. */
export const sealOf = (block: BlockRef): EventOf<"BlockSealed"> => ({
  kind: "BlockSealed",
  block,
  tx: null,
  logIndex: 0,
  logs: 0,
  grade: "file"
})

/** Called with the verdict on each swap, the number of its logs, and what it traded. */
export type OnVerdict = (verdict: Verdict, logs: number, sides: SwapSides | Lopsided) => void

export class PoolCheck {
  private readonly onVerdict: OnVerdict
  private kind: AnyVenueKind
  private facts: PoolFacts
  private state: unknown
  /** the log that the last event was of, and the state before it */
  private log = ""
  private beforeLog: unknown
  private ahead: Ahead | null = null
  private open: OpenSwap | null = null

  /** `state`: what is known of the pool before its first event; nothing where absent */
  constructor(
    kind: AnyVenueKind,
    facts: PoolFacts,
    onVerdict: OnVerdict,
    state: unknown = kind.pool.initial(facts)
  ) {
    this.kind = kind
    this.facts = facts
    this.onVerdict = onVerdict
    this.state = state
    this.beforeLog = this.state
  }

  get kindName(): string {
    return this.kind.kind
  }

  /** The pool's facts became known, or known better. */
  tell(kind: AnyVenueKind, facts: PoolFacts): void {
    if (kind !== this.kind) this.settle()
    this.facts = facts
    if (kind === this.kind) return
    // what was kept ahead of a swap are states of the kind that it was taken for
    this.ahead = null
    this.kind = kind
    this.state = kind.pool.initial(facts)
    this.beforeLog = this.state
  }

  /** Decimals of its tokens became known. */
  tellDecimals(decimals: PoolFacts["decimals"]): void {
    this.facts = { ...this.facts, decimals }
  }

  /** The pool's state after the events that were taken. */
  get standing(): unknown {
    return this.state
  }

  get tokens(): ReadonlyArray<string> {
    return this.facts.tokens
  }

  /** Takes the pool's next event. */
  event(event: Event): void {
    const log = `${event.tx?.hash} ${event.logIndex}`
    if (log !== this.log || event.tx === null) this.beforeLog = this.state
    this.log = log
    if (event.kind === "SwapExecuted") {
      this.swap(event)
      return
    }
    if (this.open !== null && event.logIndex !== this.open.lastIndex) this.settle()
    this.note(event)
    this.state = this.kind.pool.fold(this.state, event)
    if (this.open !== null) this.open = { ...this.open, after: this.state }
  }

  /** Judges what is still open: no more parts come. */
  settle(): void {
    const { open } = this
    if (open === null) return
    this.open = null
    const sides = sidesOf(open.first, this.facts.tokens, open)
    this.onVerdict(this.judged(open, sides), open.parts, sides)
  }

  private note(event: Event): void {
    const tx = event.tx?.hash ?? ""
    const ahead = this.ahead?.tx === tx ? this.ahead : null
    const isFee = event.kind === "ReserveChanged" && event.reason === "fee" && event.index !== null
    if (isFee && ahead?.synced !== true) {
      const [fee0, fee1] = ahead?.fees ?? [0n, 0n]
      const fees =
        event.index === 0
          ? ([fee0 + event.amount, fee1] as const)
          : ([fee0, fee1 + event.amount] as const)
      this.ahead = { tx, before: ahead?.before ?? this.beforeLog, synced: false, fees }
    } else if (event.kind === "ReservesSynced") {
      const begun = ahead?.synced === false ? ahead : null
      const fees = begun?.fees ?? ([0n, 0n] as const)
      this.ahead = {
        tx,
        before: begun === null ? this.beforeLog : begun.before,
        synced: true,
        fees
      }
    } else if (event.tx !== null) this.ahead = null
  }

  private swap(event: Swap): void {
    const { open } = this
    const goesOn =
      open !== null &&
      this.kind.swapsInParts === true &&
      open.first.tx?.hash === event.tx?.hash &&
      event.logIndex === open.lastIndex + 1
    if (!goesOn) this.settle()
    const ahead = this.ahead?.tx === event.tx?.hash && this.ahead?.synced ? this.ahead : null
    this.ahead = null
    const before = ahead === null ? this.state : ahead.before
    this.state = this.kind.pool.fold(this.state, event)
    const old = goesOn ? open : null
    this.open = {
      first: old?.first ?? event,
      before: old === null ? before : old.before,
      after: this.state,
      parts: (old?.parts ?? 0) + 1,
      amount0In: (old?.amount0In ?? 0n) + event.amount0In,
      amount0Out: (old?.amount0Out ?? 0n) + event.amount0Out,
      amount1In: (old?.amount1In ?? 0n) + event.amount1In,
      amount1Out: (old?.amount1Out ?? 0n) + event.amount1Out,
      lastIndex: event.logIndex
    }
    // fees that left the reserves at once; the quote counts the whole input
    const fees = ahead?.fees ?? ([0n, 0n] as const)
    const fits = reservesFit(this.kind, before, this.state, event, this.facts.tokens, fees)
    if (!fits) this.open = { ...this.open, before: null }
    if (this.kind.swapsInParts !== true) this.settle()
  }

  private judged({ first, before }: OpenSwap, sides: SwapSides | Lopsided): Verdict {
    const { kind, facts } = this
    if (before === null) return { is: "unknown", reason: UNKNOWN.skipped }
    if (typeof sides === "string") {
      return sides === "tokens not known"
        ? { is: "unknown", reason: whyNoFacts(kind) }
        : { is: "other", reason: sides }
    }
    const state = kind.pool.byTime === true ? kind.pool.fold(before, sealOf(first.block)) : before
    const why = () => whyUnknown(kind, state, facts)
    const verdict = judge({ kind, facts, state, sides, swap: first }, why)
    return verdict.is === "unknown" ? this.inOneRange(state, sides, first, verdict) : verdict
  }

  private inOneRange(state: unknown, sides: SwapSides, swap: Swap, otherwise: Verdict): Verdict {
    const { kind, facts } = this
    const range = facts.fee === null ? null : kind.pool.check?.withoutTicks?.(state, facts, swap)
    if (range === null || range === undefined) return otherwise
    const verdict = judge({ kind, facts, state: range.state, sides, swap }, () => UNKNOWN.untold)
    const fits = verdict.is === "exact" || range.fits(sides)
    return fits ? verdict : { is: "unknown", reason: UNKNOWN.skipped }
  }
}
