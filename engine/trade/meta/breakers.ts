/** The breakers of all providers on all chains: who may be asked, and what becomes of each call. */
import { Clock, Effect, Result } from "effect"
import {
  abandoned,
  admit,
  type Breaker,
  type BreakerState,
  CLOSED,
  failed,
  succeeded
} from "./breaker.ts"
import {
  isFailure,
  type PassedOver,
  type PassedOverReason,
  passOver
} from "./protocol/passed-over.ts"
import type { ProviderId } from "./providers/all.ts"

/** A breaker went from one state to another. */
export interface BreakerMove {
  readonly chain: string
  readonly provider: ProviderId
  readonly state: BreakerState
  /** why it opened, in words; null where it did not */
  readonly cause: string | null
  /** Unix milliseconds */
  readonly atMs: number
  /** until when it is open; null where it is not */
  readonly untilMs: number | null
  /** milliseconds that it is open for, which the next opening doubles; null where it is closed */
  readonly coolDownMs: number | null
}

/** The breaker that a move left behind; a probe of before is gone. */
const breakerAfter = ({ state, atMs, untilMs, coolDownMs }: BreakerMove): Breaker =>
  state === "closed"
    ? CLOSED
    : { state: "open", untilMs: untilMs ?? atMs, coolDownMs: coolDownMs ?? 0 }

const moveOf = (
  chain: string,
  provider: ProviderId,
  breaker: Breaker,
  atMs: number,
  cause: string | null
): BreakerMove => ({
  ...{ chain, provider, state: breaker.state, cause, atMs },
  untilMs: breaker.state === "open" ? breaker.untilMs : null,
  coolDownMs: breaker.state === "closed" ? null : breaker.coolDownMs
})

/** Reasons for which nothing went out to the provider after all. */
const NOT_SENT: ReadonlySet<PassedOverReason> = new Set([
  ...(["call-budget", "needs-taker", "no-gas-price", "slippage-unfit"] as const),
  "chain-not-served"
])

/** How a call ended; `isAsked`: whether anything went out. */
export interface Attempt<A> {
  readonly isAsked: boolean
  readonly result: Result.Result<A, PassedOver>
}

export class Breakers {
  private readonly known = new Map<string, Breaker>()
  private readonly onMove: (move: BreakerMove) => void

  /** `onMove` is told of each change of a state */
  constructor(onMove: (move: BreakerMove) => void) {
    this.onMove = onMove
  }

  /** Goes on from a move of before. */
  restore(move: BreakerMove): void {
    this.known.set(`${move.chain} ${move.provider}`, breakerAfter(move))
  }

  of(chain: string, provider: ProviderId): Breaker {
    return this.known.get(`${chain} ${provider}`) ?? CLOSED
  }

  private set(
    chain: string,
    provider: ProviderId,
    breaker: Breaker,
    atMs: number,
    cause: string | null
  ): void {
    const before = this.of(chain, provider)
    this.known.set(`${chain} ${provider}`, breaker)
    if (before.state !== breaker.state) {
      this.onMove(moveOf(chain, provider, breaker, atMs, cause))
    }
  }

  private settle(
    chain: string,
    provider: ProviderId,
    result: Result.Result<unknown, PassedOver>,
    nowMs: number
  ): void {
    const breaker = this.of(chain, provider)
    if (Result.isSuccess(result)) {
      this.set(chain, provider, succeeded(breaker), nowMs, null)
      return
    }
    const { reason, message, retryAfterMs } = result.failure
    if (NOT_SENT.has(reason)) {
      this.set(chain, provider, abandoned(breaker, nowMs), nowMs, null)
    } else if (isFailure(reason)) {
      const leastMs = retryAfterMs ?? null
      const cause = `${reason}: ${message}`
      this.set(chain, provider, failed(breaker, nowMs, leastMs), nowMs, cause)
    } else this.set(chain, provider, succeeded(breaker), nowMs, null)
  }

  /** Asks a provider where its breaker allows it. */
  attempt<A>(
    chain: string,
    provider: ProviderId,
    work: Effect.Effect<A, PassedOver>
  ): Effect.Effect<Attempt<A>> {
    return Effect.gen({ self: this }, function* () {
      const nowMs = yield* Clock.currentTimeMillis
      const { breaker, isAdmitted } = admit(this.of(chain, provider), nowMs)
      if (!isAdmitted) {
        const message = `its breaker is ${breaker.state}`
        return { isAsked: false, result: Result.fail(passOver("breaker-open", message)) }
      }
      this.set(chain, provider, breaker, nowMs, null)
      const abandon = Effect.map(Clock.currentTimeMillis, atMs =>
        this.set(chain, provider, abandoned(this.of(chain, provider), atMs), atMs, null)
      )
      const result = yield* Effect.result(work).pipe(Effect.onInterrupt(() => abandon))
      this.settle(chain, provider, result, yield* Clock.currentTimeMillis)
      const isAsked = !(Result.isFailure(result) && NOT_SENT.has(result.failure.reason))
      return { isAsked, result }
    })
  }
}
