/**
 * Who traded which token in the last 25 hours and when last. It follows from who traded its
 * markets, so it is in memory alone; its slots have no order that anything may depend on.
 *
 * A lookup is mostly waiting for memory, so what a pair needs stands together: four words, a
 * quarter of a cache line. Pairs that are over stay until there is no room for new ones.
 */

import { hashOf } from "../../engine/memory/pair-index.ts"
import { roomFor } from "../../engine/memory/room.ts"

/** Words of a pair: token, wallet, newest purchase and newest sale in Unix seconds, 0 for never. */
const WORDS = 4
const WALLET = 1
const BOUGHT = 2
const SOLD = 3

/** In place of a pair: there is none. */
const NOTHING = 0

/** A wallet that traded a token. */
export interface TokenMaker {
  readonly token: number
  readonly wallet: number
  /** Unix seconds of its newest purchase and sale; 0 for never */
  readonly bought: number
  readonly sold: number
}

/** Distinct wallets of a time. */
export interface MakerCounts {
  makers: number
  buyers: number
  sellers: number
}

export class TokenMakers {
  private capacity = 1024
  private count = 0
  private pairs = new Uint32Array(this.capacity * WORDS)
  /** open addressing: places of pairs plus one, half of it free at least */
  private index = new Uint32Array(this.capacity * 2)
  /** by token: place plus one of its newest pair; by place: of the one before of its token */
  private heads = new Uint32Array(1024)
  private before = new Uint32Array(this.capacity)
  /** pairs that traded last before it may go */
  private since = 0

  /** Notes a print; when the pair had its newest one before, 0 for never. */
  see(token: number, wallet: number, buy: number, ts: number): number {
    const at = this.placeOf(token, wallet) * WORDS
    const { pairs } = this
    const [bought, sold] = [pairs[at + BOUGHT] as number, pairs[at + SOLD] as number]
    pairs[at + (buy === 1 ? BOUGHT : SOLD)] = ts
    return Math.max(bought, sold)
  }

  /** Notes the newest purchase and sale, where they are newer than those known. */
  merge(token: number, wallet: number, bought: number, sold: number): void {
    const at = this.placeOf(token, wallet) * WORDS
    const { pairs } = this
    pairs[at + BOUGHT] = Math.max(bought, pairs[at + BOUGHT] as number)
    pairs[at + SOLD] = Math.max(sold, pairs[at + SOLD] as number)
  }

  private placeOf(token: number, wallet: number): number {
    const { pairs, index } = this
    const mask = index.length - 1
    for (let i = hashOf(token, wallet) & mask; ; i = (i + 1) & mask) {
      const place = (index[i] as number) - 1
      if (place < 0) return this.append(token, wallet)
      if (pairs[place * WORDS] === token && pairs[place * WORDS + WALLET] === wallet) return place
    }
  }

  private append(token: number, wallet: number): number {
    if (this.count === this.capacity) this.makeRoom()
    const place = this.count++
    const at = place * WORDS
    this.pairs[at] = token
    this.pairs[at + WALLET] = wallet
    this.pairs[at + BOUGHT] = 0
    this.pairs[at + SOLD] = 0
    this.enter(place)
    return place
  }

  /** Makes a pair to be found by its hash and by its token. */
  private enter(place: number): void {
    const { pairs, index } = this
    const token = pairs[place * WORDS] as number
    const mask = index.length - 1
    let i = hashOf(token, pairs[place * WORDS + WALLET] as number) & mask
    while (index[i] !== NOTHING) i = (i + 1) & mask
    index[i] = place + 1
    this.heads = roomFor(this.heads, token)
    this.before[place] = this.heads[token] as number
    this.heads[token] = place + 1
  }

  /** Drops the pairs that are over; where most are not, there is room for twice as many. */
  private makeRoom(): void {
    const { pairs, count } = this
    let kept = 0
    for (let place = 0; place < count; place++) {
      const at = place * WORDS
      const last = Math.max(pairs[at + BOUGHT] as number, pairs[at + SOLD] as number)
      if (last < this.since) continue
      pairs.copyWithin(kept * WORDS, at, at + WORDS)
      kept++
    }
    if (kept * 2 > this.capacity) {
      this.capacity *= 2
      this.pairs = new Uint32Array(this.capacity * WORDS)
      this.pairs.set(pairs.subarray(0, kept * WORDS))
      this.before = new Uint32Array(this.capacity)
      this.index = new Uint32Array(this.capacity * 2)
    } else this.index.fill(NOTHING)
    this.heads.fill(NOTHING)
    this.count = kept
    for (let place = 0; place < kept; place++) this.enter(place)
  }

  /** Pairs that traded last before `since` may be forgotten; others are kept. */
  advance(since: number): void {
    this.since = since
  }

  /** Calls `visit` with the token of every pair, and when it traded last; some are over. */
  eachLast(visit: (token: number, last: number) => void): void {
    const { pairs } = this
    for (let at = 0; at < this.count * WORDS; at += WORDS) {
      const last = Math.max(pairs[at + BOUGHT] as number, pairs[at + SOLD] as number)
      visit(pairs[at] as number, last)
    }
  }

  /** The pairs of a token, and some of it that are over. */
  of(token: number): ReadonlyArray<TokenMaker> {
    const makers: Array<TokenMaker> = []
    let place = (this.heads[token] ?? NOTHING) - 1
    for (; place >= 0; place = (this.before[place] as number) - 1) makers.push(this.at(place))
    return makers
  }

  /** How many wallets bought, sold, or did either of a token since each of some seconds. */
  countSince(token: number, seconds: ReadonlyArray<number>): ReadonlyArray<MakerCounts> {
    const { pairs, before } = this
    const counts = seconds.map(() => ({ makers: 0, buyers: 0, sellers: 0 }))
    let place = (this.heads[token] ?? NOTHING) - 1
    for (; place >= 0; place = (before[place] as number) - 1) {
      const bought = pairs[place * WORDS + BOUGHT] as number
      const sold = pairs[place * WORDS + SOLD] as number
      for (let i = 0; i < counts.length; i++) {
        const [count, second] = [counts[i] as MakerCounts, seconds[i] as number]
        if (bought < second && sold < second) continue
        count.makers++
        if (bought >= second) count.buyers++
        if (sold >= second) count.sellers++
      }
    }
    return counts
  }

  private at(place: number): TokenMaker {
    const at = place * WORDS
    const [token, wallet] = [this.pairs[at] as number, this.pairs[at + WALLET] as number]
    const [bought, sold] = [this.pairs[at + BOUGHT] as number, this.pairs[at + SOLD] as number]
    return { token, wallet, bought, sold }
  }

  clear(): void {
    this.index.fill(NOTHING)
    this.heads.fill(NOTHING)
    this.count = 0
  }
}
