/**
 * The watched logs of a range of blocks, with the blocks they stand in. Ranges that a node refuses
 * are split; answers that contradict the blocks are asked for again.
 */
import { Effect, Result } from "effect"
import { isProof } from "../../../src/domain/assurance.ts"
import { RpcError } from "../../../src/platform/rpc-error.ts"
import { SourceError } from "../../source.ts"
import { hexNumber } from "./block-number.ts"
import type { WireBlock } from "./block-proof.ts"
import {
  Contradiction,
  groupByBlock,
  proveRange,
  type ToldLogs,
  type WireRange
} from "./range-proof.ts"
import type { RangeSize } from "./range-size.ts"
import { requireBlock } from "./require-block.ts"
import { fetchHeader, isForgotten, isNoState, type LaneError, type RpcLane } from "./rpc-lane.ts"
import { type Answer, secondAnswer } from "./second-answer.ts"
import { logCalls } from "./watch.ts"
import { inOrder, joined, readHeader, readLogs, sameLogs, type WireLog } from "./wire.ts"

/** `rpc`: words that nobody knows, which may mean the size. */
const TOO_MUCH = new Set<RpcError["kind"]>(["range-too-wide", "too-many-results", "timeout", "rpc"])

const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 10_000

/** Tries of a range in which is asked for again what nobody can tell: receipts, or who is right. */
const PATIENT_TRIES = 5

/** Tries of a range that must be whole, after which whoever wants it is told. */
const MOST_TRIES = 8

/** What a try of a range goes by. */
interface Reading {
  readonly lane: RpcLane
  readonly size: RangeSize
  /** tokens that were watched when it began */
  readonly tokens: number
  /** what cannot be proven is asked for again instead of being told as a gap */
  readonly patient: boolean
  /** the range must be whole, so whoever wants it is told in the end that it is not */
  readonly must: boolean
}

const inRange = (logs: ReadonlyArray<WireLog>, from: number, to: number): boolean =>
  logs.every(log => log.block >= from && log.block <= to)

/** Blocks whose logs two endpoints tell differently. */
const differing = (a: ReadonlyArray<WireLog>, b: ReadonlyArray<WireLog>): ReadonlyArray<number> => {
  const [ours, theirs] = [groupByBlock(a), groupByBlock(b)]
  const numbers = [...new Set([...ours.keys(), ...theirs.keys()])].sort((x, y) => x - y)
  return numbers.filter(number => !sameLogs(ours.get(number) ?? [], theirs.get(number) ?? []))
}

/** Blocks proven where two endpoints differ: enough to tell which of them leaves logs out. */
const MOST_PROVEN = 16
/** Of these so many without receipts, after which the others are not tried. */
const MOST_UNPROVEN = 2

/** Tries to get a second endpoint's word on a range. */
const SECOND_TRIES = 3

/** Pieces in which a range is asked of a second endpoint that takes fewer blocks at once. */
const MOST_PIECES = 16

type LogsAnswer = Answer<ReadonlyArray<WireLog>>

/**
 * Proves some of the blocks that two endpoints tell differently, and who was wrong of them. Those
 * whose receipts nobody has any more are not among the proven.
 */
const prove = (
  { lane, patient, tokens }: Reading,
  answers: readonly [LogsAnswer, LogsAnswer],
  numbers: ReadonlyArray<number>
) =>
  Effect.gen(function* () {
    const proven = new Map<number, WireBlock>()
    const wrong = new Set<LogsAnswer>()
    let unproven = 0
    for (const number of numbers) {
      const block = yield* proveBlock(lane, number, patient)
      if (block.gap === null) proven.set(number, block)
      else unproven++
      // without receipts the next ones cannot be decided either
      if (!lane.blockLogs.mayProve || unproven === MOST_UNPROVEN) break
      for (const answer of answers) {
        const told = answer.value.filter(log => log.block === number)
        const asked = (logs: ReadonlyArray<WireLog>) => lane.watch.wantedBefore(logs, tokens)
        if (!isProof(block.grade) || sameLogs(asked(told), asked(block.logs))) continue
        wrong.add(answer)
        const reason = `block ${number}: its logs are not those of its receipts`
        yield* lane.endpoints.convict(answer.by, reason)
      }
    }
    return { proven, wrong }
  })

/**
 * Compares an answer with another endpoint's, where there is one. Where they differ the blocks are
 * proven; where too many do, some are, and the rest is the word of the one that was right in all.
 * Where nobody was shown to be wrong, or for long both were, the rest is what both tell together,
 * and unproven.
 */
const confirm = (
  reading: Reading,
  answer: LogsAnswer,
  other: LogsAnswer | null,
  from: number,
  to: number
): Effect.Effect<ToldLogs, LaneError> =>
  Effect.gen(function* () {
    const whole = { fromBlock: from, toBlock: to }
    if (other === null) {
      const grades = [{ ...whole, grade: "range", by: [answer.by] }]
      return { logs: answer.value, grades, proven: new Map() }
    }
    const numbers = differing(answer.value, other.value)
    const answers = [answer, other] as const
    const { proven, wrong } = yield* prove(reading, answers, numbers.slice(0, MOST_PROVEN))
    const open = numbers.filter(number => !proven.has(number))
    const right = open.length === 0 ? answer : answers.find(one => !wrong.has(one))
    if (right === undefined && reading.patient) {
      return yield* unclear(`${numbers.length} blocks differ`)
    }
    const believed = wrong.size === 0 ? undefined : right
    const value = believed?.value ?? joined(answer.value, other.value)
    const logs = value.filter(log => !proven.has(log.block))
    for (const block of proven.values()) logs.push(...block.logs)
    logs.sort((a, b) => a.block - b.block || a.index - b.index)
    const by = answers.map(one => one.by)
    const told =
      believed === undefined ? { grade: "unproven", by } : { grade: "range", by: [believed.by] }
    const alone = open.map(number => ({ fromBlock: number, toBlock: number, ...told }))
    return { logs, grades: [...alone, { ...whole, grade: "second", by }], proven }
  })

/** What several filters gave, and nothing else. */
const readWanted = (
  { watch }: RpcLane,
  results: ReadonlyArray<unknown>
): ReadonlyArray<WireLog> | null => {
  const lists = results.map(readLogs)
  if (!lists.every(list => list !== null)) return null
  return lists.flat().filter(log => watch.wants(log))
}

/**
 * What asks for the logs of `from..to`. A node that is behind answers without the logs it does not
 * have yet: together with the logs it must show the last block.
 */
const askOf = (lane: RpcLane, from: number, to: number) => {
  const wanted = logCalls(lane.watch, from, to)
  const last = { method: "eth_getBlockByNumber", params: [hexNumber(to), false] }
  const read = (results: ReadonlyArray<unknown>) => {
    const logs = readWanted(lane, results.slice(0, wanted.length))
    const ordered = logs === null ? null : inOrder(logs)
    if (ordered === null || readHeader(results[wanted.length])?.number !== to) return null
    return inRange(ordered, from, to) ? ordered : null
  }
  return { calls: [...wanted, last], read }
}

/**
 * The range by another endpoint than `by`, in some pieces where it takes fewer blocks at once; null
 * where it does not answer, or takes far fewer.
 */
const secondOfRange = (
  { lane, size }: Reading,
  from: number,
  to: number,
  by: number
): Effect.Effect<LogsAnswer | null, LaneError> =>
  Effect.gen(function* () {
    const { endpoints } = lane
    const value: Array<WireLog> = []
    let place: number | null = null
    for (let at = from; at <= to; ) {
      const step = size.blocksOf(endpoints.labels(by))
      if (to - at + 1 > step * MOST_PIECES) return null
      const count = Math.min(step, to - at + 1)
      const { calls, read } = askOf(lane, at, at + count - 1)
      let isTooWide = false
      const other: LogsAnswer | null = yield* secondAnswer(endpoints, calls, read, by, to, {
        mostTries: SECOND_TRIES,
        suits: endpoint => size.takes(endpoint, count),
        refused: error => {
          if (error.kind !== "range-too-wide") return
          isTooWide = true
          size.tooWide(error.endpoint, count, error.maxBlocks)
        }
      })
      if (other === null && isTooWide && count > 1) continue
      if (other === null || (place !== null && place !== other.by)) return null
      place = other.by
      value.push(...other.value)
      at += count
    }
    return place === null ? null : { value, by: place }
  })

/** Logs of `from..to`, in order, asked for in as many pieces as the node wants. */
const fetchLogs = (
  reading: Reading,
  from: number,
  to: number
): Effect.Effect<ToldLogs, LaneError> =>
  Effect.gen(function* () {
    const { lane, size } = reading
    const blocks = to - from + 1
    const { calls, read } = askOf(lane, from, to)
    // One block cannot be split: then these are waited out.
    const give: ReadonlyArray<RpcError["kind"]> = [
      ...(blocks > 1 ? (["timeout", "rpc"] as const) : []),
      ...(reading.must ? (["bad-answer"] as const) : [])
    ]
    const suits = (endpoint: string) => size.takes(endpoint, blocks)
    const answer = yield* Effect.result(lane.endpoints.all(calls, read, { give, suits }))
    if (Result.isSuccess(answer)) {
      const { value, by } = answer.success
      size.answered(lane.endpoints.labelOf(by), blocks, value.length)
      const other = yield* secondOfRange(reading, from, to, by)
      return yield* confirm(reading, answer.success, other, from, to)
    }
    const error = answer.failure
    if (error._tag === "SourceError" || !TOO_MUCH.has(error.kind)) return yield* error
    lane.status.retrying(error.message)
    if (blocks === 1) return yield* logsOfOne(reading, from)
    if (error.kind === "range-too-wide") size.tooWide(error.endpoint, blocks, error.maxBlocks)
    else size.tooMuch(blocks)
    return yield* fetchPieces(reading, from, to)
  })

/** An answer that has to be asked for again. */
const unclear = (message: string) =>
  new RpcError({ kind: "no-state", endpoint: "", method: "eth_getLogs", message })

/**
 * A block with its logs by its receipts; where nobody has these, with what is told of it. While one
 * is `patient` it is asked for again where somebody may have them.
 */
const proveBlock = (
  lane: RpcLane,
  number: number,
  patient: boolean
): Effect.Effect<WireBlock, LaneError> =>
  Effect.gen(function* () {
    const header = yield* fetchHeader(lane.endpoints, number)
    const block = header === null ? null : yield* lane.blockLogs.fetch(header, true)
    const mayBeProven = patient && lane.blockLogs.mayProve
    if (block !== null && (block.gap === null || !mayBeProven)) return block
    return yield* unclear(`block ${number}: ${block?.gap ?? "not there"}`)
  })

/** One block with more logs than the node gives in an answer: by its receipts. */
const logsOfOne = (
  { lane, patient }: Reading,
  number: number
): Effect.Effect<ToldLogs, LaneError> =>
  Effect.map(proveBlock(lane, number, patient), block => ({
    logs: block.logs,
    grades: [{ fromBlock: number, toBlock: number, grade: block.grade, by: [] }],
    proven: new Map([[number, block]])
  }))

const fetchPieces = (
  reading: Reading,
  from: number,
  to: number
): Effect.Effect<ToldLogs, LaneError> =>
  Effect.gen(function* () {
    const { lane, size } = reading
    const pieces: Array<ToldLogs> = []
    // Never the whole again, whatever size others have found to work since.
    const most = Math.ceil((to - from + 1) / 2)
    for (let at = from; at <= to; ) {
      const fitting = size.blocksOf(lane.endpoints.labels())
      const end = Math.min(to, at + Math.min(fitting, most) - 1)
      pieces.push(yield* fetchLogs(reading, at, end))
      at = end + 1
    }
    return {
      logs: pieces.flatMap(({ logs }) => logs),
      grades: pieces.flatMap(({ grades }) => grades),
      proven: new Map(pieces.flatMap(({ proven }) => [...proven]))
    }
  })

/** Blocks to read; with `must` all have to be proven or believed, and none may be a gap. */
export interface Asked {
  readonly from: number
  readonly to: number
  readonly must: boolean
}

/**
 * Of blocks that are not there, or whose transactions were forgotten once their logs were told. The
 * answer of a node that has lost a range's last block is none.
 */
const mayPass =
  ({ must }: Reading) =>
  (error: LaneError): boolean =>
    isNoState(error) ||
    isForgotten(error) ||
    (must && error._tag === "RpcError" && error.kind === "bad-answer")

const attempt = (
  reading: Reading,
  asked: Asked
): Effect.Effect<WireRange | Contradiction, LaneError> =>
  Effect.catchIf(attemptOnce(reading, asked), mayPass(reading), error =>
    Effect.succeed(new Contradiction(error.message))
  )

const attemptOnce = (
  reading: Reading,
  { from, to, must }: Asked
): Effect.Effect<WireRange | Contradiction, LaneError> =>
  Effect.flatMap(fetchLogs(reading, from, to), told =>
    proveRange(
      reading.lane,
      { ...told, tokens: reading.tokens },
      { fromBlock: from, toBlock: to },
      must
    )
  )

/**
 * A range with everything that is needed to write it, asked for until it fits together. One that
 * must be whole fails after some tries: a node may have lost blocks in the middle of it for ever.
 */
export const fetchRange = (
  lane: RpcLane,
  size: RangeSize,
  asked: Asked
): Effect.Effect<WireRange, LaneError> =>
  Effect.gen(function* () {
    for (let tries = 0; ; tries++) {
      const used = lane.endpoints.current
      const reading = { lane, size, tokens: lane.watch.tokens.length, must: asked.must }
      const range = yield* attempt({ ...reading, patient: tries < PATIENT_TRIES }, asked)
      if (!(range instanceof Contradiction)) {
        lane.endpoints.trust(used)
        return range
      }
      yield* lane.endpoints.distrust(used, range.reason)
      if (asked.must && tries + 1 === MOST_TRIES) {
        const { from, to } = asked
        for (const end of new Set([from, to])) yield* requireBlock(lane, end)
        const message = `blocks ${from}..${to}: ${range.reason}`
        return yield* new SourceError({ message, fatal: false })
      }
      yield* lane.endpoints.pause(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tries))
    }
  })
