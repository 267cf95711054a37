/**
 * Reads the transfers that pinned tokens had before they were pinned, beside the head. They are
 * staged in a log of their own, where a kill at any moment loses nothing, and put in their places
 * once all of them are there.
 */
import { Clock, Effect, Option, Stream } from "effect"
import type { EventBatch } from "../../streams/batch/batch.ts"
import type { BlockRef, Event } from "../../streams/event.ts"
import { batchOf, eventAt, eventsOf } from "../../streams/event-objects.ts"
import { type Pinning, SourceError } from "../../streams/source.ts"
import { dropStage } from "../log/log-stream.ts"
import { LOG_START } from "../log/segment.ts"
import { openTapeLog, type TapeLog } from "../log/tape-log.ts"
import { lastBlockOf } from "./gap-events.ts"
import { type LateOptions, type LateStatus, pastOf } from "./late-log.ts"
import { type Floor, floorFrom, nextJob, type PinJob } from "./pin-jobs.ts"
import { firstOf, isComplete, type Pin, pinStatus } from "./pin-ledger.ts"

const LOOK_MS = 500
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
/** A node may get old state, and a token a contract: asked again after so many first pauses. */
const UNTOLD_PAUSES = 600
const ABSENT_PAUSES = 15

/** What is known while the process lasts. */
class Memory {
  readonly floors = new Map<string, Floor>()
  readonly askAfter = new Map<string, number>()
  readonly reached = new Map<string, number>()
  readonly problems = new Map<string, string>()
}

const NO_CODE = "no contract has this address yet"

/** Finds out where a token began, unless the log tells or it was asked a moment ago. */
const findFloor = (options: LateOptions, pinning: Pinning, memory: Memory, pin: Pin) =>
  Effect.gen(function* () {
    const { token, addedBlock } = pin
    const first = firstOf(pin)
    if (first !== null) {
      memory.floors.set(token, { block: first.fromBlock, reach: "creation", problem: null })
      return
    }
    const now = yield* Clock.currentTimeMillis
    const head = options.ledger.head ?? 0
    if (now < (memory.askAfter.get(token) ?? 0) || head < addedBlock) return
    const creation = yield* pinning.creation(token, head)
    const pauses = creation.state === "absent" ? ABSENT_PAUSES : UNTOLD_PAUSES
    memory.askAfter.set(token, now + pauses * (options.firstPauseMs ?? FIRST_PAUSE_MS))
    if (creation.state === "absent") {
      memory.problems.set(token, NO_CODE)
      return
    }
    const floor = floorFrom(options.chain, creation, addedBlock)
    memory.floors.set(token, floor)
    if (floor.problem === null) memory.problems.delete(token)
    else memory.problems.set(token, floor.problem)
  })

const pinnedIn = ({ columns, ids }: EventBatch): ReadonlyArray<string> => {
  const { token } = columns.TokenPinned
  return Array.from({ length: token.count }, (_, row) => ids.text(token.get(row)) ?? "")
}

const same = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): boolean =>
  a.length === b.length && a.every((one, i) => one === b[i])

/** The stage for a job, emptied where it holds anything else. */
const openStage = (options: LateOptions, { part, tokens }: PinJob) =>
  Effect.gen(function* () {
    const { chain } = options
    const keepBlocks = Math.max(64, chain.finalityDepth)
    const make = openTapeLog(chain.key, { stage: "transfers", keepBlocks })
    const stage = yield* make
    const first = yield* stage.segmentAt(1)
    if (Option.isNone(first)) return { stage, blocks: [] }
    const blocks = yield* stage.tailBlocks(keepBlocks)
    const last = blocks[blocks.length - 1]?.number ?? part.toBlock + 1
    const begins = first.value.header.firstBlock === part.fromBlock && last <= part.toBlock
    if (begins && same(pinnedIn(first.value.batch).toSorted(), tokens)) return { stage, blocks }
    yield* dropStage(chain.key, "transfers")
    return { stage: yield* make, blocks: [] }
  })

type Staging = Effect.Success<ReturnType<typeof openStage>>

/** Reads what the stage lacks of the job. */
const readJob = (
  options: LateOptions,
  { part, tokens }: PinJob,
  { stage, blocks }: Staging,
  memory: Memory
) =>
  Effect.gen(function* () {
    const last = blocks[blocks.length - 1]
    const at = (block: number) => {
      for (const token of tokens) memory.reached.set(token, block)
    }
    at(last?.number ?? part.fromBlock - 1)
    if (last?.number === part.toBlock) return
    const tail = { blocks, knownPools: [], knownTokens: tokens }
    const batches = pastOf(options)(part, tail, options.reading, tokens).pipe(
      Stream.tap(batch => Effect.sync(() => batch.count > 0 && at(lastBlockOf(batch))))
    )
    yield* Stream.runDrain(stage.appendAll(batches))
  })

/** What the token's logs are, without seals: their blocks are not read whole. */
const transfersOf = (batch: EventBatch): ReadonlyArray<Event> =>
  batch.txs.count === 0 ? [] : eventsOf(batch).filter(({ tx }) => tx !== null)

/** Block of the first staged transfer, null where there is none; and the last staged block. */
const extentOf = (stage: TapeLog) =>
  Stream.runFold(
    stage.read(LOG_START, { follow: false }),
    () => ({ first: null as number | null, last: null as BlockRef | null }),
    ({ first }, { batch }) => ({
      first: first ?? transfersOf(batch)[0]?.block.number ?? null,
      last: eventAt(batch, batch.count - 1).block
    })
  )

/** Puts what is staged among the log's events, and says so where it ends. */
const placeJob = (options: LateOptions, { part, marks }: PinJob, { stage }: Staging) =>
  Effect.gen(function* () {
    const { log, pins, chain } = options
    const began = yield* Clock.currentTimeMillis
    const { first, last } = yield* extentOf(stage)
    const block = last as BlockRef
    const said = marks.map(
      ({ at: _, ...mark }): Event => ({
        kind: "TransfersFilled",
        block,
        tx: null,
        logIndex: 0,
        ...mark,
        reach: mark.reach ?? "part"
      })
    )
    const batches = Stream.map(stage.read(LOG_START, { follow: false }), ({ batch }) => {
      const isLast = lastBlockOf(batch) === part.toBlock
      return batchOf([...transfersOf(batch), ...(isLast ? said : [])])
    })
    // what lies before the first of them need not be moved
    const range = { fromBlock: first ?? part.toBlock, toBlock: part.toBlock }
    const { late, moved, conflicts } = yield* log.replace({ ...range, batches, mode: "add" })
    yield* dropStage(chain.key, "transfers")
    if (conflicts > 0) {
      const message = `${conflicts} blocks with transfers are not those of the log`
      return yield* new SourceError({ message, fatal: false })
    }
    for (const mark of marks) pins.add(mark)
    return { late, moved, ms: (yield* Clock.currentTimeMillis) - began }
  })

const runJob = (options: LateOptions, job: PinJob, memory: Memory) =>
  Effect.gen(function* () {
    const { chain } = options
    const { fromBlock, toBlock } = job.part
    const what = `${chain.key}: transfers of ${job.tokens.join(", ")} in ${fromBlock}..${toBlock}`
    yield* Effect.logInfo(`${what}: reading them beside the head`)
    const staging = yield* openStage(options, job)
    yield* readJob(options, job, staging, memory)
    const { late, moved, ms } = yield* placeJob(options, job, staging)
    yield* Effect.logInfo(`${what} are in the log: ${late + moved} events written in ${ms} ms`)
  })

/** Shows how every token stands that was asked for. */
const show = ({ pins }: LateOptions, pinning: Pinning, memory: Memory, status: LateStatus) => {
  const known = new Map(pins.pins.map(pin => [pin.token, pin]))
  status.pins = [...new Set([...known.keys(), ...pinning.asked()])].map(token =>
    pinStatus(token, known.get(token) ?? null, {
      reachedBlock: memory.reached.get(token) ?? null,
      problem: memory.problems.get(token) ?? null
    })
  )
}

/** One look: finds floors, does the next job. Answers whether there was one. */
const advance = (options: LateOptions, pinning: Pinning, memory: Memory) =>
  Effect.gen(function* () {
    const { pins, ledger, chain } = options
    const open = pins.pins.filter(pin => !isComplete(pin))
    if (open.length === 0 || ledger.head === null) return false
    for (const pin of open) yield* findFloor(options, pinning, memory, pin)
    const job = nextJob(open, memory.floors, ledger.head - chain.finalityDepth)
    if (job === null) return false
    yield* runJob(options, job, memory)
    for (const token of job.tokens) memory.reached.delete(token)
    return true
  })

/** Fills what is missing of pinned tokens' transfers, for ever. */
export const fillPins = (options: LateOptions, status: LateStatus) =>
  Effect.gen(function* () {
    const { pinning } = options.source
    if (pinning === null) return yield* Effect.never
    const memory = new Memory()
    const firstPause = options.firstPauseMs ?? FIRST_PAUSE_MS
    let pause = firstPause
    // what a kill left of transfers that were placed already
    if (options.pins.pins.every(isComplete)) yield* dropStage(options.chain.key, "transfers")
    const showing = Effect.sync(() => show(options, pinning, memory, status))
    yield* showing.pipe(
      Effect.andThen(Effect.sleep(Math.min(LOOK_MS, firstPause * 4))),
      Effect.forever,
      Effect.forkScoped
    )
    for (;;) {
      const outcome = yield* Effect.result(advance(options, pinning, memory))
      if (outcome._tag === "Success") {
        pause = firstPause
        if (!outcome.success) yield* Effect.sleep(Math.min(LOOK_MS, firstPause))
        continue
      }
      const error = outcome.failure
      if (error._tag !== "SourceError" || error.fatal) return yield* error
      yield* Effect.logWarning(`${options.chain.key}: transfers: ${error.message}`)
      yield* Effect.sleep(pause)
      pause = Math.min(options.longestPauseMs ?? LONGEST_PAUSE_MS, pause * 2)
    }
  }).pipe(Effect.scoped)
