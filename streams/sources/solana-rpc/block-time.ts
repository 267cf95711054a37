/**
 * Times of blocks of which a node tells none, as nodes do whose voters have not told theirs: as
 * another endpoint tells it, else of the block before it, and never a time that nobody told. Times
 * never go back on a chain of Solana, so a later block shows which one was told wrong.
 */
import { Effect } from "effect"
import type { Certainty } from "../../../src/platform/solana-rpc.ts"
import type { SolanaBlock } from "../../solana/block.ts"
import { SourceError } from "../../source.ts"
import type { Link } from "./chain-links.ts"
import type { Nodes, Placed } from "./nodes.ts"
import type { Graded } from "./second-opinion.ts"
import { warnSeldom } from "./warning.ts"

/** Blocks before one without a time that are asked for theirs. */
const MOST_ANCESTORS = 32

/**
 * Returns the time of a block (Unix seconds): as any endpoint tells it, else that of the newest
 * block before it that has one; null where none of 32 does.
 */
export const timeOf = (
  nodes: Nodes,
  block: Placed,
  certainty: Certainty
): Effect.Effect<number | null, SourceError> =>
  Effect.gen(function* () {
    let { slot, hash } = block
    for (let asked = 0; asked <= MOST_ANCESTORS; asked++) {
      const views = yield* nodes.views(slot, certainty)
      const told = views.flatMap(view => (view.block?.hash === hash ? [view.block] : []))
      const [time] = told.flatMap(({ timeSeconds }) => timeSeconds ?? [])
      if (time !== undefined) return time
      const [one] = told
      if (one === undefined) return null
      slot = one.parentSlot
      hash = one.parentHash
    }
    return null
  })

interface ToldTime {
  readonly by: number
  readonly time: number
}

/** The time that most tell; of as many the earlier: one that is ahead holds up all after it. */
const mostTold = (told: ReadonlyArray<ToldTime>): ToldTime | null => {
  const count = (time: number) => told.filter(one => one.time === time).length
  const [best] = told.toSorted((a, b) => count(b.time) - count(a.time) || a.time - b.time)
  return best ?? null
}

/**
 * Gives a block the time that endpoints tell of it, where one that was heard of it tells none, and
 * names who does not. Where fewer than two tell it no second endpoint bears it out.
 */
export const timeBorneOut = (
  nodes: Nodes,
  certainty: Certainty,
  one: Graded
): Effect.Effect<Graded, SourceError> =>
  Effect.gen(function* () {
    const { slot, block, grade } = one
    const asWord = grade === "second" ? "word" : grade
    if (nodes.labels.size === 1) return { ...one, grade: asWord }
    const views = yield* nodes.views(slot, certainty)
    const told: Array<ToldTime> = []
    const silent: Array<string> = []
    for (const { by, block: theirs } of views) {
      if (theirs?.hash !== block.hash) continue
      if (theirs.timeSeconds === null) silent.push(nodes.labelOf(by))
      else told.push({ by, time: theirs.timeSeconds })
    }
    const best = mostTold(told)
    if (best === null) return { ...one, grade: asWord }
    const tellers = told.filter(({ time }) => time === best.time)
    if (silent.length > 0) {
      const who = tellers.map(({ by }) => nodes.labelOf(by)).join(", ")
      const [mute, taken] = [silent.join(", "), `those of ${who} are taken`]
      const lacks =
        tellers.length > 1
          ? ""
          : ", whose word alone they are; blocks count as told by two endpoints (grade second) " +
            `once two tell their times: replace ${mute} in RPC_SOLANA, or add another`
      const words = `times of blocks are not told by ${mute}: ${taken}${lacks}`
      yield* warnSeldom(nodes, ["no times", ...silent], words, slot)
    }
    const timed = { ...block, timeSeconds: best.time }
    const found = { ...one, block: timed, timeBy: best.by }
    return { ...found, grade: tellers.length > 1 ? grade : asWord }
  })

/** Seconds by which a block may be ahead of a later one before it is taken back for that. */
const MOST_AHEAD = 5

/** Whether a time is ahead of the block of a later slot, so that it was told wrong. */
export const isAheadOf = (time: number | null, { block: { timeSeconds } }: Graded): boolean =>
  time !== null && timeSeconds !== null && time > timeSeconds + MOST_AHEAD

/**
 * Returns the oldest link whose time was told wrong, as a later block shows that two endpoints
 * tell: where one tells another time of the link that fits, or more do than tell it as ahead.
 */
export const toldAhead = (
  nodes: Nodes,
  links: ReadonlyArray<Link>,
  later: Graded,
  certainty: Certainty
): Effect.Effect<Link | null, SourceError> =>
  Effect.gen(function* () {
    const link = links.find(({ time }) => isAheadOf(time, later))
    if (link === undefined) return null
    const views = yield* nodes.views(link.slot, certainty)
    const times = views.flatMap(({ block }) =>
      block?.hash === link.hash && block.timeSeconds !== null ? [block.timeSeconds] : []
    )
    const ahead = times.filter(time => isAheadOf(time, later)).length
    const fitting = times.length - ahead
    return fitting > (later.grade === "second" ? 0 : ahead) ? link : null
  })

/** What is said where nobody tells the time of a block that a log or a range begins with. */
export const untimed = (nodes: Nodes, slot: number): string =>
  `no endpoint (${[...nodes.labels].join(", ")}) tells the time of slot ${slot}, or of the ` +
  `${MOST_ANCESTORS} blocks before it: an endpoint that keeps times of blocks is needed`

/**
 * Makes of blocks what is given out: one whose time no node tells has that of the block before it,
 * as has one that is told to be earlier, and no second endpoint bears such a time out.
 *
 * @param timeBefore time of the block that the first one joins; null where it is not known
 */
export const timed = (
  nodes: Nodes,
  branch: ReadonlyArray<Graded>,
  timeBefore: number | null
): Effect.Effect<ReadonlyArray<SolanaBlock>, SourceError> =>
  Effect.gen(function* () {
    let before = timeBefore
    const blocks: Array<SolanaBlock> = []
    for (const { slot, block, by, grade: told } of branch) {
      const { _tag: _, ...content } = block
      const own: number | null = block.timeSeconds ?? before
      if (own === null) {
        return yield* new SourceError({ message: untimed(nodes, slot), fatal: false })
      }
      const timeSeconds: number = Math.max(own, before ?? own)
      const isTold = timeSeconds === block.timeSeconds
      const grade = told === "second" && !isTold ? "word" : told
      blocks.push({ ...content, _tag: "Block", slot, timeSeconds, grade, by: nodes.labelOf(by) })
      before = timeSeconds
    }
    return blocks
  })
