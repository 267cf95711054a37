/**
 * Several endpoints of one chain as one that always answers in the end. The best one is used until
 * it fails or another is clearly better; an endpoint that failed rests, longer each time, before it
 * is asked again. What trying again cannot help (a range too wide, a reverted call, a method that
 * nobody has) is the caller's to handle.
 */
import { Effect, Random, Result } from "effect"
import { steadyMillis } from "../../../src/platform/elapsed.ts"
import type { RpcCall, RpcEndpoint } from "../../../src/platform/rpc.ts"
import { RpcError } from "../../../src/platform/rpc-error.ts"
import { SourceError } from "../../source.ts"
import type { StatusBoard } from "../../status-board.ts"
import {
  allOf,
  type BatchOptions,
  badAnswer,
  type CallOptions,
  FINAL,
  noSuchMethod,
  type Read,
  readResult,
  type Slot,
  type Suits
} from "./endpoint-calls.ts"
import { EndpointHealth } from "./endpoint-health.ts"
import { EndpointPool, MOST_FAILURES } from "./endpoint-pool.ts"
import { OpenCalls } from "./open-calls.ts"
import { type Header, readHeader, readQuantity } from "./wire.ts"

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

/** Times that an endpoint tells of another chain before it is hardly asked any more. */
const MOST_DENIALS = 4

/** Calls in one HTTP request. */
const BATCH_SIZE = 50

/** An endpoint's word on which block has a number. */
export interface View {
  readonly place: number
  /** its newest block */
  readonly head: number
  /** the block asked about; null where it has none of that number */
  readonly asked: Header | null
}

export class Endpoints {
  private readonly pool: EndpointPool
  private readonly chainId: number
  private readonly status: StatusBoard
  private readonly times: RetryTimes

  constructor(
    endpoints: ReadonlyArray<RpcEndpoint>,
    chainId: number,
    status: StatusBoard,
    times: RetryTimes = retryDefaults,
    healths: ReadonlyArray<EndpointHealth> = endpoints.map(one => new EndpointHealth(one.label)),
    blockTimeMs = 1000
  ) {
    this.chainId = chainId
    this.status = status
    this.times = times
    const slots = endpoints.map((endpoint, i) => ({
      endpoint,
      health: healths[i] ?? new EndpointHealth(endpoint.label)
    }))
    this.pool = new EndpointPool(slots, blockTimeMs, times.longestMs)
  }

  get count(): number {
    return this.pool.slots.length
  }

  /** Labels of those that do not only fail, but for the endpoint at a place. */
  labels(besides?: number): ReadonlyArray<string> {
    return this.pool.well.flatMap(slot =>
      this.pool.placeOf(slot) === besides ? [] : [slot.health.label]
    )
  }

  /** The label of the endpoint at a place. */
  labelOf(place: number): string {
    return this.pool.slots[place]?.health.label ?? ""
  }

  /** Whether some endpoint that does not only fail may have the method. */
  mayHave(method: string): boolean {
    return this.pool.mayHave(method)
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

  /**
   * The results of several calls by one and the same endpoint, read together, all or nothing, with
   * the place of the endpoint.
   */
  all<A>(
    calls: ReadonlyArray<RpcCall>,
    read: (results: ReadonlyArray<unknown>) => A | null,
    options: CallOptions = {}
  ): Effect.Effect<{ readonly value: A; readonly by: number }, RpcError | SourceError> {
    const [first] = calls as readonly [RpcCall]
    const attempt = (slot: Slot) =>
      Effect.map(allOf(slot, calls, read), value => ({ value, by: this.pool.placeOf(slot) }))
    return this.persist(first.method, attempt, options)
  }

  /**
   * Whether another node may soon tell of a block: not one that lags or only fails. One address
   * counts once, as where a node is asked over HTTP and a WebSocket.
   */
  hasOther(besides: number, block: number): boolean {
    const own = this.labelOf(besides)
    return this.pool.slots.some(
      ({ health: { failures, head, label } }) =>
        label !== own && failures < MOST_FAILURES && (head === null || head >= block)
    )
  }

  /**
   * Asks calls once of the best node but one, of those that suit; null where none of them
   * answers. A refusal that is final is told to `refused`.
   */
  elsewhere<A>(
    calls: ReadonlyArray<RpcCall>,
    read: (results: ReadonlyArray<unknown>) => A | null,
    besides: number,
    suits: Suits = () => true,
    refused: (error: RpcError) => void = () => undefined
  ): Effect.Effect<{ readonly value: A; readonly by: number } | null, SourceError> {
    return Effect.gen({ self: this }, function* () {
      const now = yield* steadyMillis
      const own = this.labelOf(besides)
      const slot = this.pool.bestOf(
        this.pool
          .awake(now)
          .filter(
            ({ health }) =>
              health.label !== own &&
              suits(health.label) &&
              calls.every(({ method }) => !health.lacks(method))
          )
      )
      if (slot === null) return null
      const asked = Effect.andThen(this.verify(slot), allOf(slot, calls, read))
      const outcome = yield* Effect.result(asked)
      if (Result.isSuccess(outcome)) {
        slot.health.succeeded()
        return { value: outcome.success, by: this.pool.placeOf(slot) }
      }
      const error = outcome.failure
      if (error._tag === "SourceError") return yield* error
      if (FINAL.has(error.kind)) refused(error)
      else yield* this.rest(slot, now, error.message, error.retryAfterMs)
      return null
    })
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

  /**
   * Asks all endpoints that do not rest for their heads, and turns to another one where the one in
   * use is more than `lead` blocks behind, or another is clearly better.
   */
  compare(lead: number): Effect.Effect<void, SourceError> {
    const call = { method: "eth_blockNumber", params: [] }
    const ask = (slot: Slot) =>
      Effect.gen({ self: this }, function* () {
        yield* this.verify(slot)
        const began = yield* steadyMillis
        const head = readQuantity(yield* slot.endpoint.request(call))
        const ended = yield* steadyMillis
        if (head !== null) slot.health.sampled(ended - began, head)
        slot.health.succeeded()
        slot.health.forgive()
      }).pipe(
        Effect.catchTag("RpcError", error =>
          Effect.flatMap(steadyMillis, now =>
            this.rest(slot, now, error.message, error.retryAfterMs, slot !== this.pool.used)
          )
        )
      )
    return Effect.gen({ self: this }, function* () {
      const now = yield* steadyMillis
      yield* Effect.forEach(this.pool.awake(now), ask, { concurrency: "unbounded", discard: true })
      this.pool.elect(yield* steadyMillis, lead)
    })
  }

  /** What each endpoint that answers now says of a block, and how far it is. */
  views(number: number): Effect.Effect<ReadonlyArray<View>, SourceError> {
    const calls = ["latest", `0x${number.toString(16)}`].map(tag => ({
      method: "eth_getBlockByNumber",
      params: [tag, false]
    }))
    const read = ([latest, asked]: ReadonlyArray<unknown>) => {
      const head = readHeader(latest)
      const there = asked === null ? null : readHeader(asked)
      if (head === null || (asked !== null && there === null)) return null
      return { head: head.number, asked: there }
    }
    const ask = (slot: Slot) =>
      Effect.andThen(this.verify(slot), allOf(slot, calls, read)).pipe(
        Effect.map(view => [{ ...view, place: this.pool.placeOf(slot) }]),
        Effect.catchTag("RpcError", () => Effect.succeed([]))
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

  /** Whether the endpoint at a place is known to serve the chain. */
  isVerified(place: number): boolean {
    return this.pool.slots[place]?.health.verified === true
  }

  /** Turns to an endpoint. */
  use(place: number): void {
    if (this.pool.slots[place] !== undefined) this.pool.primary = place
  }

  /** The endpoint in use, for `distrust`. */
  get current(): number {
    return this.pool.primary
  }

  /**
   * Lets another endpoint try: the last answers of this one did not fit together. Does nothing
   * where another one is in use already, as when several answers of one endpoint were bad.
   */
  distrust(endpoint: number, reason: string): Effect.Effect<void> {
    const slot = this.pool.slots[endpoint]
    if (endpoint !== this.pool.primary || slot === undefined) return Effect.void
    slot.health.doubted(reason)
    return this.restNow(slot, reason)
  }

  /** An answer of this endpoint was proven wrong. */
  convict(place: number, reason: string): Effect.Effect<void> {
    const slot = this.pool.slots[place]
    if (slot === undefined) return Effect.void
    slot.health.lied(reason)
    return this.restNow(slot, reason)
  }

  /** An answer of this endpoint was proven right. */
  trust(endpoint: number): void {
    const slot = this.pool.slots[endpoint]
    if (endpoint === this.pool.primary && slot !== undefined) slot.health.strikes = 0
  }

  private chunk<A>(
    calls: ReadonlyArray<RpcCall>,
    read: Read<A>,
    { rounds = Number.POSITIVE_INFINITY, ...options }: BatchOptions
  ): Effect.Effect<ReadonlyArray<Result.Result<A, RpcError>>, RpcError | SourceError> {
    const open = new OpenCalls(calls, read, rounds)
    const method = calls[0]?.method ?? ""
    return Effect.map(
      this.persist(method, slot => open.ask(slot), options),
      () => open.results
    )
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
        const slot = self.pool.choose(method, yield* steadyMillis, options.suits)
        const isLost = options.spare === true && !self.mayHave(method)
        if (slot === null || isLost) return yield* noSuchMethod(method)
        const wait = slot.health.restUntil - (yield* steadyMillis)
        if (wait > 0) yield* Effect.sleep(wait)
        slot.health.askedAt = yield* steadyMillis
        const outcome = yield* Effect.result(Effect.andThen(self.verify(slot), attempt(slot)))
        if (Result.isSuccess(outcome)) {
          slot.health.succeeded()
          self.status.recovered()
          return outcome.success
        }
        const error = outcome.failure
        if (error._tag === "SourceError") return yield* error
        const now = yield* steadyMillis
        if (error.kind === "unsupported") {
          if (self.pool.denied(slot, method, now)) continue
        } else if (FINAL.has(error.kind)) return yield* error
        yield* self.rest(slot, now, error.message, error.retryAfterMs)
        if (options.give?.includes(error.kind) === true) return yield* error
      }
    })
  }

  private restNow(slot: Slot, reason: string): Effect.Effect<void> {
    if (this.count === 1) {
      // with nobody else to ask, a rest makes its answers no better
      this.status.retrying(reason)
      slot.health.failed(reason)
      return Effect.void
    }
    return Effect.flatMap(steadyMillis, now => this.rest(slot, now, reason, undefined))
  }

  private rest(
    { health }: Slot,
    now: number,
    problem: string,
    askedMs: number | undefined,
    quietly = false
  ) {
    if (!quietly) this.status.retrying(problem)
    health.failed(problem)
    // Calls that failed side by side are one failure.
    if (health.restUntil <= now) health.failures++
    const { firstMs, longestMs } = this.times
    const strikes = this.pool.isOneNode ? 0 : health.strikes
    const doublings = Math.min(16, health.failures - 1 + strikes)
    const base = Math.min(longestMs, firstMs * 2 ** doublings)
    return Effect.map(Random.next, random => {
      // Full waits of many clients would end together; half of it is left to chance.
      const asked = Math.min(askedMs ?? 0, LONGEST_ASKED_MS)
      const wait = Math.max(asked, base * (0.5 + random / 2))
      health.restUntil = Math.max(health.restUntil, now + wait)
    })
  }

  /**
   * An endpoint of another chain is a mistake in the configuration. One wrong answer may be the
   * node's mistake: it rests and is asked again, later and later. Fails for good where all
   * endpoints keep telling of another chain.
   */
  private verify(slot: Slot): Effect.Effect<void, RpcError | SourceError> {
    const { health } = slot
    if (health.verified) return Effect.void
    const call = { method: "eth_chainId", params: [] }
    return Effect.gen({ self: this }, function* () {
      const askedAt = yield* steadyMillis
      const id = readQuantity(yield* slot.endpoint.request(call))
      if (id === null) return yield* badAnswer(slot, call)
      health.verified = id === this.chainId
      if (health.verified) return
      health.deniedChain(askedAt, yield* steadyMillis)
      const message = `${slot.endpoint.label} serves chain ${id}, not chain ${this.chainId}: check RPC_${this.chainId}`
      const isForeign = ({ health }: Slot): boolean => health.denials >= MOST_DENIALS
      if (this.pool.slots.every(isForeign)) return yield* new SourceError({ message, fatal: true })
      const retryAfterMs = isForeign(slot) ? LONGEST_ASKED_MS : 0
      return yield* new RpcError({ ...badAnswer(slot, call), message, retryAfterMs })
    })
  }
}
