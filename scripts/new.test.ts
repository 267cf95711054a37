import { execFileSync, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DuckDBInstance } from "@duckdb/node-api"
import { toEventSelector } from "viem"
import { afterAll, expect, it } from "vitest"
import { SQL_WORDS } from "../engine/store/sql-words.mjs"
import { solanaVenues } from "../streams/solana/venues.ts"
import { LISTS, LONGEST, layListed, repository } from "../test/support/skeleton-root.ts"
import { makeNew } from "./new.mjs"

const isLong = process.env["SWAPTAPE_LONG"] === "1"
const root = mkdtempSync(join(tmpdir(), "new-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const VENUES = "streams/evm/venue-kinds.ts"
const OF_SOLANA = ["streams/solana/venues.ts", "src/domain/chains/solana.ts"] as const
const NAMED = ["projections/markets/tables.ts", "projections/tape/queries.ts"]
layListed(root)
for (const path of NAMED) cpSync(join(repository, path), join(root, path))

/** Another root. */
const rootOf = (name: string): string => layListed(join(root, name))

/** The lines that a list has, and the repository's has not. */
const added = (path: string, at = root): ReadonlyArray<string> => {
  const before = new Set(readFileSync(join(repository, path), "utf8").split("\n"))
  const lines = readFileSync(join(at, path), "utf8").split("\n")
  // the day on which the test runs aside
  const isOwn = (line: string) => !/^ {4}date: "/.test(line)
  return lines.filter(
    line => ![line, line.replace(/,$/, "")].some(one => before.has(one)) && isOwn(line)
  )
}

it("writes a projection and its route, and names them where they are listed", async () => {
  const made = [
    ...(await makeNew(root, ["projection", "swap-days"])),
    ...(await makeNew(root, ["route", "swap-days"]))
  ]
  const files = made.filter(line => existsSync(join(root, line)))
  expect(files.sort()).toEqual([
    "api/groups/swap-days/swap-days.api.ts",
    "api/groups/swap-days/swap-days.handlers.ts",
    "api/groups/swap-days/swap-days.test.ts",
    "projections/swap-days/README.md",
    "projections/swap-days/output.ts",
    "projections/swap-days/projection.ts",
    "projections/swap-days/queries.ts",
    "projections/swap-days/swap-days.test.ts"
  ])
  for (const file of files) expect(readFileSync(join(root, file), "utf8")).not.toContain("__")
  expect(LISTS.map(path => added(path))).toEqual([
    ['import { swapDaysProjection } from "./swap-days/projection.ts"', "  swapDaysProjection"],
    [
      'import { SwapDaysApi } from "./groups/swap-days/swap-days.api.ts"',
      '    SwapDaysApi.prefix("/v1")'
    ],
    [
      'import { SwapDaysHandlers } from "./groups/swap-days/swap-days.handlers.ts"',
      "  SwapDaysHandlers"
    ],
    [],
    ['        routes: ["/v1/swap-days"],', '        text: "Swap days."']
  ])
})

it("writes a route below a chain as a family, and names it as one", async () => {
  const at = rootOf("family")
  await makeNew(at, ["projection", "swap-days"])
  const made = await makeNew(at, ["route", "swap-days", "--chain"])
  expect(made.filter(line => existsSync(join(at, line))).sort()).toEqual([
    "api/groups/swap-days/swap-days.api.ts",
    "api/groups/swap-days/swap-days.handlers.ts",
    "api/groups/swap-days/swap-days.test.ts"
  ])
  expect(made.find(line => line.startsWith("To undo it: "))).toBe(
    "To undo it: rm -r api/groups/swap-days, take its lines out of api/api.ts, api/handlers.ts, " +
      "api/groups/changelog/contract-changes.ts, api/groups/chains/capabilities.ts again, " +
      "then npm run client."
  )
  expect(LISTS.slice(3).map(path => added(path, at))).toEqual([
    ['  swapDays: "swap-days"'],
    ['        routes: family("swap-days"),', '        text: "Swap days."']
  ])
})

it("writes a venue kind with the topics of its events, and lists it", async () => {
  const made = await makeNew(root, ["venue", "my-pairs"])
  expect(made).toContain(
    "To undo it: rm -r streams/evm/my-pairs, take its lines out of " +
      "streams/evm/venue-kinds.ts again."
  )
  expect(made.filter(line => existsSync(join(root, line))).sort()).toEqual([
    "streams/evm/my-pairs/README.md",
    "streams/evm/my-pairs/decode.ts",
    "streams/evm/my-pairs/my-pairs.laws.ts",
    "streams/evm/my-pairs/my-pairs.test.ts",
    "streams/evm/my-pairs/pool.ts",
    "streams/evm/my-pairs/venue.ts"
  ])
  const topics = readFileSync(join(root, "streams/evm/my-pairs/decode.ts"), "utf8").matchAll(
    /abi: "(event .+)",\n +topic0: "(.*)"/g
  )
  const told = [...topics].map(([, abi, topic0]) => ({ abi: abi ?? "", topic0 }))
  expect(told.map(({ topic0 }) => topic0)).toEqual(told.map(({ abi }) => toEventSelector(abi)))
  expect(told.length).toBe(3)
  expect(added(VENUES)).toEqual(['import { myPairs } from "./my-pairs/venue.ts"', "  myPairs"])
})

it("writes a venue of Solana with a number, discriminators and a program, and lists it", async () => {
  const made = await makeNew(root, ["venue", "my-curves", "--solana"])
  expect(made.filter(line => existsSync(join(root, line))).sort()).toEqual([
    "streams/solana/my-curves/README.md",
    "streams/solana/my-curves/my-curves.laws.ts",
    "streams/solana/my-curves/my-curves.test.ts",
    "streams/solana/my-curves/venue.ts"
  ])
  const venue = readFileSync(join(root, "streams/solana/my-curves/venue.ts"), "utf8")
  const swap = createHash("sha256").update("event:SwapEvent").digest("hex").slice(0, 16)
  expect(venue).toContain(`"${swap}": { name: "SwapEvent"`)
  const creation = createHash("sha256").update("global:create_pool").digest("hex").slice(0, 16)
  expect(venue).toContain(`"${creation}": { name: "create_pool"`)
  expect(venue).toContain(`number: ${solanaVenues.length + 1},`)
  const program = /program: "(\w+)"/.exec(venue)?.[1]
  expect(OF_SOLANA.map(path => added(path))).toEqual([
    ['import { myCurves } from "./my-curves/venue.ts"', "  myCurves"],
    ['      id: "my_curves",', '      kind: "my-curves",', `      factory: "${program}"`]
  ])
})

it("refuses a route whose path is declared", async () => {
  await makeNew(root, ["projection", "overview"])
  await expect(makeNew(root, ["route", "overview", "--chain"])).rejects.toThrow(
    "/v1/arc/overview is declared already: choose another name"
  )
})

it.each(["top10-swaps", "largest-swaps-of-the-day", "q", LONGEST])(
  "takes %s for a route, as it does for the projection that it asks",
  async name => {
    const at = rootOf("same")
    await makeNew(at, ["projection", name])
    const made = await makeNew(at, ["route", name])
    expect(made).toContain(`api/groups/${name}/${name}.api.ts`)
    expect(existsSync(join(at, `api/groups/${name}/${name}.api.ts`))).toBe(true)
  }
)

it.each([
  ["lanes", "lanes: the skeleton calls something else lanes. Choose another name, as of two words"],
  ["status", "/v1/status is declared already: choose another name"]
])("refuses a projection that no route could be called as: %s", async (name, reason) => {
  const at = rootOf("none")
  await expect(makeNew(at, ["projection", name])).rejects.toThrow(
    `no route could be called as the projection that it asks: ${reason}`
  )
  expect(existsSync(join(at, `projections/${name}`))).toBe(false)
})

it.each([
  [["projection", "swap-days"], "projections/swap-days is there already"],
  [
    ["route", "other"],
    "projections/other/queries.ts is not there: npm run new -- projection other makes it"
  ],
  [
    ["projection", "Swap"],
    "Swap: a name is of lower-case words joined by dashes, each of letters and digits, and begins with a letter"
  ],
  [
    ["projection", `${LONGEST}s`],
    `${LONGEST}s: a name has 28 letters at most, or lines of code break`
  ],
  [
    ["projection", "listings"],
    "projections/markets/tables.ts has something named listings already: choose another name"
  ],
  [
    ["projection", "order"],
    "order: order is a word of SQL, and the table would be called so. Choose another name, as of two words"
  ],
  [
    ["projection", "delete"],
    "delete: delete is a word of JavaScript, and the code would be called so. Choose another name, as of two words"
  ],
  [
    ["projection", "constructor"],
    "constructor: constructor is what JavaScript calls something itself. Choose another name, as of two words"
  ],
  [
    ["projection", "days"],
    "days: the skeleton calls something else days. Choose another name, as of two words"
  ],
  [
    ["venue", "venue-kinds"],
    "venue-kinds: the skeleton calls something else venueKinds. Choose another name, as of two words"
  ],
  [
    ["route", "tape"],
    "projections/tape/queries.ts has no query tape, which the route would ask: write it there, or the route by hand (CONTRIBUTING.md)"
  ],
  [
    ["toString", "swaps"],
    "takes a kind (projection, route or venue) and a name: npm run new -- --help tells more"
  ],
  [
    ["projection", "swaps", "--chain"],
    "takes a kind (projection, route or venue) and a name: npm run new -- --help tells more"
  ],
  [
    ["projection"],
    "takes a kind (projection, route or venue) and a name: npm run new -- --help tells more"
  ]
] as const)("refuses %j", async (args, message) => {
  await expect(makeNew(root, args)).rejects.toThrow(message)
})

it("knows the words that DuckDB takes for no table's name, nor a column's", async () => {
  const connection = await (await DuckDBInstance.create()).connect()
  const words = await connection.runAndReadAll(
    "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category IN ('reserved', 'type_function')"
  )
  expect([...SQL_WORDS].sort()).toEqual(words.getRows().flat().sort())
  connection.closeSync()
})

it("leaves nothing where a list cannot be written", async () => {
  const at = rootOf("broken")
  await makeNew(at, ["projection", "swap-days"])
  const changes = join(at, "api/groups/changelog/contract-changes.ts")
  writeFileSync(changes, "// no days\n")
  await expect(makeNew(at, ["route", "swap-days"])).rejects.toThrow(
    "nothing is written: api/groups/changelog/contract-changes.ts has no list of days"
  )
  expect(existsSync(join(at, "api/groups/swap-days"))).toBe(false)
  expect(LISTS.slice(1, 3).map(path => added(path, at))).toEqual([[], []])
  expect(readFileSync(changes, "utf8")).toBe("// no days\n")
})

it("says which tests what it wrote must pass", async () => {
  const at = rootOf("tests")
  const tests = async (...args: ReadonlyArray<string>) => {
    const told = await makeNew(at, args)
    return told.slice(told.indexOf("Its tests:") + 1)
  }
  expect(await tests("projection", "swap-days")).toEqual([
    "npx tsc --noEmit -p .",
    "npx vitest run projections/swap-days projections/all.test.ts test/laws/projections",
    "npx vitest run test/tidy"
  ])
  expect(await tests("route", "swap-days")).toEqual([
    "npx tsc --noEmit -p .",
    "npx vitest run api/groups/swap-days api/groups/docs api/groups/chains api/mcp " +
      "api/parameters.test.ts api/entity-tags.test.ts api/groups/changelog client/ test/laws/client test/laws/routes test/laws/late-changes",
    "npx vitest run test/tidy"
  ])
  expect(await tests("venue", "my-pairs")).toEqual([
    "npx tsc --noEmit -p .",
    "npx vitest run streams/evm/my-pairs streams/evm/decoder.test.ts " +
      "engine/trade/route/pool-curves.test.ts",
    "npx vitest run test/laws/venue -t my-pairs --hideSkippedTests",
    "npx vitest run test/tidy"
  ])
})

it.skipIf(!isLong)("writes what the checks and its own tests pass", async () => {
  const clone = join(root, "clone")
  execFileSync("git", ["clone", "-q", repository, clone])
  symlinkSync(join(repository, "node_modules"), join(clone, "node_modules"))
  appendFileSync(join(clone, ".git/info/exclude"), "node_modules\n")
  await makeNew(clone, ["projection", "swap-days"])
  await makeNew(clone, ["route", "swap-days"])
  await makeNew(clone, ["projection", "more-days"])
  await makeNew(clone, ["route", "more-days", "--chain"])
  await makeNew(clone, ["projection", "top10-swaps"])
  await makeNew(clone, ["route", "top10-swaps"])
  await makeNew(clone, ["projection", LONGEST])
  await makeNew(clone, ["route", LONGEST, "--chain"])
  await makeNew(clone, ["venue", "my-pairs"])
  // another name than the route's: no file beside it may name a venue kind
  const longVenue = LONGEST.replace("x", "y")
  await makeNew(clone, ["venue", longVenue])
  await makeNew(clone, ["venue", "my-curves", "--solana"])
  execFileSync("git", ["-C", clone, "add", "-A"])
  const run = (...args: ReadonlyArray<string>) => {
    const { status, stdout } = spawnSync(process.execPath, args, { cwd: clone, encoding: "utf8" })
    expect(status, stdout).toBe(0)
  }
  run("node_modules/@biomejs/biome/bin/biome", "ci", ".")
  run("node_modules/typescript/bin/tsc", "--noEmit", "-p", ".")
  run(
    "node_modules/vitest/vitest.mjs",
    "run",
    "test/tidy",
    "swap-days",
    "more-days",
    "top10-swaps",
    LONGEST,
    longVenue,
    "projections/all.test.ts",
    "api/groups/docs",
    "api/groups/chains",
    "api/groups/changelog",
    "test/laws/routes",
    "api/mcp/mcp.test.ts",
    "my-pairs",
    "test/laws/venue",
    // without the own test of the venue of Solana, which refuses what is made up
    "streams/solana/venue.laws",
    "streams/solana/discriminators",
    "src/domain/chains/registry"
  )
})
