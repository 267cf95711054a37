/** News of the chain's head: pushed over WebSockets where there are any, and polled anyway. */
import { Clock, Effect, Queue, Ref, Schedule, type Scope, Stream } from "effect"
import { steadyMillis } from "../../../src/platform/elapsed.ts"
import type { RpcEndpoint } from "../../../src/platform/rpc.ts"
import type { StatusBoard } from "../../status-board.ts"
import type { Endpoints } from "./endpoints.ts"
import { fetchHead, fetchHeader, type LaneError } from "./rpc-lane.ts"
import { type Header, readHeader } from "./wire.ts"

export interface HeadOptions {
  readonly pollMs: number
  /** polling while heads are pushed: a socket may be open and silent */
  readonly slowPollMs: number
  /** pushed heads come so often: where one is overdue, the node is asked whether it lives */
  readonly overdueMs: number
}

/** Polls between two looks at what the other endpoints' heads are. */
const POLLS_PER_COMPARISON = 10

/** Blocks by which the endpoint in use may be behind another. */
const LEAD = 2

/** Waits before a lost subscription is made again. */
const RESUBSCRIBE_MS = 1000

/** Head after head; only the newest one is kept while nobody takes it. */
export const watchHeads = (
  endpoints: Endpoints,
  all: ReadonlyArray<RpcEndpoint>,
  options: HeadOptions,
  status: StatusBoard
): Effect.Effect<Queue.Dequeue<Header, LaneError>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const heads = yield* Queue.sliding<Header, LaneError>(1)
    const pushing = yield* Ref.make(0)
    const pushedAt = yield* Ref.make(0)
    let newest = -1
    const tell = (header: Header): Effect.Effect<void> =>
      Effect.flatMap(Clock.currentTimeMillis, now => {
        status.sawHead(header.number, now)
        return Effect.asVoid(Queue.offer(heads, header))
      })
    // in short steps: a lost or silent socket must not be waited for as long as one that pushes
    const pause = Effect.gen(function* () {
      const from = yield* steadyMillis
      for (;;) {
        yield* Effect.sleep(options.pollMs)
        if ((yield* Ref.get(pushing)) === 0) return
        const now = yield* steadyMillis
        const since = Math.max(from, yield* Ref.get(pushedAt))
        if (now - from >= options.slowPollMs || now - since >= options.overdueMs) return
      }
    })
    const poll = Effect.gen(function* () {
      for (;;) {
        yield* tell(yield* fetchHead(endpoints))
        yield* pause
      }
    }).pipe(Effect.catch(error => Queue.fail(heads, error)))
    yield* Effect.forkScoped(poll)
    if (endpoints.count > 1) {
      const compare = endpoints.compare(LEAD).pipe(
        Effect.delay(options.pollMs * POLLS_PER_COMPARISON),
        Effect.forever,
        Effect.catch(error => Queue.fail(heads, error))
      )
      yield* Effect.forkScoped(compare)
    }
    for (const [place, { newHeads, label }] of all.entries()) {
      if (newHeads === null) continue
      const socket = status.pushes(label)
      const noted = Stream.tap(newHeads, head =>
        Effect.sync(() => socket.pushed(readHeader(head)?.number ?? -1))
      )
      // what is pushed by who may serve another chain is no news of this one
      const own = Stream.filter(noted, () => endpoints.isVerified(place))
      const heard = (header: Header) =>
        Effect.gen(function* () {
          // old heads are as good as silence
          if (header.number > newest) yield* Ref.set(pushedAt, yield* steadyMillis)
          newest = Math.max(newest, header.number)
          if (header.sealed === true) return yield* tell(header)
          // its number is news; what else it says is asked for
          const whole = yield* fetchHeader(endpoints, header.number)
          if (whole?.number === header.number) yield* tell(whole)
        }).pipe(Effect.catch(error => Queue.fail(heads, error)))
      yield* Effect.forkScoped(subscribe(own, pushing, heard))
    }
    return heads
  })

/** Follows one endpoint's subscription for ever; while heads come, polling is slow. */
const subscribe = (
  newHeads: Stream.Stream<unknown, unknown>,
  pushing: Ref.Ref<number>,
  tell: (header: Header) => Effect.Effect<unknown>
): Effect.Effect<void> =>
  Effect.gen(function* () {
    let counted = false
    yield* newHeads.pipe(
      Stream.runForEach(pushed =>
        Effect.gen(function* () {
          const header = readHeader(pushed)
          if (header === null) return
          if (!counted) {
            counted = true
            yield* Ref.update(pushing, count => count + 1)
          }
          yield* tell(header)
        })
      ),
      Effect.ignore,
      Effect.ensuring(
        Effect.suspend(() => (counted ? Ref.update(pushing, count => count - 1) : Effect.void))
      )
    )
  }).pipe(Effect.repeat(Schedule.spaced(RESUBSCRIBE_MS)), Effect.asVoid)
