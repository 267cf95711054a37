/** What a route's skeleton asks for and is listed in. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { editLines, imported, withLast, withSorted } from "./new-lines.mjs"

/** @typedef {import("./new-names.mjs").Words} Words */

/** The contract's paths, as `npm run client` wrote them. */
const PATHS = "client/generated/routes.js"
export const CAPABILITIES = "api/groups/chains/capabilities.ts"
export const CHANGES = "api/groups/changelog/contract-changes.ts"

/**
 * Why paths cannot be declared; undefined where they can.
 *
 * @type {(root: string, paths: readonly string[]) => string | undefined}
 */
export const declaredProblem = (root, paths) => {
  const text = readFileSync(join(root, PATHS), "utf8")
  const declared = paths.find(path => text.includes(`path: "${path}"`))
  return declared === undefined ? undefined : `${declared} is declared already: choose another name`
}

/** @type {(words: Words, root: string) => string | undefined} */
export const problemOfRoute = ({ name, camel }, root) => {
  const queries = `projections/${name}/queries.ts`
  if (!existsSync(join(root, queries))) {
    return `${queries} is not there: npm run new -- projection ${name} makes it`
  }
  return readFileSync(join(root, queries), "utf8").includes(`export const ${camel} =`)
    ? undefined
    : `${queries} has no query ${camel}, which the route would ask: write it there, or the route ` +
        "by hand (CONTRIBUTING.md)"
}

/** @type {(words: Words, root: string) => void} */
export const registerGroup = ({ name, pascal }, root) => {
  editLines(join(root, "api/api.ts"), lines => {
    const line = `import { ${pascal}Api } from "./groups/${name}/${name}.api.ts"`
    return withLast(withSorted(lines, line, imported), /^ {2}\)$/, `    ${pascal}Api.prefix("/v1")`)
  })
  editLines(join(root, "api/handlers.ts"), lines => {
    const line = `import { ${pascal}Handlers } from "./groups/${name}/${name}.handlers.ts"`
    return withLast(withSorted(lines, line, imported), /^\)$/, `  ${pascal}Handlers`)
  })
}

/**
 * Tells of the new routes among the changes of the contract, under the present day.
 *
 * @type {(routes: string, words: Words, root: string) => void}
 */
export const registerChange = (routes, { words }, root) =>
  editLines(join(root, CHANGES), lines => {
    const at = lines.findIndex(line => line.startsWith("export const CONTRACT_DAYS")) + 1
    if (at < 1) throw new Error(`${CHANGES} has no list of days`)
    const date = `    date: "${new Date().toISOString().slice(0, 10)}",`
    const fields = ['kind: "added",', `routes: ${routes},`, `text: "${words}."`]
    const change = ["      {", ...fields.map(field => `        ${field}`), "      }"]
    const isToday = lines[at + 1] === date
    return isToday
      ? lines.toSpliced(at + 3, 0, ...change.slice(0, -1), "      },")
      : lines.toSpliced(at, 0, "  {", date, "    changes: [", ...change, "    ]", "  },")
  })
