import { describe, expect, it } from "vitest"
import { leavesOf } from "../../test/support/answer-leaves.ts"
import { random } from "../../test/support/seed.ts"
import { type Fitted, fitAnswer as fitOf, type Offsets, ROOM_BYTES } from "./fit-answer.ts"

const MAPS: ReadonlySet<string> = new Set(["m", "b.m", "e.*.in.m"])
const fitAnswer = (answer: Readonly<Record<string, unknown>>, offsets: Offsets, bytes: number) =>
  fitOf(answer, offsets, bytes, MAPS)

const row = (n: number, bytes: number) => ({ n, text: "é".repeat(bytes / 2) })
const rows = (count: number, bytes: number) =>
  Array.from({ length: count }, (_, n) => row(n, bytes))
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

/** All parts of an answer, each held to its bytes. */
const partsOf = (answer: Readonly<Record<string, unknown>>, maxBytes: number) => {
  const parts: Array<Fitted> = []
  for (let offsets: Offsets | null = {}; offsets !== null; ) {
    const fitted = fitAnswer(answer, offsets, maxBytes) as Fitted
    expect(bytesOf(fitted.answer)).toBeLessThanOrEqual(maxBytes)
    parts.push(fitted)
    expect(parts.length).toBeLessThan(200)
    offsets = fitted.rest
  }
  return parts
}

describe("an answer", () => {
  it("that fits is left as it is", () => {
    const answer = { a: rows(3, 100), b: { c: [1] }, d: null }
    expect(fitAnswer(answer, {}, bytesOf(answer) + 3)).toEqual({ answer, cuts: [], rest: null })
  })

  it("has its longest list cut, and the others left", () => {
    const answer = { a: rows(3, 100), b: { c: rows(20, 200) }, d: [1, 2] }
    const fitted = fitAnswer(answer, {}, 3000) as Fitted
    expect(fitted.cuts).toEqual([{ path: "b.c", from: 0, to: 8, total: 20 }])
    expect(fitted.answer).toEqual({ ...answer, b: { c: answer.b.c.slice(0, 8) } })
  })

  it("lets shorter lists wait for a longer one, and has it shown once", () => {
    const answer = { a: [row(0, 1300)], b: rows(4, 230) }
    const first = fitAnswer(answer, {}, 2100) as Fitted
    expect(first.cuts).toEqual([
      { path: "a", from: 0, to: 1, total: 1 },
      { path: "b", from: 0, to: 0, total: 4 }
    ])
    const second = fitAnswer(answer, { a: 1, b: 0 }, 2100) as Fitted
    expect(second.answer).toEqual({ ...answer, a: [] })
  })

  it("of which not one row fits says how many bytes it needs", () => {
    const answer = { a: rows(2, 5000) }
    const needs = ROOM_BYTES + bytesOf({ a: [] }) + bytesOf(row(0, 5000)) + 1
    expect(fitAnswer(answer, {}, 2048)).toEqual({ needs })
    expect(fitAnswer(answer, {}, needs)).toMatchObject({ cuts: [{ to: 1 }] })
    expect(fitAnswer({ text: "x".repeat(3000) }, {}, 2048)).toEqual({
      needs: bytesOf({ text: "x".repeat(3000) }) + ROOM_BYTES
    })
  })

  it("has entries of a map cut as rows of a list are, in their order", () => {
    const entries = Array.from({ length: 20 }, (_, n) => [`0x${19 - n}`, row(n, 200)] as const)
    const answer = { a: [1, 2], b: { m: Object.fromEntries(entries), c: rows(3, 50) } }
    const fitted = fitAnswer(answer, {}, 3000) as Fitted
    expect(fitted.cuts).toEqual([{ path: "b.m", from: 0, to: 9, total: 20 }])
    expect(fitted.rest).toEqual({ "b.m": 9 })
    const { b } = fitted.answer as typeof answer
    expect(Object.entries(b.m)).toEqual(entries.slice(0, 9))
    const all = partsOf(answer, 3000).map(part => (part.answer as typeof answer).b.m)
    expect(all.map(part => Object.keys(part).length)).toEqual([9, 9, 2])
    expect(all.flatMap(part => Object.entries(part))).toEqual(entries)
  })

  it("has fields of an object never cut, however long they are", () => {
    const answer = { x: Object.fromEntries(rows(20, 200).map((each, n) => [`f${n}`, each])) }
    expect(fitAnswer(answer, {}, 3000)).toEqual({ needs: bytesOf(answer) + ROOM_BYTES })
  })

  it("whose row does not fit alone has the lists within that row cut", () => {
    const answer = { e: [{ id: 1, in: { m: { k: 1 }, l: rows(20, 200) } }, { id: 2 }, { id: 3 }] }
    const [first, ...others] = partsOf(answer, 2600)
    expect(first?.cuts).toEqual([
      { path: "e", from: 0, to: 1, total: 3 },
      { path: "e.0.in.l", from: 0, to: 8, total: 20 }
    ])
    expect(first?.rest).toEqual({ e: 0, "e.0.in.l": 8 })
    expect(first?.answer).toEqual({ e: [{ id: 1, in: { m: { k: 1 }, l: rows(8, 200) } }] })
    expect(others.map(({ rest }) => rest)).toEqual([{ e: 0, "e.0.in.l": 16 }, { e: 1 }, null])
    expect(others[2]?.answer).toEqual({ e: [{ id: 2 }, { id: 3 }] })
  })

  it("is whole in all its parts together, whatever its lists and maps are", () => {
    const r = random("fit")
    for (let round = 0; round < 150; round++) {
      const list = (most = 30) =>
        Array.from({ length: r.integer(0, most) }, (_, n) => row(n, r.integer(0, 400)))
      const map = (most = 30) =>
        Object.fromEntries(list(most).map(each => [`k${r.integer(0, 9999)}`, each]))
      const deep = () => ({ id: 1, in: { l: list(12), m: map(12), d: [{ l: list(20) }] } })
      const answer = {
        ...{ a: list(), b: { c: list(), d: 1, m: map() }, m: map() },
        e: Array.from({ length: r.integer(0, 4) }, deep)
      }
      const got = new Map(
        partsOf(answer, r.integer(2048, 9000)).flatMap(part => leavesOf(part.answer, part.cuts))
      )
      expect(got).toEqual(new Map(leavesOf(answer, [])))
    }
  })
})
