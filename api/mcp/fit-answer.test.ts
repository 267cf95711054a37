import { describe, expect, it } from "vitest"
import { random } from "../../test/support/seed.ts"
import { type Fitted, fitAnswer, type Offsets, ROOM_BYTES } from "./fit-answer.ts"

const row = (n: number, bytes: number) => ({ n, text: "é".repeat(bytes / 2) })
const rows = (count: number, bytes: number) =>
  Array.from({ length: count }, (_, n) => row(n, bytes))
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

describe("an answer", () => {
  it("that fits is left as it is", () => {
    const answer = { a: rows(3, 100), b: { c: [1] }, d: null }
    expect(fitAnswer(answer, {}, bytesOf(answer) + 3)).toEqual({ answer, cuts: [] })
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

  it("is whole in all its parts together, whatever its lists are", () => {
    const r = random("fit")
    for (let round = 0; round < 300; round++) {
      const list = () =>
        Array.from({ length: r.integer(0, 30) }, (_, n) => row(n, r.integer(0, 400)))
      const answer = { a: list(), b: { c: list(), d: 1 }, e: list() }
      const maxBytes = r.integer(2048, 9000)
      const got: { [path: string]: Array<unknown> } = {}
      let offsets: Offsets = {}
      for (let part = 0; ; part++) {
        const fitted = fitAnswer(answer, offsets, maxBytes) as Fitted
        expect(bytesOf(fitted.answer)).toBeLessThanOrEqual(maxBytes)
        const shown = fitted.answer as typeof answer
        expect(part === 0 || fitted.cuts.some(({ from, to }) => to > from)).toBe(true)
        for (const { path, from, to } of fitted.cuts) {
          const list = path === "b.c" ? shown.b.c : shown[path as "a" | "e"]
          expect(list.length).toBe(to - from)
          got[path] = [...(got[path] ?? []), ...list]
        }
        offsets = Object.fromEntries(fitted.cuts.map(({ path, to }) => [path, to]))
        expect(part).toBeLessThan(100)
        if (fitted.cuts.every(({ to, total }) => to === total)) break
      }
      const all: { [path: string]: unknown } = { a: answer.a, "b.c": answer.b.c, e: answer.e }
      for (const [path, list] of Object.entries(got)) expect(list).toEqual(all[path])
    }
  })
})
