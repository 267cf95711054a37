/**
 * Reads the transfers that tokens had before they were pinned into the chain's side log, part by
 * part, while the source follows the head. The log joins each part with one of its next blocks;
 * events that stand in the log do not move.
 */
import { Effect, Semaphore, Stream } from "effect"
import { lesserGrade, NOTHING_GRADE } from "../../src/domain/assurance.ts"
import { hasPassed, steadyMillis } from "../../src/platform/elapsed.ts"
import type { EventBatch } from "../../streams/batch/batch.ts"
import type { BlockRef, Event } from "../../streams/event.ts"
import { batchOf, eventAt, eventsOf } from "../../streams/event-objects.ts"
import { transferTokenOf } from "../../streams/pinned-transfers.ts"
import { type BlockRange, type Pinning, SourceError } from "../../streams/source.ts"
import { dropStage } from "../log/log-stream.ts"
import { openSideLog, type SideLog } from "../log/side-log.ts"
import { type LateOptions, type LateStatus, pastOf } from "./late-log.ts"
import { type Floor, floorFrom, nextJob, type PinJob, unsaidOf, wantedIn } from "./pin-jobs.ts"
import { firstOf, isComplete, type Pin, pinStatus, unpinnedStatus } from "./pin-ledger.ts"
import { type Filled, filledIn, isMissing, type Part, partOf } from "./pin-parts.ts"
import { archiveAdvice } from "./unread-blocks.ts"

/**
 * A part ends with this many events, or after this time. Each part names its addresses anew: parts
 * of 1,000 events of a token with many holders would take a tenth more room.
 */
const MIN_PART_EVENTS = 4_000
const MAX_PART_MS = 30_000
const LOOK_PARTS_MS = 50
const LOOK_MS = 500
const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 60_000
/**
 * A node rarely gets back what it has forgotten, so its longest pause is this many times longer.
 */
const FORGOTTEN_PAUSES = 10
/**
 * Pauses of the first length before a token's creation is asked for again: unknown, or no contract.
 */
const UNTOLD_PAUSES = 600
const ABSENT_PAUSES = 15
/** Pauses of the first length after which it is told that nodes tell nothing. */
const SILENT_PAUSES = 20

/** The side log, and the lock that lets one fiber at a time append or look up parts. */
interface Side {
  readonly log: SideLog
  readonly lock: Semaphore.Semaphore
}

/** The pause of a token whose past could not be read. */
interface Rest {
  readonly pauseMs: number
  /** milliseconds since 1970 */
  readonly until: number
  readonly problem: string
}

/** What nodes are being asked, and since when they have told nothing of it. */
interface Asked {
  readonly tokens: ReadonlyArray<string>
  readonly what: string
  readonly sinceMs: number
}

const transfersOf = ({ fromBlock, toBlock }: BlockRange): string =>
  `transfers of blocks ${fromBlock} to ${toBlock} are asked for`

/** What the process knows of tokens beside the log, by their addresses. */
class Memory {
  /** null while nothing is asked */
  asked: Asked | null = null
  readonly floors = new Map<string, Floor>()
  readonly askAfter = new Map<string, number>()
  readonly reached = new Map<string, number>()
  readonly problems = new Map<string, string>()
  readonly rests = new Map<string, Rest>()
  /** why reading, or joining, fails for all tokens at the moment */
  readonly troubles = new Map<"reading" | "joining", string>()
}

/** Why nothing comes of what nodes are asked of a token; null where they told some lately. */
const silenceOf = (
  { firstPauseMs = FIRST_PAUSE_MS }: LateOptions,
  { asked }: Memory,
  token: string,
  nowMs: number
): string | null => {
  if (asked === null || !asked.tokens.includes(token)) return null
  const { what, sinceMs } = asked
  if (!hasPassed(sinceMs, nowMs, SILENT_PAUSES * firstPauseMs)) return null
  return `${what}, and for ${Math.round((nowMs - sinceMs) / 1000)} s no node has told more`
}

/** Asks nodes something of some tokens; however that ends, nothing is asked then. */
const asking = <A, E, R>(
  memory: Memory,
  tokens: ReadonlyArray<string>,
  what: string,
  ask: Effect.Effect<A, E, R>
) =>
  Effect.flatMap(steadyMillis, sinceMs => {
    memory.asked = { tokens, what, sinceMs }
    return ask
  }).pipe(
    Effect.ensuring(
      Effect.sync(() => {
        memory.asked = null
      })
    )
  )

const NO_CODE = "no contract has this address yet"

/**
 * Finds the block of a token's creation: in the log, or from a node, if that was not just asked.
 */
const findFloor = (options: LateOptions, pinning: Pinning, memory: Memory, pin: Pin) =>
  Effect.gen(function* () {
    const { token, addedBlock } = pin
    const first = firstOf(pin)
    if (first !== null) {
      memory.floors.set(token, { block: first.fromBlock, reach: "creation", problem: null })
      return
    }
    const now = yield* steadyMillis
    const head = options.ledger.head ?? 0
    if (now < (memory.askAfter.get(token) ?? 0) || head < addedBlock) return
    const ask = pinning.creation(token, head)
    const creation = yield* asking(memory, [token], "when it was created is asked", ask)
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

/** Appends a part to the side log. It waits while parts are being looked up. */
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
    let begun = yield* steadyMillis
    const isWanted = (event: Event): boolean => {
      const token = transferTokenOf(event)
      const range = wanted.find(each => each.token === token)
      const { number } = event.block
      return range !== undefined && number >= range.fromBlock && number <= range.toBlock
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
        const now = yield* steadyMillis
        const left = { fromBlock: block.number + 1, toBlock: part.toBlock }
        memory.asked = { tokens, what: transfersOf(left), sinceMs: now }
        const isFull = open.length >= MIN_PART_EVENTS || now - begun >= MAX_PART_MS
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

/** Looks up the parts that the log has not joined, at the start and after a rollback. */
const findParts = ({ parts }: LateOptions, { log, lock }: Side) =>
  lock.withPermit(
    Effect.gen(function* () {
      if (!parts.isLost) return
      const after = parts.joinedSeq
      const unjoined = yield* log.partsAfter(after)
      // a rollback meanwhile may have undone further joins
      if (parts.joinedSeq === after) parts.found(unjoined.map(partOf))
    })
  )

/**
 * Removes a part that is not of the chain any more, and the parts after it: they are read again.
 */
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

/** Compares the next part with the chain's present blocks. A part that agrees may be joined. */
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

/** Writes the state of every token that was asked for into the status. */
const show = (
  options: LateOptions,
  pinning: Pinning,
  memory: Memory,
  status: LateStatus,
  nowMs: number
) => {
  const { pins, audits } = options
  const pinByToken = new Map(pins.pins.map(pin => [pin.token, pin]))
  const { refused } = pinning
  const wanted = new Set([...pinByToken.keys(), ...pinning.asked()])
  for (const token of refused) wanted.delete(token)
  const gone = new Set([...refused, ...pins.unpinned.map(({ address }) => address)])
  for (const token of wanted) gone.delete(token)
  const trouble = [...memory.troubles.values()][0] ?? null
  const shown = [...wanted].map(token =>
    pinStatus(token, pinByToken.get(token) ?? null, {
      reachedBlock: memory.reached.get(token) ?? null,
      problem:
        memory.problems.get(token) ??
        memory.rests.get(token)?.problem ??
        silenceOf(options, memory, token, nowMs) ??
        trouble,
      unaudited: audits.problems.get(token) ?? null
    })
  )
  status.pins = [...shown, ...[...gone].map(unpinnedStatus)]
}

/** Advice for a simulated chain, which has only one node. */
const SIMULATED_FORGETS =
  "The simulated chain's node keeps its newest blocks only: a token pinned from the start " +
  "(PIN_<chain id>) with a new data folder has them"

/** Pauses tokens whose past could not be read, longer each time, and logs a reason that is new. */
const restFor = (options: LateOptions, memory: Memory, { tokens }: PinJob, reason: string) =>
  Effect.gen(function* () {
    const { chain, firstPauseMs, longestPauseMs } = options
    const now = yield* steadyMillis
    const first = firstPauseMs ?? FIRST_PAUSE_MS
    const longest = FORGOTTEN_PAUSES * (longestPauseMs ?? MAX_PAUSE_MS)
    const pauses = tokens.map(token => memory.rests.get(token)?.pauseMs ?? first / 2)
    const pauseMs = Math.min(longest, 2 * Math.max(...pauses))
    const isSimulated = options.source.status().kind === "devchain"
    const problem =
      `earlier transfers cannot be read: ${reason}. ` +
      (isSimulated ? SIMULATED_FORGETS : `They are asked for again: ${archiveAdvice(chain)}`)
    const isSaid = tokens.every(token => memory.rests.get(token)?.problem === problem)
    for (const token of tokens) {
      memory.rests.set(token, { pauseMs, until: now + pauseMs, problem })
      memory.reached.delete(token)
    }
    if (!isSaid) yield* Effect.logWarning(`${chain.key}: ${tokens.join(", ")}: ${problem}`)
  })

/** Finds floors, and does the next job. Returns whether there was one. */
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
    const now = yield* steadyMillis
    const isDue = ({ token }: Pin): boolean => now >= (memory.rests.get(token)?.until ?? 0)
    const job = nextJob(pins.filter(isDue), memory.floors, final)
    if (job === null) return false
    const { fromBlock, toBlock } = job.part
    const what = `${chain.key}: transfers of ${job.tokens.join(", ")} in ${fromBlock}..${toBlock}`
    const isNew = job.tokens.some(token => !memory.rests.has(token))
    if (isNew) yield* Effect.logInfo(`${what}: reading them beside the head`)
    const reading = runJob(options, side, job, memory)
    const read = yield* Effect.result(asking(memory, job.tokens, transfersOf(job.part), reading))
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

/** Repeats `once` for ever, with growing pauses while the source fails. */
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
      pause = Math.min(longestPauseMs ?? MAX_PAUSE_MS, pause * 2)
    }
  })

/** Reads the missing transfers of pinned tokens, for ever. */
export const fillPins = (options: LateOptions, status: LateStatus) =>
  Effect.gen(function* () {
    const { pinning } = options.source
    if (pinning === null) return yield* Effect.never
    const { chain, parts } = options
    const memory = new Memory()
    const look = Math.min(LOOK_MS, options.firstPauseMs ?? FIRST_PAUSE_MS)
    // former versions kept transfers in a stage; now they have the side log
    yield* dropStage(chain.key, "transfers")
    yield* Effect.map(steadyMillis, now => show(options, pinning, memory, status, now)).pipe(
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
