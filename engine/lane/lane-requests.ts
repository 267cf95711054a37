/** Requests to a lane's worker and their answers. Equal queries under way share one answer. */
import { Deferred, Effect } from "effect"
import type { WorkerHandle } from "../../src/platform/worker.ts"
import { LaneUnavailable } from "./lanes.ts"
import type { FromLane, HistoryAnswer, HistoryRequest, ToLane } from "./messages.ts"
import type { QueryAnswer, QueryRequest } from "./protocol.ts"

/** Longest wait for an answer. */
const TIMEOUT = "10 seconds"
/** Queries under way at most: what takes 20 ms is answered within seconds, or refused at once. */
export const MAX_QUERIES = 256

type Answer = QueryAnswer | HistoryAnswer
type Waiting = Deferred.Deferred<Answer, LaneUnavailable>

export class LaneRequests {
  private readonly chain: string
  private readonly worker: () => WorkerHandle<ToLane, FromLane> | null
  private readonly asked = new Map<number, Waiting>()
  private readonly flights = new Map<string, Waiting>()
  private nextId = 1

  constructor(chain: string, worker: () => WorkerHandle<ToLane, FromLane> | null) {
    this.chain = chain
    this.worker = worker
  }

  /** Questions to the worker that it has not answered. */
  get waiting(): number {
    return this.asked.size
  }

  private unavailable(message: string): LaneUnavailable {
    return new LaneUnavailable({ chain: this.chain, message })
  }

  private complete(id: number, answer: Effect.Effect<Answer, LaneUnavailable>): void {
    const deferred = this.asked.get(id)
    this.asked.delete(id)
    if (deferred !== undefined) Effect.runFork(Deferred.complete(deferred, answer))
  }

  /** Takes an answer of the worker. */
  settle(message: FromLane): void {
    if (message.type === "unanswered") {
      this.complete(message.id, Effect.fail(this.unavailable(message.message)))
    } else if (message.type === "answer" || message.type === "history") {
      this.complete(message.id, Effect.succeed(message.answer))
    }
  }

  /** The worker is gone. */
  failAll(message: string): void {
    for (const id of [...this.asked.keys()]) {
      this.complete(id, Effect.fail(this.unavailable(message)))
    }
  }

  private readonly ask = Effect.fnUntraced(function* (
    this: LaneRequests,
    message: (id: number) => ToLane,
    deferred: Waiting
  ): Effect.fn.Return<Answer, LaneUnavailable> {
    const worker = this.worker()
    if (worker === null) {
      const restarting = this.unavailable(`lane ${this.chain} is being restarted`)
      // whoever shares this flight learns it too
      yield* Deferred.fail(deferred, restarting)
      return yield* restarting
    }
    const id = this.nextId++
    this.asked.set(id, deferred)
    worker.post(message(id))
    return yield* Deferred.await(deferred).pipe(
      Effect.timeoutOrElse({
        duration: TIMEOUT,
        orElse: () => {
          const late = this.unavailable(`lane ${this.chain} did not answer in ${TIMEOUT}`)
          this.complete(id, Effect.fail(late))
          return Effect.fail(late)
        }
      })
    )
  })

  /** Asks a query, or joins the flight of an equal one. */
  query(request: QueryRequest): Effect.Effect<QueryAnswer, LaneUnavailable> {
    return Effect.suspend(() => {
      const key = JSON.stringify(request)
      const flight = this.flights.get(key)
      if (flight !== undefined) return Deferred.await(flight)
      if (this.flights.size >= MAX_QUERIES) {
        const busy = `lane ${this.chain} is busy: ${MAX_QUERIES} queries wait, try again`
        return Effect.fail(this.unavailable(busy))
      }
      const deferred: Waiting = Deferred.makeUnsafe()
      this.flights.set(key, deferred)
      // forked, so that one impatient caller does not take the answer from the others
      return Effect.forkDetach(
        this.ask(id => ({ type: "query", id, request }), deferred).pipe(
          Effect.ensuring(Effect.sync(() => this.flights.delete(key)))
        )
      ).pipe(Effect.andThen(Deferred.await(deferred)))
    }).pipe(Effect.map(answer => answer as QueryAnswer))
  }

  /** Asks a query of the tables that have folded most of the log; nobody shares its answer. */
  readonly newest = (request: QueryRequest): Effect.Effect<QueryAnswer, LaneUnavailable> =>
    Effect.suspend(() =>
      this.ask(id => ({ type: "query", id, request, newest: true }), Deferred.makeUnsafe())
    ).pipe(Effect.map(answer => answer as QueryAnswer))

  history(request: HistoryRequest): Effect.Effect<HistoryAnswer, LaneUnavailable> {
    return Effect.suspend(() =>
      this.ask(id => ({ type: "history", id, request }), Deferred.makeUnsafe())
    ).pipe(Effect.map(answer => answer as HistoryAnswer))
  }
}
