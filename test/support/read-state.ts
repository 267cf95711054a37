/** A pool's state as its kind reads it (`StateRead`), round by round, by whatever answers calls. */
import { toFunctionSelector } from "viem"
import type { Hex } from "../../src/platform/anvil-rpc.ts"
import type {
  StateAnswer,
  StateAnswers,
  StateCall,
  StateQuestion,
  StateRead
} from "../../streams/venue.ts"

export type AnswerCall = (to: string, call: StateCall) => Promise<StateAnswer> | StateAnswer

/** The words of an answer; a refusal has none. */
const wordsOf = (answer: Hex): StateAnswer =>
  answer === "0x"
    ? null
    : Array.from({ length: (answer.length - 2) / 64 }, (_, i) =>
        BigInt(`0x${answer.slice(2 + i * 64, 66 + i * 64)}`)
      )

/** Asks contracts; `ask` gives the data of an answer and fails where a contract refuses. */
export const answerBy =
  (ask: (to: Hex, data: Hex) => Promise<Hex>): AnswerCall =>
  async (to, { abi, args = [] }) => {
    const words = args.map(arg => arg.toString(16).padStart(64, "0"))
    const data: Hex = `${toFunctionSelector(abi)}${words.join("")}`
    return wordsOf(await ask(to as Hex, data).catch((): Hex => "0x"))
  }

/** More than any kind has; a read that goes on is an endless one. */
const MOST_ROUNDS = 8

const readAnswers = async <S>(
  read: StateRead<S>,
  question: StateQuestion<S>,
  answer: AnswerCall
): Promise<StateAnswers> => {
  const answers: Array<ReadonlyArray<StateAnswer>> = []
  for (let calls = read.calls(question, answers); calls.length > 0; ) {
    if (answers.length >= MOST_ROUNDS) throw new Error("the read does not end")
    const asked = calls.map(call => answer(call.to ?? question.facts.pool, call))
    answers.push(await Promise.all(asked))
    calls = read.calls(question, answers)
  }
  return answers
}

export const readState = async <S>(
  read: StateRead<S>,
  question: StateQuestion<S>,
  answer: AnswerCall
): Promise<S | null> => read.state(question, await readAnswers(read, question, answer))
