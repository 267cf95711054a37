/**
 * Several endpoints of one chain asked as one that always answers in the end. The best one is used
 * until it fails or another is clearly better; where it is silent for long, another one is asked
 * beside it. An endpoint that failed rests, longer each time, before it is asked again. What trying
 * again cannot help is the caller's to handle.
 */
import { Effect, Random, Result } from "effect"
import { steadyMillis } from "../../src/platform/elapsed.ts"
import { RpcError, type RpcErrorKind } from "../../src/platform/rpc-error.ts"
import { SourceError } from "../source.ts"
import type { EndpointHealth } from "./endpoint-health.ts"
import type { EndpointPool, Suits } from "./endpoint-pool.ts"
import { inTime, LONG_MS, noticed, patienceMs, timed } from "./patience.ts"
import { sayLately } from "./said.ts"
import { asideOf, forHead, IsBeside } from "./waiting.ts"

export interface RetryTimes {
  /** first rest after a failure, and the longest */
  readonly firstMs: number
  readonly longestMs: number
  /** by what other waits for a better answer are multiplied; 1 unless told */
  readonly others?: number
}

export const retryDefaults: RetryTimes = { firstMs: 200, longestMs: 20_000 }

/** A server that asks to be left alone for longer is asked again anyway. */
const LONGEST_ASKED_MS = 300_000

const inSeconds = (ms: number): string => `${Math.round(ms / 1000)} s`

/** How long an endpoint is not asked, where that is longer than after failures. */
const silence = (ms: number, askedMs = ms): string =>
  `; it is asked again in ${inSeconds(ms)}${
    askedMs > ms ? `, though it asks to be left alone for ${inSeconds(askedMs)}` : ""
  }`

/** Times that an endpoint tells of another chain before it is hardly asked any more. */
const MOST_DENIALS = 4

export interface CallOptions {
  /** kinds of error that the caller wants to see although they may pass */
  readonly give?: ReadonlyArray<RpcErrorKind>
  /** endpoints that are asked before others */
  readonly suits?: Suits
  /** what is asked, where answers of the method differ in size; the method by default */
  readonly kind?: string
  /** there is another way: fails as unsupported where only endpoints that fail may have it */
  readonly spare?: boolean
  /** it is asked which block is the newest: every node of a chain has one, so it is asked on */
  readonly isHead?: boolean
}

/** What failures are noted on. */
interface Notes {
  readonly retrying: (problem: string, isHead?: boolean) => void
  readonly recovered: (isHead: boolean) => void
  readonly headDropped: () => void
  /** answers did not fit together: why nothing may be read of them */
  readonly misfit: (reason: string) => void
}

/** Why an endpoint rests; of no kind where its answers did not fit together. */
type Failure = Pick<RpcError, "message" | "retryAfterMs"> & { readonly kind?: RpcErrorKind }

interface RestOptions {
  readonly isHead?: boolean
  readonly quietly?: boolean
  /** what failed, and when it was asked; of no kind where any answer shows that it passed */
  readonly asked?: { readonly kind: string | null; readonly at: number }
}

/** How an endpoint answered. */
interface Answer<S, A> {
  readonly seat: S
  readonly askedAt: number
  readonly outcome: Result.Result<A, RpcError | SourceError>
}

/** What of asking differs from one kind of chain to another. */
export interface Manners<S> {
  /** null where an endpoint serves the right chain; else what to tell whoever configured it */
  readonly identify: (seat: S) => Effect.Effect<string | null, RpcError>
  /** errors that go to the caller at once: asking elsewhere or again does not help */
  readonly final: ReadonlySet<RpcErrorKind>
}

const noSuchMethod = (method: string): RpcError =>
  new RpcError({
    kind: "unsupported",
    endpoint: "",
    method,
    message: `no endpoint has ${method}`
  })

export class Asking<S extends { readonly health: EndpointHealth }> {
  readonly pool: EndpointPool<S>
  private readonly notes: Notes
  private readonly times: RetryTimes
  private readonly manners: Manners<S>

  constructor(pool: EndpointPool<S>, notes: Notes, times: RetryTimes, manners: Manners<S>) {
    this.pool = pool
    this.notes = notes
    this.times = times
    this.manners = manners
  }

  /** Repeats `attempt` on one endpoint after the other until it succeeds or cannot. */
  persist<A>(
    method: string,
    attempt: (seat: S) => Effect.Effect<A, RpcError>,
    options: CallOptions = {}
  ): Effect.Effect<A, RpcError | SourceError> {
    const self = this
    const { isHead = false, kind = method } = options
    const asked = Effect.gen(function* () {
      for (;;) {
        const seat = self.pool.choose(method, yield* steadyMillis, options.suits)
        const isLost = options.spare === true && !self.pool.mayHave(method)
        if (seat === null || isLost) return yield* noSuchMethod(method)
        const wait = seat.health.restUntil - (yield* steadyMillis)
        if (wait > 0) yield* Effect.sleep(wait)
        const asked = yield* self.hedged(seat, method, attempt, options)
        const { seat: by, outcome, askedAt } = asked
        if (Result.isSuccess(outcome)) {
          by.health.succeeded()
          if (!(yield* IsBeside)) self.notes.recovered(isHead)
          return outcome.success
        }
        const error = outcome.failure
        if (error._tag === "SourceError") return yield* error
        const now = yield* steadyMillis
        if (error.kind === "unsupported") {
          if (self.pool.denied(by, method, now)) continue
        } else if (self.isFinal(error, isHead)) return yield* error
        yield* self.rest(by, now, error, { isHead, asked: { kind, at: askedAt } })
        if (options.give?.includes(error.kind) === true) return yield* error
      }
    })
    if (!isHead) return asked
    const dropped = Effect.sync(() => this.notes.headDropped())
    return Effect.onInterrupt(forHead(asked), () => dropped)
  }

  /** Whether asking elsewhere or again does not help. */
  private isFinal({ kind }: RpcError, isHead: boolean): boolean {
    return !isHead && this.manners.final.has(kind)
  }

  /**
   * Asks an endpoint, and where it is long silent another one beside it, and so on: the first
   * answer counts. Who was silent until another had answered rests.
   */
  private hedged<A>(
    seat: S,
    method: string,
    attempt: (seat: S) => Effect.Effect<A, RpcError>,
    options: CallOptions,
    besides: Set<string> = new Set()
  ): Effect.Effect<Answer<S, A>> {
    const { kind = method, isHead = false, suits } = options
    const own = Effect.gen({ self: this }, function* () {
      const askedAt = yield* steadyMillis
      const asked = Effect.andThen(this.verify(seat), timed(seat.health, kind, attempt(seat)))
      return { seat, askedAt, outcome: yield* Effect.result(asked) } satisfies Answer<S, A>
    })
    const others = Effect.gen({ self: this }, function* () {
      const began = yield* steadyMillis
      seat.health.askedAt = began
      yield* Effect.sleep(patienceMs(seat.health, kind) ?? LONG_MS)
      for (;;) {
        const other = this.pool.another(method, yield* steadyMillis, besides, suits)
        if (other === null) return yield* Effect.never
        const answer = yield* this.hedged(other, method, attempt, options, besides)
        const now = yield* steadyMillis
        if (!(yield* this.isOfNoUse(answer, method, kind, now, isHead))) {
          const words = `${seat.health.label} ${method}: no answer in ${Math.round(now - began)} ms`
          seat.health.doubted(words)
          const message = `${words}, and ${answer.seat.health.label} has answered`
          const asked = { kind, at: began }
          yield* this.rest(seat, now, { message, kind: "timeout" }, { isHead, asked })
          return answer
        }
      }
    })
    besides.add(seat.health.label)
    return Effect.raceFirst(own, others)
  }

  /** Asks an endpoint for what is not needed: nobody waits for it long. */
  private inTime<A>(seat: S, kind: string, asked: Effect.Effect<A, RpcError>) {
    return inTime(seat.health, kind, this.verify(seat), asked)
  }

  /** Whether an endpoint that was asked beside another failed: then it rests. */
  private isOfNoUse<A>(
    { seat, outcome, askedAt: at }: Answer<S, A>,
    method: string,
    kind: string,
    now: number,
    isHead: boolean
  ): Effect.Effect<boolean> {
    if (Result.isSuccess(outcome)) return Effect.succeed(false)
    const { failure } = outcome
    if (failure._tag === "SourceError") return Effect.succeed(false)
    if (failure.kind === "unsupported") {
      if (this.pool.denied(seat, method, now)) return Effect.succeed(true)
    } else if (this.isFinal(failure, isHead)) return Effect.succeed(false)
    return Effect.as(this.rest(seat, now, failure, { isHead, asked: { kind, at } }), true)
  }

  /**
   * Asks some endpoints for what is not needed, each once and the best first, until one tells it;
   * null where none does. Nobody waits for it long: where a second has passed no other is asked.
   * A refusal that is final is told to `refused`.
   *
   * @param kind what is asked: answers of one kind take about as long
   * @param attempt asks one of them; null where it has no answer, which is no failure
   */
  once<A>(
    kind: string,
    seats: ReadonlyArray<S>,
    attempt: (seat: S) => Effect.Effect<A | null, RpcError>,
    refused: (error: RpcError) => void = () => undefined
  ): Effect.Effect<{ readonly value: A; readonly by: number } | null, SourceError> {
    return Effect.gen({ self: this }, function* () {
      const began = yield* steadyMillis
      for (const seat of this.pool.ranked(seats)) {
        if ((yield* steadyMillis) - began >= LONG_MS) return null
        const at = yield* steadyMillis
        const outcome = yield* Effect.result(this.inTime(seat, kind, attempt(seat)))
        if (Result.isSuccess(outcome)) {
          seat.health.succeeded()
          const value = outcome.success
          if (value !== null) return { value, by: this.pool.placeOf(seat) }
          continue
        }
        const error = outcome.failure
        if (error._tag === "SourceError") return yield* error
        if (this.manners.final.has(error.kind)) refused(error)
        else yield* this.rest(seat, yield* steadyMillis, error, { asked: { kind, at } })
      }
      return null
    })
  }

  /**
   * Asks all endpoints that do not rest for their heads, and turns to another one where the one in
   * use is more than `lead` blocks behind, or another is clearly better.
   *
   * @param head asks an endpoint for its newest block; null where what it says is none
   */
  compare(
    head: (seat: S) => Effect.Effect<number | null, RpcError>,
    lead: number
  ): Effect.Effect<void, SourceError> {
    const ask = (seat: S) =>
      Effect.gen({ self: this }, function* () {
        yield* asideOf(this.verify(seat))
        const began = yield* steadyMillis
        const told = yield* asideOf(head(seat))
        const ended = yield* steadyMillis
        if (told !== null) seat.health.sampled(ended - began, told)
        seat.health.succeeded()
        seat.health.forgive()
      })
    const asked = (seat: S) =>
      Effect.gen({ self: this }, function* () {
        const at = yield* steadyMillis
        const told = yield* Effect.result(noticed(seat.health, ask(seat)))
        if (Result.isSuccess(told)) return
        const error = told.failure
        if (error._tag === "SourceError") return yield* error
        const quietly = seat !== this.pool.used
        yield* this.rest(seat, yield* steadyMillis, error, { quietly, asked: { kind: null, at } })
      })
    return Effect.gen({ self: this }, function* () {
      const now = yield* steadyMillis
      yield* Effect.forEach(this.pool.awake(now), asked, {
        concurrency: "unbounded",
        discard: true
      })
      this.pool.elect(yield* steadyMillis, lead)
    })
  }

  /** What each endpoint that answers now says, and soon. */
  views<A>(
    kind: string,
    attempt: (seat: S) => Effect.Effect<A, RpcError>
  ): Effect.Effect<ReadonlyArray<A>, SourceError> {
    const ask = (seat: S) =>
      this.inTime(seat, kind, attempt(seat)).pipe(
        Effect.map(view => {
          seat.health.succeeded()
          return [view]
        }),
        Effect.catchTag("RpcError", () => Effect.succeed<ReadonlyArray<A>>([]))
      )
    return Effect.flatMap(steadyMillis, now =>
      Effect.map(Effect.forEach(this.pool.awake(now), ask, { concurrency: "unbounded" }), found =>
        found.flat()
      )
    )
  }

  /** Waits before something is asked again that was answered and did not do. */
  pause(ms: number): Effect.Effect<void> {
    return Effect.sleep(ms * (this.times.others ?? 1))
  }

  /**
   * Lets another endpoint try: the last answers of this one did not fit together. Does nothing
   * where another one is in use already, as when several answers of one endpoint were bad.
   */
  distrust(place: number, reason: string): Effect.Effect<void> {
    const seat = this.pool.seats[place]
    if (place !== this.pool.primary || seat === undefined) return Effect.void
    seat.health.doubted(reason)
    return this.restNow(seat, reason)
  }

  /** An answer of this endpoint was proven wrong. */
  convict(place: number, reason: string): Effect.Effect<void> {
    const seat = this.pool.seats[place]
    if (seat === undefined) return Effect.void
    seat.health.lied(reason)
    const words = `an endpoint gave a wrong answer: ${reason}`
    const told = sayLately("wrong answer", [seat.health.label], words)
    return Effect.andThen(told, this.restNow(seat, reason))
  }

  private restNow(seat: S, reason: string): Effect.Effect<void> {
    this.notes.misfit(reason)
    if (this.pool.seats.length === 1) {
      // with nobody else to ask, a rest makes its answers no better
      this.notes.retrying(reason)
      seat.health.failed(reason)
      return Effect.void
    }
    return Effect.flatMap(steadyMillis, now => this.rest(seat, now, { message: reason }))
  }

  private rest(
    { health }: S,
    now: number,
    { message, kind, retryAfterMs: askedMs }: Failure,
    { isHead, quietly = false, asked: question }: RestOptions = {}
  ) {
    // it has answered later questions since: how long this one had none says nothing of now
    const isPast = question !== undefined && health.hasAnswered(question.kind, question.at)
    if (kind === "timeout" && isPast) return Effect.void
    const asked = Math.min(askedMs ?? 0, LONGEST_ASKED_MS)
    // who serves another chain is left alone by our own choice, and its message says what to do
    const isSaid = asked > this.times.longestMs && kind !== "bad-answer"
    const words = `${message}${isSaid ? silence(asked, askedMs) : ""}`
    return Effect.gen({ self: this }, function* () {
      if (!quietly && !(yield* IsBeside)) this.notes.retrying(words, isHead)
      health.failed(words)
      // Calls that failed side by side are one failure.
      if (health.restUntil <= now) health.failures++
      const { firstMs, longestMs } = this.times
      const strikes = this.pool.isOneNode ? 0 : health.strikes
      const doublings = Math.min(16, health.failures - 1 + strikes)
      const base = Math.min(longestMs, firstMs * 2 ** doublings)
      // Full waits of many clients would end together; half of it is left to chance.
      const wait = Math.max(asked, base * (0.5 + (yield* Random.next) / 2))
      health.restUntil = Math.max(health.restUntil, now + wait)
    })
  }

  /**
   * An endpoint of another chain is a mistake in the configuration. One wrong answer may be the
   * node's mistake: it rests and is asked again, later and later. Fails for good where all
   * endpoints keep telling of another chain.
   */
  private verify(seat: S): Effect.Effect<void, RpcError | SourceError> {
    const { health } = seat
    if (health.verified) return Effect.void
    return Effect.gen({ self: this }, function* () {
      const askedAt = yield* steadyMillis
      const message = yield* Effect.catchIf(
        this.manners.identify(seat),
        // another question has told it meanwhile
        () => health.verified,
        () => Effect.succeed(null)
      )
      health.verified = message === null
      if (message === null) return
      health.deniedChain(askedAt, yield* steadyMillis)
      const isForeign = ({ health }: S): boolean => health.denials >= MOST_DENIALS
      if (this.pool.seats.every(isForeign)) return yield* new SourceError({ message, fatal: true })
      const retryAfterMs = isForeign(seat) ? LONGEST_ASKED_MS : 0
      const { label } = health
      const told = { endpoint: label, method: "", message, retryAfterMs }
      return yield* new RpcError({ kind: "bad-answer", ...told })
    })
  }
}
