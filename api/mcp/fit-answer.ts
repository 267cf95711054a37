/** Cuts an answer to a number of bytes: its longest list first, then others, never a row in two. */

type Json = Readonly<Record<string, unknown>>

/** Rows shown before, by the path of a list such as `venues` or `stats.markets`. */
export interface Offsets {
  readonly [path: string]: number
}

/** A list that was cut: rows `from` to `to` (not included) of `total` are shown. */
export interface CutList {
  readonly path: string
  readonly from: number
  readonly to: number
  readonly total: number
}

export interface Fitted {
  readonly answer: Json
  /** none where the answer is whole; those that are shown to their end stay among them */
  readonly cuts: ReadonlyArray<CutList>
}

/** Bytes that the answer would need to show anything of what is left. */
export interface TooSmall {
  readonly needs: number
}

/** For `cut` and `cursor`, which come in addition. */
export const ROOM_BYTES = 700

interface List {
  readonly path: string
  readonly rows: ReadonlyArray<unknown>
  readonly from: number
  /** bytes of each row from `from` on, with its comma */
  readonly sizes: ReadonlyArray<number>
  shown: number
  bytes: number
}

const encoder = new TextEncoder()
const bytesOf = (value: unknown): number => encoder.encode(JSON.stringify(value)).byteLength

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Lists by their paths, but for those within rows. */
const listsIn = (value: Json, offsets: Offsets, prefix = ""): ReadonlyArray<List> =>
  Object.entries(value).flatMap(([name, each]) => {
    const path = prefix + name
    if (isObject(each)) return listsIn(each, offsets, `${path}.`)
    if (!Array.isArray(each)) return []
    const from = Math.min(offsets[path] ?? 0, each.length)
    const sizes = each.slice(from).map(row => bytesOf(row) + 1)
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    return [{ path, rows: each, from, sizes, shown: sizes.length, bytes }]
  })

const shownOf = (value: Json, lists: ReadonlyMap<string, List>, prefix = ""): Json =>
  Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      const path = prefix + name
      if (isObject(each)) return [name, shownOf(each, lists, `${path}.`)]
      const list = lists.get(path)
      return [name, list?.rows.slice(list.from, list.from + list.shown) ?? each]
    })
  )

/** Leaves rows away from a list's end until so many bytes are spared, or `least` rows are left. */
const shorten = (list: List, excess: number, least: number): void => {
  const wanted = list.bytes - excess
  while (list.shown > least && list.bytes > wanted) {
    list.shown--
    list.bytes -= list.sizes[list.shown] ?? 0
  }
}

/**
 * Shortens lists until `excess` bytes are spared, and returns those that are not. The longest goes
 * first, to one row; where that is not enough, the shortest lists wait until the longest is shown.
 */
const spare = (lists: ReadonlyArray<List>, excess: number): number => {
  const longestFirst = lists.toSorted((a, b) => b.bytes - a.bytes)
  let left = excess
  const shortenTo = (least: number) => (list: List) => {
    if (left <= 0) return
    const before = list.bytes
    shorten(list, left, least)
    left -= before - list.bytes
  }
  longestFirst.forEach(shortenTo(1))
  longestFirst.slice(1).toReversed().forEach(shortenTo(0))
  return left
}

const isOpen = ({ shown, sizes }: List): boolean => shown < sizes.length

/** Returns an answer of `maxBytes` at most that goes on behind the rows shown before. */
export const fitAnswer = (answer: Json, offsets: Offsets, maxBytes: number): Fitted | TooSmall => {
  const lists = listsIn(answer, offsets)
  const whole = lists.reduce((sum, { bytes }) => sum + bytes, 0)
  const byPath = new Map(lists.map(list => [list.path, list]))
  for (const list of lists) list.shown = 0
  const bare = bytesOf(shownOf(answer, byPath))
  for (const list of lists) list.shown = list.sizes.length
  const isWhole = Object.keys(offsets).length === 0 && bare + whole <= maxBytes
  if (isWhole) return { answer, cuts: [] }
  const over = spare(lists, bare + whole + ROOM_BYTES - maxBytes)
  if (over > 0) return { needs: maxBytes + over }
  const cut = lists.filter(list => isOpen(list) || offsets[list.path] !== undefined)
  // Where no cut list shows a row, the others have been shown once, and make room for it.
  const isStuck = cut.some(isOpen) && cut.every(({ shown }) => shown === 0)
  const told = isStuck ? lists.filter(list => list.sizes.length > 0) : cut
  return {
    answer: shownOf(answer, byPath),
    cuts: told.map(({ path, rows, from, shown }) => ({
      ...{ path, from, to: from + shown, total: rows.length }
    }))
  }
}
