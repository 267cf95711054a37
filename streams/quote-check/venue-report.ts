/**
 * What a log tells of each venue: logs, swaps, liquidity events, pools, what was quarantined and
 * why, and how many swaps our quotes give exactly. Effective events go in, in log order; nothing
 * comes from elsewhere.
 */
import type { ChainConfig } from "../../src/domain/chain.ts"
import type { EventBatch } from "../batch/batch.ts"
import { KIND } from "../batch/batch.ts"
import type { Event, EventOf } from "../event.ts"
import { eventAt } from "../event-objects.ts"
import { uniswapV2 } from "../evm/uniswap-v2/venue.ts"
import {
  factsOfCreated,
  isClaim,
  kindNamed,
  kindOfPool,
  venueIdOf,
  venueOfOneContract
} from "../pool-venue.ts"
import type { AnyVenueKind, PoolFacts } from "../venue.ts"
import { PoolCheck } from "./pool-check.ts"
import type { Order, Verdict } from "./verdict.ts"

type Counts = { [reason: string]: number }

export interface VenueRow {
  /** the venue's id; null where the factory of its pools is not known */
  readonly venue: string | null
  /** null for logs of contracts that are no venue's */
  readonly kind: string | null
  logs: number
  swaps: number
  liquidity: number
  pools: number
  readonly quarantined: Counts
  readonly quotes: {
    /** swaps whose state before was known, and of them those that our quote gives to the unit */
    checked: number
    exact: number
    readonly exactAs: { [order in Order]: number }
    readonly other: Counts
    readonly unknown: Counts
  }
}

const add = (counts: Counts, reason: string, more = 1): void => {
  counts[reason] = (counts[reason] ?? 0) + more
}

const newRow = (venue: string | null, kind: string | null): VenueRow => ({
  ...{ venue, kind, logs: 0, swaps: 0, liquidity: 0, pools: 0, quarantined: {} },
  quotes: {
    checked: 0,
    exact: 0,
    exactAs: { input: 0, output: 0, limit: 0 },
    other: {},
    unknown: {}
  }
})

/** A pool under check, and its venue's row. */
interface Followed {
  readonly check: PoolCheck
  row: VenueRow
  /** its reserves alone were told so far, which does not tell its kind: the row is its own */
  isGuess: boolean
}

/** What a contract is counted as whose reserves alone are told: most that sync are pairs of it. */
const GUESS = uniswapV2.kind

/** Kinds of events that tell no more than that something was logged. */
const isNoise = (kind: number): boolean =>
  kind === KIND.BlockSealed || kind === KIND.GapFound || kind === KIND.GapFilled

const isLiquidity = (event: Event): boolean =>
  event.kind === "LiquidityChanged" ||
  event.kind === "PositionChanged" ||
  (event.kind === "ReserveChanged" && event.reason !== "fee")

export class VenueReport {
  private readonly chain: ChainConfig
  private readonly table = new Map<string, VenueRow>()
  private readonly pools = new Map<string, Followed>()
  /** contracts of pools whose id is not their address (Balancer V2) */
  private readonly contracts = new Map<string, string>()
  private readonly decimals = new Map<string, number | null>()
  private readonly poolsOfToken = new Map<string, Array<Followed>>()
  /** the log that the last event was of, and what it counted as */
  private lastLog = ""
  private counted: "swaps" | "liquidity" | null = null

  constructor(chain: ChainConfig) {
    this.chain = chain
  }

  /** Takes events `from` to `to` (not included) of a batch. */
  take(batch: EventBatch, from: number, to: number): void {
    for (let i = from; i < to; i++) {
      if (!isNoise(batch.kind.get(i))) this.event(eventAt(batch, i))
    }
  }

  /** The rows, most swaps first; ends the swaps that are still open. */
  rows(): ReadonlyArray<VenueRow> {
    for (const pool of this.pools.values()) {
      pool.check.settle()
      if (pool.isGuess) this.move(pool, this.row(null, GUESS))
    }
    return [...this.table.values()].sort(
      (a, b) => b.swaps - a.swaps || b.logs - a.logs || String(a.venue).localeCompare(`${b.venue}`)
    )
  }

  private event(event: Event): void {
    if (event.kind === "TokenSeen") this.token(event)
    if (event.kind === "PoolCreated") this.created(event)
    const pool = "pool" in event && event.pool !== null ? this.poolOf(event, event.pool) : null
    if (event.tx !== null) this.count(event, pool?.row ?? this.rowOfContract(event))
    if (pool !== null) pool.check.event(this.asFound(event))
  }

  /**
   * A pool that nobody listed says it made may be a pool of long ago, which is not empty: the word
   * counts as if the pool had been found, for what it is and not for what it holds.
   */
  private asFound(event: Event): Event {
    if (event.kind !== "PoolCreated") return event
    const { source, factory, venueKind } = event
    return isClaim(this.chain, source, factory, venueKind) ? { ...event, source: "call" } : event
  }

  private count(event: Event, row: VenueRow): void {
    const log = `${event.block.number}:${event.logIndex}`
    if (log !== this.lastLog) {
      this.lastLog = log
      this.counted = null
      row.logs++
    }
    const as =
      event.kind === "SwapExecuted" ? "swaps" : isLiquidity(event) ? ("liquidity" as const) : null
    if (as !== null && this.counted === null) {
      this.counted = as
      row[as]++
    }
    if (event.kind === "LogQuarantined") add(row.quarantined, event.reason)
  }

  private row(venue: string | null, kind: string | null): VenueRow {
    const key = `${venue} ${kind}`
    const known = this.table.get(key) ?? newRow(venue, kind)
    this.table.set(key, known)
    return known
  }

  /** The row of an event that names no pool: by the contract that logged it. */
  private rowOfContract(event: Event): VenueRow {
    const contract =
      event.kind === "LogQuarantined"
        ? event.address
        : event.kind === "PositionChanged"
          ? event.manager
          : null
    const pool = contract === null ? undefined : this.pools.get(contract)
    if (pool !== undefined) return pool.row
    const venue = this.chain.venues.find(
      one => contract !== null && (one.factory === contract || one.positionManager === contract)
    )
    return this.row(venue?.id ?? null, venue?.kind ?? null)
  }

  private poolOf(event: Event, id: string): Followed | null {
    const known = this.pools.get(id) ?? this.pools.get(this.contracts.get(id) ?? "")
    // a manager's word on a pool, and numbers of contracts nobody knows, make no pool
    const isGuess = event.kind === "ReservesSynced"
    if (!("venueKind" in event) && !isGuess) return known ?? null
    if (known !== undefined && (!known.isGuess || isGuess)) return known
    const kind = kindNamed("venueKind" in event ? event.venueKind : GUESS)
    if (kind === undefined) return known ?? null
    const venue = venueOfOneContract(this.chain, kind.kind)?.id ?? null
    const facts = { pool: id, tokens: [], fee: null, tickSpacing: null, decimals: [] }
    if (known === undefined) return this.follow(kind, venue, facts, isGuess)
    this.told(known, kind, venue, facts)
    return known
  }

  private follow(
    kind: AnyVenueKind,
    venue: string | null,
    facts: PoolFacts,
    isGuess = false
  ): Followed {
    const row = isGuess ? newRow(venue, kind.kind) : this.row(venue, kind.kind)
    row.pools++
    const followed: Followed = {
      row,
      isGuess,
      check: new PoolCheck(kind, facts, (verdict, logs) => this.verdict(followed, verdict, logs))
    }
    this.pools.set(facts.pool, followed)
    return followed
  }

  private created(event: EventOf<"PoolCreated">): void {
    const { chain } = this
    const { factory, venueKind, source } = event
    const kind = kindNamed(kindOfPool(chain, factory, venueKind))
    if (kind === undefined) return
    const known = this.pools.get(event.pool)
    const isTold = known !== undefined && known.check.tokens.length > 0
    if (isTold && isClaim(chain, source, factory, venueKind)) return
    const facts = factsOfCreated(chain, event, token => this.decimals.get(token) ?? null)
    const single = venueOfOneContract(chain, kind.kind)
    const venue = venueIdOf(chain, factory, venueKind) ?? single?.id ?? null
    if (known === undefined) this.follow(kind, venue, facts)
    else this.told(known, kind, venue, facts)
    const followed = this.pools.get(event.pool)
    for (const token of followed === undefined ? [] : event.tokens) {
      const others = this.poolsOfToken.get(token) ?? []
      this.poolsOfToken.set(token, others)
      others.push(followed as Followed)
    }
    if (event.pool.length > 42) this.contracts.set(event.pool.slice(0, 42), event.pool)
  }

  private told(known: Followed, kind: AnyVenueKind, venue: string | null, facts: PoolFacts): void {
    known.check.tell(kind, facts)
    this.move(known, this.row(venue, kind.kind))
  }

  /** Puts a pool into a row, with what was counted of it where its kind was a guess. */
  private move(pool: Followed, row: VenueRow): void {
    if (row === pool.row) return
    pool.row.pools--
    row.pools++
    if (pool.isGuess) row.logs += pool.row.logs
    pool.isGuess = false
    pool.row = row
  }

  private token({ token, decimals }: EventOf<"TokenSeen">): void {
    if (decimals === null) return
    this.decimals.set(token, decimals)
    for (const { check } of this.poolsOfToken.get(token) ?? []) {
      check.tellDecimals(check.tokens.map(one => this.decimals.get(one) ?? null))
    }
  }

  private verdict({ row: { quotes } }: Followed, verdict: Verdict, logs: number): void {
    if (verdict.is === "unknown") {
      add(quotes.unknown, verdict.reason, logs)
      return
    }
    quotes.checked += logs
    if (verdict.is === "other") add(quotes.other, verdict.reason, logs)
    else {
      quotes.exact += logs
      quotes.exactAs[verdict.order] += logs
    }
  }
}
