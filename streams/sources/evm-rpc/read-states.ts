/**
 * Reads states of pools from their contracts, beside the reading of blocks, which never waits for
 * it. All answers are of one block of the log; what cannot be had is left, and asked for again.
 */
import { Effect, Queue, Result } from "effect"
import type { PoolStateFact } from "../../facts.ts"
import { kindNamed } from "../../pool-venue.ts"
import type { WantedState } from "../../source.ts"
import type { StateAnswer, StateAnswers, StateCall, StateQuestion, StateRead } from "../../venue.ts"
import { readWords } from "./abi-text.ts"
import { BLOCK_CODE, isOfOther, type ReadBlock } from "./block-witness.ts"
import { callData } from "./read-facts.ts"
import type { SealedBlock } from "./recent-blocks.ts"
import type { RpcLane } from "./rpc-lane.ts"

/** Pause between two pools: an endpoint has other things to do. */
const PAUSE_MS = 200
/** Rounds of questions that a kind may ask at most, and questions in one. */
const MOST_ROUNDS = 8
const MOST_CALLS = 2048
/**
 * Words of all answers about a pool: more than any kind needs, and in the log less than a message
 * of any server. Who writes a contract chooses how much it answers.
 */
const MOST_WORDS = 20_000
/** Pools that wait at most; who wants more asks again. */
const MOST_WAITING = 64

/** The words of an answer; a contract without code answers nothing. */
const wordsOf = (result: unknown): StateAnswer | "malformed" => {
  if (typeof result !== "string" || !/^0x[0-9a-fA-F]*$/.test(result)) return "malformed"
  const words = readWords(result, MOST_WORDS + 1)
  return words.length === 0 ? null : words
}

const callAt = (call: { readonly to?: string; readonly data: string }, { hash }: ReadBlock) => ({
  method: "eth_call",
  params: [call, { blockHash: hash }]
})

/** The answers of one round; null where one cannot be had, or they are of another block. */
const askRound = (lane: RpcLane, pool: string, calls: ReadonlyArray<StateCall>, block: ReadBlock) =>
  Effect.gen(function* () {
    const witness = callAt({ data: BLOCK_CODE }, block)
    const reads = calls.map(call => callAt({ to: call.to ?? pool, data: callData(call) }, block))
    const asked = [witness, ...reads, witness]
    const read = (result: unknown) => {
      const words = wordsOf(result)
      return words === "malformed" ? null : { words }
    }
    const results = yield* lane.endpoints.batch(asked, read, { rounds: 2 })
    const answers: Array<StateAnswer> = []
    for (const result of results) {
      if (Result.isSuccess(result)) answers.push(result.success.words)
      else if (result.failure.kind === "reverted") answers.push(null)
      else return null
    }
    const [first = null, last = null] = [answers.shift(), answers.pop()]
    return isOfOther(first, block) || isOfOther(last, block) ? null : answers
  })

/** All answers of a pool at a block; null where one cannot be had, or they are too many. */
const askAll = <S>(
  lane: RpcLane,
  read: StateRead<S>,
  question: StateQuestion<S>,
  block: ReadBlock
) =>
  Effect.gen(function* () {
    const answers: Array<ReadonlyArray<StateAnswer>> = []
    let words = 0
    for (;;) {
      const calls = read.calls(question, answers)
      if (calls.length === 0) return answers satisfies StateAnswers
      if (answers.length >= MOST_ROUNDS || calls.length > MOST_CALLS) return null
      const round = yield* askRound(lane, question.facts.pool, calls, block)
      words += round?.reduce((sum, answer) => sum + (answer?.length ?? 0), 0) ?? 0
      if (round === null || words > MOST_WORDS) return null
      answers.push(round)
    }
  })

const readOne = (lane: RpcLane, wanted: WantedState, block: SealedBlock) =>
  Effect.gen(function* () {
    const kind = kindNamed(wanted.venueKind)
    const { hash, time } = block
    if (kind?.stateRead === undefined || hash === null || time === undefined) return
    const { facts, factory } = wanted
    const question = { facts, factory, known: kind.pool.initial(facts), time }
    const answers = yield* askAll(lane, kind.stateRead, question, {
      number: block.number,
      hash,
      time
    })
    if (answers === null || kind.stateRead.state(question, answers) === null) return
    const fact: PoolStateFact = {
      ...{ pool: facts.pool, venueKind: kind.kind, answers },
      ...{ readBlock: block.number, readTime: time, readHash: hash }
    }
    lane.writer.tellState(fact)
  })

/** Pools whose states somebody wants. */
export class WantedStates {
  private readonly queue = Effect.runSync(Queue.bounded<WantedState>(MOST_WAITING))
  private readonly waiting = new Set<string>()

  /** Asks for states; those that wait already, and more than may wait, are left. */
  ask(wanted: ReadonlyArray<WantedState>): void {
    for (const one of wanted) {
      if (this.waiting.has(one.facts.pool)) continue
      if (Queue.offerUnsafe(this.queue, one)) this.waiting.add(one.facts.pool)
    }
  }

  readonly take = Effect.suspend(() => Queue.take(this.queue)).pipe(
    Effect.tap(({ facts }) => Effect.sync(() => this.waiting.delete(facts.pool)))
  )
}

/** Reads one wanted state after the other, for ever, each as of the log's newest block then. */
export const readStates = (lane: RpcLane, wanted: WantedStates) =>
  Effect.forever(
    Effect.gen(function* () {
      const next = yield* wanted.take
      const { last } = lane.recent
      if (last !== null) yield* Effect.ignore(readOne(lane, next, last))
      yield* Effect.sleep(PAUSE_MS)
    })
  )
