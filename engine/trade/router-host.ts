/**
 * The router inside its thread: follows the log of each chain, folds the pools' states, and answers
 * from them. It goes through no lane: only the log is between a chain and its quotes.
 */
import { createHash } from "node:crypto"
import { Cause, Clock, Effect, Exit, FiberMap, Result, Schedule, Stream } from "effect"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { hasPassed } from "../../src/platform/elapsed.ts"
import type { JetStream } from "../../src/platform/jetstream.ts"
import { plainWords } from "../../src/platform/plain-words.ts"
import { bytesOf } from "../../src/platform/value-bytes.ts"
import type { ParentPort } from "../../src/platform/worker.ts"
import type { WantedState } from "../../streams/source.ts"
import { type LogStream, logStream } from "../log/log-stream.ts"
import { logEnd, readSegments } from "../log/read-log.ts"
import { endOf, LOG_START, type LogPosition, type Segment, startOf } from "../log/segment.ts"
import { PoolBook } from "./pools/pool-book.ts"
import { QuoteDesk } from "./quote.ts"
import type { FromRouter, ToRouter } from "./router-messages.ts"
import type { RouterChainStatus } from "./router-status.ts"
import type { Snapshot } from "./snapshot/snapshot-bytes.ts"
import { newestSnapshot, type SnapshotFiles, writeSnapshot } from "./snapshot/snapshot-files.ts"

/** Pause before a log that could not be followed is read again from its beginning. */
const PAUSE = "2 seconds"

/** So many times fewer snapshots are written before the log's end is reached. */
const FEWER_WHILE_READING = 50

type Asked = Extract<ToRouter, { readonly id: number }>

/** A chain whose log is followed. */
class FollowedChain {
  readonly chain: ChainConfig
  private book: PoolBook
  private desk: QuoteDesk
  /** segments of a block, or of blocks put in their place, that is not whole yet */
  private held: Array<Segment> = []
  /** where the segments begin that the book remembers, and where the last one that it took ends */
  private starts: Array<LogPosition> = []
  private position = LOG_START
  /** of the snapshot that it began with, or that was written last */
  private snapshotSeq = 0
  /** why the last snapshot could not be written, in words; null where it was */
  private unwritten: string | null = null
  private endSeq = 0
  private state: RouterChainStatus["state"] = "starting"
  private problem: string | null = "the log is being read"
  /** why the last question failed that did, until it is told */
  private fault: string | null = null

  constructor(chain: ChainConfig) {
    this.chain = chain
    this.book = new PoolBook(chain)
    this.desk = new QuoteDesk(chain, this.book)
  }

  /** Begins again, with a snapshot or from the log's first event on. */
  begin(endSeq: number, snapshot: Snapshot | null): void {
    this.book = new PoolBook(this.chain, snapshot?.image ?? null)
    this.desk = new QuoteDesk(this.chain, this.book)
    this.held = []
    this.starts = []
    this.position = snapshot?.position ?? LOG_START
    this.snapshotSeq = this.position.seq
    this.endSeq = endSeq
    this.state = "starting"
    this.problem = "the log is being read"
    this.reached()
  }

  failed(problem: string): void {
    this.state = "failed"
    this.problem = problem
  }

  /** Folds the next segment; false where it takes back more than is remembered. */
  take(segment: Segment): boolean {
    const { batch, header } = segment
    const isNew = header.lastSeq > this.position.seq
    this.held.push(segment)
    if (isNew && (header.continues || header.splicing !== null)) return true
    const held = this.held
    this.held = []
    for (const { batch, header } of held) {
      if (isNew && !this.book.take(batch, header.firstSeq)) return false
      this.starts.push(startOf(header))
    }
    if (isNew) this.position = endOf(header)
    else this.book.recall(batch, header.firstSeq)
    const recalled = this.book.recallsFrom ?? 0
    while ((this.starts[0]?.seq ?? recalled) + 1 < recalled) this.starts.shift()
    this.reached()
    return true
  }

  private reached(): void {
    if (this.position.seq < this.endSeq) return
    this.state = "live"
    this.problem = null
  }

  /** What is to be written as a snapshot, where so many events came since the last one. */
  snapshot(everyEvents: number): Omit<Snapshot, "owner"> | null {
    const { position, starts } = this
    const every = this.state === "live" ? everyEvents : everyEvents * FEWER_WHILE_READING
    if (this.held.length > 0 || position.seq - this.snapshotSeq < every) return null
    this.snapshotSeq = position.seq
    return { position, from: starts[0] ?? position, image: this.book.image() }
  }

  /** What became of the last snapshot: null where it is written. Else the next one is due. */
  wrote(problem: string | null): void {
    this.unwritten = problem
    if (problem !== null) this.snapshotSeq = Number.NEGATIVE_INFINITY
  }

  /** What throws is refused: the thread goes on, for other orders and other chains. */
  answer(message: Asked): FromRouter {
    const told = Result.try({
      try: () => this.answered(message),
      catch: cause => plainWords(Cause.die(cause))
    })
    if (Result.isSuccess(told)) return told.success
    const { key } = this.chain
    this.fault = `a ${message.type} failed: ${told.failure}`
    const words = `${key}: the router failed at this: ${told.failure}`
    return { type: "refused", id: message.id, reason: "lost", message: words }
  }

  private answered(message: Asked): FromRouter {
    const { id } = message
    if (message.type === "status") return { type: "status", id, status: this.status() }
    if (this.state !== "live") {
      const words = `${this.chain.key}: ${this.problem ?? "the log is being read"}`
      return { type: "refused", id, reason: "starting", message: words }
    }
    if (message.type === "undone") {
      return { type: "undone", id, isUndone: this.book.isUndone(message.seq) }
    }
    // of a chain of which nothing is told not even that it has no pool
    if (this.book.position.seq === 0) {
      const words = `${this.chain.key}: no block of the chain is in its log yet`
      return { type: "refused", id, reason: "starting", message: words }
    }
    return { type: "quoted", id, outcome: this.desk.quote(message.order) }
  }

  /** Pools whose states are to be read; none while the log's end is not reached. */
  wanted(): ReadonlyArray<WantedState> {
    return this.state === "live" ? this.book.wanted() : []
  }

  /** The most traded pools that are quoted, to be held against their contracts. */
  audited(): ReadonlyArray<WantedState> {
    return this.state === "live" ? this.book.audited().slice(0, MOST_AUDITED) : []
  }

  /** What came of states that were read, and which question failed, since it was asked for last. */
  news(): ReadonlyArray<string> {
    const news = this.book.reads.takeNews()
    const { fault } = this
    this.fault = null
    const faults = fault === null ? [] : [fault]
    return this.state === "live" ? [...faults, ...news] : faults
  }

  private status(): RouterChainStatus {
    const { state, problem, book } = this
    const { seq, block } = book.position
    const reads = book.reads.counts
    const warnings = this.unwritten === null ? [] : [this.unwritten]
    const at = { state, problem, seq, block: seq === 0 ? null : block.number, reads, warnings }
    if (problem === null) return { ...at, ...book.counts() }
    const unquoted = book.size === 0 ? [] : [{ reason: problem, pools: book.size }]
    return { ...at, pools: book.size, quotable: 0, unquoted }
  }
}

/** How often it is told which states are wanted, of how many pools, and when one is told again. */
const WANTED_EVERY = "3 seconds"
const MOST_WANTED = 16
const ASKED_AGAIN_MS = 60_000

/** Tells, again and again, which pools' states are wanted, and the log what came of those read. */
const tellWanted = (followed: FollowedChain, port: ParentPort<ToRouter, FromRouter>) => {
  const asked = new Map<string, number>()
  return Effect.gen(function* () {
    for (const words of followed.news()) {
      yield* Effect.logWarning(`${followed.chain.key}: ${words}`)
    }
    const nowMs = yield* Clock.currentTimeMillis
    for (const [pool, atMs] of asked) if (hasPassed(atMs, nowMs, ASKED_AGAIN_MS)) asked.delete(pool)
    const wanted = followed.wanted().filter(({ facts }) => !asked.has(facts.pool))
    const states = wanted.slice(0, MOST_WANTED)
    if (states.length === 0) return
    for (const { facts } of states) asked.set(facts.pool, nowMs)
    port.post({ type: "wanted", chain: followed.chain.key, states })
  }).pipe(Effect.repeat(Schedule.spaced(WANTED_EVERY)))
}

/** How often one pool's state is read to be compared, and of how many pools in turns. */
const AUDIT_EVERY = "1 minute"
const MOST_AUDITED = 64

/** Has the most traded pools' states compared with their contracts, one after the other. */
const audit = (followed: FollowedChain, port: ParentPort<ToRouter, FromRouter>) => {
  let turn = 0
  return Effect.sync(() => {
    const pools = followed.audited()
    const next = pools[turn++ % Math.max(1, pools.length)]
    if (next === undefined) return
    port.post({ type: "wanted", chain: followed.chain.key, states: [next] })
  }).pipe(Effect.repeat(Schedule.spaced(AUDIT_EVERY)))
}

/** Pauses of what writes snapshots. */
interface SnapshotPauses {
  /** between two looks whether one is due */
  readonly lookMs: number
  /** behind one that could not be written: a full disk stays full for a while */
  readonly unwrittenMs: number
}

const PAUSES: SnapshotPauses = { lookMs: 1000, unwrittenMs: 5000 }

/** Where snapshots of books are kept, and after how many events one is written. */
export interface SnapshotSetting {
  readonly folder: string
  /** changes with the code that folds are made of */
  readonly engine: string
  readonly everyEvents: number
  readonly pauses?: SnapshotPauses
}

const filesFor = (chain: ChainConfig, { folder, engine }: SnapshotSetting): SnapshotFiles => ({
  ...{ folder, key: chain.key },
  owner: { engine, chain: createHash("sha256").update(bytesOf(chain)).digest("hex") }
})

/** Writes snapshots, each when it is due. */
const keepSnapshots = (followed: FollowedChain, setting: SnapshotSetting | null) => {
  if (setting === null) return Effect.never
  const files = filesFor(followed.chain, setting)
  const { lookMs, unwrittenMs } = setting.pauses ?? PAUSES
  let said = ""
  return Effect.gen(function* () {
    const snapshot = followed.snapshot(setting.everyEvents)
    if (snapshot === null) return
    const written = yield* Effect.result(writeSnapshot(files, snapshot))
    if (Result.isSuccess(written)) return followed.wrote(null)
    const words = `no snapshot of the pools is written: ${written.failure.message}`
    followed.wrote(words)
    if (words !== said) yield* Effect.logWarning(`${files.key}: ${words}`)
    said = words
    yield* Effect.sleep(unwrittenMs)
  }).pipe(Effect.repeat(Schedule.spaced(lookMs)))
}

/** A loop beside the log's: where it fails that is told, and it begins again. */
const lasting = <R>({ chain }: FollowedChain, loop: Effect.Effect<unknown, never, R>) =>
  Effect.exit(loop).pipe(
    Effect.flatMap(exit => {
      if (Exit.isSuccess(exit)) return Effect.void
      if (Cause.hasInterruptsOnly(exit.cause)) return Effect.interrupt
      return Effect.logWarning(`${chain.key}: beside the log: ${plainWords(exit.cause)}`)
    }),
    Effect.andThen(Effect.sleep(PAUSE)),
    Effect.forever
  )

/** The least seq that a segment takes a log back to. */
const goesBackTo = ({ batch }: Segment): number => {
  const { toSeq } = batch.columns.Rollback
  let least = Number.POSITIVE_INFINITY
  for (let row = 0; row < toSeq.count; row++) least = Math.min(least, toSeq.get(row))
  return least
}

/**
 * Follows one log, from a snapshot that knows no event after a seq, until it cannot be followed or
 * is taken back further than is remembered: then to the seq that is given.
 */
const followOnce = (
  followed: FollowedChain,
  stream: LogStream,
  files: SnapshotFiles | null,
  atMostSeq: number
) =>
  Effect.gen(function* () {
    const { position } = yield* logEnd(stream)
    const snapshot = files === null ? null : yield* newestSnapshot(files, stream, atMostSeq)
    followed.begin(position.seq, snapshot)
    let backTo = Number.POSITIVE_INFINITY
    yield* readSegments(stream, snapshot?.from ?? LOG_START, { follow: true }).pipe(
      Stream.takeWhile(segment => {
        backTo = Math.min(backTo, goesBackTo(segment))
        return followed.take(segment)
      }),
      Stream.runDrain
    )
    return backTo
  })

const follow = (followed: FollowedChain, setting: SnapshotSetting | null) =>
  Effect.gen(function* () {
    const { key } = followed.chain
    const stream = yield* logStream(key)
    const files = setting === null ? null : filesFor(followed.chain, setting)
    let atMostSeq = Number.POSITIVE_INFINITY
    let said = ""
    for (;;) {
      const exit = yield* Effect.exit(followOnce(followed, stream, files, atMostSeq))
      atMostSeq = Exit.isSuccess(exit) ? exit.value : Number.POSITIVE_INFINITY
      if (Exit.isSuccess(exit)) continue
      if (Cause.hasInterruptsOnly(exit.cause)) return yield* Effect.interrupt
      const words = plainWords(exit.cause)
      followed.failed(`the log cannot be followed: ${words}`)
      if (words !== said) yield* Effect.logWarning(`${key}: no quotes: ${words}`)
      said = words
      yield* Effect.sleep(PAUSE)
    }
  })

/**
 * Follows the logs of chains and answers over the port until the scope ends. It listens from the
 * call on: what comes before the effect runs is not lost.
 */
export const runRouter = (
  port: ParentPort<ToRouter, FromRouter>,
  snapshots: SnapshotSetting | null
) => {
  const chains = new Map<string, FollowedChain>()
  let begin = (_: FollowedChain): void => {}
  port.onMessage(message => {
    if (message.type === "stop") return
    if (message.type === "ping") return port.post({ type: "heard" })
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
      const told = [tellWanted(followed, port), audit(followed, port)]
      const loops = [...told, keepSnapshots(followed, snapshots)]
      const beside = loops.map(loop => lasting(followed, loop))
      run(followed.chain.key, Effect.raceAllFirst([follow(followed, snapshots), ...beside]))
    }
    for (const followed of chains.values()) begin(followed)
    return yield* Effect.never
  })
}
