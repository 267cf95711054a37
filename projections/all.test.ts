import { readdirSync, readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { newFoldSet } from "../engine/runner/fold-set.ts"
import { testChain } from "../test/support/chain-config.ts"
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
    expect(folds.tables).toEqual(expect.arrayContaining([...one.tables]))
  }
)

const ownerOf = new Map(
  allProjections.flatMap(({ name, tables }) => tables.map(table => [table.name, name] as const))
)

/** The projections whose tables the SQL of a folder names, with the file that does. */
const namedIn = (folder: string): ReadonlyArray<string> => {
  const found = new Set<string>()
  for (const text of sourcesOf(folder)) {
    for (const [, from, of] of text.matchAll(/(?:FROM|JOIN) (\w+)|versions\(\s*"(\w+)"/g)) {
      const owner = ownerOf.get((from ?? of ?? "").replace(/_tail$/, ""))
      if (owner !== undefined) found.add(owner)
    }
  }
  return [...found].sort()
}

it.each(allProjections.map(({ name, uses }) => ({ name, uses })))(
  "$name reads its own tables and those of what it uses",
  ({ name, uses }) => {
    const allowed = new Set([name, ...uses.map(one => one.name)])
    expect(namedIn(folderOf(name)).filter(owner => !allowed.has(owner))).toEqual([])
  }
)

it("finds the tables that SQL names", () => {
  expect(namedIn("candles")).toEqual(["candles", "pools", "tape"])
})

it("gives a projection with all that it uses, in the order of the registry", () => {
  const names = withUses({ name: "candles" }).map(({ name }) => name)
  expect(names).toEqual(["coverage", "tokens", "pools", "prices", "tape", "candles"])
})
