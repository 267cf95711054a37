import { expect, it } from "vitest"
import { barrels, newerThanNode, outsideConstructs, typeEscapes } from "./constructs.ts"

const inside = (text: string) => outsideConstructs({ path: "engine/a.ts", text })
const messages = (text: string) => inside(text).map(({ line, message }) => `${line}: ${message}`)

it("keeps clocks, chance, promises, exceptions and output outside", () => {
  const text = [
    "const now = Date.now()",
    "const then = new Date()",
    "const chance = Math.random()",
    "console.log(now)",
    "async function f() {}",
    "const g = async () => {}",
    "try { f() } catch {}",
    "const port = process.env.PORT"
  ].join("\n")
  expect(messages(text)).toEqual([
    "1: `Date.now` outside src/platform: take the time from an event, or Effect's Clock",
    "2: `new Date()` reads the clock: take the time from an event, or Effect's Clock",
    "3: `Math.random` outside src/platform: take a seed, or Effect's Random",
    "4: `console` outside src/platform: use Effect.log, or Effect's Console",
    "5: `async` outside src/platform: use Effect",
    "6: `async` outside src/platform: use Effect",
    "7: `try` outside src/platform: use Effect or Result",
    "8: `process.env` outside src/platform: read it with Effect's Config, in src/platform"
  ])
})

it("looks at code, not at words", () => {
  const text = `// Date.now, console.log and async are forbidden
const help = "Math.random()"
const at = new Date(0)
Effect.try({ try: f, catch: g })
Console.log(help)`
  expect(inside(text)).toEqual([])
})

it.each([
  "src/platform/a.ts",
  "api/server/a.ts",
  "api/web/a.js",
  "bench/a.ts",
  "scripts/a.mjs",
  "engine/a.test.ts",
  "vitest.config.ts"
])("allows them in %s", path => {
  expect(outsideConstructs({ path, text: "console.log(Date.now())" })).toEqual([])
})

it("finds types that are switched off, in tests as well", () => {
  const text = "const a = b as any\nlet c: any\n// @ts-ignore\n// @ts-expect-error\nconst any = 1"
  const found = typeEscapes({ path: "engine/a.test.ts", text })
  expect(found.map(({ line }) => line)).toEqual([1, 2, 3, 4])
})

it("finds calls that Node 20 lacks, on the server", () => {
  const text = "const a = Object.groupBy(b, c)\nconst d = Object.keys(b)"
  const message = "`Object.groupBy` is not in Node 20, though its types pass"
  expect(newerThanNode({ path: "engine/a.ts", text })).toEqual([
    { path: "engine/a.ts", line: 1, message }
  ])
  expect(newerThanNode({ path: "api/web/a.js", text })).toEqual([])
})

it("finds files that only pass on exports", () => {
  const path = "engine/all.ts"
  expect(barrels({ path, text: 'export * from "./a.ts"\nexport { b } from "./b.ts"' })).toEqual([
    { path, line: 0, message: "a barrel: import from the files themselves" }
  ])
  expect(barrels({ path, text: 'export * from "./a.ts"\nexport const b = 1' })).toEqual([])
  expect(barrels({ path, text: "const b = 1\nexport { b }" })).toEqual([])
})
