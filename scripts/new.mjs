import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { editLines, imported, withEntry, withLast, withSorted } from "./new-lines.mjs"
import { problemOfName } from "./new-names.mjs"
import { solanaWords, withDiscriminators, withVenueRow } from "./new-solana.mjs"
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
 * @property {string[]} lists the files that list it
 * @property {(words: Words, root: string, more: Record<string, string>) => void} register
 * @property {string} next what to do with it
 * @property {(name: string) => string[]} tests the tests that it must pass, for vitest run by run
 */

/**
 * A name as it stands in code, in tables and in titles.
 *
 * @typedef {Record<"name" | "camel" | "pascal" | "snake" | "words" | "title", string>} Words
 */

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

/** @type {(words: Words) => string[]} */
const familyPaths = ({ name }) => [
  `/v1/arc/${name}`,
  `/v1/chains/{chain}/${name}`,
  `/v1/rh/${name}`
]

/** The contract's paths, as `npm run client` wrote them. */
const PATHS = "client/generated/routes.js"
const CAPABILITIES = "api/groups/chains/capabilities.ts"
const CHANGES = "api/groups/changelog/contract-changes.ts"

/** @type {(words: Words, root: string, paths: readonly string[]) => string | undefined} */
const problemOfRoute = ({ name, camel, snake }, root, paths) => {
  const queries = `projections/${name}/queries.ts`
  if (!existsSync(join(root, queries))) {
    return `${queries} is not there: npm run new -- projection ${name} makes it`
  }
  if (!readFileSync(join(root, queries), "utf8").includes(`export const ${camel} = `)) {
    return (
      `${queries} has no query ${camel}, which the route would ask: write it there, or the route ` +
      "by hand (CONTRIBUTING.md)"
    )
  }
  if (!/^[a-z_]{3,20}$/.test(snake)) {
    return `${name}: a route is a tool for agents too, whose name has 3 to 20 letters and no digits`
  }
  const text = readFileSync(join(root, PATHS), "utf8")
  const declared = paths.find(path => text.includes(`path: "${path}"`))
  return declared === undefined ? undefined : `${declared} is declared already: choose another name`
}

/** @type {(words: Words, root: string) => void} */
const registerGroup = ({ name, pascal }, root) => {
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
const registerChange = (routes, { words }, root) =>
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

/** What is the same of a route by itself and of a family of a chain. */
const route = {
  folder: (/** @type {string} */ name) => `api/groups/${name}`,
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
    problem: (words, root) => problemOfRoute(words, root, [`/v1/${words.name}`]),
    register: (words, root) => {
      registerGroup(words, root)
      registerChange(`["/v1/${words.name}"]`, words, root)
    }
  },
  "route --chain": {
    ...route,
    lists: [...route.lists, CAPABILITIES],
    templates: "route-chain",
    problem: (words, root) => problemOfRoute(words, root, familyPaths(words)),
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
digits; the first begins with a letter. To undo one, delete its folder and take its lines out of the
files that list it, which are named when it is made.`

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
    const whole = withDiscriminators(await withTopics(text))
    files.push([`${kind.folder(name)}/${named.replace(/\.txt$/, "")}`, whole])
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
    const run = [biome, "check", "--write", folder]
    const { status, stderr } = spawnSync(process.execPath, run, { cwd: root, encoding: "utf8" })
    if (status !== 0) throw new Error(`biome refuses what ${words.name} makes of it:\n${stderr}`)
  } catch (error) {
    rmSync(join(root, folder), { recursive: true, force: true })
    for (const [path, text] of before) writeFileSync(path, text)
    throw refused(`nothing is written: ${error instanceof Error ? error.message : error}`)
  }
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
  const folder = kind.folder(name)
  if (existsSync(join(root, folder))) throw refused(`${folder} is there already`)
  const words = wordsOf(name)
  const templates = join(import.meta.dirname, "new", kind.templates ?? kindName)
  const texts = {
    skeleton: textsOf(
      readdirSync(templates).map(file => join(templates, file)),
      /\.ts\.txt$/
    ),
    lists: textsOf(
      kind.lists.map(path => join(root, path)),
      /\.ts$/
    ),
    isTable: kindName === "projection"
  }
  const problem = kind.problem(words, root) ?? problemOfName(words, texts)
  if (problem !== undefined) throw refused(problem)
  const more = (await kind.more?.(name, root)) ?? {}
  const files = await filesOf(kind, templates, words, more)
  writeAll(root, kind, words, more, files)
  const written = files.map(([path]) => path)
  const tests = [...kind.tests(name), "test/tidy"].map(paths => `npx vitest run ${paths}`)
  const undo = `To undo it: rm -r ${folder}, take its lines out of ${kind.lists.join(", ")} again`
  const client = first === "route" ? ", then npm run client." : "."
  return [...written, kind.next, `${undo}${client}`, "Its tests:", ...tests]
}
