import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { EVERY_LIST, LONGEST, layListed, repository } from "../test/support/skeleton-root.ts"
import { lineLength } from "../test/tidy/size.ts"
import { makeNew } from "./new.mjs"
import { withWrapped } from "./new-wrap.mjs"

const root = mkdtempSync(join(tmpdir(), "new-wrap-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const KINDS = ["projection", "route", "route --chain", "venue", "venue --solana"]

/** Makes a skeleton, of a route with the projection that it asks. Returns the files of code. */
const made = async (at: string, kind: string, name: string): Promise<ReadonlyArray<string>> => {
  const [first = "", ...options] = kind.split(" ")
  const asked = first === "route" ? await makeNew(at, ["projection", name]) : []
  const told = [...asked, ...(await makeNew(at, [first, name, ...options]))]
  return told.filter(line => line.endsWith(".ts") && existsSync(join(at, line)))
}

it("wraps comments alone, by paragraphs", () => {
  const long = "word ".repeat(12).trim()
  const code = [
    `/** ${long} \`a b\` ${long} */`,
    `const a = "${long} ${long}"`,
    `  // ${long} ${long}`,
    "  // and more",
    "  b()",
    "  // another",
    ""
  ]
  expect(withWrapped(code.join("\n")).split("\n")).toEqual([
    "/**",
    ` * ${long} \`a b\` word word word word word word`,
    " * word word word word word word",
    " */",
    `const a = "${long} ${long}"`,
    `  // ${long} word word word word word word word`,
    "  // word word word word word and more",
    "  b()",
    "  // another",
    ""
  ])
})

it.each(KINDS)("writes no comment of a %s that is too long, however long its name", async kind => {
  const at = layListed(join(root, kind))
  const words = Array.from(LONGEST, (_, place) => LONGEST.slice(0, place + 1))
  for (const name of [...words, `x${"-q".repeat(13)}`, "kyber-elastic"]) {
    const files = await made(at, kind, name)
    const lines = files.flatMap(path => readFileSync(join(at, path), "utf8").split("\n"))
    const comments = lines.filter(line => /^ *(\/\*|\*|\/\/)/.test(line))
    expect(comments.length).toBeGreaterThan(0)
    expect(comments.filter(line => line.length > 100)).toEqual([])
  }
})

it("writes files that lint and the limit of columns let pass, of the longest name", async () => {
  const at = layListed(join(root, "longest"))
  for (const path of ["biome.json", ".gitignore"]) cpSync(join(repository, path), join(at, path))
  symlinkSync(join(repository, "node_modules"), join(at, "node_modules"))
  const files: Array<string> = []
  for (const kind of KINDS.filter(one => one !== "projection")) {
    const name = kind === "route" ? LONGEST : LONGEST.replace("x", "y")
    files.push(...(await made(at, kind, name)))
  }
  const texts = [...files, ...EVERY_LIST].map(path => ({
    path,
    text: readFileSync(join(at, path), "utf8")
  }))
  expect(texts.flatMap(lineLength)).toEqual([])
  const biome = join(at, "node_modules/@biomejs/biome/bin/biome")
  const run = [biome, "ci", "."]
  const { status, stdout } = spawnSync(process.execPath, run, { cwd: at, encoding: "utf8" })
  expect(status, stdout).toBe(0)
})
