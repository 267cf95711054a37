import { expect, it } from "vitest"
import { fileLength, functionLength, lineLength } from "./size.ts"

const lines = (count: number, line = "work()") =>
  Array.from({ length: count }, () => line).join("\n")
const code = (text: string, path = "engine/a.ts") => ({ path, text })

it("allows 400 lines in a file and no more", () => {
  expect(fileLength(code(`${lines(400)}\n`))).toEqual([])
  expect(fileLength(code(`${lines(401)}\n`))).toEqual([
    { path: "engine/a.ts", line: 0, message: "401 lines, 400 at most: split it" }
  ])
  expect(fileLength(code(lines(401), "api/web/style.css"))).toHaveLength(1)
  expect(fileLength(code(lines(401), "README.md"))).toEqual([])
  expect(fileLength(code(lines(401), "api/web/vendor/chart.js"))).toEqual([])
})

it.each([
  ["function", "function f() {", "}"],
  ["arrow", "const f = () => {", "}"],
  ["method", "class A {\nf() {", "}\n}"],
  ["generator", "Effect.gen(function* () {", "})"]
])("allows 70 lines in a %s and no more", (_kind, start, end) => {
  expect(functionLength(code(`${start}\n${lines(68)}\n${end}`))).toEqual([])
  expect(functionLength(code(`// why\n${start}\n${lines(69)}\n${end}`))).toEqual([
    {
      path: "engine/a.ts",
      line: 1 + start.split("\n").length,
      message: "a function of 71 lines, 70 at most: split it"
    }
  ])
})

it("does not take a group of tests for a function", () => {
  const group = (call: string) => code(`${call}("a", () => {\n${lines(90)}\n})`, "engine/a.test.ts")
  expect(functionLength(group("describe"))).toEqual([])
  expect(functionLength(group("describe.each([1])"))).toEqual([])
  expect(functionLength(group("it"))).toHaveLength(1)
})

it("allows 100 columns, except where a line cannot be broken", () => {
  expect(lineLength(code(`// ${"x".repeat(97)}`))).toEqual([])
  expect(lineLength(code(`\n// ${"x".repeat(98)}`))).toEqual([
    { path: "engine/a.ts", line: 2, message: "101 columns, 100 at most" }
  ])
  expect(lineLength(code(`const a = "${"x".repeat(120)}"`))).toEqual([])
  expect(lineLength(code(`const a = /${"x".repeat(120)}/`))).toEqual([])
  expect(lineLength(code(`f("x", ${"y".repeat(120)})`))).toHaveLength(1)
  expect(lineLength(code(`// https://a.example/${"x".repeat(120)}`))).toEqual([])
  expect(lineLength(code(`// ${"x".repeat(120)}`, "engine/a.test.ts"))).toEqual([])
})
