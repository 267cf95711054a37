/** A source with its log on a real nats-server, and what fills its gaps beside it. */
import { Cause, Effect, Exit, Fiber } from "effect"
import { GapLedger } from "../../engine/late/gap-ledger.ts"
import {
  type LateOptions,
  type LateStatus,
  NO_MARKS,
  newLateStatus,
  readLedgers
} from "../../engine/late/late-log.ts"
import { runWithLate } from "../../engine/late/run-late.ts"
import { effectiveRanges, isEffective } from "../../engine/log/effective.ts"
import { logStream } from "../../engine/log/log-stream.ts"
import { joinedReader } from "../../engine/log/read-joined.ts"
import { ensureTapeLog, openLogReader, openTapeLog } from "../../engine/log/tape-log.ts"
import { JetStream } from "../../src/platform/jetstream.ts"
import type { EventBatch } from "../../streams/batch/batch.ts"
import type { Event } from "../../streams/event.ts"
import { batchOf, eventsOf } from "../../streams/event-objects.ts"
import {
  BACKFILL_GAP,
  type Source,
  type SourceError,
  type SourceStatus
} from "../../streams/source.ts"
import { evmRpcSource } from "../../streams/sources/evm-rpc/source.ts"
import { allSegments, type LogServer } from "./log-server.ts"
import { fastOptions, type RunOptions } from "./rpc-source.ts"

export type LateRunOptions = RunOptions &
  Partial<Pick<LateOptions, "floor" | "order" | "reading" | "minPart">> & {
    /** instead of one of the EVM over the endpoints */
    readonly source?: Effect.Effect<Source, SourceError>
  }

export interface LateRun {
  /** null until it has started */
  readonly status: () => SourceStatus | null
  readonly late: LateStatus
  /** what ended it; null while it runs */
  readonly ended: () => string | null
  /** the newest block that is in the log for good; null before the first */
  readonly loggedBlock: () => number | null
  /** history was declared missing, and nothing is any more */
  readonly isWhole: () => boolean
  /** number of blocks in the log that are one node's word so far */
  readonly words: () => number
  /** asks for transfers of tokens, at once or when it has started */
  readonly pin: (tokens: ReadonlyArray<string>) => void
  /** as a kill: nothing is finished */
  readonly kill: () => Promise<void>
}

/** Starts it on whatever the server's log holds. */
export const startLate = async (server: LogServer, options: LateRunOptions): Promise<LateRun> => {
  const late = newLateStatus()
  let status: () => SourceStatus | null = () => null
  let ended: string | null = null
  let ledger = new GapLedger()
  let words: () => number = () => 0
  const early = [...(options.pins ?? [])]
  let ask: LateRun["pin"] = tokens => {
    early.push(...tokens)
  }
  const whole = Effect.gen(function* () {
    const { chain } = fastOptions(options)
    const log = yield* openTapeLog(chain.key, { keepBlocks: 64 })
    const ofEvm = evmRpcSource({
      ...fastOptions(options),
      pastBeside: options.floor !== undefined && options.floor !== null
    })
    const source = yield* options.source ?? ofEvm
    status = source.status
    const ledgers = yield* readLedgers(log, NO_MARKS, { blockTimeMs: 1_000 })
    ledger = ledgers.ledger
    words = () => ledgers.words.blocks
    source.pinning?.ask(early)
    ask = tokens => source.pinning?.ask(tokens)
    const tail = {
      blocks: yield* log.tailBlocks(64),
      knownPools: [],
      knownTokens: [],
      pinned: ledgers.pins.known
    }
    const settings: LateOptions = {
      chain,
      log,
      source,
      ...ledgers,
      floor: options.floor ?? null,
      order: options.order ?? "newest",
      reading: options.reading ?? "ranges",
      minPart: options.minPart ?? 200,
      firstPauseMs: 20,
      longestPauseMs: 200,
      timeShare: 1
    }
    return yield* runWithLate(settings, tail, late)
  })
  const fiber = Effect.runFork(
    whole.pipe(Effect.scoped, Effect.provide(JetStream.layer({ url: server.nats.url })))
  )
  fiber.addObserver(exit => {
    if (Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause)) {
      ended = Cause.pretty(exit.cause)
    } else ended = "interrupted"
  })
  return {
    status: () => status(),
    late,
    ended: () => ended,
    loggedBlock: () => ledger.head,
    isWhole: () => ledger.declared(BACKFILL_GAP).length > 0 && ledger.open.length === 0,
    words: () => words(),
    pin: tokens => ask(tokens),
    kill: () => Effect.runPromise(Fiber.interrupt(fiber)).then(() => undefined)
  }
}

const NOTHING = Effect.succeed<ReadonlyArray<EventBatch>>([])

/** What counts of the log, what it joins of its side log, and the gaps that it leaves open. */
export const logNow = async (server: LogServer, chain: string) => {
  const found = await server.run(
    Effect.gen(function* () {
      // a run may not have got so far yet
      yield* ensureTapeLog(chain)
      const stored = yield* allSegments(yield* openLogReader(chain))
      // late blocks of which the rest is not in place yet are left to their writer
      const whole = stored.findLastIndex(({ header }) => header.splicing === null) + 1
      const segments = stored.slice(0, whole)
      const ranges = effectiveRanges(segments.map(({ header }) => header))
      const events: ReadonlyArray<Event> = segments.flatMap(({ header, batch }) =>
        eventsOf(batch).filter((_, i) => isEffective(ranges, header.firstSeq + i))
      )
      const read = joinedReader(yield* logStream(chain))
      const joined = yield* Effect.forEach(events, event =>
        event.kind === "EventsJoined" ? read({ ...event, hash: event.hash.slice(2) }) : NOTHING
      )
      return { segments, events, joined: joined.flat().flatMap(eventsOf) }
    })
  )
  const { segments, events, joined } = found
  const ledger = new GapLedger()
  for (const event of events) ledger.observe(batchOf([event]))
  const rollbacks = segments.filter(({ header }) => header.rollbackTo !== null).length
  const stored = segments.reduce((sum, { batch }) => sum + batch.count, 0)
  return { events, joined, gaps: ledger.open, rollbacks, stored }
}
