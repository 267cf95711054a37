import { spawnSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterEach, beforeEach, expect, it } from "vitest"
import { temporaryFolder } from "../test/support/nats.ts"

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

const runner = JSON.stringify(join(import.meta.dirname, "run-script.cjs"))

/** Runs a script in a process of its own, which says at its end whether there was code of it. */
const run = (body: string, ...flags: ReadonlyArray<string>) => {
  const path = join(folder.path, "one.script")
  writeFileSync(path, `(async (require, importModule) => {${body}\n})`)
  const running = `require(${runner}).runScript(${JSON.stringify(path)}, ${JSON.stringify(flags)})`
  const main = `const had = ${running}; process.on("exit", () => console.log("had code:", had))`
  const { status, stdout, stderr } = spawnSync(process.execPath, ["-e", main], { encoding: "utf8" })
  return { status, stdout, stderr }
}

const codes = () =>
  readdirSync(folder.path)
    .filter(name => name.startsWith("one.script."))
    .map(name => join(folder.path, name))

const greeting = 'const greet = () => "good day"\nconsole.log(greet())'
const greets = (hadCode: boolean) => ({
  ...{ status: 0, stderr: "" },
  stdout: `good day\nhad code: ${hadCode}\n`
})

it("keeps V8's code of a script for the next run", () => {
  expect(run(greeting)).toEqual(greets(false))
  expect(codes()).toHaveLength(1)
  expect(run(greeting)).toEqual(greets(true))
  expect(codes()).toHaveLength(1)
})

it("keeps code for each set of flags, as they are when all of the script is loaded", () => {
  const flag = "--heap-growing-percent=100"
  const sets = `require("node:v8").setFlagsFromString("${flag}")\n${greeting}`
  expect(run(sets, flag)).toEqual(greets(false))
  expect(run(sets, flag)).toEqual(greets(true))
  expect(run(sets, flag, "--expose-gc")).toEqual(greets(false))
  expect(codes()).toHaveLength(2)
})

it("compiles where the code is damaged or of another script, and keeps new one", () => {
  run(greeting)
  const [code = ""] = codes()
  const good = readFileSync(code)
  writeFileSync(code, good.subarray(0, good.length >> 1))
  expect(run(greeting)).toEqual(greets(false))
  expect(run(greeting)).toEqual(greets(true))
  const flipped = Uint8Array.from(good, (byte, at) => (at === good.length >> 1 ? byte ^ 1 : byte))
  for (const bad of [flipped, new Uint8Array(good.length), "no code"]) {
    writeFileSync(code, bad)
    expect(run(greeting)).toEqual(greets(false))
  }
  expect(run(`${greeting}\n`)).toEqual(greets(false))
})

it("runs where no code can be kept, and leaves nothing half written", () => {
  run(greeting)
  const [code = ""] = codes()
  rmSync(code)
  mkdirSync(join(code, "in the way"), { recursive: true })
  expect(run(greeting)).toEqual(greets(false))
  expect(codes()).toEqual([code])
})

it("ends as a module does that throws, at once or later", () => {
  const later = 'await new Promise(resolve => setTimeout(resolve, 1))\nthrow new Error("as told")'
  for (const body of ['throw new Error("as told")', later]) {
    const { status, stderr } = run(body)
    expect([status, stderr.includes("Error: as told")]).toEqual([1, true])
  }
})

it("lets a script import modules, also where there is code of it", () => {
  const module = join(folder.path, "one.mjs")
  writeFileSync(module, 'export const greet = () => "good day"')
  const body = `const { greet } = await importModule("${pathToFileURL(module)}")
    console.log(greet())`
  expect(run(body)).toEqual(greets(false))
  expect(run(body)).toEqual(greets(true))
})
