/** Which of several endpoints is asked: one, until it rests or another is clearly better. */
import type { EndpointStatus } from "../source.ts"
import { bestHeadOf, type EndpointHealth } from "./endpoint-health.ts"

/** Another endpoint is turned to where it costs less than this share, and so many ms less. */
const CLEARLY_BETTER = 0.6
const CLEARLY_BETTER_MS = 30

/** Failures in a row after which an endpoint is not waited for. */
export const MOST_FAILURES = 3

/** Whether an endpoint, by its label, suits a call. */
export type Suits = (endpoint: string) => boolean

export class EndpointPool<S extends { readonly health: EndpointHealth }> {
  readonly seats: ReadonlyArray<S>
  private readonly needed: ReadonlySet<string>
  private readonly blockTimeMs: number
  private readonly longestRestMs: number
  /** the best head when endpoints were compared last */
  private bestBefore: number | null = null
  /** place of the endpoint in use */
  primary = 0

  /**
   * @param longestRestMs the longest rest after failures; a node may ask for a longer one
   * @param needed methods without which a node is none
   */
  constructor(
    seats: ReadonlyArray<S>,
    blockTimeMs: number,
    longestRestMs: number,
    needed: ReadonlySet<string>
  ) {
    this.seats = seats
    this.needed = needed
    this.blockTimeMs = blockTimeMs
    this.longestRestMs = longestRestMs
  }

  get used(): S {
    return this.seats[this.primary] as S
  }

  /**
   * Whether all endpoints are of one address, as a node asked over HTTP and a WebSocket: there is
   * nobody to ask while it rests.
   */
  get isOneNode(): boolean {
    return new Set(this.seats.map(({ health }) => health.label)).size === 1
  }

  placeOf(seat: S): number {
    return this.seats.indexOf(seat)
  }

  /** Those that do not rest. */
  awake(now: number): ReadonlyArray<S> {
    return this.seats.filter(({ health }) => health.restUntil <= now)
  }

  /** The one that costs least; null of none. */
  bestOf(seats: ReadonlyArray<S>): S | null {
    return seats.reduce<S | null>(
      (best, seat) => (best === null || this.score(seat) < this.score(best) ? seat : best),
      null
    )
  }

  /** Those that do not only fail; all where they all do. */
  get well(): ReadonlyArray<S> {
    const well = this.seats.filter(({ health }) => health.failures < MOST_FAILURES)
    return well.length > 0 ? well : this.seats
  }

  /**
   * The endpoint to ask: the one in use, else the best, else the one that may be asked first. Those
   * that suit the call come before others, unless they only fail, or rest for longer than one that
   * fails does: it may be well again long before.
   */
  choose(method: string, now: number, suits: Suits = () => true): S | null {
    for (const { health } of this.seats) health.forgetDenials(now)
    const having = this.seats.filter(({ health }) => !health.lacks(method))
    const suited = having.filter(
      ({ health }) =>
        health.failures < MOST_FAILURES &&
        health.restUntil <= now + this.longestRestMs &&
        suits(health.label)
    )
    const able = suited.length > 0 ? suited : having
    const current = this.used
    if (able.includes(current) && current.health.restUntil <= now) return current
    const first = able.reduce<S | null>(
      (best, seat) =>
        best === null || seat.health.restUntil < best.health.restUntil ? seat : best,
      null
    )
    const next = this.bestOf(able.filter(({ health }) => health.restUntil <= now)) ?? first
    // A method that the one in use lacks is no reason to leave it for everything else.
    if (next !== null && current.health.restUntil > now) this.primary = this.placeOf(next)
    return next
  }

  /** The best one at none of some addresses that may be asked now, and suits the call. */
  another(
    method: string,
    now: number,
    besides: ReadonlySet<string>,
    suits: Suits = () => true
  ): S | null {
    const others = this.awake(now).filter(
      ({ health }) =>
        !besides.has(health.label) &&
        health.failures < MOST_FAILURES &&
        !health.lacks(method) &&
        suits(health.label)
    )
    return this.bestOf(others)
  }

  /**
   * An endpoint says that it has no such method; whether that is believed. A method that every node
   * has is not denied by all: who says so is mistaken.
   */
  denied({ health }: S, method: string, now: number): boolean {
    health.denies(method, now)
    if (!this.needed.has(method) || this.mayHave(method)) return true
    for (const seat of this.seats) seat.health.askAgain(method)
    return false
  }

  /** Whether some endpoint that does not only fail may have the method. */
  mayHave(method: string): boolean {
    return this.well.some(({ health }) => !health.lacks(method))
  }

  /**
   * Turns to another endpoint where the one in use is more than `lead` blocks behind, or still has
   * not what another had when this was last asked, or another is clearly better.
   */
  elect(now: number, lead: number): void {
    const { bestHead } = this
    const { bestBefore } = this
    this.bestBefore = bestHead
    const isLate = ({ health }: S): boolean =>
      (health.lag(bestHead) ?? 0) > lead || (health.lag(bestBefore) ?? 0) > 0
    const best = this.bestOf(this.awake(now).filter(seat => !isLate(seat)))
    if (best === null || best === this.used) return
    const [ours, theirs] = [this.score(this.used), this.score(best)]
    const isBetter = theirs < ours * CLEARLY_BETTER && theirs < ours - CLEARLY_BETTER_MS
    if (isBetter || isLate(this.used)) this.primary = this.placeOf(best)
  }

  private get bestHead(): number | null {
    return bestHeadOf(this.seats.map(({ health }) => health))
  }

  private score({ health }: S): number {
    return health.score(this.bestHead, this.blockTimeMs)
  }
}

/** How each endpoint fares; the one asked last that does not rest is in use. */
export const endpointStatuses = (
  healths: ReadonlyArray<EndpointHealth>,
  blockTimeMs: number,
  now: number
): ReadonlyArray<EndpointStatus> => {
  const best = bestHeadOf(healths)
  const awake = healths.filter(({ restUntil }) => restUntil <= now)
  const inUse = awake.reduce<EndpointHealth | null>(
    (last, health) => (last === null || health.askedAt > last.askedAt ? health : last),
    null
  )
  return healths.map(health => health.status(best, blockTimeMs, health === inUse, now))
}
