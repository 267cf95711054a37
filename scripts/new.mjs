import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { editLines, imported, withEntry, withLast, withSorted } from "./new-lines.mjs"
import { problemOfName } from "./new-names.mjs"
import {
  CAPABILITIES,
  CHANGES,
  declaredProblem,
  problemOfRoute,
  registerChange,
  registerGroup
} from "./new-routes.mjs"
import { solanaWords, withDiscriminators, withVenueRow } from "./new-solana.mjs"
import { withWrapped } from "./new-wrap.mjs"
import { SetupError } from "./setup-error.mjs"

/**
 * A working skeleton, and the lists that name it. Each inserts one line of code, in the order of
 * the lines around it.
 *
 * @typedef {object} Kind
 * @property {string} [templates] folder of its templates, where that is not its name
 * @property {(name: string) => string} folder where its files go
 * @property {(name: string, root: string) => Promise<Record<string, string>>} [more] further words
 * @property {(words: Words, root: string) => string | undefined} problem why it cannot be written
 * @property {(words: Words) => string[]} [paths] the paths that it declares
 * @property {string[]} lists the files that list it
 * @property {(words: Words, root: string, more: Record<string, string>) => void} register
 * @property {string} next what to do with it
 * @property {(name: string) => string[]} tests the tests that it must pass, for vitest run by run
 */

/** @typedef {import("./new-names.mjs").Words} Words */

/** A file's path below the root, and its text. @typedef {readonly [string, string]} SkeletonFile */

/** @param {string} name */
const wordsOf = name => {
  const parts = name.split("-")
  const upper = parts.map(part => part.slice(0, 1).toUpperCase() + part.slice(1))
  const [first = "", ...rest] = parts
  return {
    name,
    camel: first + upper.slice(1).join(""),
    pascal: upper.join(""),
    snake: parts.join("_"),
    words: [upper[0], ...rest].join(" "),
    title: upper.join(" ")
  }
}

/** @type {(text: string, words: Words, more: Record<string, string>) => string} */
const filled = (text, words, more) =>
  Object.entries(more)
    .reduce((so, [word, value]) => so.replaceAll(`__${word}__`, value), text)
    .replaceAll("__name__", words.name)
    .replaceAll("__camel__", words.camel)
    .replaceAll("__Pascal__", words.pascal)
    .replaceAll("__snake__", words.snake)
    .replaceAll("__Words__", words.words)
    .replaceAll("__Title__", words.title)

/**
 * The text with the topic of each event, which is the hash of its ABI.
 *
 * @param {string} text
 */
const withTopics = async text => {
  if (!text.includes('topic0: ""')) return text
  const { toEventSelector } = await import("viem")
  return text.replaceAll(
    /abi: "(event .+)",\n( +)topic0: ""/g,
    (_, abi, indent) => `abi: "${abi}",\n${indent}topic0: "${toEventSelector(abi)}"`
  )
}

/** @type {(paths: readonly string[], which: RegExp) => string[]} */
const textsOf = (paths, which) =>
  paths.filter(path => which.test(path)).map(path => readFileSync(path, "utf8"))

/**
 * The file of a projection that has a table or a query of that name; undefined where none has.
 *
 * @type {(root: string, words: Words) => string | undefined}
 */
const namerOf = (root, { snake, camel }) =>
  readdirSync(join(root, "projections"), { recursive: true, encoding: "utf8" })
    .filter(path => /(?<!\.test)\.ts$/.test(path))
    .find(path => {
      const text = readFileSync(join(root, "projections", path), "utf8")
      return text.includes(`name: "${snake}"`) || text.includes(`Query("${camel}"`)
    })

/** What is the same of a route by itself and of a family of a chain. */
const route = {
  folder: (/** @type {string} */ name) => `api/groups/${name}`,
  problem: problemOfRoute,
  lists: ["api/api.ts", "api/handlers.ts", CHANGES],
  next:
    "It asks the query of the projection of its name: make its parameters and answer yours. Write\n" +
    "the typed client anew after each change of its declaration: npm run client.",
  tests: (/** @type {string} */ name) => [
    `api/groups/${name} api/groups/docs api/groups/chains api/mcp api/parameters.test.ts ` +
      "api/entity-tags.test.ts api/groups/changelog client/ " +
      "test/laws/client test/laws/routes test/laws/late-changes"
  ]
}

/** @type {Record<string, Kind>} */
const kinds = {
  projection: {
    folder: name => `projections/${name}`,
    lists: ["projections/all.ts"],
    problem: (words, root) => {
      const namer = namerOf(root, words)
      return namer === undefined
        ? undefined
        : `projections/${namer} has something named ${words.snake} already: choose another name`
    },
    register: ({ name, camel }, root) =>
      editLines(join(root, "projections/all.ts"), lines => {
        const line = `import { ${camel}Projection } from "./${name}/projection.ts"`
        const end = /^\] as ReadonlyArray<Projection>$/
        return withLast(withSorted(lines, line, imported), end, `  ${camel}Projection`)
      }),
    next:
      "It sums the swaps of each day and their dollars: make its table, fold and queries yours, with\n" +
      "the test and the README. projections/README.md tells how.",
    tests: name => [`projections/${name} projections/all.test.ts test/laws/projections`]
  },
  route: {
    ...route,
    paths: ({ name }) => [`/v1/${name}`],
    register: (words, root) => {
      registerGroup(words, root)
      registerChange(`["/v1/${words.name}"]`, words, root)
    }
  },
  "route --chain": {
    ...route,
    lists: [...route.lists, CAPABILITIES],
    templates: "route-chain",
    paths: ({ name }) => [`/v1/arc/${name}`, `/v1/chains/{chain}/${name}`, `/v1/rh/${name}`],
    register: (words, root) => {
      const { name, camel } = words
      registerGroup(words, root)
      registerChange(`family("${name}")`, words, root)
      editLines(join(root, CAPABILITIES), lines =>
        withEntry(lines, "export const CAPABILITIES", `  ${camel}: "${name}"`)
      )
    }
  },
  venue: {
    folder: name => `streams/evm/${name}`,
    lists: ["streams/evm/venue-kinds.ts"],
    problem: () => undefined,
    register: ({ name, camel }, root) =>
      editLines(join(root, "streams/evm/venue-kinds.ts"), lines => {
        const line = `import { ${camel} } from "./${name}/venue.ts"`
        return withLast(withSorted(lines, line, imported), /^\]$/, `  ${camel}`)
      }),
    next:
      "It decodes pairs with a swap, a sync and a creation of its own names: make its events, its\n" +
      "pool and its laws those of the contracts, and add fixtures of real logs (CONTRIBUTING.md).",
    tests: name => [
      `streams/evm/${name} streams/evm/decoder.test.ts engine/trade/route/pool-curves.test.ts`,
      `test/laws/venue -t ${name} --hideSkippedTests`
    ]
  },
  "venue --solana": {
    templates: "venue-solana",
    folder: name => `streams/solana/${name}`,
    more: solanaWords,
    lists: ["streams/solana/venues.ts", "src/domain/chains/solana.ts"],
    problem: () => undefined,
    register: ({ name, camel, snake }, root, { program = "" }) => {
      editLines(join(root, "streams/solana/venues.ts"), lines => {
        const line = `import { ${camel} } from "./${name}/venue.ts"`
        return withLast(withSorted(lines, line, imported), /^\]$/, `  ${camel}`)
      })
      editLines(join(root, "src/domain/chains/solana.ts"), lines =>
        withVenueRow(lines, { id: snake, kind: name, factory: program })
      )
    },
    next:
      "It reads swaps and creations of a program that is made up; its own test lists the places that\n" +
      "are. Make its program, events, accounts and laws those of the IDL (CONTRIBUTING.md), then write\n" +
      "the tables of chains and the client anew: npm run tables, npm run client.",
    tests: () => ["streams/solana src/domain/chains test/solana-folds.test.ts"]
  }
}

/** Letters and digits of a name, dashes among them: lines of code that name it twice fit then. */
const MOST_LETTERS = 28

/** Holds the types, which no test does. */
const TYPES = "npx tsc --noEmit -p ."

/** @param {string} message */
const refused = message => new SetupError(message, "new")

export const NEW_HELP = `Writes a working skeleton with its test, and lists it where it must be listed.

  npm run new -- projection NAME    projections/NAME: a table, a fold, a query
  npm run new -- route NAME         api/groups/NAME: GET /v1/NAME, which asks projections/NAME
  npm run new -- route NAME --chain the same below a chain: GET /v1/chains/{chain}/NAME,
                                    /v1/arc/NAME and /v1/rh/NAME
  npm run new -- venue NAME         streams/evm/NAME: a venue kind, with its laws
  npm run new -- venue NAME --solana
                                    streams/solana/NAME: a venue of Solana, with its laws

NAME is of lower-case words joined by dashes, as in largest-swaps. A word is of letters and
digits; the first begins with a letter; the whole has ${MOST_LETTERS} at most. To undo one, delete its
folder and take its lines out of the files that list it, which are named when it is made.`

/**
 * The files of a skeleton below `root`, with their text.
 *
 * @param {Kind} kind
 * @param {string} templates
 * @param {Words} words
 * @param {Record<string, string>} more
 */
const filesOf = async (kind, templates, words, more) => {
  const { name } = words
  /** @type {SkeletonFile[]} */
  const files = []
  for (const file of readdirSync(templates)) {
    const named = file.replace(/^name\./, `${name}.`).replace(/^readme\./, "README.")
    const text = filled(readFileSync(join(templates, file), "utf8"), words, more)
    const path = `${kind.folder(name)}/${named.replace(/\.txt$/, "")}`
    const whole = withDiscriminators(await withTopics(text))
    files.push([path, path.endsWith(".ts") ? withWrapped(whole) : whole])
  }
  return files
}

/**
 * Writes the files and the lines that list them, or nothing.
 *
 * @type {(root: string, kind: Kind, words: Words, more: Record<string, string>,
 *   files: readonly SkeletonFile[]) => void}
 */
const writeAll = (root, kind, words, more, files) => {
  const folder = kind.folder(words.name)
  const before = kind.lists
    .map(path => join(root, path))
    .filter(path => existsSync(path))
    .map(path => /** @type {const} */ ([path, readFileSync(path, "utf8")]))
  try {
    mkdirSync(join(root, folder), { recursive: true })
    for (const [path, text] of files) writeFileSync(join(root, path), text)
    kind.register(words, root, more)
    // lines break where the name ends
    const biome = join(root, "node_modules/@biomejs/biome/bin/biome")
    if (!existsSync(biome)) return
    const run = [biome, "check", "--write", folder, ...kind.lists]
    const { status, stderr } = spawnSync(process.execPath, run, { cwd: root, encoding: "utf8" })
    if (status !== 0) throw new Error(`biome refuses what ${words.name} makes of it:\n${stderr}`)
  } catch (error) {
    rmSync(join(root, folder), { recursive: true, force: true })
    for (const [path, text] of before) writeFileSync(path, text)
    throw refused(`nothing is written: ${error instanceof Error ? error.message : error}`)
  }
}

/** The folder of a kind's templates. @type {(kindName: string) => string} */
const templatesOf = kindName =>
  join(import.meta.dirname, "new", kinds[kindName]?.templates ?? kindName)

/**
 * Why what is written or declared of a kind cannot be called so.
 *
 * @type {(kindName: string, words: Words, root: string) => string | undefined}
 */
const problemOfCalls = (kindName, words, root) => {
  const kind = kinds[kindName]
  const templates = templatesOf(kindName)
  const paths = readdirSync(templates).map(file => join(templates, file))
  const lists = (kind?.lists ?? []).map(path => join(root, path))
  return (
    declaredProblem(root, kind?.paths?.(words) ?? []) ??
    problemOfName(words, {
      skeleton: textsOf(paths, /\.ts\.txt$/),
      lists: textsOf(lists, /\.ts$/),
      isTable: kindName === "projection"
    })
  )
}

/**
 * Why a skeleton cannot be written; undefined where it can.
 *
 * @type {(kindName: string, words: Words, root: string) => string | undefined}
 */
const problemOf = (kindName, words, root) => {
  const folder = kinds[kindName]?.folder(words.name) ?? ""
  return existsSync(join(root, folder))
    ? `${folder} is there already`
    : (kinds[kindName]?.problem(words, root) ?? problemOfCalls(kindName, words, root))
}

/**
 * Why no route could be called as the projection that it asks; undefined where one could.
 *
 * @type {(words: Words, root: string) => string | undefined}
 */
const problemOfItsRoutes = (words, root) => {
  const folder = route.folder(words.name)
  const problems = ["route", "route --chain"].map(kindName =>
    existsSync(join(root, folder))
      ? `${folder} is there already`
      : problemOfCalls(kindName, words, root)
  )
  return problems.includes(undefined)
    ? undefined
    : `no route could be called as the projection that it asks: ${problems[0]}`
}

/**
 * Writes the skeleton of a kind below `root`, or nothing. Answers what it wrote, one line each.
 *
 * @param {string} root
 * @param {readonly string[]} args kind and name, `--chain` of a route, `--solana` of a venue
 * @returns {Promise<string[]>}
 */
export const makeNew = async (root, args) => {
  const options = args.filter(word => word.startsWith("-"))
  const [first = "", name = "", ...rest] = args.filter(word => !word.startsWith("-"))
  const kindName = [first, ...options].join(" ")
  const kind = Object.hasOwn(kinds, kindName) ? kinds[kindName] : undefined
  if (kind === undefined || name === "" || rest.length > 0) {
    throw refused(
      "takes a kind (projection, route or venue) and a name: npm run new -- --help tells more"
    )
  }
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    throw refused(
      `${name}: a name is of lower-case words joined by dashes, each of letters and digits, and ` +
        "begins with a letter"
    )
  }
  if (name.length > MOST_LETTERS) {
    throw refused(`${name}: a name has ${MOST_LETTERS} letters at most, or lines of code break`)
  }
  const words = wordsOf(name)
  const problem =
    problemOf(kindName, words, root) ??
    (kindName === "projection" ? problemOfItsRoutes(words, root) : undefined)
  if (problem !== undefined) throw refused(problem)
  const more = (await kind.more?.(name, root)) ?? {}
  const files = await filesOf(kind, templatesOf(kindName), words, more)
  writeAll(root, kind, words, more, files)
  const written = files.map(([path]) => path)
  const vitest = [...kind.tests(name), "test/tidy"].map(paths => `npx vitest run ${paths}`)
  const undo = `To undo it: rm -r ${kind.folder(name)}, take its lines out of ${kind.lists.join(", ")} again`
  const client = first === "route" ? ", then npm run client." : "."
  return [...written, kind.next, `${undo}${client}`, "Its tests:", TYPES, ...vitest]
}
