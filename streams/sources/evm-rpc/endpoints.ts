/**
 * Several endpoints of one chain as one that always answers in the end. One endpoint is used until
 * it fails; then it rests, longer each time, and the next one is asked. What trying again cannot
 * help (a range too wide, a reverted call, a method that nobody has) is the caller's to handle.
 */
import { Clock, Effect, Random, Result } from "effect"
import type { RpcCall, RpcEndpoint } from "../../../src/platform/rpc.ts"
import { RpcError, type RpcErrorKind } from "../../../src/platform/rpc-error.ts"
import { SourceError } from "../../source.ts"
import type { StatusBoard } from "../../status-board.ts"
import { readQuantity } from "./wire.ts"

export interface RetryTimes {
  /** first rest after a failure, and the longest */
  readonly firstMs: number
  readonly longestMs: number
}

export const retryDefaults: RetryTimes = { firstMs: 200, longestMs: 20_000 }

/** A server that asks to be left alone for longer is asked again anyway. */
const LONGEST_ASKED_MS = 300_000

/** Calls in one HTTP request. */
const BATCH_SIZE = 50

/** Calls at once to a node that takes no batches. */
const SINGLE_CALLS = 8

/** Errors that go to the caller at once. */
const FINAL: ReadonlySet<RpcErrorKind> = new Set([
  "range-too-wide",
  "too-many-results",
  "reverted",
  "no-state",
  "unsupported"
])

/** Turns a result into a value; null where it is malformed. */
export type Read<A> = (result: unknown) => A | null

export interface CallOptions {
  /** kinds of error that the caller wants to see although they may pass */
  readonly give?: ReadonlyArray<RpcErrorKind>
}

export interface BatchOptions {
  /** rounds after which an error object of a single call is its result */
  readonly rounds?: number
}

interface Slot {
  readonly endpoint: RpcEndpoint
  verified: boolean
  failures: number
  /** answers that did not fit together, since the last that did */
  strikes: number
  restUntil: number
  takesBatches: boolean
  readonly unsupported: Set<string>
}

export class Endpoints {
  private readonly slots: ReadonlyArray<Slot>
  private readonly chainId: number
  private readonly status: StatusBoard
  private readonly times: RetryTimes
  private primary = 0

  constructor(
    endpoints: ReadonlyArray<RpcEndpoint>,
    chainId: number,
    status: StatusBoard,
    times: RetryTimes = retryDefaults
  ) {
    this.chainId = chainId
    this.status = status
    this.times = times
    this.slots = endpoints.map(endpoint => ({
      endpoint,
      verified: false,
      failures: 0,
      strikes: 0,
      restUntil: 0,
      takesBatches: true,
      unsupported: new Set()
    }))
  }

  get count(): number {
    return this.slots.length
  }

  /** Whether some endpoint may have the method. */
  mayHave(method: string): boolean {
    return this.slots.some(slot => !slot.unsupported.has(method))
  }

  /** The result of a call, however long it takes; fails with what retrying cannot help. */
  request<A>(
    call: RpcCall,
    read: Read<A>,
    options: CallOptions = {}
  ): Effect.Effect<A, RpcError | SourceError> {
    const attempt = (slot: Slot) =>
      slot.endpoint
        .request(call)
        .pipe(Effect.flatMap(result => Effect.fromResult(readResult(slot, call, read, result))))
    return this.persist(call.method, attempt, options)
  }

  /** The results of several calls by one and the same endpoint, read together; all or nothing. */
  all<A>(
    calls: ReadonlyArray<RpcCall>,
    read: (results: ReadonlyArray<unknown>) => A | null,
    options: CallOptions = {}
  ): Effect.Effect<A, RpcError | SourceError> {
    const [first] = calls as readonly [RpcCall]
    const attempt = (slot: Slot): Effect.Effect<A, RpcError> =>
      Effect.flatMap(askAll(slot, calls), answers =>
        Effect.fromResult(
          Result.flatMap(Result.all(answers), results =>
            readResult(slot, first, () => read(results), null)
          )
        )
      )
    return this.persist(first.method, attempt, options)
  }

  /** One result per call, in order; each may be an error that retrying cannot help. */
  batch<A>(
    calls: ReadonlyArray<RpcCall>,
    read: Read<A>,
    options: BatchOptions = {}
  ): Effect.Effect<ReadonlyArray<Result.Result<A, RpcError>>, RpcError | SourceError> {
    const chunks: Array<ReadonlyArray<RpcCall>> = []
    for (let at = 0; at < calls.length; at += BATCH_SIZE)
      chunks.push(calls.slice(at, at + BATCH_SIZE))
    return Effect.map(
      Effect.forEach(chunks, chunk => this.chunk(chunk, read, options)),
      lists => lists.flat()
    )
  }

  /** Turns to an endpoint whose head is more than `lead` blocks above `head`, if there is one. */
  leaveLaggard(head: number, lead: number): Effect.Effect<void> {
    const call = { method: "eth_blockNumber", params: [] }
    const ask = (slot: Slot) =>
      Effect.andThen(this.verify(slot), slot.endpoint.request(call)).pipe(
        Effect.map(result => ({ slot, head: readQuantity(result) ?? -1 })),
        Effect.catch(() => Effect.succeed({ slot, head: -1 }))
      )
    return Effect.gen({ self: this }, function* () {
      const now = yield* Clock.currentTimeMillis
      const current = this.slots[this.primary] as Slot
      const others = this.slots.filter(slot => slot !== current && slot.restUntil <= now)
      const heads = yield* Effect.forEach(others, ask, { concurrency: "unbounded" })
      const ahead = heads.find(other => other.head > head + lead)
      if (ahead !== undefined) this.primary = this.slots.indexOf(ahead.slot)
    })
  }

  /** The endpoint in use, for `distrust`. */
  get current(): number {
    return this.primary
  }

  /**
   * Lets another endpoint try: the last answers of this one did not fit together. Does nothing
   * where another one is in use already, as when several answers of one endpoint were bad.
   */
  distrust(endpoint: number, reason: string): Effect.Effect<void> {
    if (endpoint !== this.primary) return Effect.void
    const slot = this.slots[endpoint] as Slot
    return Effect.flatMap(Clock.currentTimeMillis, now => {
      slot.strikes++
      return this.rest(slot, now, reason, undefined)
    })
  }

  /** An answer of this endpoint was proven right. */
  trust(endpoint: number): void {
    if (endpoint === this.primary) (this.slots[endpoint] as Slot).strikes = 0
  }

  private chunk<A>(
    calls: ReadonlyArray<RpcCall>,
    read: Read<A>,
    { rounds = Number.POSITIVE_INFINITY }: BatchOptions
  ): Effect.Effect<ReadonlyArray<Result.Result<A, RpcError>>, RpcError | SourceError> {
    let round = 0
    const done: Array<Result.Result<A, RpcError> | undefined> = calls.map(() => undefined)
    const method = calls[0]?.method ?? ""
    // Fails with the first answer worth another try, after keeping all the others.
    const attempt = (slot: Slot): Effect.Effect<void, RpcError> => {
      const open = calls.flatMap((call, place) =>
        done[place] === undefined ? [{ call, place }] : []
      )
      const asked = open.map(one => one.call)
      return Effect.flatMap(askAll(slot, asked), results => {
        let again: RpcError | null = null
        round++
        open.forEach(({ call, place }, i) => {
          const result = Result.flatMap(results[i] as Result.Result<unknown, RpcError>, value =>
            readResult(slot, call, read, value)
          )
          if (Result.isSuccess(result) || isFinal(result.failure, round >= rounds)) {
            done[place] = result
          } else again ??= result.failure
        })
        return again === null ? Effect.void : Effect.fail(again)
      })
    }
    return Effect.as(this.persist(method, attempt, {}), done as Array<Result.Result<A, RpcError>>)
  }

  /** Repeats `attempt` on one endpoint after the other until it succeeds or cannot. */
  private persist<A>(
    method: string,
    attempt: (slot: Slot) => Effect.Effect<A, RpcError>,
    options: CallOptions
  ): Effect.Effect<A, RpcError | SourceError> {
    const self = this
    return Effect.gen(function* () {
      for (;;) {
        const slot = self.choose(method, yield* Clock.currentTimeMillis)
        if (slot === null) return yield* noSuchMethod(method)
        const wait = slot.restUntil - (yield* Clock.currentTimeMillis)
        if (wait > 0) yield* Effect.sleep(wait)
        const outcome = yield* Effect.result(Effect.andThen(self.verify(slot), attempt(slot)))
        if (Result.isSuccess(outcome)) {
          slot.failures = 0
          self.status.recovered()
          return outcome.success
        }
        const error = outcome.failure
        if (error._tag === "SourceError") return yield* error
        if (error.kind === "unsupported") slot.unsupported.add(method)
        else if (FINAL.has(error.kind)) return yield* error
        else {
          const now = yield* Clock.currentTimeMillis
          yield* self.rest(slot, now, error.message, error.retryAfterMs)
          if (options.give?.includes(error.kind) === true) return yield* error
        }
      }
    })
  }

  /** The endpoint to ask: the one in use, else the one that may be asked first. */
  private choose(method: string, now: number): Slot | null {
    const able = this.slots.filter(slot => !slot.unsupported.has(method))
    const current = this.slots[this.primary] as Slot
    if (able.includes(current) && current.restUntil <= now) return current
    const next = able.reduce<Slot | null>(
      (best, slot) => (best === null || slot.restUntil < best.restUntil ? slot : best),
      null
    )
    // A method that the one in use lacks is no reason to leave it for everything else.
    if (next !== null && current.restUntil > now) this.primary = this.slots.indexOf(next)
    return next
  }

  private rest(slot: Slot, now: number, problem: string, askedMs: number | undefined) {
    this.status.retrying(problem)
    // Calls that failed side by side are one failure.
    if (slot.restUntil <= now) slot.failures++
    const { firstMs, longestMs } = this.times
    const doublings = Math.min(16, slot.failures - 1 + slot.strikes)
    const base = Math.min(longestMs, firstMs * 2 ** doublings)
    return Effect.map(Random.next, random => {
      // Full waits of many clients would end together; half of it is left to chance.
      const asked = Math.min(askedMs ?? 0, LONGEST_ASKED_MS)
      const wait = Math.max(asked, base * (0.5 + random / 2))
      slot.restUntil = Math.max(slot.restUntil, now + wait)
    })
  }

  /** An endpoint of another chain is a mistake in the configuration, never to be worked around. */
  private verify(slot: Slot): Effect.Effect<void, RpcError | SourceError> {
    if (slot.verified) return Effect.void
    const call = { method: "eth_chainId", params: [] }
    const check = (result: unknown): Effect.Effect<void, RpcError | SourceError> => {
      const id = readQuantity(result)
      if (id === null) return Effect.fail(badAnswer(slot, call))
      if (id !== this.chainId) {
        const message = `${slot.endpoint.label} serves chain ${id}, not chain ${this.chainId}: check RPC_${this.chainId}`
        return Effect.fail(new SourceError({ message, fatal: true }))
      }
      slot.verified = true
      return Effect.void
    }
    return Effect.flatMap(slot.endpoint.request(call), check)
  }
}

const isFinal = (error: RpcError, isLastRound: boolean): boolean =>
  FINAL.has(error.kind) || (isLastRound && error.kind === "rpc")

const badAnswer = (slot: Slot, call: RpcCall): RpcError =>
  new RpcError({
    kind: "bad-answer",
    endpoint: slot.endpoint.label,
    method: call.method,
    message: `${slot.endpoint.label} ${call.method}: malformed result`
  })

const readResult = <A>(
  slot: Slot,
  call: RpcCall,
  read: Read<A>,
  result: unknown
): Result.Result<A, RpcError> => {
  const value = read(result)
  return value === null ? Result.fail(badAnswer(slot, call)) : Result.succeed(value)
}

const noSuchMethod = (method: string): RpcError =>
  new RpcError({
    kind: "unsupported",
    endpoint: "",
    method,
    message: `no endpoint has ${method}`
  })

/** Answers in order, each a result or an error of its own. */
const askAll = (slot: Slot, calls: ReadonlyArray<RpcCall>) =>
  slot.takesBatches ? inOneRequest(slot, calls) : singly(slot, calls)

/** An error object for a whole batch of several calls: this node wants them one by one. */
const inOneRequest = (slot: Slot, calls: ReadonlyArray<RpcCall>) =>
  slot.endpoint.batch(calls).pipe(
    Effect.catchIf(
      error => calls.length > 1 && (error.kind === "rpc" || error.kind === "unsupported"),
      () => {
        slot.takesBatches = false
        return singly(slot, calls)
      }
    )
  )

const singly = (slot: Slot, calls: ReadonlyArray<RpcCall>) =>
  Effect.forEach(calls, call => Effect.result(slot.endpoint.request(call)), {
    concurrency: SINGLE_CALLS
  })
