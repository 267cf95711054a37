/**
 * Cuts an answer to a number of bytes: its longest list or map first, then others, between rows.
 * Only a row that does not fit alone is entered: the lists and maps in it are cut in its place.
 */

type Json = Readonly<Record<string, unknown>>

/** Rows shown before, by the path of a list: `venues`, `stats.markets`, `flags.0.wallets`. */
export interface Offsets {
  readonly [path: string]: number
}

/** A list or map that was cut: rows `from` to `to` (not included) of `total` are shown. */
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
  /** where the next part begins; null where this one is the last */
  readonly rest: Offsets | null
}

/** Bytes that the answer would need to show anything of what is left. */
export interface TooSmall {
  readonly needs: number
}

/** For `cut` and `cursor`, which come in addition, where they tell of some five lists at most. */
export const ROOM_BYTES = 700
/** Of these what they take without any list. */
const WORDS_BYTES = 430

/** A row of a list with its number, or an entry of a map with its key. */
type Row = readonly [key: string, row: unknown]

interface List {
  readonly path: string
  /** its path, with `*` for a row */
  readonly place: string
  readonly isMap: boolean
  readonly rows: ReadonlyArray<Row>
  readonly from: number
  /** path of its first row where that is entered, and no other shown; null where rows are whole */
  readonly entered: string | null
  /** bytes of each row from `from` on, with its comma; none of a list that is entered */
  readonly sizes: ReadonlyArray<number>
  shown: number
  bytes: number
}

/** How an answer is looked through. */
interface Look {
  readonly offsets: Offsets
  /** places of maps, with `*` for a row: an object elsewhere is of fields, which are never cut */
  readonly maps: ReadonlySet<string>
  /** paths of rows that do not fit alone */
  readonly entered: ReadonlySet<string>
}

const encoder = new TextEncoder()
const bytesOf = (value: unknown): number => encoder.encode(JSON.stringify(value)).byteLength

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Bytes of a row with what stands beside it. */
const rowBytes = ([key, row]: Row, isMap: boolean): number =>
  bytesOf(row) + (isMap ? bytesOf(key) + 2 : 1)

const listOf = (value: Json, path: string, place: string, look: Look): List => {
  const { offsets, entered } = look
  const isMap = !Array.isArray(value)
  const rows = Object.entries(value)
  const listed = { path, place, isMap, rows }
  const from = Math.min(offsets[path] ?? 0, rows.length)
  const first = `${path}.${rows[from]?.[0]}`
  const isBegun = Object.keys(offsets).some(each => each.startsWith(`${first}.`))
  if (from < rows.length && (isBegun || entered.has(first))) {
    return { ...listed, from, entered: first, sizes: [], shown: 1, bytes: 0 }
  }
  const sizes = rows.slice(from).map(row => rowBytes(row, isMap))
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  return { ...listed, from, entered: null, sizes, shown: sizes.length, bytes }
}

/** Lists and maps by their paths, but for those within rows that are whole. */
const listsIn = (value: unknown, look: Look, path = "", place = ""): ReadonlyArray<List> => {
  if (typeof value !== "object" || value === null) return []
  if (Array.isArray(value) || look.maps.has(place)) {
    const list = listOf(value as Json, path, place, look)
    if (list.entered === null) return [list]
    return [list, ...listsIn(list.rows[list.from]?.[1], look, list.entered, `${place}.*`)]
  }
  const dot = path === "" ? "" : "."
  return Object.entries(value).flatMap(([name, each]) =>
    listsIn(each, look, path + dot + name, place + dot + name)
  )
}

const shownOf = (value: unknown, lists: ReadonlyMap<string, List>, path = ""): unknown => {
  const list = lists.get(path)
  if (list === undefined && !isObject(value)) return value
  const rows = list?.rows.slice(list.from, list.from + list.shown) ?? Object.entries(value as Json)
  if (list !== undefined && list.entered === null) {
    return list.isMap ? Object.fromEntries(rows) : rows.map(([, row]) => row)
  }
  const dot = path === "" ? "" : "."
  const within = rows.map(([key, row]) => [key, shownOf(row, lists, path + dot + key)] as const)
  return list?.isMap === false ? within.map(([, row]) => row) : Object.fromEntries(within)
}

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
const spare = (longestFirst: ReadonlyArray<List>, excess: number): number => {
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

const isWithin = (row: string, { path }: { readonly path: string }): boolean =>
  path.startsWith(`${row}.`)

/** Where a list goes on: a row that is entered is shown once all within it is. */
const nextOf = (list: List, lists: ReadonlyArray<List>): number => {
  const { from, shown, entered } = list
  if (entered === null) return from + shown
  const isDone = lists.every(each => !isWithin(entered, each) || !isOpen(each, lists))
  return isDone ? from + 1 : from
}

const isOpen = (list: List, lists: ReadonlyArray<List>): boolean =>
  nextOf(list, lists) < list.rows.length

/** Where the next part begins, of lists told as cut but for those within rows that are done. */
const restOf = (told: ReadonlyArray<List>, lists: ReadonlyArray<List>): Offsets | null => {
  if (!told.some(list => isOpen(list, lists))) return null
  const done = lists.flatMap(list =>
    list.entered !== null && nextOf(list, lists) > list.from ? [list.entered] : []
  )
  const going = told.filter(list => !done.some(row => isWithin(row, list)))
  return Object.fromEntries(going.map(list => [list.path, nextOf(list, lists)]))
}

const fittedOf = (answer: Json, lists: ReadonlyArray<List>, offsets: Offsets): Fitted => {
  const isCut = (list: List) => isOpen(list, lists) || offsets[list.path] !== undefined
  const cut = lists.filter(list => list.entered !== null || isCut(list))
  // Where no cut list shows a row, the others have been shown once, and make room for it.
  const plain = cut.filter(({ entered }) => entered === null)
  const isStuck = plain.some(l => isOpen(l, lists)) && plain.every(({ shown }) => shown === 0)
  const told = isStuck ? lists.filter(({ rows, from }) => from < rows.length) : cut
  return {
    answer: shownOf(answer, new Map(lists.map(list => [list.path, list]))) as Json,
    cuts: told.map(({ path, rows, from, shown }) => ({
      ...{ path, from, to: from + shown, total: rows.length }
    })),
    rest: restOf(told, lists)
  }
}

/** The row that may be entered to make room: the longest list's first; undefined where none is. */
const rowToEnter = (longest: List | undefined, look: Look): string | undefined => {
  const [key, row] = longest?.rows[longest.from] ?? []
  if (longest === undefined || key === undefined) return undefined
  const path = `${longest.path}.${key}`
  const within = listsIn(row, look, path, `${longest.place}.*`)
  return within.some(({ bytes }) => bytes > 0) ? path : undefined
}

/** What `cut` and `cursor` may take: both name each list, the latter in base64. */
const roomFor = (lists: ReadonlyArray<List>): number => {
  const named = lists.filter(({ rows }) => rows.length > 0)
  const bytes = named.map(({ path }) => Math.ceil((path.length * 7) / 3) + 30)
  return Math.max(
    ROOM_BYTES,
    bytes.reduce((sum, each) => sum + each, WORDS_BYTES)
  )
}

/** Bytes of an answer with no row but those that are entered. */
const bareBytes = (answer: Json, lists: ReadonlyArray<List>): number => {
  const bare = lists.map(list => (list.entered === null ? { ...list, shown: 0 } : list))
  return bytesOf(shownOf(answer, new Map(bare.map(list => [list.path, list]))))
}

/**
 * Returns an answer of `maxBytes` at most that goes on behind the rows shown before.
 *
 * @param maps the places of maps in it (`mapPlaces`)
 */
export const fitAnswer = (
  answer: Json,
  offsets: Offsets,
  maxBytes: number,
  maps: ReadonlySet<string>
): Fitted | TooSmall => {
  const entered = new Set<string>()
  const look: Look = { offsets, maps, entered }
  for (let needs = Number.POSITIVE_INFINITY; ; ) {
    const lists = listsIn(answer, look)
    const bytes = lists.reduce((sum, each) => sum + each.bytes, bareBytes(answer, lists))
    const isWhole = Object.keys(offsets).length === 0 && entered.size === 0 && bytes <= maxBytes
    if (isWhole) return { answer, cuts: [], rest: null }
    const plain = lists.filter(each => each.entered === null)
    const longestFirst = plain.toSorted((a, b) => b.bytes - a.bytes)
    const over = spare(longestFirst, bytes + roomFor(lists) - maxBytes)
    if (over <= 0) return fittedOf(answer, lists, offsets)
    needs = Math.min(needs, maxBytes + over)
    const row = rowToEnter(longestFirst[0], look)
    if (row === undefined) return { needs }
    entered.add(row)
  }
}
