/**
 * The endpoints of an EVM chain as one that always answers in the end (`Asking`). What trying again
 * cannot help (a range too wide, a reverted call, a method that nobody has) is the caller's to
 * handle.
 */
import { Effect, type Result } from "effect"
import { steadyMillis } from "../../../src/platform/elapsed.ts"
import type { RpcCall, RpcEndpoint } from "../../../src/platform/rpc.ts"
import type { RpcError } from "../../../src/platform/rpc-error.ts"
import { Asking, type CallOptions, type RetryTimes, retryDefaults } from "../../endpoints/asking.ts"
import { EndpointHealth } from "../../endpoints/endpoint-health.ts"
import { EndpointPool, MOST_FAILURES, type Suits } from "../../endpoints/endpoint-pool.ts"
import type { SourceError } from "../../source.ts"
import type { StatusBoard } from "../../status-board.ts"
import {
  allOf,
  type BatchOptions,
  badAnswer,
  FINAL,
  NEEDED,
  type Read,
  readResult,
  type Seat
} from "./endpoint-calls.ts"
import { OpenCalls } from "./open-calls.ts"
import { type Header, readHeader, readQuantity } from "./wire.ts"

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

/** Null where an endpoint serves the chain. */
const foreignWords = (seat: Seat, chainId: number): Effect.Effect<string | null, RpcError> => {
  const call = { method: "eth_chainId", params: [] }
  return Effect.gen(function* () {
    const id = readQuantity(yield* seat.endpoint.request(call))
    if (id === null) return yield* badAnswer(seat, call)
    const { label } = seat.endpoint
    const words = `${label} serves chain ${id}, not chain ${chainId}: check RPC_${chainId}`
    return id === chainId ? null : words
  })
}

export class Endpoints {
  private readonly pool: EndpointPool<Seat>
  private readonly asking: Asking<Seat>

  constructor(
    endpoints: ReadonlyArray<RpcEndpoint>,
    chainId: number,
    status: StatusBoard,
    times: RetryTimes = retryDefaults,
    healths: ReadonlyArray<EndpointHealth> = endpoints.map(one => new EndpointHealth(one.label)),
    blockTimeMs = 1000
  ) {
    const seats = endpoints.map((endpoint, i) => ({
      endpoint,
      health: healths[i] ?? new EndpointHealth(endpoint.label)
    }))
    this.pool = new EndpointPool(seats, blockTimeMs, times.longestMs, NEEDED)
    const manners = { identify: (seat: Seat) => foreignWords(seat, chainId), final: FINAL }
    this.asking = new Asking(this.pool, status, times, manners)
  }

  get count(): number {
    return this.pool.seats.length
  }

  /** Labels of those that do not only fail, but for the endpoint at a place. */
  labels(besides?: number): ReadonlyArray<string> {
    return this.pool.well.flatMap(seat =>
      this.pool.placeOf(seat) === besides ? [] : [seat.health.label]
    )
  }

  /** The label of the endpoint at a place. */
  labelOf(place: number): string {
    return this.pool.seats[place]?.health.label ?? ""
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
    const attempt = (seat: Seat) =>
      seat.endpoint
        .request(call)
        .pipe(Effect.flatMap(result => Effect.fromResult(readResult(seat, call, read, result))))
    return this.asking.persist(call.method, attempt, options)
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
    const attempt = (seat: Seat) =>
      Effect.map(allOf(seat, calls, read), value => ({ value, by: this.pool.placeOf(seat) }))
    return this.asking.persist(first.method, attempt, options)
  }

  /**
   * Whether another node may soon tell of a block: not one that lags or only fails. One address
   * counts once, as where a node is asked over HTTP and a WebSocket.
   */
  hasOther(besides: number, block: number): boolean {
    const own = this.labelOf(besides)
    return this.pool.seats.some(
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
    return Effect.flatMap(steadyMillis, now => {
      const own = this.labelOf(besides)
      const others = this.pool
        .awake(now)
        .filter(
          ({ health }) =>
            health.label !== own &&
            suits(health.label) &&
            calls.every(({ method }) => !health.lacks(method))
        )
      const kind = calls.map(({ method }) => method).join()
      return this.asking.once(kind, others, seat => allOf(seat, calls, read), refused)
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
    const head = (seat: Seat) => Effect.map(seat.endpoint.request(call), readQuantity)
    return this.asking.compare(head, lead)
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
    return this.asking.views("eth_getBlockByNumber", seat =>
      Effect.map(allOf(seat, calls, read), view => ({ ...view, place: this.pool.placeOf(seat) }))
    )
  }

  /** Waits before something is asked again that was answered and did not do. */
  pause(ms: number): Effect.Effect<void> {
    return this.asking.pause(ms)
  }

  /** Whether the endpoint at a place is known to serve the chain. */
  isVerified(place: number): boolean {
    return this.pool.seats[place]?.health.verified === true
  }

  /** Turns to an endpoint. */
  use(place: number): void {
    if (this.pool.seats[place] !== undefined) this.pool.primary = place
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
    return this.asking.distrust(endpoint, reason)
  }

  /** An answer of this endpoint was proven wrong. */
  convict(place: number, reason: string): Effect.Effect<void> {
    return this.asking.convict(place, reason)
  }

  /** An answer of this endpoint was proven right. */
  trust(endpoint: number): void {
    const seat = this.pool.seats[endpoint]
    if (endpoint === this.pool.primary && seat !== undefined) seat.health.strikes = 0
  }

  private chunk<A>(
    calls: ReadonlyArray<RpcCall>,
    read: Read<A>,
    { rounds = Number.POSITIVE_INFINITY, ...options }: BatchOptions
  ): Effect.Effect<ReadonlyArray<Result.Result<A, RpcError>>, RpcError | SourceError> {
    const open = new OpenCalls(calls, read, rounds)
    const method = calls[0]?.method ?? ""
    return Effect.map(
      this.asking.persist(method, seat => open.ask(seat), options),
      () => open.results
    )
  }
}
