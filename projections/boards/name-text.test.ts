import { expect, it } from "vitest"
import { random } from "../../test/support/seed.ts"
import { NameText } from "./name-text.ts"

it("finds what looking into each reading finds", () => {
  const r = random("name text")
  const draw = () => Array.from({ length: r.integer(0, 4) }, () => r.pick(["A", "B", "Å"])).join("")
  const text = new NameText()
  const readings: Array<string> = []
  let hits = 0
  for (let round = 0; round < 200; round++) {
    for (let i = r.integer(0, 5); i > 0; i--) readings.push(draw())
    if (readings.length > 0 && r.boolean(0.2)) readings[r.integer(0, readings.length - 1)] = draw()
    // after a rollback there may be fewer
    if (r.boolean(0.05)) readings.length = r.integer(0, readings.length)
    if (r.boolean(0.05)) text.clear()
    text.update(readings, readings.length)
    const wanted = draw() || "A"
    const having: Array<number> = []
    text.having(wanted, token => having.push(token))
    expect(having).toEqual(readings.flatMap((one, at) => (one.includes(wanted) ? [at] : [])))
    const beginning: Array<[number, boolean]> = []
    text.beginning(wanted, (token, isWhole) => beginning.push([token, isWhole]))
    expect(beginning).toEqual(
      readings.flatMap((one, at) => (one.startsWith(wanted) ? [[at, one === wanted]] : []))
    )
    hits += having.length
  }
  expect(hits).toBeGreaterThan(0)
})
