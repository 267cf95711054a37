/** Code that V8 made of a bundle, kept beside it. */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { compiledProgram } from "../test/support/compiled.ts"
import { KEPT, keepOutline } from "./run-kept.mjs"

const folder = mkdtempSync(join(tmpdir(), "run-kept-"))
const SCRIPT = "programs.js"

/** What a program says in a process of its own, and whether kept code was used. */
const run = (program: string, ...flags: ReadonlyArray<string>): string => {
  const module = JSON.stringify(join(import.meta.dirname, "run-kept.mjs"))
  const words = [folder, SCRIPT, program].map(word => JSON.stringify(word))
  const text = `import { runKept } from ${module}; console.log(await runKept(${words}))`
  return execFileSync(process.execPath, [...flags, "--input-type=module", "-e", text], {
    encoding: "utf8"
  })
}

beforeAll(() => {
  mkdirSync(join(folder, KEPT))
  const later = Array.from(
    { length: 99 },
    (_, i) => `(function () { return ${i} + require.name })()`
  )
  const body = `console.log(program, require('node:path').sep)
    if (program === "src/stack.ts") {
      Error.stackTraceLimit = 1
      const of = { ["a name"]: function probe() { return new Error().stack } }
      console.log(of["a name"]())
      setImmediate(() => {
        const [, line] = of["a name"]().split("\\n")
        console.log(JSON.stringify([/\\S+ \\[as a name\\]/.exec(line)[0].replace("Object.", ""), /programs.js:\\d/.test(line)]))
      })
    }
    if (program === "src/late.ts") setImmediate(() => { ${later.join(";")} })`
  writeFileSync(join(folder, SCRIPT), `(async function (require, program) { ${body} })`)
  keepOutline(folder, SCRIPT)
})
afterAll(() => rmSync(folder, { recursive: true }))

it("runs the program, and uses the code of its first run", () => {
  expect(run("src/one.ts")).toBe("src/one.ts /\nfalse\n")
  expect(run("src/one.ts")).toBe("src/one.ts /\ntrue\n")
  expect(run("src/two.ts")).toBe("src/two.ts /\nfalse\n")
})

/** The file of a program's code in a bundle, kept once it was loaded, or at its end; "" for none. */
const keptOf = (program: string, end: "" | "-ended" = "", bundle = folder): string => {
  const names = readdirSync(join(bundle, KEPT))
  const name = names.find(one => one.replace(/-\d+/, "") === program + end)
  return name === undefined ? "" : join(bundle, KEPT, name)
}

it("makes the code again in place of what V8 does not take", () => {
  writeFileSync(keptOf("src-one.ts"), "this is no code")
  expect(run("src/one.ts")).toBe("src/one.ts /\nfalse\n")
  expect(run("src/one.ts")).toBe("src/one.ts /\ntrue\n")
})

it("keeps in its place what a run has called by its end, where that is more", () => {
  const isThere = () => keptOf("src-late.ts", "-ended") !== ""
  expect([run("src/late.ts"), isThere()]).toEqual(["src/late.ts /\nfalse\n", true])
  const size = (end: "" | "-ended") => statSync(keptOf("src-late.ts", end)).size
  expect(size("-ended")).toBeGreaterThan(size(""))
  expect(run("src/late.ts")).toBe("src/late.ts /\ntrue\n")
  writeFileSync(keptOf("src-late.ts", "-ended"), "this is no code")
  expect([run("src/late.ts"), isThere()]).toEqual(["src/late.ts /\nfalse\n", true])
  expect(run("src/late.ts")).toBe("src/late.ts /\ntrue\n")
  expect([run("src/one.ts"), keptOf("src-one.ts", "-ended")]).toEqual(["src/one.ts /\ntrue\n", ""])
})

it("keeps code of its own for a process with other flags", () => {
  expect(run("src/one.ts", "--max-semi-space-size=64")).toBe("src/one.ts /\nfalse\n")
  expect(run("src/one.ts")).toBe("src/one.ts /\ntrue\n")
  expect(run("src/one.ts", "--max-semi-space-size=64")).toBe("src/one.ts /\ntrue\n")
})

it("has lines in stacks once the program is loaded, and names alone until then", () => {
  expect(run("src/stack.ts")).toBe(
    'src/stack.ts /\nError\nprobe [as a name]\nfalse\n["probe [as a name]",true]\n'
  )
})

it("uses that of a command, whatever flags its sources set", () => {
  const program = compiledProgram("src/bin/log.ts")
  const help = () => execFileSync(process.execPath, [...program, "--help"])
  help()
  const code = keptOf("src-bin-log.ts", "", join(program.at(-1) ?? "", "../../.."))
  const { ino } = statSync(code)
  help()
  expect(statSync(code).ino).toBe(ino)
})
