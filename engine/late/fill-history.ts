/**
 * Reads the history before the log's first block while the head is followed. Each part is staged
 * in a log of its own, where a kill at any moment loses nothing, and put in its place once whole.
 */
import { Clock, Effect, Option, Stream } from "effect"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { eventsOf } from "../../streams/event-objects.ts"
import { isClaim } from "../../streams/pool-venue.ts"
import { BACKFILL_GAP, type BlockRange, type Gap, type LogTail } from "../../streams/source.ts"
import { dropStage } from "../log/log-stream.ts"
import { LOG_START } from "../log/segment.ts"
import { openTapeLog, type TapeLog } from "../log/tape-log.ts"
import { lastBlockOf } from "./gap-events.ts"
import { type Begun, blocksIn, continues, MIN_PART, nextPart } from "./history-plan.ts"
import { HistoryProgress } from "./history-progress.ts"
import { type LateOptions, type LateStatus, pastOf, placeBlocks } from "./late-log.ts"
import { UnreadBlocks, unreadWarning } from "./unread-blocks.ts"

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
const LOOK_MS = 1_000
const SAY_EVERY_MS = 30_000
/** So many times the pauses after a failure lie between looks at what cannot be read. */
const LOOK_PAUSES = 10
/** Stretches of blocks that are named in a line. */
const MOST_NAMED = 5

const begunOf = (stage: TapeLog, tail: LogTail["blocks"]) =>
  Effect.map(stage.segmentAt(1), (first): Begun | null => {
    const last = tail[tail.length - 1]
    return Option.isNone(first) || last === undefined
      ? null
      : { first: first.value.header.firstBlock, last: last.number }
  })

/** What the stage already tells, so that it is not told again. */
const tailOf = (chain: ChainConfig, stage: TapeLog, blocks: LogTail["blocks"]) =>
  Effect.gen(function* () {
    const [pools, tokens] = [new Set<string>(), new Set<string>()]
    yield* Stream.runForEach(stage.read(LOG_START, { follow: false }), ({ batch }) =>
      Effect.sync(() => {
        const { PoolCreated, TokenSeen } = batch.columns
        if (PoolCreated.pool.count + TokenSeen.token.count === 0) return
        for (const event of eventsOf(batch)) {
          if (event.kind === "PoolCreated") {
            const { source, factory, venueKind } = event
            if (!isClaim(chain, source, factory, venueKind)) pools.add(event.pool)
          } else if (event.kind === "TokenSeen") tokens.add(event.token)
        }
      })
    )
    return { blocks, knownPools: [...pools], knownTokens: [...tokens] } satisfies LogTail
  })

/** The stage for the next part, emptied where it holds anything else. */
const openStage = (options: LateOptions, open: ReadonlyArray<Gap>, unread: UnreadBlocks) =>
  Effect.gen(function* () {
    const { chain, ledger, minPart = MIN_PART } = options
    // what cannot be read is most often the oldest: from the other end all else is
    const order = unread.runs.length > 0 ? "newest" : options.order
    const cut = { order, head: ledger.head ?? 0, minPart, most: unread.most }
    const keepBlocks = Math.max(64, chain.finalityDepth)
    const make = openTapeLog(chain.key, { stage: "history", keepBlocks })
    let stage = yield* make
    const blocks = yield* stage.tailBlocks(keepBlocks)
    const begun = yield* begunOf(stage, blocks)
    const part = nextPart(open, cut, begun)
    if (part === null) return null
    if (begun === null || continues(part, begun)) return { stage, part, begun, blocks }
    yield* dropStage(chain.key)
    stage = yield* make
    const anew = nextPart(open, cut, null) ?? part
    return { stage, part: anew, begun: null, blocks: [] }
  })

type Staging = NonNullable<Effect.Success<ReturnType<typeof openStage>>>

/** Reads what the stage lacks of the part. */
const readPart = (
  options: LateOptions,
  { stage, part, begun, blocks }: Staging,
  progress: HistoryProgress,
  before: number
) =>
  Effect.gen(function* () {
    const { chain, reading } = options
    if (begun !== null && begun.last === part.toBlock) return
    const tail = yield* tailOf(chain, stage, blocks)
    let said = yield* Clock.currentTimeMillis
    const tell = (last: number) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        progress.at(before + last - part.fromBlock + 1, now)
        if (now - said < SAY_EVERY_MS) return
        said = now
        yield* Effect.logInfo(`${chain.key}: history: ${progress.text}`)
      })
    const batches = pastOf(options)(part, tail, reading).pipe(
      Stream.tap(batch => (batch.count === 0 ? Effect.void : tell(lastBlockOf(batch))))
    )
    yield* Stream.runDrain(stage.appendAll(batches))
  })

/**
 * What can be said of a history that was read: that it is complete, where that is proven, also of
 * parts that were put into the log before the last start.
 */
const outcomeOf = ({ ledger, words: { blocks } }: LateOptions, fromBlock: number): string => {
  const open = ledger.open.filter(gap => gap.toBlock >= fromBlock)
  const lacking = open.map(gap => `${gap.fromBlock}..${gap.toBlock} (${gap.reason})`)
  const named = lacking.slice(0, MOST_NAMED).join(", ")
  const others = lacking.length > MOST_NAMED ? ` and ${lacking.length - MOST_NAMED} more` : ""
  const gaps = open.length === 0 ? [] : [`blocks ${named}${others} may lack logs`]
  const word = blocks === 0 ? [] : [`the logs of ${blocks} blocks are one node's word`]
  const doubts = [...gaps, ...word]
  return doubts.length === 0
    ? `history is complete: handed over to live, the log holds every block from ${fromBlock} on`
    : `history is read from block ${fromBlock} on, and not proven to be complete: ${doubts.join("; ")}`
}

const place = (options: LateOptions, { stage, part }: Staging, progress: HistoryProgress) =>
  Effect.gen(function* () {
    const { chain } = options
    progress.state = "placing"
    const began = yield* Clock.currentTimeMillis
    const batches = Stream.map(stage.read(LOG_START, { follow: false }), ({ batch }) => batch)
    const { late, moved } = yield* placeBlocks(options, part, batches)
    yield* dropStage(chain.key)
    progress.state = "reading"
    const ms = (yield* Clock.currentTimeMillis) - began
    yield* Effect.logInfo(
      `${chain.key}: history: blocks ${part.fromBlock}..${part.toBlock} are in the log: ` +
        `${late} events put in place, ${moved} moved in ${ms} ms; ${progress.text}`
    )
  })

const historyOf = ({ ledger }: LateOptions) =>
  ledger.open.filter(({ reason }) => reason === BACKFILL_GAP)

const spanOf = (ranges: ReadonlyArray<BlockRange>): BlockRange => ({
  fromBlock: ranges[0]?.fromBlock ?? 0,
  toBlock: ranges[ranges.length - 1]?.toBlock ?? 0
})

/** How history is being filled. */
interface Filling {
  readonly options: LateOptions
  readonly progress: HistoryProgress
  readonly unread: UnreadBlocks
  /** what was read again after it failed: the next failure counts */
  isSecond: boolean
  /** milliseconds until all that could not be read is tried again */
  lookPause: number
  /** what was last said of it */
  said: string
}

/** Shows what cannot be read, or why the last try of some of it failed. */
const tell = ({ options, progress, unread }: Filling, reason: string | null): void => {
  progress.unread = unread.runs
  progress.problem = unreadWarning(unread.runs, options.chain.id)[0] ?? reason
}

/** Says what cannot be read, once for as long as it is the same, and waits until the next look. */
const waitForNext = (filling: Filling) =>
  Effect.gen(function* () {
    const { options, unread } = filling
    const longest = LOOK_PAUSES * (options.longestPauseMs ?? LONGEST_PAUSE_MS)
    const [said = ""] = unreadWarning(unread.runs, options.chain.id)
    tell(filling, null)
    if (said !== filling.said) yield* Effect.logWarning(`${options.chain.key}: ${said}`)
    filling.said = said
    yield* Effect.sleep(filling.lookPause)
    filling.lookPause = Math.min(longest, filling.lookPause * 2)
    unread.again()
  })

/** What becomes of a part that cannot be read: what is staged of it is whole, and is placed. */
const giveUp = (
  filling: Filling,
  { stage, part }: Staging,
  open: ReadonlyArray<Gap>,
  reason: string
) =>
  Effect.gen(function* () {
    const { options, progress, unread } = filling
    tell(filling, reason)
    if (!filling.isSecond && unread.most === Number.POSITIVE_INFINITY) {
      filling.isSecond = true
      return yield* Effect.sleep(options.firstPauseMs ?? FIRST_PAUSE_MS)
    }
    filling.isSecond = false
    const blocks = yield* stage.tailBlocks(1)
    const begun = yield* begunOf(stage, blocks)
    if (begun === null) {
      unread.failed(part, open, reason)
      return tell(filling, reason)
    }
    const read = { fromBlock: begun.first, toBlock: begun.last }
    yield* place(options, { stage, part: read, begun, blocks }, progress)
    unread.placed(read)
  })

/** Reads and places the next part, or waits where none can be read; false once none is missing. */
const fillNext = (filling: Filling, total: number) =>
  Effect.gen(function* () {
    const { options, progress, unread } = filling
    const left = historyOf(options)
    const open = unread.untried(left)
    if (left.length > 0 && open.length === 0) {
      yield* waitForNext(filling)
      return true
    }
    const staging = yield* openStage(options, open, unread)
    if (staging === null) return false
    const read = yield* Effect.result(readPart(options, staging, progress, total - blocksIn(left)))
    if (read._tag === "Failure") {
      const error = read.failure
      if (error._tag !== "SourceError" || error.fatal) return yield* error
      yield* giveUp(filling, staging, open, error.message)
    } else {
      filling.isSecond = false
      yield* place(options, staging, progress)
      unread.placed(staging.part)
      tell(filling, null)
    }
    return true
  })

/** Of all history that the log was ever to have, also of what was read before the last start. */
const progressOf = ({ ledger, order }: LateOptions) => {
  const declared = ledger.declared(BACKFILL_GAP)
  const [whole, total] = [spanOf(declared), blocksIn(declared)]
  return { whole, total, progress: new HistoryProgress(order, whole, total) }
}

/** Shows a history that was read before the last start. */
const showRead = (options: LateOptions, status: LateStatus) =>
  Effect.gen(function* () {
    const { total, progress } = progressOf(options)
    if (total === 0 || historyOf(options).length > 0) return
    progress.at(total, yield* Clock.currentTimeMillis)
    progress.state = "done"
    status.history = progress.status
  })

/** Fills all that is open now, part by part. */
const fillAll = (options: LateOptions, status: LateStatus) =>
  Effect.gen(function* () {
    const { chain, order } = options
    const { whole, total, progress } = progressOf(options)
    const span = spanOf(historyOf(options))
    const lookPause = LOOK_PAUSES * (options.firstPauseMs ?? FIRST_PAUSE_MS)
    const unread = new UnreadBlocks()
    const filling = { options, progress, unread, isSecond: false, lookPause, said: "" }
    const show = Effect.sync(() => {
      status.history = progress.status
    })
    yield* Effect.logInfo(
      `${chain.key}: history: reading blocks ${span.fromBlock}..${span.toBlock} beside the head, ${order} first`
    )
    yield* show.pipe(Effect.delay(250), Effect.forever, Effect.forkScoped)
    while (yield* fillNext(filling, total));
    progress.state = "done"
    yield* Effect.logInfo(`${chain.key}: ${outcomeOf(options, whole.fromBlock)}`)
    yield* show
  }).pipe(Effect.scoped)

/** Fills history whenever some is open, for ever. */
export const fillHistory = (options: LateOptions, status: LateStatus) =>
  Effect.gen(function* () {
    // what a kill left of a part that was placed already
    if (historyOf(options).length === 0) yield* dropStage(options.chain.key)
    yield* showRead(options, status)
    for (;;) {
      if (options.ledger.head !== null && historyOf(options).length > 0) {
        yield* fillAll(options, status)
      }
      yield* Effect.sleep(LOOK_MS)
    }
  })
