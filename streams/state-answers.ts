/**
 * Answers of contracts about a pool's state as bytes: the number of rounds, then of each round that
 * of its answers, then of each answer that of its words plus one (0: the contract refused), then of
 * each word that of its bytes, and these, big-endian without leading zeros. Numbers are in base
 * 128, least digit first, with 128 added to each but the last.
 */
import type { StateAnswer, StateAnswers } from "./venue.ts"

const CONTINUED = 128

const pushNumber = (out: Array<number>, value: number): void => {
  let rest = value
  for (; rest >= CONTINUED; rest = Math.floor(rest / CONTINUED)) {
    out.push((rest % CONTINUED) + CONTINUED)
  }
  out.push(rest)
}

const pushWord = (out: Array<number>, word: bigint): void => {
  const hex = word === 0n ? "" : word.toString(16)
  const even = hex.length % 2 === 0 ? hex : `0${hex}`
  pushNumber(out, even.length / 2)
  for (let at = 0; at < even.length; at += 2) out.push(Number.parseInt(even.slice(at, at + 2), 16))
}

export const packAnswers = (rounds: StateAnswers): Uint8Array => {
  const out: Array<number> = []
  pushNumber(out, rounds.length)
  for (const answers of rounds) {
    pushNumber(out, answers.length)
    for (const answer of answers) {
      pushNumber(out, answer === null ? 0 : answer.length + 1)
      for (const word of answer ?? []) pushWord(out, word)
    }
  }
  return Uint8Array.from(out)
}

/** Reads numbers and words one after the other; more than there is reads as zeros. */
class AnswerReader {
  private readonly bytes: Uint8Array
  private at = 0

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  get isOver(): boolean {
    return this.at > this.bytes.length
  }

  number(): number {
    let value = 0
    for (let scale = 1; ; scale *= CONTINUED) {
      const digit = this.bytes[this.at++] ?? 0
      value += (digit % CONTINUED) * scale
      if (digit < CONTINUED) return value
    }
  }

  word(): bigint {
    const end = this.number() + this.at
    let value = 0n
    for (; this.at < end; this.at++) value = (value << 8n) | BigInt(this.bytes[this.at] ?? 0)
    return value
  }
}

/** The answers in such bytes; null where they are cut short. */
export const unpackAnswers = (bytes: Uint8Array): StateAnswers | null => {
  const reader = new AnswerReader(bytes)
  const many = <A>(count: number, read: () => A): ReadonlyArray<A> => {
    const list: Array<A> = []
    for (let i = 0; i < count && !reader.isOver; i++) list.push(read())
    return list
  }
  const rounds = many(reader.number(), () =>
    many(reader.number(), (): StateAnswer => {
      const words = reader.number()
      return words === 0 ? null : many(words - 1, () => reader.word())
    })
  )
  return reader.isOver ? null : rounds
}
