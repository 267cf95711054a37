/** Requests to a lane's worker and their answers. Equal queries under way share one answer. */
import { Deferred, Effect } from "effect"
import type { WorkerHandle } from "../../src/platform/worker.ts"
import type { HistoryAnswer, HistoryRequest } from "../frames.ts"
import type { QueryAnswer, QueryRequest } from "../question.ts"
import { LaneUnavailable } from "./lanes.ts"
import type { FromLane, ToLane } from "./messages.ts"

/** Longest wait for an answer, where the question does not say another. */
const TIMEOUT_SECONDS = 10
/** Between two looks whether somebody has waited that long. */
const LOOK = "1 second"
/** Queries under way at most: what takes 20 ms is answered within seconds, or refused at once. */
export const MAX_QUERIES = 256

type Answer = QueryAnswer | HistoryAnswer
type Waiting = Deferred.Deferred<Answer, LaneUnavailable>

interface Asked {
  readonly waiting: Waiting
  /** of a query, which equal ones share; null of what nobody shares */
  readonly key: string | null
  /** by `performance.now()`: nobody waits longer */
  readonly untilMs: number
  readonly seconds: number
}

export class LaneRequests {
  private readonly chain: string
  private readonly worker: () => WorkerHandle<ToLane, FromLane> | null
  /** by id, so in the order in which they were asked */
  private readonly asked = new Map<number, Asked>()
  private readonly flights = new Map<string, Waiting>()
  private nextId = 1
  /** whether it looks for who has waited too long: only while somebody waits */
  isLooking = false

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
    const asked = this.asked.get(id)
    if (asked === undefined) return
    this.asked.delete(id)
    if (asked.key !== null) this.flights.delete(asked.key)
    Deferred.doneUnsafe(asked.waiting, answer)
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

  /** Asks the worker. Who stops waiting takes nothing from those who share the answer. */
  private ask(
    message: (id: number) => ToLane,
    key: string | null = null,
    seconds = TIMEOUT_SECONDS
  ): Effect.Effect<Answer, LaneUnavailable> {
    const worker = this.worker()
    if (worker === null) {
      return Effect.fail(this.unavailable(`lane ${this.chain} is being restarted`))
    }
    const id = this.nextId++
    const waiting: Waiting = Deferred.makeUnsafe()
    const untilMs = performance.now() + seconds * 1000
    this.asked.set(id, { waiting, key, untilMs, seconds })
    if (key !== null) this.flights.set(key, waiting)
    worker.post(message(id))
    if (!this.isLooking) Effect.runFork(this.refuseLate)
    this.isLooking = true
    return Deferred.await(waiting)
  }

  /** Refuses those that have waited for too long, while there is anybody who waits. */
  private readonly refuseLate = Effect.gen({ self: this }, function* () {
    while (this.asked.size > 0) {
      yield* Effect.sleep(LOOK)
      const now = performance.now()
      for (const [id, { untilMs, seconds }] of this.asked) {
        if (untilMs > now) continue
        const message = `lane ${this.chain} did not answer in ${seconds} seconds`
        this.complete(id, Effect.fail(this.unavailable(message)))
      }
    }
    this.isLooking = false
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
      return this.ask(id => ({ type: "query", id, request }), key, request.patienceSeconds)
    }).pipe(Effect.map(answer => answer as QueryAnswer))
  }

  /** Asks a query of the tables that have folded most of the log; nobody shares its answer. */
  readonly newest = (request: QueryRequest): Effect.Effect<QueryAnswer, LaneUnavailable> =>
    Effect.suspend(() => this.ask(id => ({ type: "query", id, request, newest: true }))).pipe(
      Effect.map(answer => answer as QueryAnswer)
    )

  history(request: HistoryRequest): Effect.Effect<HistoryAnswer, LaneUnavailable> {
    return Effect.suspend(() => this.ask(id => ({ type: "history", id, request }))).pipe(
      Effect.map(answer => answer as HistoryAnswer)
    )
  }
}
