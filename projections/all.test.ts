import { readdirSync, readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { newFoldSet } from "../engine/runner/fold-set.ts"
import { testChain } from "../test/support/chain-config.ts"
import { allProjections, withUses } from "./all.ts"

/** Folders of rules, which hold no projection: whoever imports them declares nothing. */
const RULES: ReadonlySet<string> = new Set(["flags", "listing"])

const folderOf = (name: string): string => name.replaceAll("_", "-")

/** The folders that the code of a folder imports, its tests apart. */
const importedBy = (folder: string): ReadonlyArray<string> => {
  const place = new URL(`./${folder}/`, import.meta.url)
  const files = readdirSync(place, { encoding: "utf8" })
  const sources = files.filter(file => file.endsWith(".ts") && !file.endsWith(".test.ts"))
  const found = new Set<string>()
  for (const file of sources) {
    const text = readFileSync(new URL(file, place), "utf8")
    for (const [, other] of text.matchAll(/from "\.\.\/([\w-]+)\//g)) found.add(other ?? "")
  }
  return [...found].filter(other => !RULES.has(other)).sort()
}

it.each(allProjections.map(({ name, uses }) => ({ name, uses })))(
  "$name declares what it uses, and nothing else",
  ({ name, uses }) => {
    const declared = uses.map(one => folderOf(one.name)).sort()
    expect(declared).toEqual(importedBy(folderOf(name)))
  }
)

it.each(allProjections.map(one => ({ name: one.name, one })))(
  "$name folds beside what it uses alone",
  ({ one }) => {
    const folds = newFoldSet(testChain, withUses(one))
    expect(folds.projections).toContain(one)
    expect(folds.tables).toEqual(expect.arrayContaining([...one.tables]))
  }
)

it("gives a projection with all that it uses, in the order of the registry", () => {
  const names = withUses({ name: "candles" }).map(({ name }) => name)
  expect(names).toEqual(["tokens", "pools", "prices", "tape", "candles"])
})
