/** Code that V8 made of a bundle, kept beside it. */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { compiledProgram } from "../test/support/compiled.ts"
import { BUNDLE, KEPT, keepOutline } from "./run-kept.mjs"

const folder = mkdtempSync(join(tmpdir(), "run-kept-"))

/** What a program says in a process of its own, and whether kept code was used. */
const run = (program: string): string => {
  const module = JSON.stringify(join(import.meta.dirname, "run-kept.mjs"))
  const words = `${JSON.stringify(folder)}, ${JSON.stringify(program)}`
  const text = `import { runKept } from ${module}; console.log(await runKept(${words}))`
  return execFileSync(process.execPath, ["--input-type=module", "-e", text], { encoding: "utf8" })
}

beforeAll(() => {
  mkdirSync(join(folder, KEPT))
  const later = Array.from(
    { length: 99 },
    (_, i) => `(function () { return ${i} + require.name })()`
  )
  const body = `console.log(program, require('node:path').sep)
    if (program === "src/late.ts") setImmediate(() => { ${later.join(";")} })`
  writeFileSync(join(folder, BUNDLE), `(async function (require, program) { ${body} })`)
  keepOutline(folder)
})
afterAll(() => rmSync(folder, { recursive: true }))

it("runs the program, and uses the code of its first run", () => {
  expect(run("src/one.ts")).toBe("src/one.ts /\nfalse\n")
  expect(run("src/one.ts")).toBe("src/one.ts /\ntrue\n")
  expect(run("src/two.ts")).toBe("src/two.ts /\nfalse\n")
})

it("makes the code again in place of what V8 does not take", () => {
  writeFileSync(join(folder, KEPT, "src-one.ts"), "this is no code")
  expect(run("src/one.ts")).toBe("src/one.ts /\nfalse\n")
  expect(run("src/one.ts")).toBe("src/one.ts /\ntrue\n")
})

it("keeps in its place what a run has called by its end, where that is more", () => {
  const [loaded, ended] = ["src-late.ts", "src-late.ts-ended"].map(name => join(folder, KEPT, name))
  const isThere = () => existsSync(ended ?? "")
  expect([run("src/late.ts"), isThere()]).toEqual(["src/late.ts /\nfalse\n", true])
  expect(statSync(ended ?? "").size).toBeGreaterThan(statSync(loaded ?? "").size)
  expect(run("src/late.ts")).toBe("src/late.ts /\ntrue\n")
  writeFileSync(ended ?? "", "this is no code")
  expect([run("src/late.ts"), isThere()]).toEqual(["src/late.ts /\nfalse\n", true])
  expect(run("src/late.ts")).toBe("src/late.ts /\ntrue\n")
  expect([run("src/one.ts"), existsSync(join(folder, KEPT, "src-one.ts-ended"))]).toEqual([
    ...["src/one.ts /\ntrue\n", false]
  ])
})

it("uses that of a command, whatever flags its sources set", () => {
  const [program = ""] = compiledProgram("src/bin/log.ts")
  const code = join(program, "../../..", KEPT, "src-bin-log.ts")
  const help = () => execFileSync(process.execPath, [program, "--help"])
  help()
  const { ino } = statSync(code)
  help()
  expect(statSync(code).ino).toBe(ino)
})
