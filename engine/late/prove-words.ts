/**
 * Reads blocks again that are a node's word or two nodes', the newest first, in a small share of
 * the time. Where receipts show the same logs the log says so, which moves nothing; where they show
 * others the block is a gap, which is repaired as any.
 */
import { Clock, Effect, Stream } from "effect"
import { assuranceOf } from "../../src/domain/assurance.ts"
import type { Event } from "../../streams/event.ts"
import { eventsOf, eventToJson } from "../../streams/event-objects.ts"
import { transferTokenOf } from "../../streams/pinned-tokens.ts"
import { type BlockRange, SourceError } from "../../streams/source.ts"
import type { WholeBlock } from "../log/blocks-backwards.ts"
import { isLateTransfer, type LateOptions, pastOf } from "./late-log.ts"
import { isProvable, type Recheck } from "./word-ledger.ts"

const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 600_000
const LOOK_MS = 1_000

/** Blocks from the first to the last of those that are read at once. */
const SPAN = 64

/** Of the time, this much is spent on it: some blocks a second, as history may be all words. */
const SHARE = 0.05
/** And no rest is longer, however slow the nodes are: they forget what is not asked for soon. */
const LONGEST_REST_MS = 20_000

/** What blocks are after they were read again: as of the least known of them. */
const gradeOf = (was: string, grades: ReadonlyArray<string>): string | null => {
  const least = grades.find(grade => assuranceOf(grade) !== "proven") ?? grades[0]
  const better = least !== undefined && assuranceOf(least) !== assuranceOf(was)
  return better && assuranceOf(least) !== "word" ? least : null
}

/** What the nodes told of a block by its logs, comparable. */
const linesOf = (
  events: ReadonlyArray<Event>,
  isLate: (event: Event) => boolean
): ReadonlyArray<string> =>
  events
    .filter(event => event.tx !== null && (transferTokenOf(event) === null || isLate(event)))
    .map(event => eventToJson(event, 0))

const knownIn = (blocks: ReadonlyArray<WholeBlock>) => {
  const events = blocks.flatMap(block => block.events)
  // what they tell of these was written down when they were new
  const knownPools = events.flatMap(event =>
    "pool" in event && typeof event.pool === "string" ? [event.pool] : []
  )
  const knownTokens = events.flatMap(event => (event.kind === "PoolCreated" ? event.tokens : []))
  return { blocks: [], knownPools, knownTokens }
}

const isWithin = (ranges: ReadonlyArray<BlockRange>, block: number): boolean =>
  ranges.some(({ fromBlock, toBlock }) => block >= fromBlock && block <= toBlock)

/** Reads blocks of one grade again; null where nobody tells more of some than before. */
const recheck = (options: LateOptions, blocks: ReadonlyArray<WholeBlock>) =>
  Effect.gen(function* () {
    const [newest, oldest] = [blocks[0], blocks[blocks.length - 1]] as [WholeBlock, WholeBlock]
    const range = { fromBlock: oldest.number, toBlock: newest.number }
    // transfers of other tokens are not read with them
    const read = new Set(options.source.pinning?.asked())
    const unread = options.pins.pins.find(({ token }) => !read.has(token))
    if (unread !== undefined) {
      const message = `transfers of ${unread.token} are not read yet`
      return yield* new SourceError({ message, fatal: false })
    }
    const past = pastOf(options)(range, knownIn(blocks), "proofs")
    const events = (yield* Stream.runCollect(past)).flatMap(eventsOf)
    const isAfterPin = isLateTransfer(options.pins.pins)
    const isLate = (event: Event) => read.has(transferTokenOf(event) ?? "") && isAfterPin(event)
    const grades: Array<string> = []
    let differing = 0
    for (const block of blocks) {
      const now = events.filter(event => event.block.number === block.number)
      const seal = now.find(event => event.kind === "BlockSealed")
      if (seal?.kind !== "BlockSealed") return null
      grades.push(seal.grade)
      const [ours, theirs] = [linesOf(block.events, isLate), linesOf(now, isLate)]
      const isSame = ours.length === theirs.length && ours.every((line, i) => line === theirs[i])
      if (!isSame) differing++
    }
    const grade = gradeOf(newest.grade, grades)
    if (grade === null) return null
    const found: Recheck = {
      ...{ ...range, was: newest.grade, grade },
      ...{ blocks: blocks.length, differing }
    }
    return found
  })

/** Looks at words from one epoch of the log on. */
interface Look {
  readonly options: LateOptions
  readonly epoch: number
  /** why some blocks are no better known than before; null where there are none */
  problem: SourceError | null
}

const toldOf = ({ options, epoch }: Look, found: Recheck) => {
  options.words.tell(found, epoch)
  return found.differing === 0
    ? Effect.void
    : Effect.logWarning(
        `${options.chain.key}: ${found.differing} of the blocks ${found.fromBlock}..${found.toBlock} ` +
          "have other logs than were told first: they are repaired"
      )
}

/** Reads blocks of one grade again and tells of them, and rests for as long as its share wants. */
const lookAt = (look: Look, blocks: ReadonlyArray<WholeBlock>): Effect.Effect<void, SourceError> =>
  Effect.gen(function* () {
    const { options, epoch } = look
    if (blocks.length === 0 || options.words.epoch !== epoch) return
    const began = yield* Clock.currentTimeMillis
    const outcome = yield* Effect.result(recheck(options, blocks))
    const found = outcome._tag === "Success" ? outcome.success : null
    if (found !== null) yield* toldOf(look, found)
    const took = (yield* Clock.currentTimeMillis) - began
    const longest = options.longestPauseMs ?? LONGEST_REST_MS
    yield* Effect.sleep(Math.min(longest, took / SHARE - took))
    if (found !== null) return
    if (outcome._tag === "Failure" && outcome.failure.fatal) return yield* outcome.failure
    if (blocks.length === 1) {
      const message = `block ${blocks[0]?.number} cannot be proven yet`
      const unproven = new SourceError({ message, fatal: false })
      look.problem = outcome._tag === "Failure" ? outcome.failure : unproven
      return
    }
    // what cannot be known of one of them is no reason to leave the others as they are
    const half = blocks.length >> 1
    yield* lookAt(look, blocks.slice(0, half))
    yield* lookAt(look, blocks.slice(half))
  })

/**
 * Looks at all words up to a block, the newest first; ends early where the log changes. Fails in
 * the end where some could not be proven.
 */
const lookAtAll = (options: LateOptions, upTo: number) =>
  Effect.gen(function* () {
    const { log, words, ledger } = options
    const { epoch, from } = words
    const look: Look = { options, epoch, problem: null }
    const open: Array<WholeBlock> = []
    const flush = Effect.suspend(() => lookAt(look, open.splice(0)))
    yield* log.blocksBackwards(isProvable).pipe(
      Stream.rechunk(1),
      Stream.takeWhile(({ number }) => words.epoch === epoch && number >= (from ?? 0)),
      Stream.runForEach(block =>
        Effect.gen(function* () {
          // what is a gap is repaired as one
          if (block.number > upTo || isWithin(ledger.open, block.number)) return
          const first = open[0]
          const fits =
            first === undefined ||
            (first.grade === block.grade && first.number - block.number < SPAN)
          if (!fits) yield* flush
          open.push(block)
        })
      )
    )
    yield* flush
    if (look.problem !== null) return yield* look.problem
    words.done(upTo, epoch)
  })

/** Proves what can be proven by now of blocks that are a word, for ever. */
export const proveWords = (options: LateOptions) =>
  Effect.gen(function* () {
    const { words, ledger, chain } = options
    const firstPause = options.firstPauseMs ?? FIRST_PAUSE_MS
    const longestPause = options.longestPauseMs ?? LONGEST_PAUSE_MS
    let pause = firstPause
    for (;;) {
      yield* Effect.sleep(Math.min(LOOK_MS, firstPause))
      const upTo = (ledger.head ?? -1) - chain.finalityDepth
      if (words.from === null || words.from > upTo) continue
      const outcome = yield* Effect.result(lookAtAll(options, upTo))
      if (outcome._tag === "Success") {
        pause = firstPause
        continue
      }
      const error = outcome.failure
      if (error instanceof SourceError && error.fatal) return yield* Effect.fail(error)
      // old blocks that cannot be read are no reason to stop reading new ones
      yield* Effect.logDebug(`${chain.key}: words: ${error.message}`)
      yield* Effect.sleep(pause)
      pause = Math.min(longestPause, pause * 2)
    }
  })
