/**
 * The router inside its thread: follows the log of each chain, folds the pools' states, and answers
 * from them. It goes through no lane: only the log is between a chain and its quotes.
 */
import { Cause, Clock, Effect, Exit, FiberMap, Schedule, Stream } from "effect"
import type { ChainConfig } from "../../src/domain/chain.ts"
import type { JetStream } from "../../src/platform/jetstream.ts"
import { plainWords } from "../../src/platform/plain-words.ts"
import type { ParentPort } from "../../src/platform/worker.ts"
import type { WantedState } from "../../streams/source.ts"
import { type LogStream, logStream } from "../log/log-stream.ts"
import { logEnd, readSegments } from "../log/read-log.ts"
import { LOG_START, type Segment } from "../log/segment.ts"
import { PoolBook } from "./pools/pool-book.ts"
import { QuoteDesk } from "./quote.ts"
import type { FromRouter, ToRouter } from "./router-messages.ts"
import type { RouterChainStatus } from "./router-status.ts"

/** Pause before a log that could not be followed is read again from its beginning. */
const PAUSE = "2 seconds"

/** A chain whose log is followed. */
class FollowedChain {
  readonly chain: ChainConfig
  private book: PoolBook
  private desk: QuoteDesk
  /** segments of a block, or of blocks put in their place, that is not whole yet */
  private held: Array<Segment> = []
  private endSeq = 0
  private state: RouterChainStatus["state"] = "starting"
  private problem: string | null = "the log is being read"

  constructor(chain: ChainConfig) {
    this.chain = chain
    this.book = new PoolBook(chain)
    this.desk = new QuoteDesk(chain, this.book)
  }

  /** Begins again: what is quoted comes from the log's first event on. */
  begin(endSeq: number): void {
    this.book = new PoolBook(this.chain)
    this.desk = new QuoteDesk(this.chain, this.book)
    this.held = []
    this.endSeq = endSeq
    this.state = "starting"
    this.problem = "the log is being read"
    this.reached(0)
  }

  failed(problem: string): void {
    this.state = "failed"
    this.problem = problem
  }

  /** Folds the next segment; false where the log is to be read from its beginning. */
  take(segment: Segment): boolean {
    this.held.push(segment)
    const { continues, splicing, lastSeq } = segment.header
    if (continues || splicing !== null) return true
    const held = this.held
    this.held = []
    for (const { batch, header } of held) {
      if (!this.book.take(batch, header.firstSeq)) return false
    }
    this.reached(lastSeq)
    return true
  }

  private reached(seq: number): void {
    if (seq < this.endSeq) return
    this.state = "live"
    this.problem = null
  }

  answer(message: Extract<ToRouter, { readonly id: number }>): FromRouter {
    const { id } = message
    if (message.type === "status") return { type: "status", id, status: this.status() }
    if (this.state !== "live") {
      const words = `${this.chain.key}: ${this.problem ?? "the log is being read"}`
      return { type: "refused", id, reason: "starting", message: words }
    }
    return { type: "quoted", id, outcome: this.desk.quote(message.order) }
  }

  /** Pools whose states are to be read; none while the log's end is not reached. */
  wanted(): ReadonlyArray<WantedState> {
    return this.state === "live" ? this.book.wanted() : []
  }

  private status(): RouterChainStatus {
    const { state, problem, book } = this
    const { seq, block } = book.position
    const at = { state, problem, seq, block: seq === 0 ? null : block.number }
    if (problem === null) return { ...at, ...book.counts() }
    const unquoted = book.size === 0 ? [] : [{ reason: problem, pools: book.size }]
    return { ...at, pools: book.size, quotable: 0, unquoted }
  }
}

/** How often it is told which states are wanted, of how many pools, and when one is told again. */
const WANTED_EVERY = "3 seconds"
const MOST_WANTED = 16
const ASKED_AGAIN_MS = 60_000

/** Tells, again and again, which pools' states are wanted. */
const tellWanted = (followed: FollowedChain, port: ParentPort<ToRouter, FromRouter>) => {
  const asked = new Map<string, number>()
  return Effect.gen(function* () {
    const nowMs = yield* Clock.currentTimeMillis
    for (const [pool, atMs] of asked) if (nowMs - atMs >= ASKED_AGAIN_MS) asked.delete(pool)
    const wanted = followed.wanted().filter(({ facts }) => !asked.has(facts.pool))
    const states = wanted.slice(0, MOST_WANTED)
    if (states.length === 0) return
    for (const { facts } of states) asked.set(facts.pool, nowMs)
    port.post({ type: "wanted", chain: followed.chain.key, states })
  }).pipe(Effect.repeat(Schedule.spaced(WANTED_EVERY)))
}

/** Follows one log until it cannot be followed or is to be read from its beginning. */
const followOnce = (followed: FollowedChain, stream: LogStream) =>
  Effect.gen(function* () {
    const { position } = yield* logEnd(stream)
    followed.begin(position.seq)
    yield* readSegments(stream, LOG_START, { follow: true }).pipe(
      Stream.takeWhile(segment => followed.take(segment)),
      Stream.runDrain
    )
  })

const follow = (followed: FollowedChain) =>
  Effect.gen(function* () {
    const { key } = followed.chain
    const stream = yield* logStream(key)
    for (;;) {
      const exit = yield* Effect.exit(followOnce(followed, stream))
      if (Exit.isSuccess(exit)) continue
      if (Cause.hasInterruptsOnly(exit.cause)) return yield* Effect.interrupt
      const words = plainWords(exit.cause)
      followed.failed(`the log cannot be followed: ${words}`)
      yield* Effect.logWarning(`${key}: no quotes: ${words}`)
      yield* Effect.sleep(PAUSE)
    }
  })

/**
 * Follows the logs of chains and answers over the port until the scope ends. It listens from the
 * call on: what comes before the effect runs is not lost.
 */
export const runRouter = (port: ParentPort<ToRouter, FromRouter>) => {
  const chains = new Map<string, FollowedChain>()
  let begin = (_: FollowedChain): void => {}
  port.onMessage(message => {
    if (message.type === "stop") return
    if (message.type === "follow") {
      const followed = new FollowedChain(message.chain)
      chains.set(message.chain.key, followed)
      begin(followed)
      return
    }
    const { id, chain } = message
    const unknown = { type: "refused", id, reason: "starting" } as const
    const words = `${chain}: the router has not begun with it`
    port.post(chains.get(chain)?.answer(message) ?? { ...unknown, message: words })
  })
  return Effect.gen(function* () {
    const fibers = yield* FiberMap.make<string>()
    const run = yield* FiberMap.runtime(fibers)<JetStream>()
    begin = followed => {
      const told = Effect.raceFirst(follow(followed), tellWanted(followed, port))
      run(followed.chain.key, told)
    }
    for (const followed of chains.values()) begin(followed)
    return yield* Effect.never
  })
}
