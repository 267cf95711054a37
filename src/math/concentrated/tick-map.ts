/**
 * The initialised ticks of a pool as an immutable map, arranged as the contracts' tick bitmap: a
 * word covers 256 multiples of the tick spacing. Words hang in pages of 64, and a change copies
 * one word, its page and the list of pages; so an update costs the same in a pool of ten ticks
 * and of a hundred thousand.
 */
import { MAX_TICK, MIN_TICK } from "./tick-math.ts"

export interface TickInfo {
  readonly tick: number
  /** liquidity of all positions that begin or end here */
  readonly gross: bigint
  /** change of active liquidity when the price crosses upwards */
  readonly net: bigint
}

/** Ticks among which the initialised ones are known, both ends included; whole words of them. */
export interface TickWindow {
  readonly low: number
  readonly high: number
}

/** The ticks of one word, ascending. */
type Word = ReadonlyArray<TickInfo>
type Page = ReadonlyArray<Word | undefined>

const WORD_BITS = 8
const WORD_MASK = (1 << WORD_BITS) - 1
const PAGE_BITS = 6
const PAGE_MASK = (1 << PAGE_BITS) - 1
/** Keeps word numbers positive: the lowest is MIN_TICK >> 8 at spacing 1. */
const WORD_OFFSET = -(MIN_TICK >> WORD_BITS)
const NO_TICKS: Word = []

/** Index of the first entry at or above `tick`; the word's length where there is none. */
const lowerBound = (word: Word, tick: number): number => {
  let low = 0
  let high = word.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((word[middle] as TickInfo).tick < tick) low = middle + 1
    else high = middle
  }
  return low
}

const withEntry = (word: Word, tick: number, entry: TickInfo | null): Word => {
  const at = lowerBound(word, tick)
  const known = word[at]?.tick === tick
  const before = word.slice(0, at)
  const after = word.slice(known ? at + 1 : at)
  return entry === null ? [...before, ...after] : [...before, entry, ...after]
}

export class TickMap {
  readonly spacing: number
  /** number of initialised ticks */
  readonly size: number
  /** null where all ticks are known */
  readonly window: TickWindow | null
  private readonly pages: ReadonlyArray<Page | undefined>

  private constructor(
    spacing: number,
    size: number,
    pages: ReadonlyArray<Page | undefined>,
    window: TickWindow | null
  ) {
    this.spacing = spacing
    this.size = size
    this.pages = pages
    this.window = window
  }

  /** No ticks; `spacing` is an integer above zero. */
  static empty(spacing: number, window: TickWindow | null = null): TickMap {
    return new TickMap(spacing, 0, [], window)
  }

  /** A map of known ticks (multiples of the spacing, each once), as read from a chain. */
  static of(spacing: number, ticks: Iterable<TickInfo>, window: TickWindow | null = null): TickMap {
    let map = TickMap.empty(spacing, window)
    for (const entry of ticks) map = map.with(entry)
    return map
  }

  /** True for a tick a position may end at: a multiple of the spacing within bounds. */
  accepts(tick: number): boolean {
    return tick % this.spacing === 0 && tick >= MIN_TICK && tick <= MAX_TICK
  }

  /** The entry of a tick, `undefined` where it is not initialised. */
  get(tick: number): TickInfo | undefined {
    const word = this.word(this.wordOf(tick))
    const found = word[lowerBound(word, tick)]
    return found?.tick === tick ? found : undefined
  }

  /** Change of liquidity when `tick` is crossed upwards; zero where it is not initialised. */
  net(tick: number): bigint {
    return this.get(tick)?.net ?? 0n
  }

  /**
   * By how much active liquidity changes when the price goes up from one tick to another, down by
   * as much; null where not all ticks between them are known.
   */
  netBetween(low: number, high: number): bigint | null {
    const { window } = this
    if (window !== null && (low < window.low || high > window.high)) return null
    let sum = 0n
    const last = this.wordOf(high)
    for (let index = this.wordOf(low + 1); index <= last; index++) {
      const word = this.word(index)
      for (let at = lowerBound(word, low + 1); at < word.length; at++) {
        const { tick, net } = word[at] as TickInfo
        if (tick > high) return sum
        sum += net
      }
    }
    return sum
  }

  /** False where `nextWithinWord` and `nextInitialized` would look at ticks that are not known. */
  knowsNext(tick: number, down: boolean): boolean {
    return this.isKnown((Math.floor(tick / this.spacing) + (down ? 0 : 1)) * this.spacing)
  }

  /** The map with this entry put in the place of the tick's old one; gross 0 removes it. */
  with(entry: TickInfo): TickMap {
    const index = this.wordOf(entry.tick)
    const word = this.word(index)
    const kept = entry.gross === 0n ? null : entry
    const next = withEntry(word, entry.tick, kept)
    const pages = [...this.pages]
    const pageIndex = index >> PAGE_BITS
    while (pages.length <= pageIndex) pages.push(undefined)
    const page = [...(pages[pageIndex] ?? new Array<undefined>(1 << PAGE_BITS).fill(undefined))]
    page[index & PAGE_MASK] = next.length === 0 ? undefined : next
    pages[pageIndex] = page
    const size = this.size + next.length - word.length
    return new TickMap(this.spacing, size, pages, this.window)
  }

  /** The map after a position's liquidity at `tick` changed, the same one for a tick that is not
   *  known; `null` where less than nothing would be left, which a pool's own events never cause. */
  adjusted(tick: number, grossDelta: bigint, netDelta: bigint): TickMap | null {
    if (!this.isKnown(tick)) return this
    const old = this.get(tick)
    const gross = (old?.gross ?? 0n) + grossDelta
    return gross < 0n ? null : this.with({ tick, gross, net: (old?.net ?? 0n) + netDelta })
  }

  /**
   * Where a swap's next step ends: the nearest initialised tick in the same bitmap word, else the
   * word's edge. Downwards at or below `tick`, upwards above it. The edge matters: a step's
   * amounts are rounded, so one long step is not the sum of two short ones.
   */
  nextWithinWord(tick: number, down: boolean): number {
    const from = Math.floor(tick / this.spacing) + (down ? 0 : 1)
    const word = this.word((from >> WORD_BITS) + WORD_OFFSET)
    if (down) {
      const at = lowerBound(word, from * this.spacing + 1) - 1
      return at >= 0 ? (word[at] as TickInfo).tick : (from & ~WORD_MASK) * this.spacing
    }
    const found = word[lowerBound(word, from * this.spacing)]
    return found === undefined ? (from | WORD_MASK) * this.spacing : found.tick
  }

  /** The nearest initialised tick at or below (`down`) or above `tick`, in any word; `undefined`
   *  where none is known. */
  nextInitialized(tick: number, down: boolean): number | undefined {
    const from = Math.floor(tick / this.spacing) + (down ? 0 : 1)
    const edge = from * this.spacing
    const step = down ? -1 : 1
    const last = this.pages.length << PAGE_BITS
    let index = (from >> WORD_BITS) + WORD_OFFSET
    if (down && index >= last) index = last - 1
    while (index >= 0 && index < last) {
      const page = this.pages[index >> PAGE_BITS]
      if (page === undefined) {
        index = down
          ? ((index >> PAGE_BITS) << PAGE_BITS) - 1
          : ((index >> PAGE_BITS) + 1) << PAGE_BITS
        continue
      }
      const word = page[index & PAGE_MASK] ?? NO_TICKS
      const at = down ? lowerBound(word, edge + 1) - 1 : lowerBound(word, edge)
      const found = word[at]
      if (found !== undefined) return found.tick
      index += step
    }
    return undefined
  }

  /** All ticks, ascending. */
  *entries(): Generator<TickInfo> {
    for (const page of this.pages) for (const word of page ?? []) if (word) yield* word
  }

  private isKnown(tick: number): boolean {
    return this.window === null || (tick >= this.window.low && tick <= this.window.high)
  }

  private wordOf(tick: number): number {
    return (Math.floor(tick / this.spacing) >> WORD_BITS) + WORD_OFFSET
  }

  private word(index: number): Word {
    return this.pages[index >> PAGE_BITS]?.[index & PAGE_MASK] ?? NO_TICKS
  }
}
