import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { SetupError } from "./setup-error.mjs"

/**
 * A working skeleton, and the lists that name it. Each inserts one line of code, in the order of
 * the lines around it.
 *
 * @typedef {object} Kind
 * @property {string} [templates] folder of its templates, where that is not its name
 * @property {(name: string) => string} folder where its files go
 * @property {(words: Words, root: string) => string | undefined} problem why it cannot be written
 * @property {(words: Words, root: string) => void} register
 * @property {string} next what to do with it
 */

/**
 * A name as it stands in code, in tables and in titles.
 *
 * @typedef {Record<"name" | "camel" | "pascal" | "snake" | "words" | "title", string>} Words
 */

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

/** @type {(text: string, words: Words) => string} */
const filled = (text, words) =>
  text
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

/** @type {(path: string, edit: (lines: string[]) => string[]) => void} */
const editLines = (path, edit) => {
  writeFileSync(path, edit(readFileSync(path, "utf8").split("\n")).join("\n"))
}

/**
 * The lines with another, before the first of its sort that comes after it in `key`'s order.
 *
 * @param {string[]} lines
 * @param {string} line
 * @param {(line: string) => string | undefined} key undefined for lines of another sort
 */
const withSorted = (lines, line, key) => {
  const own = key(line) ?? ""
  const sort = lines.map(key)
  let at = sort.findIndex(other => other !== undefined && other > own)
  if (at < 0) at = sort.findLastIndex(other => other !== undefined) + 1
  return lines.toSpliced(at, 0, line)
}

/**
 * The lines of a list of values with another: all of them but the last end with a comma.
 *
 * @type {(lines: string[], value: string, key: (line: string) => string | undefined) => string[]}
 */
const withValue = (lines, value, key) => {
  const more = withSorted(lines, value, key)
  const last = more.findLastIndex(line => key(line) !== undefined)
  return more.map((line, at) =>
    key(line) === undefined ? line : `${line.replace(/,$/, "")}${at === last ? "" : ","}`
  )
}

/** The module that a line imports from a folder below. @param {string} line */
const imported = line => /^import \{ \w+ \} from "(\.\/.+)"$/.exec(line)?.[1]

/** @type {(lines: string[], last: RegExp, line: string) => string[]} */
const withLast = (lines, last, line) => {
  const at = lines.findIndex(one => last.test(one))
  if (at < 1) throw new Error(`no line matches ${last}`)
  return lines.toSpliced(at - 1, 1, `${lines[at - 1]},`, line)
}

/**
 * The lines with another at the end of the object that `begin` begins.
 *
 * @type {(lines: string[], begin: string, line: string) => string[]}
 */
const withEntry = (lines, begin, line) => {
  const at = lines.findIndex(one => one.startsWith(begin))
  if (at < 0) throw new Error(`no line begins with ${begin}`)
  return [...lines.slice(0, at), ...withLast(lines.slice(at), /^\}$/, line)]
}

/** An entry of the table of tools: a family breaks where it is longer than a line may be. */
/** @type {(tool: string, of: readonly string[]) => string} */
const familyEntry = (tool, of) => {
  const line = `  ${tool}: { ${of.join(", ")} }`
  return line.length < 100 ? line : `  ${tool}: {\n    ${of.join(",\n    ")}\n  }`
}

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

/** The name of a route's tool for agents, less its prefix. @param {string} name */
const toolOf = name => name.replaceAll("-", "_")

/** @type {(words: Words) => string[]} */
const familyPaths = ({ name }) => [
  `/v1/arc/${name}`,
  `/v1/chains/{chain}/${name}`,
  `/v1/rh/${name}`
]

const PATHS = "api/groups/docs/docs.test.ts"

/** @type {(words: Words, root: string, paths: readonly string[]) => string | undefined} */
const problemOfRoute = ({ name }, root, paths) => {
  if (!existsSync(join(root, `projections/${name}/queries.ts`))) {
    return `projections/${name}/queries.ts is not there: npm run new -- projection ${name} makes it`
  }
  if (!/^[a-z_]{3,20}$/.test(toolOf(name))) {
    return `${name}: a route is a tool for agents too, whose name has 3 to 20 letters and no digits`
  }
  const text = readFileSync(join(root, PATHS), "utf8")
  const declared = paths.find(path => text.includes(`"${path}"`))
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

/** @type {(paths: readonly string[], root: string) => void} */
const registerPaths = (paths, root) => {
  for (const path of paths) {
    editLines(join(root, PATHS), lines =>
      withValue(lines, `  "${path}"`, line => /^ {2}"(\/v1\/.*)",?$/.exec(line)?.[1])
    )
  }
}

/** @type {(entry: string, root: string) => void} */
const registerTool = (entry, root) =>
  editLines(join(root, "api/mcp/tool-table.ts"), lines =>
    withEntry(lines, "export const TOOLS", entry)
  )

/** What is the same of a route by itself and of a family of a chain. */
const route = {
  folder: (/** @type {string} */ name) => `api/groups/${name}`,
  next: "It asks the query of the projection of its name: make its parameters and answer yours."
}

/** @type {Record<string, Kind>} */
const kinds = {
  projection: {
    folder: name => `projections/${name}`,
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
      "the test and the README. projections/README.md tells how."
  },
  route: {
    ...route,
    problem: (words, root) => problemOfRoute(words, root, [`/v1/${words.name}`]),
    register: (words, root) => {
      const { name, camel } = words
      registerGroup(words, root)
      registerPaths([`/v1/${name}`], root)
      registerTool(`  ${toolOf(name)}: "${camel}.${camel}"`, root)
    }
  },
  "route --chain": {
    ...route,
    templates: "route-chain",
    problem: (words, root) => problemOfRoute(words, root, familyPaths(words)),
    register: (words, root) => {
      const { name, camel, pascal } = words
      registerGroup(words, root)
      registerPaths(familyPaths(words), root)
      const of = [
        `arc: "${camel}.arc${pascal}"`,
        `rh: "${camel}.rh${pascal}"`,
        `keyed: "${camel}.chain${pascal}"`
      ]
      registerTool(familyEntry(toolOf(name), of), root)
      editLines(join(root, "api/groups/chains/capabilities.ts"), lines =>
        withEntry(lines, "export const CAPABILITIES", `  ${camel}: "${name}"`)
      )
    }
  },
  venue: {
    folder: name => `streams/evm/${name}`,
    problem: () => undefined,
    register: ({ name, camel }, root) =>
      editLines(join(root, "streams/evm/venue-kinds.ts"), lines => {
        const line = `import { ${camel} } from "./${name}/venue.ts"`
        return withLast(withSorted(lines, line, imported), /^\]$/, `  ${camel}`)
      }),
    next:
      "It decodes pairs with a swap, a sync and a creation of its own names: make its events, its\n" +
      "pool and its laws those of the contracts, and add fixtures of real logs (CONTRIBUTING.md).\n" +
      "npx vitest run test/laws/venue runs the laws of all kinds, with -t NAME those of one."
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

NAME is of lower-case words joined by dashes, as in largest-trades. A word is of letters and
digits; the first begins with a letter.`

/**
 * Writes the skeleton of a kind below `root`. Answers what it wrote, one line each.
 *
 * @param {string} root
 * @param {readonly string[]} args kind and name, and `--chain` of a route
 * @returns {Promise<string[]>}
 */
export const makeNew = async (root, args) => {
  const options = args.filter(word => word.startsWith("-"))
  const [first = "", name = "", ...rest] = args.filter(word => !word.startsWith("-"))
  const kindName = [first, ...options].join(" ")
  const kind = Object.hasOwn(kinds, kindName) ? kinds[kindName] : undefined
  if (kind === undefined || name === "" || rest.length > 0) {
    throw refused("takes a kind and a name: npm run new -- --help tells more")
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
  const problem = kind.problem(words, root)
  if (problem !== undefined) throw refused(problem)
  const templates = join(import.meta.dirname, "new", kind.templates ?? kindName)
  mkdirSync(join(root, folder), { recursive: true })
  const written = []
  for (const file of readdirSync(templates)) {
    const named = file.replace(/^name\./, `${name}.`).replace(/^readme\./, "README.")
    const path = `${folder}/${named.replace(/\.txt$/, "")}`
    const text = filled(readFileSync(join(templates, file), "utf8"), words)
    writeFileSync(join(root, path), await withTopics(text))
    written.push(path)
  }
  kind.register(words, root)
  // lines break where the name ends
  const biome = join(root, "node_modules/@biomejs/biome/bin/biome")
  if (existsSync(biome)) {
    execFileSync(process.execPath, [biome, "check", "--write", folder], {
      cwd: root,
      stdio: "pipe"
    })
  }
  return [...written, kind.next, `npx vitest run ${folder} runs its test.`]
}
