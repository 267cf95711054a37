/** What commands answer to a command line that makes no sense: one line, and nothing is done. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { runProcess } from "../../test/support/engine.ts"
import { temporaryFolder } from "../../test/support/nats.ts"

const folder = temporaryFolder()
afterAll(() => folder.remove())

const data = join(folder.path, "data")
const logs = join(folder.path, "logs.jsonl")
writeFileSync(logs, "")
const missing = join(folder.path, "missing")

type Name = Parameters<typeof runProcess>[0]

const more = (name: Name) => `npm run ${name} -- --help tells more`
const UNKNOWN = "Unknown option '--bogus'"
const NEEDED = "--chain KEY and at least one FILE are needed"
const WORD = "Unexpected argument 'word'"
const CHAINS = "arc, rh, monad, avalanche, base, bnb, arbitrum, ethereum, solana"

type Case = readonly [Name, ReadonlyArray<string>, string]

/** One of each command, and those that look further than at the words. */
const short: ReadonlyArray<Case> = [
  ["start", ["--bogus"], `error: ${UNKNOWN}: ${more("start")}`],
  [
    "replay",
    ["--chain", "nowhere", logs],
    `error: there is no chain nowhere, only ${CHAINS}: ` +
      "describe it in a file and pass --chain-file, or set CHAINS_FILE"
  ],
  [
    "replay",
    ["--chain", "base", logs, missing],
    `error: the file to replay, ${missing}: there is no such file`
  ],
  ["serve", [], `error: there is no data folder ${data}: ${more("serve")}`],
  ["verify", ["word"], `error: ${WORD}: ${more("verify")}`],
  ["log", ["ls", "word"], `log: "word" is one word too many: ${more("log")}`],
  ["keys", ["--bogus"], `keys: ${UNKNOWN}: ${more("keys")}`],
  ["tables", ["--bogus"], `error: ${UNKNOWN}: ${more("tables")}`],
  ["client", ["--bogus"], `error: ${UNKNOWN}: ${more("client")}`]
]

const long: ReadonlyArray<Case> = [
  ["start", ["word"], `error: ${WORD}: ${more("start")}`],
  ["replay", ["--bogus", logs], `error: ${UNKNOWN}: ${more("replay")}`],
  ["replay", [], `error: ${NEEDED}: ${more("replay")}`],
  ["replay", ["--chain", "base"], `error: ${NEEDED}: ${more("replay")}`],
  ["replay", ["--chain"], `error: Option '--chain <value>' argument missing: ${more("replay")}`],
  [
    "replay",
    ["--chain", "base", folder.path],
    `error: the file to replay, ${folder.path}: it is a folder`
  ],
  [
    "replay",
    ["--chain", "base", "--tokens", missing, logs],
    `error: the file of --tokens, ${missing}: there is no such file`
  ],
  ["serve", ["--bogus"], `error: ${UNKNOWN}: ${more("serve")}`],
  ["verify", ["--bogus"], `error: ${UNKNOWN}: ${more("verify")}`],
  ["verify", [], `error: there is no data folder ${data}: ${more("verify")}`],
  ["log", ["ls", "--bogus"], `log: ${UNKNOWN}: ${more("log")}`]
]

it.each(process.env["SWAPTAPE_LONG"] === "1" ? [...short, ...long] : short)(
  "%s %j",
  async (name, args, line) => {
    const env = { DATA_DIR: data, PORT: "0" }
    expect(await runProcess(name, args, env)).toEqual({ code: 1, stdout: "", output: `${line}\n` })
    expect(existsSync(data)).toBe(false)
  }
)

it("tells what tables does instead of doing it", async () => {
  const before = readFileSync("docs/chains.md", "utf8")
  const { code, stdout } = await runProcess("tables", ["--help"])
  expect(code).toBe(0)
  expect(stdout).toContain("Writes the tables of chains and venues into docs/chains.md")
  expect(readFileSync("docs/chains.md", "utf8")).toBe(before)
})

it("names a nats-server that is none", async () => {
  const env = { DATA_DIR: join(folder.path, "other"), NATS_SERVER: missing, PORT: "0" }
  expect(await runProcess("replay", ["--chain", "base", logs], env)).toEqual({
    code: 1,
    stdout: "",
    output:
      `error: cannot start ${missing}: there is no such program: ` +
      "set NATS_SERVER to a nats-server, or unset it and run npm run setup\n"
  })
})
