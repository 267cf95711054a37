/** The pages declare what they read, and lead a lane's thread to nothing else. */
import { readFileSync } from "node:fs"
import { posix } from "node:path"
import { expect, it } from "vitest"
import { allProjections } from "../projections/all.ts"
import { tablesNamedIn } from "../test/support/sql-names.ts"
import { allPages } from "./queries.ts"

const root = new URL("../", import.meta.url)

/** The text of a file of the repository. */
const textOf = (path: string): string => readFileSync(new URL(path, root), "utf8")

/** The files that a file imports, types too. */
const importsOf = (path: string): ReadonlyArray<string> =>
  [...textOf(path).matchAll(/from "(\.{1,2}\/[^"]+)"/g)].map(([, to]) =>
    posix.join(posix.dirname(path), to ?? "")
  )

/** These files and those under `api` that they lead to. */
const reachedFrom = (paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  const reached = new Set(paths)
  for (const path of reached) {
    for (const to of importsOf(path)) if (to.startsWith("api/")) reached.add(to)
  }
  return [...reached]
}

const registered = importsOf("api/queries.ts").filter(path => path.startsWith("api/groups/"))

/** The files of a page's queries and frames, and what they share with others. */
const sourcesOf = (page: string): ReadonlyArray<string> =>
  reachedFrom(registered.filter(path => path.startsWith(`api/groups/${page}/`)))

const folderOf = (name: string): string => name.replaceAll("_", "-")

const named = allPages.map(page => ({ name: page.name, page }))

it.each(named)("$name declares the projections that it reads, and no others", ({ page }) => {
  const folders = sourcesOf(page.name)
    .flatMap(importsOf)
    .flatMap(path => /^projections\/([\w-]+)\//.exec(path)?.[1] ?? [])
  const declared = page.uses.map(({ name }) => folderOf(name))
  expect(declared.toSorted()).toEqual([...new Set(folders)].sort())
})

it("names tables through their values alone, so that their projections are declared", () => {
  const reached = reachedFrom(["api/queries.ts"])
  expect(
    reached.flatMap(path => tablesNamedIn(textOf(path)).map(table => `${path}: ${table}`))
  ).toEqual([])
})

it("names each query once, of pages and projections", () => {
  const names = [...allProjections, ...allPages].flatMap(({ queries }) =>
    queries.map(one => one.name)
  )
  expect(names.toSorted()).toEqual([...new Set(names)].sort())
})

it("leads to no declaration, no handlers and no schema", () => {
  const reached = reachedFrom(["api/queries.ts"])
  expect(reached.length).toBeGreaterThan(allPages.length)
  const isOfServer = (path: string): boolean =>
    /\.(api|handlers|routes)\.ts$/.test(path) || /from "effect\/http-api"/.test(textOf(path))
  expect(reached.filter(isOfServer)).toEqual([])
})
