/** A lane as the serving thread holds it: requests to its worker, and what the worker tells. */
import { Deferred, Effect } from "effect"
import type { ChainConfig } from "../../src/domain/chain.ts"
import type { WorkerHandle } from "../../src/platform/worker.ts"
import type { SourceStatus } from "../../streams/source.ts"
import { type Lane, LaneUnavailable } from "./lanes.ts"
import type { FromLane, HistoryAnswer, HistoryRequest, ToLane } from "./messages.ts"
import type { CommitNotice, LaneStatus, QueryAnswer, QueryRequest } from "./protocol.ts"

/** Longest wait for an answer. */
const QUERY_TIMEOUT = "10 seconds"

const startingStatus = (chain: ChainConfig): LaneStatus => ({
  chain: chain.key,
  state: "starting",
  problem: null,
  seq: 0,
  logSeq: 0,
  block: null,
  blockTime: null,
  events: 0,
  swaps: 0,
  quarantined: [],
  gaps: [],
  rollbacks: 0,
  lastRollbackDepth: null,
  memoryBytes: 0,
  projections: [],
  source: null,
  warnings: []
})

export interface LaneClient extends Lane {
  /** completes when the lane has folded what stood in the log at its start */
  readonly caughtUp: Effect.Effect<void>
  /** takes a (new) worker on; frames wanted of the last one are wanted of it too */
  readonly attach: (worker: WorkerHandle<ToLane, FromLane>) => void
  /** the worker is gone: open requests fail, the status says so */
  readonly lost: (message: string) => void
  readonly setSource: (status: SourceStatus) => void
}

type Waiting = Deferred.Deferred<QueryAnswer | HistoryAnswer, LaneUnavailable>

/** The `Lane` interface over a worker's port, once one is attached. */
export const makeLaneClient = (config: ChainConfig): Effect.Effect<LaneClient> =>
  Effect.gen(function* () {
    const caught = yield* Deferred.make<void>()
    const listeners = new Set<(notice: CommitNotice) => void>()
    const waiting = new Map<number, Waiting>()
    const flights = new Map<string, Waiting>()
    let status = startingStatus(config)
    let source: SourceStatus | null = null
    let seq = 0
    let nextId = 1
    let worker: WorkerHandle<ToLane, FromLane> | null = null
    const wanted = new Map<string, ToLane>()
    const unavailable = (message: string) => new LaneUnavailable({ chain: config.key, message })
    const settle = (
      id: number,
      how: Effect.Effect<QueryAnswer | HistoryAnswer, LaneUnavailable>
    ) => {
      const deferred = waiting.get(id)
      waiting.delete(id)
      if (deferred !== undefined) Effect.runFork(Deferred.complete(deferred, how))
    }
    const advance = (at: { seq: number; block: number; blockTime: number }): void => {
      seq = at.seq
      status = {
        ...status,
        seq,
        block: at.block,
        blockTime: at.blockTime,
        logSeq: Math.max(status.logSeq, seq)
      }
    }
    const receive = (message: FromLane): void => {
      if (message.type === "commit") {
        advance(message.notice)
        for (const listener of listeners) listener(message.notice)
      } else if (message.type === "status") {
        status = message.status
        seq = status.seq
      } else if (message.type === "caught-up") {
        advance(message.at)
        status = { ...status, state: "live" }
        Effect.runFork(Deferred.succeed(caught, undefined))
      } else if (message.type === "unanswered") {
        settle(message.id, Effect.fail(unavailable(message.message)))
      } else if (message.type !== "stopped") settle(message.id, Effect.succeed(message.answer))
    }
    const ask = (message: (id: number) => ToLane) =>
      Effect.gen(function* () {
        if (worker === null) return yield* unavailable(`lane ${config.key} is being restarted`)
        const deferred: Waiting = yield* Deferred.make<
          QueryAnswer | HistoryAnswer,
          LaneUnavailable
        >()
        const id = nextId++
        waiting.set(id, deferred)
        worker.post(message(id))
        return { id, deferred }
      })
    const answerOf = (id: number, deferred: Waiting) =>
      Deferred.await(deferred).pipe(
        Effect.timeoutOrElse({
          duration: QUERY_TIMEOUT,
          orElse: () => {
            // whoever shares this flight learns it too
            const late = unavailable(`lane ${config.key} did not answer in ${QUERY_TIMEOUT}`)
            settle(id, Effect.fail(late))
            return Effect.fail(late)
          }
        })
      )
    const query = (request: QueryRequest) =>
      Effect.suspend(() => {
        const key = JSON.stringify(request)
        const flight = flights.get(key)
        if (flight !== undefined) return Deferred.await(flight)
        return ask(id => ({ type: "query", id, request })).pipe(
          Effect.flatMap(({ id, deferred }) => {
            flights.set(key, deferred)
            return answerOf(id, deferred).pipe(
              Effect.ensuring(Effect.sync(() => flights.delete(key)))
            )
          })
        )
      }).pipe(Effect.map(answer => answer as QueryAnswer))
    const history = (request: HistoryRequest) =>
      ask(id => ({ type: "history", id, request })).pipe(
        Effect.flatMap(({ id, deferred }) => answerOf(id, deferred)),
        Effect.map(answer => answer as HistoryAnswer)
      )
    return {
      config,
      seq: () => seq,
      status: () => ({ ...status, source }),
      query,
      onCommit: listener => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      wantFrames: (channel, key, isWanted) => {
        const message: ToLane = { type: "want", channel, key, wanted: isWanted }
        if (isWanted) wanted.set(`${channel} ${key}`, message)
        else wanted.delete(`${channel} ${key}`)
        worker?.post(message)
      },
      history: (channel, key, fromSeq, limit) => history({ channel, key, fromSeq, limit }),
      caughtUp: Deferred.await(caught),
      attach: next => {
        worker = next
        next.onMessage(receive)
        for (const message of wanted.values()) next.post(message)
      },
      lost: message => {
        worker = null
        status = { ...status, state: "failed", problem: message }
        for (const id of [...waiting.keys()]) settle(id, Effect.fail(unavailable(message)))
      },
      setSource: next => {
        source = next
      }
    }
  })
