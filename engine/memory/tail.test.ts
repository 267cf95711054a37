import { expect, it } from "vitest"
import { NONE } from "../../streams/batch/id-table.ts"
import { random, seed } from "../../test/support/seed.ts"
import { ColumnSet } from "../store/column-set.ts"
import { table } from "../store/table.ts"
import { type Piece, Tail } from "./tail.ts"

const swaps = table({
  name: "swaps",
  shape: "append",
  key: [],
  columns: {
    side: { type: "u8" },
    bought: { type: "u32", nullable: true },
    sold: { type: "u32", nullable: true },
    usd: { type: "i64", nullable: true },
    tick: { type: "i32", nullable: true },
    wallet: { type: "account", nullable: true },
    hash: { type: "bytes32" }
  }
})

interface Swap {
  readonly seq: number
  readonly bought: number
  readonly sold: number
}

const pieceOf = (rows: ReadonlyArray<Swap>): Piece<(typeof swaps)["columns"]> => {
  const { columns } = new ColumnSet(swaps.columns, rows.length)
  for (const [at, row] of rows.entries()) {
    columns.bought[at] = row.bought
    columns.sold[at] = row.sold
    columns.usd[at] = row.seq * 10
    columns.hash.fill(row.seq, at * 32, (at + 1) * 32)
  }
  return { count: rows.length, seqs: Float64Array.from(rows, ({ seq }) => seq), columns }
}

const tailOf = (keep: number) => new Tail(swaps, keep, ["bought", "sold"])

/** Positions of a key's rows as the tail shows them; null where it may lack some. */
const shown = (
  tail: ReturnType<typeof tailOf>,
  key: number,
  total: number,
  upTo = Number.POSITIVE_INFINITY,
  limit = Number.POSITIVE_INFINITY
) => {
  const seqs: Array<number> = []
  const isWhole = tail.walk(key, upTo, total, (_, at) => {
    seqs.push(tail.seqs[at] as number)
    return seqs.length < limit
  })
  return isWhole ? seqs : null
}

it("says so when it does not hold what is asked for", () => {
  const tail = tailOf(4)
  tail.take(pieceOf([{ seq: 10, bought: 0, sold: 1 }]))
  tail.take(pieceOf([{ seq: 11, bought: 0, sold: 2 }]))
  expect(shown(tail, 0, 2)).toEqual([11, 10])
  expect(shown(tail, 0, 2, 10)).toEqual([10])
  expect(shown(tail, 1, 1)).toEqual([10])
  const after = (seq: number) => tail.after(seq)?.map(row => row["seq"])
  expect([after(11), after(10)]).toEqual([[], [11]])
  // only a row at or before a position shows that none after it is missing
  expect(after(9)).toBeUndefined()
  // key 2 has had one more before, key 3 has had one that nobody has heard of, key 4 none
  expect(shown(tail, 2, 2, undefined, 1)).toEqual([11])
  expect([shown(tail, 2, 2), shown(tail, 3, 1), shown(tail, 4, 0)]).toEqual([null, null, []])
  tail.take(pieceOf([12, 13, 14].map(seq => ({ seq, bought: 0, sold: 1 }))))
  expect(shown(tail, 0, 5, undefined, 4)).toEqual([14, 13, 12, 11])
  expect(shown(tail, 0, 5)).toBeNull()
  expect([after(11), after(10)]).toEqual([[12, 13, 14], undefined])
  tail.clear()
  expect([after(14), shown(tail, 0, 5), tail.held.oldest]).toEqual([undefined, null, null])
})

it("gives a row as the database does", () => {
  const tail = tailOf(4)
  const piece = pieceOf([{ seq: 7, bought: 3, sold: NONE }])
  piece.columns.usd[0] = Number.NaN
  piece.columns.tick[0] = -5
  tail.take(piece)
  expect(tail.row(0)).toEqual({
    seq: 7,
    side: 0,
    bought: 3,
    sold: null,
    usd: null,
    tick: -5,
    wallet_hi: null,
    wallet_lo: null,
    wallet_top: null,
    hash_hi: 0x07070707070707070707070707070707n,
    hash_lo: 0x07070707070707070707070707070707n
  })
})

/** Rows of few keys, among them rows of one key twice and rows of none. */
const randomRows = (r: ReturnType<typeof random>, count: number): ReadonlyArray<Swap> => {
  let seq = 0
  const key = () => (r.boolean(0.1) ? NONE : r.integer(0, 6))
  return Array.from({ length: count }, () => {
    seq += r.integer(1, 3)
    return { seq, bought: key(), sold: key() }
  })
}

it("shows what a search through all rows finds, however they came", () => {
  const r = random(`${seed}/tail`)
  for (let round = 0; round < 60; round++) {
    const rows = randomRows(r, r.integer(1, 5000))
    const keep = 2 ** r.integer(0, 13)
    const tail = tailOf(keep)
    // the newest of them come first, the others are read back before them
    const split = r.boolean() ? r.integer(0, rows.length) : 0
    for (let from = split; from < rows.length; ) {
      const to = Math.min(rows.length, from + r.integer(1, 700))
      tail.take(pieceOf(rows.slice(0, to)), from)
      from = to
    }
    const { room, count } = tail.held
    const middle = r.integer(0, split)
    // what is held by now is among what is read, too
    const taken = tail.precede([pieceOf(rows.slice(0, middle)), pieceOf(rows.slice(middle))])
    expect(taken).toBe(Math.min(room, split))
    const held = rows.slice(Math.max(0, rows.length - count - taken))
    expect(tail.held.count).toBe(held.length)
    expect(tail.oldestSeq).toBe(held[0]?.seq)
    for (let key = 0; key < 7; key++) {
      const own = rows.filter(row => row.bought === key || row.sold === key)
      const total = own.reduce(
        (sum, row) => sum + Number(row.bought === key) + Number(row.sold === key),
        0
      )
      const upTo = r.boolean() ? Number.POSITIVE_INFINITY : (r.pick(rows)?.seq ?? 0)
      const wanted = held.filter(row => own.includes(row) && row.seq <= upTo).map(({ seq }) => seq)
      const isWhole = own.every(row => held.includes(row))
      expect(shown(tail, key, total, upTo)).toEqual(isWhole ? wanted.reverse() : null)
    }
    const since = r.pick(held)?.seq ?? 0
    const later = held.filter(({ seq }) => seq > since)
    expect(tail.after(since)?.map(row => row["usd"])).toEqual(later.map(({ seq }) => seq * 10))
  }
})
