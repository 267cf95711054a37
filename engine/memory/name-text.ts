/**
 * Readings of all tokens as one text, so that a search of all of them is a walk along one array: to
 * ask each text by itself costs thirty times as much.
 */

import { roomFor } from "./room.ts"

/** Between two readings: none of them has one. */
const END = 10

export class NameText {
  /** UTF-16 codes of the readings, an end before and behind each */
  private codes = new Uint16Array(1 << 16)
  /** by token: where its reading begins */
  private starts = new Uint32Array(1024)
  private end = 1
  /** tokens below have a reading */
  count = 0
  private readonly numbers = new Map<string, number>()
  /** by token: the number of its reading, which tokens that read alike share */
  groups = new Uint32Array(1024)

  /** Numbers of readings are less than this. */
  get groupCount(): number {
    return this.numbers.size
  }

  constructor() {
    this.codes[0] = END
  }

  /** Takes up the reading of the next token. */
  add(reading: string): void {
    const token = this.count++
    this.starts = roomFor(this.starts, token)
    this.groups = roomFor(this.groups, token)
    const group = this.numbers.get(reading) ?? this.numbers.size
    this.numbers.set(reading, group)
    this.groups[token] = group
    const next = this.end + reading.length + 1
    this.codes = roomFor(this.codes, next - 1)
    this.starts[token] = this.end
    for (let i = 0; i < reading.length; i++) this.codes[this.end + i] = reading.charCodeAt(i)
    this.codes[next - 1] = END
    this.end = next
  }

  private isAt(at: number, wanted: Uint16Array): boolean {
    for (let i = 0; i < wanted.length; i++) if (this.codes[at + i] !== wanted[i]) return false
    return true
  }

  /** Calls `take` with each token whose reading has the wanted one in it, ascending. */
  having(wanted: string, take: (token: number) => void): void {
    const { codes, starts, count } = this
    const asked = codesOf(wanted)
    const last = this.end - asked.length
    const [first, second] = asked
    for (let token = 0, at = 1; at < last; at++) {
      if (codes[at] !== first) continue
      // most of the others differ here
      if (second !== undefined && codes[at + 1] !== second) continue
      if (!this.isAt(at, asked)) continue
      while (token + 1 < count && (starts[token + 1] as number) <= at) token++
      take(token)
      if (++token >= count) return
      at = (starts[token] as number) - 1
    }
  }

  /** Takes each token whose reading begins with a text; `isWhole` where it ends there. */
  beginning(wanted: string, take: (token: number, isWhole: boolean) => void): void {
    const { codes, starts, count } = this
    const asked = codesOf(wanted)
    for (let token = 0; token < count; token++) {
      const at = starts[token] as number
      if (this.isAt(at, asked)) take(token, codes[at + asked.length] === END)
    }
  }

  clear(): void {
    this.end = 1
    this.count = 0
    this.numbers.clear()
  }
}

const codesOf = (text: string): Uint16Array =>
  Uint16Array.from({ length: text.length }, (_, i) => text.charCodeAt(i))
