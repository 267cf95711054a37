import { expect, it } from "vitest"
import { random } from "../../test/support/seed.ts"
import { Readings } from "./readings.ts"

it("finds what looking into each reading finds", () => {
  const r = random("name text")
  const draw = () => Array.from({ length: r.integer(0, 4) }, () => r.pick(["A", "B", "Å"])).join("")
  const texts: Array<string> = []
  const readings = new Readings(() => ({ count: texts.length, texts }))
  let hits = 0
  for (let round = 0; round < 200; round++) {
    for (let i = r.integer(0, 5); i > 0; i--) texts.push(draw())
    if (texts.length > 0 && r.boolean(0.2)) {
      const token = r.integer(0, texts.length - 1)
      texts[token] = draw()
      readings.changed(token)
    }
    // after a rollback there may be fewer
    if (r.boolean(0.05)) {
      texts.length = r.integer(0, texts.length)
      readings.clear()
    }
    const text = readings.search()
    const read = texts.map((_, token) => readings.of(token))
    const wanted = draw() || "A"
    const having: Array<number> = []
    text.having(wanted, token => having.push(token))
    expect(having).toEqual(read.flatMap((one, at) => (one.includes(wanted) ? [at] : [])))
    const beginning: Array<[number, boolean]> = []
    text.beginning(wanted, (token, isWhole) => beginning.push([token, isWhole]))
    expect(beginning).toEqual(
      read.flatMap((one, at) => (one.startsWith(wanted) ? [[at, one === wanted]] : []))
    )
    hits += having.length
  }
  expect(hits).toBeGreaterThan(0)
})
