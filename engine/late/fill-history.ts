/**
 * Reads the history before the log's first block while the source follows the head. Each part is
 * first written to a log of its own, the stage, so that a kill at any moment loses nothing. Once
 * the part is whole its blocks are put into their place in the log.
 */
import { Clock, Effect, Option, Stream } from "effect"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { familyOf } from "../../src/domain/chain-family.ts"
import { eventsOf } from "../../streams/event-objects.ts"
import { blocksIn } from "../../streams/open-gaps.ts"
import { isClaim } from "../../streams/pool-venue.ts"
import { BACKFILL_GAP, type BlockRange, type Gap, type LogTail } from "../../streams/source.ts"
import { dropStage } from "../log/log-stream.ts"
import { LOG_START } from "../log/segment.ts"
import { openTapeLog, type TapeLog } from "../log/tape-log.ts"
import { lastBlockOf } from "./gap-events.ts"
import { gapKinds } from "./gap-words.ts"
import { type Begun, continues, MIN_PART, nextPart } from "./history-plan.ts"
import { HistoryProgress } from "./history-progress.ts"
import { type LateOptions, type LateStatus, pastOf, placeBlocks } from "./late-log.ts"
import { UnreadBlocks, unreadWarning } from "./unread-blocks.ts"

const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 60_000
const LOOK_MS = 1_000
const PROGRESS_LINE_MS = 30_000
/** Blocks that cannot be read are tried again after this many pauses of the current length. */
const LOOK_PAUSES = 10
/** Gaps that one line of output names at most. */
const MAX_NAMED_GAPS = 5

const begunOf = (stage: TapeLog, tail: LogTail["blocks"]) =>
  Effect.map(stage.segmentAt(1), (first): Begun | null => {
    const last = tail[tail.length - 1]
    return Option.isNone(first) || last === undefined
      ? null
      : { first: first.value.header.firstBlock, last: last.number }
  })

/**
 * Returns the tail of the stage, with the pools and tokens that it holds, which are not read again.
 */
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

/**
 * Opens the stage for the next part; a stage that holds another part is emptied. Null for no part.
 */
const openStage = (options: LateOptions, open: ReadonlyArray<Gap>, unread: UnreadBlocks) =>
  Effect.gen(function* () {
    const { chain, ledger, minPart = MIN_PART } = options
    // blocks that cannot be read are most often the oldest, so the others are read from the newest
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

/** Reads the blocks of the part that the stage lacks. */
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
    let lastLineMs = yield* Clock.currentTimeMillis
    const noteProgress = (last: number) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        progress.at(before + last - part.fromBlock + 1, now)
        if (now - lastLineMs < PROGRESS_LINE_MS) return
        lastLineMs = now
        yield* Effect.logInfo(`${chain.key}: history: ${progress.text(now)}`)
      })
    const batches = pastOf(options)(part, tail, reading).pipe(
      Stream.tap(batch => (batch.count === 0 ? Effect.void : noteProgress(lastBlockOf(batch))))
    )
    yield* Stream.runDrain(stage.appendAll(batches))
  })

/**
 * Reads the part, and returns it. What is said of slots stands in a block: where none of the part's
 * slots has one, the blocks behind are read again along with it, until there is one.
 */
const readSlots = (
  options: LateOptions,
  staging: Staging,
  progress: HistoryProgress,
  before: number
) =>
  Effect.gen(function* () {
    let { part } = staging
    progress.begins(yield* Clock.currentTimeMillis)
    for (let more = 1; ; more *= 2) {
      yield* readPart(options, { ...staging, part }, progress, before)
      // the last slots of it may have no block
      progress.at(before + blocksIn([part]), yield* Clock.currentTimeMillis)
      const blocks = yield* staging.stage.tailBlocks(1)
      if (blocks.length > 0) return part
      part = { ...part, toBlock: part.toBlock + more }
    }
  }).pipe(Effect.ensuring(Effect.sync(() => progress.pauses())))

/**
 * Returns the sentence that ends the reading: history is complete, or the reasons why that is not
 * proven. It takes parts into account that were put into the log before the last start.
 */
const outcomeOf = (
  { ledger, words: { blocks }, chain }: LateOptions,
  fromBlock: number
): string => {
  const open = ledger.open.filter(gap => gap.toBlock >= fromBlock)
  const { contents } = familyOf(chain)
  const gaps = gapKinds(open, contents).map(({ what, gaps: all }) => {
    const stretches = all.map(gap => `${gap.fromBlock}..${gap.toBlock} (${gap.reason})`)
    const named = stretches.slice(0, MAX_NAMED_GAPS).join(", ")
    const more = stretches.length - MAX_NAMED_GAPS
    return `blocks ${named}${more > 0 ? ` and ${more} more` : ""} ${what}`
  })
  const word = blocks === 0 ? [] : [`the ${contents} of ${blocks} blocks are one node's word`]
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
    // what was found missing twice stays a gap: it is not known whether the stage was read since
    const fills = () => options.ledger.openIn(part)
    const { late, moved } = yield* placeBlocks(options, [{ ...part, batches, fills }])
    yield* dropStage(chain.key)
    progress.state = "reading"
    const ended = yield* Clock.currentTimeMillis
    const ms = ended - began
    yield* Effect.logInfo(
      `${chain.key}: history: blocks ${part.fromBlock}..${part.toBlock} are in the log: ` +
        `${late} events put in place, ${moved} moved in ${ms} ms; ${progress.text(ended)}`
    )
  })

const historyOf = ({ ledger }: LateOptions) =>
  ledger.open.filter(({ reason }) => reason === BACKFILL_GAP)

const spanOf = (ranges: ReadonlyArray<BlockRange>): BlockRange => ({
  fromBlock: ranges[0]?.fromBlock ?? 0,
  toBlock: ranges[ranges.length - 1]?.toBlock ?? 0
})

/** The state of filling history. */
interface Filling {
  readonly options: LateOptions
  readonly progress: HistoryProgress
  readonly unread: UnreadBlocks
  /** whether the part is read for the second time after a failure: the next failure counts */
  isSecond: boolean
  /** milliseconds until all blocks that could not be read are tried again */
  lookPause: number
  /** the last warning that was logged, so that none is logged twice */
  lastWarning: string
}

/** Shows in the status which blocks cannot be read, or else why the last attempt failed. */
const showProblem = ({ options, progress, unread }: Filling, reason: string | null): void => {
  progress.unread = unread.runs
  progress.problem = unreadWarning(unread.runs, options.chain)[0] ?? reason
}

/**
 * Logs which blocks cannot be read, once while that does not change, and waits for the next look.
 */
const waitForNext = (filling: Filling) =>
  Effect.gen(function* () {
    const { options, unread } = filling
    const longest = LOOK_PAUSES * (options.longestPauseMs ?? MAX_PAUSE_MS)
    const [warning = ""] = unreadWarning(unread.runs, options.chain)
    showProblem(filling, null)
    if (warning !== filling.lastWarning)
      yield* Effect.logWarning(`${options.chain.key}: ${warning}`)
    filling.lastWarning = warning
    yield* Effect.sleep(filling.lookPause)
    filling.lookPause = Math.min(longest, filling.lookPause * 2)
    unread.again()
  })

/**
 * Handles a part that could not be read. It is tried once more; then the blocks of it that are
 * staged are put into the log, and if there are none the part is noted as unread.
 */
const giveUp = (
  filling: Filling,
  { stage, part }: Staging,
  open: ReadonlyArray<Gap>,
  reason: string
) =>
  Effect.gen(function* () {
    const { options, progress, unread } = filling
    showProblem(filling, reason)
    if (!filling.isSecond && unread.most === Number.POSITIVE_INFINITY) {
      filling.isSecond = true
      return yield* Effect.sleep(options.firstPauseMs ?? FIRST_PAUSE_MS)
    }
    filling.isSecond = false
    const blocks = yield* stage.tailBlocks(1)
    const begun = yield* begunOf(stage, blocks)
    if (begun === null) {
      unread.failed(part, open, reason)
      return showProblem(filling, reason)
    }
    const read = { fromBlock: begun.first, toBlock: begun.last }
    yield* place(options, { stage, part: read, begun, blocks }, progress)
    unread.placed(read)
  })

/** Places a part that was read whole; what the log refuses of it is read again later. */
const placeRead = (filling: Filling, staging: Staging, open: ReadonlyArray<Gap>) =>
  Effect.gen(function* () {
    const { options, progress, unread } = filling
    const placed = yield* Effect.result(place(options, staging, progress))
    if (placed._tag === "Success") {
      unread.placed(staging.part)
      return showProblem(filling, null)
    }
    const error = placed.failure
    if (error._tag !== "BatchRefused") return yield* error
    progress.state = "reading"
    yield* dropStage(options.chain.key)
    unread.failed(staging.part, open, error.message)
    showProblem(filling, error.message)
  })

/**
 * Reads and places the next part, or waits where none can be read. Returns false once none is left.
 */
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
    const read = yield* Effect.result(readSlots(options, staging, progress, total - blocksIn(left)))
    if (read._tag === "Failure") {
      const error = read.failure
      if (error._tag !== "SourceError" || error.fatal) return yield* error
      yield* giveUp(filling, staging, open, error.message)
    } else {
      filling.isSecond = false
      yield* placeRead(filling, { ...staging, part: read.success }, open)
    }
    return true
  })

/** Makes the progress of all history that was ever declared missing, also before the last start. */
const progressOf = ({ ledger, order }: LateOptions) => {
  const declared = ledger.declared(BACKFILL_GAP)
  const [whole, total] = [spanOf(declared), blocksIn(declared)]
  return { whole, total, progress: new HistoryProgress(order, whole, total) }
}

/** Shows history as done in the status, where all of it was read before the last start. */
const showRead = (options: LateOptions, status: LateStatus) =>
  Effect.gen(function* () {
    const { total, progress } = progressOf(options)
    if (total === 0 || historyOf(options).length > 0) return
    const now = yield* Clock.currentTimeMillis
    progress.at(total, now)
    progress.state = "done"
    status.history = progress.status(now)
  })

/** Fills all history that is open now, part by part. */
const fillAll = (options: LateOptions, status: LateStatus) =>
  Effect.gen(function* () {
    const { chain, order } = options
    const { whole, total, progress } = progressOf(options)
    const span = spanOf(historyOf(options))
    const lookPause = LOOK_PAUSES * (options.firstPauseMs ?? FIRST_PAUSE_MS)
    const unread = new UnreadBlocks()
    const filling = { options, progress, unread, isSecond: false, lookPause, lastWarning: "" }
    let wasStill = false
    const show = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      status.history = progress.status(now)
      const still = progress.stillProblem(now)
      if (still !== null && !wasStill) yield* Effect.logWarning(`${chain.key}: history: ${still}`)
      wasStill = still !== null
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

/** Fills history whenever some of it is open, for ever. */
export const fillHistory = (options: LateOptions, status: LateStatus) =>
  Effect.gen(function* () {
    // a killed process may have left the stage of a part that it had placed
    if (historyOf(options).length === 0) yield* dropStage(options.chain.key)
    yield* showRead(options, status)
    for (;;) {
      if (options.ledger.head !== null && historyOf(options).length > 0) {
        yield* fillAll(options, status)
      }
      yield* Effect.sleep(LOOK_MS)
    }
  })
