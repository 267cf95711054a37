/**
 * Reads blocks again that are the word of one node or of two, newest first, in a small share of the
 * time. Where what proves them, as receipts, shows equal contents the log gets a `BlocksProven`,
 * which moves no event. Where it shows others the blocks become a gap, repaired like any gap.
 */

import { Clock, Effect, Stream } from "effect"
import { assuranceOf } from "../../src/domain/assurance.ts"
import { familyOf } from "../../src/domain/chain-family.ts"
import type { Event } from "../../streams/event.ts"
import { eventsOf } from "../../streams/event-objects.ts"
import { transferTokenOf } from "../../streams/pinned-transfers.ts"
import { type BlockRange, SourceError } from "../../streams/source.ts"
import type { WholeBlock } from "../log/blocks-backwards.ts"
import { knownIn } from "./known-in.ts"
import { isLateTransfer, type LateOptions, pastOf, TIME_SHARE } from "./late-log.ts"
import { type Difference, differencesOf } from "./same-content.ts"
import { differingText, type Recheck } from "./word-ledger.ts"

const FIRST_PAUSE_MS = 2_000
const MAX_PAUSE_MS = 600_000
const LOOK_MS = 1_000

/** Blocks between the oldest and the newest block of one reading, at most. */
const MAX_SPAN_BLOCKS = 64

/** The longest pause between readings: nodes forget receipts that are not asked for soon. */
const MAX_REST_MS = 20_000

/**
 * Returns the new grade of blocks, the lowest of `grades`; null where it is no better than `was`.
 */
const gradeOf = (was: string, grades: ReadonlyArray<string>): string | null => {
  const least = grades.find(grade => assuranceOf(grade) !== "proven") ?? grades[0]
  const better = least !== undefined && assuranceOf(least) !== assuranceOf(was)
  return better && assuranceOf(least) !== "word" ? least : null
}

const isWithin = (ranges: ReadonlyArray<BlockRange>, block: number): boolean =>
  ranges.some(({ fromBlock, toBlock }) => block >= fromBlock && block <= toBlock)

/**
 * Reads blocks of one grade again. Returns null where some of them are known no better than before.
 */
const recheck = (options: LateOptions, blocks: ReadonlyArray<WholeBlock>) =>
  Effect.gen(function* () {
    const [newest, oldest] = [blocks[0], blocks[blocks.length - 1]] as [WholeBlock, WholeBlock]
    const range = { fromBlock: oldest.number, toBlock: newest.number }
    // the source reads transfers of these tokens only
    const read = new Set(options.source.pinning?.asked())
    const unread = options.pins.pins.find(({ token }) => !read.has(token))
    if (unread !== undefined) {
      const message = `transfers of ${unread.token} are not read yet`
      return yield* new SourceError({ message, fatal: false })
    }
    const past = pastOf(options)(range, knownIn(blocks.flatMap(block => block.events)), "proofs")
    const events = (yield* Stream.runCollect(past)).flatMap(eventsOf)
    const isAfterPin = isLateTransfer(options.pins.pins)
    const isLate = (event: Event) => read.has(transferTokenOf(event) ?? "") && isAfterPin(event)
    const grades: Array<string> = []
    const differences: Array<ReadonlyArray<Difference>> = []
    for (const block of blocks) {
      const now = events.filter(event => event.block.number === block.number)
      const seal = now.find(event => event.kind === "BlockSealed")
      if (seal?.kind !== "BlockSealed") return null
      grades.push(seal.grade)
      const differing = differencesOf(block.events, now, isLate)
      if (differing.length > 0) differences.push(differing)
    }
    const grade = gradeOf(newest.grade, grades)
    if (grade === null) return null
    const checked: Recheck = {
      ...{ ...range, was: newest.grade, grade },
      ...{ blocks: blocks.length, differences }
    }
    return checked
  })

/** One pass over the words of a log, which is valid while the log's epoch does not change. */
interface Look {
  readonly options: LateOptions
  readonly epoch: number
  /** why some block could not be proven; null where all could */
  problem: SourceError | null
}

const report = ({ options, epoch }: Look, check: Recheck) => {
  options.words.tell(check, epoch)
  const { differences, fromBlock, toBlock } = check
  if (differences.length === 0) return Effect.void
  return Effect.logWarning(
    `${options.chain.key}: ${differences.length} of the blocks ${fromBlock}..${toBlock} have other ` +
      `${differingText(check, familyOf(options.chain).contents)} than were told first: ` +
      "they are put right"
  )
}

/** Reads blocks of one grade again, reports the outcome, and pauses for the rest of the share. */
const lookAt = (look: Look, blocks: ReadonlyArray<WholeBlock>): Effect.Effect<void, SourceError> =>
  Effect.gen(function* () {
    const { options, epoch } = look
    if (blocks.length === 0 || options.words.epoch !== epoch) return
    const began = yield* Clock.currentTimeMillis
    const outcome = yield* Effect.result(recheck(options, blocks))
    const check = outcome._tag === "Success" ? outcome.success : null
    if (check !== null) yield* report(look, check)
    const took = (yield* Clock.currentTimeMillis) - began
    const longest = options.longestPauseMs ?? MAX_REST_MS
    yield* Effect.sleep(Math.min(longest, took / (options.timeShare ?? TIME_SHARE) - took))
    if (check !== null) return
    if (outcome._tag === "Failure" && outcome.failure.fatal) return yield* outcome.failure
    if (blocks.length === 1) {
      const message = `block ${blocks[0]?.number} cannot be proven yet`
      const unproven = new SourceError({ message, fatal: false })
      look.problem = outcome._tag === "Failure" ? outcome.failure : unproven
      return
    }
    // one block that cannot be proven must not keep the others from it
    const half = blocks.length >> 1
    yield* lookAt(look, blocks.slice(0, half))
    yield* lookAt(look, blocks.slice(half))
  })

/**
 * Reads all words up to a block again, newest first, and ends early where the log changes. Fails at
 * the end where some block could not be proven.
 */
const lookAtAll = (options: LateOptions, upTo: number) =>
  Effect.gen(function* () {
    const { log, words, ledger } = options
    const { epoch, from } = words
    const look: Look = { options, epoch, problem: null }
    const open: Array<WholeBlock> = []
    const flush = Effect.suspend(() => lookAt(look, open.splice(0)))
    yield* log
      .blocksBackwards(grade => words.mayImprove(grade))
      .pipe(
        Stream.rechunk(1),
        Stream.takeWhile(({ number }) => words.epoch === epoch && number >= (from ?? 0)),
        Stream.runForEach(block =>
          Effect.gen(function* () {
            // blocks in a gap are repaired with the gap
            if (block.number > upTo || isWithin(ledger.open, block.number)) return
            const first = open[0]
            const fits =
              first === undefined ||
              (first.grade === block.grade && first.number - block.number < MAX_SPAN_BLOCKS)
            if (!fits) yield* flush
            open.push(block)
          })
        )
      )
    yield* flush
    if (look.problem !== null) return yield* look.problem
    words.done(upTo, epoch)
  })

/** Where a block's header commits to nothing, two endpoints can be compared alone. */
const canImprove = ({ chain, source }: LateOptions): boolean =>
  familyOf(chain).provesBlocks || source.status().endpoints.length > 1

/** Tries to prove the blocks that are words, for ever. */
export const proveWords = (options: LateOptions) =>
  Effect.gen(function* () {
    const { words, ledger, chain } = options
    const firstPause = options.firstPauseMs ?? FIRST_PAUSE_MS
    const longestPause = options.longestPauseMs ?? MAX_PAUSE_MS
    let pause = firstPause
    for (;;) {
      yield* Effect.sleep(Math.min(LOOK_MS, firstPause))
      const upTo = (ledger.head ?? -1) - chain.finalityDepth
      if (words.from === null || words.from > upTo || !canImprove(options)) continue
      const outcome = yield* Effect.result(lookAtAll(options, upTo))
      if (outcome._tag === "Success") {
        pause = firstPause
        continue
      }
      const error = outcome.failure
      if (error instanceof SourceError && error.fatal) return yield* Effect.fail(error)
      // a node's failure is no reason to stop: the next pass begins with the newest blocks
      yield* Effect.logDebug(`${chain.key}: words: ${error.message}`)
      yield* Effect.sleep(pause)
      pause = Math.min(longestPause, pause * 2)
    }
  })
