/** The order of many by a number, largest first: digit by digit, without comparing. */

const BITS = 11
const DIGITS = 1 << BITS
const PASSES = 6

/** Fewer than this are sorted by comparing. */
const FEW = 512

const doubles = new Float64Array(1)
const halves = new Uint32Array(doubles.buffer)
/** of each pass: how many have each digit */
const counts = new Uint32Array(PASSES * DIGITS)

/** A digit of 64 bits, the lowest first. */
const digitOf = (high: number, low: number, pass: number): number => {
  const shift = pass * BITS
  if (shift >= 32) return (high >>> (shift - 32)) & (DIGITS - 1)
  const word = shift === 0 ? low : (low >>> shift) | (high << (32 - shift))
  return word & (DIGITS - 1)
}

/**
 * The keys of places as 64 bits of which a smaller unsigned number means a larger key, of 0 and -0
 * the same ones; counts their digits. Plain loops: it seldom runs, so it runs uncompiled.
 */
const bitsOf = (keys: Float64Array, places: Uint32Array) => {
  const high = new Uint32Array(places.length)
  const low = new Uint32Array(places.length)
  counts.fill(0)
  for (let i = 0; i < places.length; i++) {
    doubles[0] = (keys[places[i] as number] as number) + 0
    const isNegative = (halves[1] as number) >>> 31 === 1
    const h = (isNegative ? (halves[1] as number) : ~(halves[1] as number) & 0x7fffffff) >>> 0
    const l = (isNegative ? (halves[0] as number) : ~(halves[0] as number)) >>> 0
    high[i] = h
    low[i] = l
    for (let pass = 0; pass < PASSES; pass++) {
      const at = pass * DIGITS + digitOf(h, l, pass)
      counts[at] = (counts[at] as number) + 1
    }
  }
  return { high, low }
}

const sorted = (places: Uint32Array, keys: Float64Array): Uint32Array => {
  const count = places.length
  const { high, low } = bitsOf(keys, places)
  let from = new Uint32Array(count)
  for (let i = 0; i < count; i++) from[i] = i
  let to = new Uint32Array(count)
  for (let pass = 0; pass < PASSES; pass++) {
    const first = pass * DIGITS
    // where all have the same digit it tells nothing
    if (counts[first + digitOf(high[0] as number, low[0] as number, pass)] === count) continue
    for (let digit = first, before = 0; digit < first + DIGITS; digit++) {
      const own = counts[digit] as number
      counts[digit] = before
      before += own
    }
    for (let i = 0; i < count; i++) {
      const which = from[i] as number
      const digit = first + digitOf(high[which] as number, low[which] as number, pass)
      const at = counts[digit] as number
      counts[digit] = at + 1
      to[at] = which
    }
    const emptied = from
    from = to
    to = emptied
  }
  for (let i = 0; i < count; i++) from[i] = places[from[i] as number] as number
  return from
}

/**
 * The places sorted by their keys, largest first; of equal keys the one that stands first in
 * `places` stays before the other. Keys are not NaN.
 */
export const descending = (places: Uint32Array, keys: Float64Array): Uint32Array =>
  places.length < FEW
    ? Uint32Array.from(
        Array.from(places).sort((a, b) => Math.sign((keys[b] as number) - (keys[a] as number)) || 0)
      )
    : sorted(places, keys)

/** Of so many places one may have another key before all are sorted anew. */
const CHANGED = 8

/**
 * An order that is kept while few of its keys change: those that did are put in their places, the
 * others are not looked at twice. It gives the order that `descending` gives.
 */
export class KeptDescending {
  private order: Uint32Array = new Uint32Array(0)
  /** by place, as of the order; and what the next ones are written to */
  private keys = new Float64Array(0)
  private spare = new Float64Array(0)
  /** by place: 1 where it stands in the order; 2 where it stays in the next one */
  private marks = new Uint8Array(0)

  /** The places, ascending and less than `count`, sorted by their keys, which are not NaN. */
  of(places: Uint32Array, count: number, keyOf: (place: number) => number): Uint32Array {
    this.reserve(count)
    const { keys, spare, marks } = this
    const changed: Array<number> = []
    for (const place of places) {
      // of 0 and -0 one is as good as the other
      const key = keyOf(place) + 0
      spare[place] = key
      if (marks[place] === 1 && keys[place] === key) marks[place] = 2
      else changed.push(place)
    }
    const order =
      changed.length * CHANGED > places.length
        ? descending(places, spare)
        : this.merged(places.length, changed)
    for (const place of this.order) marks[place] = 0
    for (const place of order) marks[place] = 1
    this.order = order
    this.keys = spare
    this.spare = keys
    return order
  }

  /** Those of the last order that stay, with those between that changed. */
  private merged(count: number, changed: Array<number>): Uint32Array {
    const { marks, spare } = this
    const isBefore = (a: number, b: number): boolean => {
      const [x, y] = [spare[a] as number, spare[b] as number]
      return x > y || (x === y && a < b)
    }
    changed.sort((a, b) => (isBefore(a, b) ? -1 : 1))
    const order = new Uint32Array(count)
    let [size, next] = [0, 0]
    for (const place of this.order) {
      if (marks[place] !== 2) continue
      while (next < changed.length && isBefore(changed[next] as number, place)) {
        order[size++] = changed[next++] as number
      }
      order[size++] = place
    }
    while (next < changed.length) order[size++] = changed[next++] as number
    return order
  }

  private reserve(count: number): void {
    if (count <= this.keys.length) return
    const room = count + (count >> 2)
    const keys = new Float64Array(room)
    keys.set(this.keys)
    const marks = new Uint8Array(room)
    marks.set(this.marks)
    this.keys = keys
    this.marks = marks
    this.spare = new Float64Array(room)
  }
}

/** The places with those that are 1 in `last` behind the others. */
export const withLast = (places: Uint32Array, last: Uint8Array): Uint32Array => {
  const ordered = new Uint32Array(places.length)
  let count = 0
  for (const place of places) if (last[place] !== 1) ordered[count++] = place
  if (count < places.length) {
    for (const place of places) if (last[place] === 1) ordered[count++] = place
  }
  return ordered
}
