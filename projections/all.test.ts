import { readdirSync, readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { newFoldSet } from "../engine/runner/fold-set.ts"
import { testChain } from "../test/support/chain-config.ts"
import { tablesNamedIn } from "../test/support/sql-names.ts"
import { allProjections, withUses } from "./all.ts"

const folderOf = (name: string): string => name.replaceAll("_", "-")

/** The sources of a folder, its tests apart. */
const sourcesOf = (folder: string): ReadonlyArray<string> => {
  const place = new URL(`./${folder}/`, import.meta.url)
  return readdirSync(place, { encoding: "utf8" })
    .filter(file => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map(file => readFileSync(new URL(file, place), "utf8"))
}

/** The folders that the code of a folder imports. */
const importedBy = (folder: string): ReadonlyArray<string> => {
  const found = new Set<string>()
  for (const text of sourcesOf(folder)) {
    for (const [, other] of text.matchAll(/from "\.\.\/([\w-]+)\//g)) found.add(other ?? "")
  }
  return [...found].sort()
}

it.each(allProjections.map(({ name, uses }) => ({ name, uses })))(
  "$name declares what it uses, and nothing else",
  ({ name, uses }) => {
    const declared = uses.map(one => folderOf(one.name)).sort()
    expect(declared).toEqual(importedBy(folderOf(name)))
  }
)

it.each(allProjections.map(({ name, tables }) => ({ name, tables })))(
  "$name has a README that names its tables",
  ({ name, tables }) => {
    const readme = readFileSync(new URL(`./${folderOf(name)}/README.md`, import.meta.url), "utf8")
    expect(tables.filter(table => !readme.includes(`\`${table.name}\``))).toEqual([])
  }
)

it.each(allProjections.map(one => ({ name: one.name, one })))(
  "$name folds beside what it uses alone",
  ({ one }) => {
    const folds = newFoldSet(testChain, withUses(one))
    expect(folds.projections).toContain(one)
    const names = folds.tables.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(one.tables.map(({ name }) => name)))
  }
)

it.each(allProjections.map(({ name }) => name))(
  "%s names tables in SQL by their values, which it may import where it uses their projection",
  name => {
    expect(sourcesOf(folderOf(name)).flatMap(tablesNamedIn)).toEqual([])
  }
)

it("finds the tables that SQL names", () => {
  const found = tablesNamedIn("SELECT a FROM tape JOIN (prints_tail) USING (seq)")
  expect(found).toEqual(["tape", "prints"])
  expect(tablesNamedIn('versions("pools", where)')).toEqual(["pools"])
})

it("gives a projection with all that it uses, in the order of the registry", () => {
  const names = withUses({ name: "candles" }).map(({ name }) => name)
  const before = ["coverage", "tokens", "pools", "prices", "tape", "wallets", "markets"]
  expect(names).toEqual([...before, "candles"])
})
