/**
 * Reads the transfers that pinned tokens had before they were pinned, beside the head, into the
 * chain's side log, part by part. The log joins each part with one of its next blocks; nothing that
 * stands in the log moves.
 */
import { Clock, Effect, Semaphore, Stream } from "effect"
import { lesserGrade, NOTHING_GRADE } from "../../src/domain/assurance.ts"
import type { EventBatch } from "../../streams/batch/batch.ts"
import type { BlockRef, Event } from "../../streams/event.ts"
import { batchOf, eventAt, eventsOf } from "../../streams/event-objects.ts"
import { transferTokenOf } from "../../streams/pinned-tokens.ts"
import { type Pinning, SourceError } from "../../streams/source.ts"
import { dropStage } from "../log/log-stream.ts"
import { openSideLog, type SideLog } from "../log/side-log.ts"
import { type LateOptions, type LateStatus, pastOf } from "./late-log.ts"
import { type Floor, floorFrom, nextJob, type PinJob, unsaidOf, wantedIn } from "./pin-jobs.ts"
import { firstOf, isComplete, type Pin, pinStatus, unpinnedStatus } from "./pin-ledger.ts"
import { type Filled, filledIn, isMissing, type Part, partOf } from "./pin-parts.ts"
import { archiveAdvice } from "./unread-blocks.ts"

/**
 * Transfers of a part at least, unless it is the last or was long in the making. Each part names
 * its addresses anew: 1,000 of a token with many holders take a tenth more than these.
 */
const PART_EVENTS = 4_000
const PART_MS = 30_000
const LOOK_PARTS_MS = 50
const LOOK_MS = 500
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
/** What a node has forgotten it will hardly have again: it is asked for so much more rarely. */
const FORGOTTEN_PAUSES = 10
/** A node may get old state, and a token a contract: asked again after so many first pauses. */
const UNTOLD_PAUSES = 600
const ABSENT_PAUSES = 15

/** The side log; parts are appended and looked up one at a time. */
interface Side {
  readonly log: SideLog
  readonly lock: Semaphore.Semaphore
}

/** A token whose past could not be read. */
interface Rest {
  readonly pauseMs: number
  /** milliseconds since 1970 */
  readonly until: number
  readonly problem: string
}

/** What is known while the process lasts. */
class Memory {
  readonly floors = new Map<string, Floor>()
  readonly askAfter = new Map<string, number>()
  readonly reached = new Map<string, number>()
  readonly problems = new Map<string, string>()
  readonly rests = new Map<string, Rest>()
  /** why nothing of any of them can be read, or joined, at the moment; by what was tried */
  readonly troubles = new Map<"reading" | "joining", string>()
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

/** Makes a part durable, unless others are looked up at the moment. */
const addPart = (
  { parts }: LateOptions,
  { log, lock }: Side,
  events: ReadonlyArray<Event>,
  block: BlockRef,
  filled: ReadonlyArray<Filled>
) =>
  lock.withPermit(
    Effect.gen(function* () {
      const range = yield* log.append(batchOf([...events, ...filledIn(block, filled)]))
      parts.add({ range, events: range.lastSeq - range.firstSeq + 1, block, filled })
    })
  )

/** Reads a job's blocks part by part. */
const runJob = (options: LateOptions, side: Side, job: PinJob, memory: Memory) =>
  Effect.gen(function* () {
    const { part, tokens, wanted } = job
    const tail = { blocks: [], knownPools: [], knownTokens: tokens }
    let open: Array<Event> = []
    let fromBlock = part.fromBlock
    let grade = NOTHING_GRADE
    let begun = yield* Clock.currentTimeMillis
    const isWanted = (event: Event): boolean => {
      const token = transferTokenOf(event)
      const one = wanted.find(each => each.token === token)
      const { number } = event.block
      return one !== undefined && number >= one.fromBlock && number <= one.toBlock
    }
    const take = (batch: EventBatch) =>
      Effect.gen(function* () {
        if (batch.count === 0) return
        for (const event of eventsOf(batch)) {
          if (event.kind === "BlockSealed") grade = lesserGrade(grade, event.grade)
          if (!isWanted(event)) continue
          open.push(event)
          if (event.kind === "TransferSeen") {
            options.audits.sees(event.token, event.to, event.amount)
          }
        }
        const { block } = eventAt(batch, batch.count - 1)
        for (const token of tokens) memory.reached.set(token, block.number)
        const now = yield* Clock.currentTimeMillis
        const isFull = open.length >= PART_EVENTS || now - begun >= PART_MS
        if (!isFull && block.number < part.toBlock) return
        const blocks = { fromBlock, toBlock: block.number }
        yield* addPart(options, side, open, block, wantedIn(wanted, blocks, grade))
        open = []
        grade = NOTHING_GRADE
        fromBlock = block.number + 1
        begun = now
      })
    yield* Stream.runForEach(pastOf(options)(part, tail, options.reading, tokens), take)
  })

/** Looks up the parts that the log has not joined, as often as some may have been undone. */
const findParts = ({ parts }: LateOptions, { log, lock }: Side) =>
  lock.withPermit(
    Effect.gen(function* () {
      if (!parts.isLost) return
      const after = parts.joinedSeq
      const found = yield* log.partsAfter(after)
      // a rollback meanwhile may have undone more
      if (parts.joinedSeq === after) parts.found(found.map(partOf))
    })
  )

/** Takes back a part that is not of the chain, with those behind it, which are read again. */
const takeBack = ({ parts, chain }: LateOptions, { log, lock }: Side, { range, block }: Part) =>
  lock.withPermit(
    Effect.gen(function* () {
      yield* Effect.logWarning(
        `${chain.key}: the chain has replaced block ${block.number} since transfers up to it were ` +
          "read: they are read again"
      )
      yield* log.takeBackAfter(range.firstSeq - 1, block)
      parts.isLost = true
    })
  )

/** Compares the next part with the chain as it is now; one that passes may be joined. */
const provePart = (options: LateOptions, pinning: Pinning, side: Side) =>
  Effect.gen(function* () {
    const { parts } = options
    yield* findParts(options, side)
    const part = parts.unproven
    if (part === null) return yield* Effect.sleep(LOOK_PARTS_MS)
    const hash = yield* pinning.hashOf(part.block.number)
    if (hash === null) {
      const message = `no node has block ${part.block.number}, up to which transfers were read`
      return yield* new SourceError({ message, fatal: false })
    }
    const isOurs = hash === part.block.hash && isMissing(part, parts.pins)
    if (isOurs) parts.prove(part)
    else if (parts.unproven === part) yield* takeBack(options, side, part)
  })

/** Shows how every token stands that was asked for. */
const show = (options: LateOptions, pinning: Pinning, memory: Memory, status: LateStatus) => {
  const { pins, audits } = options
  const known = new Map(pins.pins.map(pin => [pin.token, pin]))
  const { refused } = pinning
  const wanted = new Set([...known.keys(), ...pinning.asked()])
  for (const token of refused) wanted.delete(token)
  const gone = new Set([...refused, ...pins.unpinned.map(({ address }) => address)])
  for (const token of wanted) gone.delete(token)
  const trouble = [...memory.troubles.values()][0] ?? null
  const shown = [...wanted].map(token =>
    pinStatus(token, known.get(token) ?? null, {
      reachedBlock: memory.reached.get(token) ?? null,
      problem: memory.problems.get(token) ?? memory.rests.get(token)?.problem ?? trouble,
      unaudited: audits.problems.get(token) ?? null
    })
  )
  status.pins = [...shown, ...[...gone].map(unpinnedStatus)]
}

/** What helps with a simulated chain, whose node has no other beside it. */
const SIMULATED_FORGETS =
  "The simulated chain's node keeps its newest blocks only: a token pinned from the start " +
  "(PIN_<chain id>) with a new data folder has them"

/** Leaves tokens alone for a while whose past could not be read, longer each time. */
const restFor = (options: LateOptions, memory: Memory, { tokens }: PinJob, reason: string) =>
  Effect.gen(function* () {
    const { chain, firstPauseMs, longestPauseMs } = options
    const now = yield* Clock.currentTimeMillis
    const first = firstPauseMs ?? FIRST_PAUSE_MS
    const longest = FORGOTTEN_PAUSES * (longestPauseMs ?? LONGEST_PAUSE_MS)
    const pauses = tokens.map(token => memory.rests.get(token)?.pauseMs ?? first / 2)
    const pauseMs = Math.min(longest, 2 * Math.max(...pauses))
    const isSimulated = options.source.status().kind === "devchain"
    const problem =
      `earlier transfers cannot be read: ${reason}. ` +
      (isSimulated ? SIMULATED_FORGETS : `They are asked for again: ${archiveAdvice(chain.id)}`)
    const isSaid = tokens.every(token => memory.rests.get(token)?.problem === problem)
    for (const token of tokens) {
      memory.rests.set(token, { pauseMs, until: now + pauseMs, problem })
      memory.reached.delete(token)
    }
    if (!isSaid) yield* Effect.logWarning(`${chain.key}: ${tokens.join(", ")}: ${problem}`)
  })

/** One look: finds floors, does the next job. Answers whether there was one. */
const advance = (options: LateOptions, pinning: Pinning, side: Side, memory: Memory) =>
  Effect.gen(function* () {
    const { parts, ledger, chain } = options
    if (ledger.head === null || parts.isLost) return false
    const pins = parts.pins.filter(({ token }) => !pinning.refused.has(token))
    const open = pins.filter(pin => !isComplete(pin))
    for (const pin of open) yield* findFloor(options, pinning, memory, pin)
    if (parts.isLost) return false
    const final = ledger.head - chain.finalityDepth
    parts.say(unsaidOf(pins, memory.floors, final))
    const now = yield* Clock.currentTimeMillis
    const isDue = ({ token }: Pin): boolean => now >= (memory.rests.get(token)?.until ?? 0)
    const job = nextJob(pins.filter(isDue), memory.floors, final)
    if (job === null) return false
    const { fromBlock, toBlock } = job.part
    const what = `${chain.key}: transfers of ${job.tokens.join(", ")} in ${fromBlock}..${toBlock}`
    const isNew = job.tokens.some(token => !memory.rests.has(token))
    if (isNew) yield* Effect.logInfo(`${what}: reading them beside the head`)
    const read = yield* Effect.result(runJob(options, side, job, memory))
    if (read._tag === "Failure") {
      const error = read.failure
      if (!(error instanceof SourceError) || error.fatal) return yield* Effect.fail(error)
      yield* restFor(options, memory, job, error.message)
      return true
    }
    yield* Effect.logInfo(`${what} are read: the log joins them with its next blocks`)
    for (const token of job.tokens) {
      memory.reached.delete(token)
      memory.rests.delete(token)
    }
    return true
  })

/** Does something again and again, with growing pauses while the source fails. */
const keepTrying = <A, E, R>(
  { chain, firstPauseMs, longestPauseMs }: LateOptions,
  { troubles }: Memory,
  what: "reading" | "joining",
  once: Effect.Effect<A, E | SourceError, R>
): Effect.Effect<never, E | SourceError, R> =>
  Effect.gen(function* () {
    const firstPause = firstPauseMs ?? FIRST_PAUSE_MS
    let pause = firstPause
    for (;;) {
      const outcome = yield* Effect.result(once)
      if (outcome._tag === "Success") {
        pause = firstPause
        troubles.delete(what)
        continue
      }
      const error = outcome.failure
      if (!(error instanceof SourceError) || error.fatal) return yield* Effect.fail(error)
      troubles.set(what, `${what} earlier transfers fails, and is tried again: ${error.message}`)
      yield* Effect.logWarning(`${chain.key}: transfers: ${error.message}`)
      yield* Effect.sleep(pause)
      pause = Math.min(longestPauseMs ?? LONGEST_PAUSE_MS, pause * 2)
    }
  })

/** Fills what is missing of pinned tokens' transfers, for ever. */
export const fillPins = (options: LateOptions, status: LateStatus) =>
  Effect.gen(function* () {
    const { pinning } = options.source
    if (pinning === null) return yield* Effect.never
    const { chain, parts } = options
    const memory = new Memory()
    const look = Math.min(LOOK_MS, options.firstPauseMs ?? FIRST_PAUSE_MS)
    // transfers waited there before they had a side log
    yield* dropStage(chain.key, "transfers")
    yield* Effect.sync(() => show(options, pinning, memory, status)).pipe(
      Effect.andThen(Effect.sleep(Math.min(LOOK_MS, 4 * look))),
      Effect.forever,
      Effect.forkScoped
    )
    // a chain of which nothing is pinned needs no side log
    while (parts.pins.length === 0) yield* Effect.sleep(look)
    const side = { log: yield* openSideLog(chain.key), lock: yield* Semaphore.make(1) }
    const work = advance(options, pinning, side, memory).pipe(
      Effect.flatMap(did => (did ? Effect.void : Effect.sleep(look)))
    )
    const proving = keepTrying(options, memory, "joining", provePart(options, pinning, side))
    return yield* Effect.raceFirst(keepTrying(options, memory, "reading", work), proving)
  }).pipe(Effect.scoped)
