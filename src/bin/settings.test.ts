import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ConfigProvider, Effect, Logger } from "effect"
import { afterAll, afterEach, expect, it, vi } from "vitest"
import { runProcess } from "../../test/support/engine.ts"
import { temporaryFolder } from "../../test/support/nats.ts"
import { readSettings } from "./settings.ts"

const folder = temporaryFolder()
afterAll(() => folder.remove())
afterEach(() => vi.unstubAllEnvs())

type Environment = { readonly [name: string]: string }

/** Settings of this environment alone. */
const settings = (env: Environment) => {
  for (const name of Object.keys(process.env)) {
    if (/^(RPC|START|BACKFILL|PIN|UNPIN)_/.test(name)) vi.stubEnv(name, undefined)
  }
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  return readSettings.pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env }))
  )
}
const problemOf = async (env: Environment) =>
  (await Effect.runPromise(Effect.flip(settings(env)))).message

const RPC = { RPC_8453: "http://127.0.0.1:9" }
const KNOWN =
  "5042 (arc), 4663 (rh), 143 (monad), 43114 (avalanche), 8453 (base), 56 (bnb), " +
  "42161 (arbitrum), 1 (ethereum), SOLANA (solana)"
const TOKEN = `0x${"c3".repeat(20)}`
const NO_URL = "must be a URL that begins with http://, https://, ws:// or wss://"

it.each<readonly [Environment, string]>([
  [{ PORT: "abc" }, "PORT=abc: it must be a port, a whole number from 0 to 65535"],
  [{ PORT: "70000" }, "PORT=70000: it must be a port, a whole number from 0 to 65535"],
  [{ DUCKDB_THREADS: "0" }, "DUCKDB_THREADS=0: it must be a whole number from 1"],
  [{ LANE_MEMORY_MB: "511" }, "LANE_MEMORY_MB=511: it must be a whole number from 512"],
  [{ HOLDER_PINS: "-1" }, "HOLDER_PINS=-1: it must be a whole number from 0"],
  [{ COMPACT_EVERY: "1e3" }, "COMPACT_EVERY=1e3: it must be a whole number from 1"],
  [{ RETENTION_MINUTES_DAYS: "1" }, "RETENTION_MINUTES_DAYS=1: it must be a whole number from 2"],
  [
    { RETENTION_MINUTES_DAYS: "30" },
    "RETENTION_MINUTES_DAYS=30 wants RETENTION_RAW_DAYS too, of at most 30: trades, which minutes " +
      "are made of, are not kept longer than those"
  ],
  [
    { RETENTION_MINUTES_DAYS: "30", RETENTION_RAW_DAYS: "31" },
    "RETENTION_MINUTES_DAYS=30 wants RETENTION_RAW_DAYS too, of at most 30: trades, which minutes " +
      "are made of, are not kept longer than those"
  ],
  [{ RATE_LIMIT_LOOPBACK: "maybe" }, "RATE_LIMIT_LOOPBACK=maybe: it must be on or off"],
  [{ ...RPC, START_8453: "abc" }, "START_8453=abc: it must be a block number, or latest"],
  [{ ...RPC, START_8453: "-5" }, "START_8453=-5: it must be a block number, or latest"],
  [{ ...RPC, BACKFILL_FROM_8453: "x" }, "BACKFILL_FROM_8453=x: it must be a whole number from 0"],
  [{ ...RPC, BACKFILL_ORDER_8453: "up" }, "BACKFILL_ORDER_8453=up: it must be newest or oldest"],
  [{ ...RPC, BACKFILL_PROVE_8453: "1" }, "BACKFILL_PROVE_8453=1: it must be off or on"],
  [{ ...RPC, UNPIN_8453: "0x12" }, "UNPIN_8453: 0x12 is no address of a token"],
  [
    { ...RPC, PIN_8453: TOKEN, UNPIN_8453: `0x${"C3".repeat(20)}` },
    `UNPIN_8453: ${TOKEN} is in PIN_8453 too: remove it from one of them`
  ],
  [{ RPC_1: "notaurl" }, `RPC_1: part 1 of it ${NO_URL}`],
  [{ RPC_1: "https://a.example, ftp://secret@x" }, `RPC_1: part 2 of it ${NO_URL}`],
  [{ RPC_1: " , " }, `RPC_1: it ${NO_URL}`],
  [{ RPC_BASE: "http://a.example" }, "RPC_BASE: a chain goes by its id here, RPC_8453"],
  [
    { ...RPC, RPC_999: "http://a.example" },
    `RPC_999: there is no chain 999, only ${KNOWN}: ` +
      "describe it in a file and set CHAINS_FILE (docs/chains.md)"
  ],
  [
    { ...RPC, START_999: "5" },
    `START_999: there is no chain 999, only ${KNOWN}: ` +
      "describe it in a file and set CHAINS_FILE (docs/chains.md)"
  ],
  [{ PIN_BASE: TOKEN }, "PIN_BASE: a chain goes by its id here, PIN_8453"],
  [
    { RPC_1399811149: "http://a.example" },
    "RPC_1399811149: a chain goes by its id here, RPC_SOLANA"
  ],
  [{ DEVCHAIN_SOLANA: "yes" }, "DEVCHAIN_SOLANA=yes: it must be on or off"],
  [
    { RPC_SOLANA: "http://a.example", PIN_SOLANA: TOKEN },
    "PIN_SOLANA: transfers of tokens are not read there, so none is pinned"
  ]
])("refuses %j", async (env, message) => {
  expect(await problemOf(env)).toBe(message)
})

it("has every setting in .env.example, commented out", () => {
  const root = join(import.meta.dirname, "../..")
  const files = ["src", "api", "engine"].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter(path => /(?<!\.test)\.ts$/.test(path))
      .map(path => join(root, folder, path))
  )
  const reading =
    /\b(?:port|integer|text|one|number)(?:Or|Of)\(\s*"([A-Z_]+)"|optional\w+\("([A-Z_]+)"/g
  const read = files.flatMap(path =>
    [...readFileSync(path, "utf8").matchAll(reading)].map(
      ([, or, optional]) => or ?? optional ?? ""
    )
  )
  const example = readFileSync(join(root, ".env.example"), "utf8")
  const names = [...new Set(read)]
  expect(names).toEqual(expect.arrayContaining(["PORT", "NATS_URL", "LOG_CHECK_RATE"]))
  expect(names.filter(name => !example.includes(`\n#${name}=`))).toEqual([])
})

it("says what is wrong with a file of chains", async () => {
  const file = join(folder.path, "chains.json")
  const missing = join(folder.path, "missing.json")
  expect(await problemOf({ CHAINS_FILE: missing })).toBe(
    `the file of chains, ${missing}: there is no such file`
  )
  expect(await problemOf({ CHAINS_FILE: folder.path })).toBe(
    `the file of chains, ${folder.path}: it is a folder`
  )
  writeFileSync(file, "{nope")
  expect(await problemOf({ CHAINS_FILE: file })).toMatch(/^chains\.json: is not JSON: .*\n?$/)
  writeFileSync(file, '{ "extends": "nowhere" }')
  expect(await problemOf({ CHAINS_FILE: file })).toBe(
    "chains.json: row 1 (nowhere): extends: the registry has no chain nowhere"
  )
})

it("takes what is right, and defaults for what is blank", async () => {
  const env = {
    ...{ PORT: " ", RPC_URL: "of another program", RPC_999: "", START_1: "ignored: no RPC_1" },
    ...{ RPC_8453: "http://127.0.0.1:9, wss://b.example", START_8453: "17" },
    ...{ BACKFILL_FROM_8453: "5", BACKFILL_ORDER_8453: "oldest", RATE_LIMIT: "off" }
  }
  const told = await Effect.runPromise(settings(env))
  expect(told).toMatchObject({
    port: 8080,
    rateLimit: { enforced: false, loopbackEnforced: false },
    holderPins: 64,
    chains: [
      {
        chain: { key: "base" },
        endpoints: ["http://127.0.0.1:9", "wss://b.example"],
        start: "17",
        backfill: { from: 5, order: "oldest", prove: false }
      }
    ]
  })
  const none = await Effect.runPromise(settings({}))
  // a devchain makes a block a second, whatever its chain does
  expect(
    none.chains.map(({ chain, endpoints }) => [chain.key, chain.blockTimeMs, endpoints])
  ).toEqual([
    ["arc", 1_000, []],
    ["base", 1_000, []],
    ["solana", 400, []]
  ])
  const { chains } = await Effect.runPromise(settings({ DEVCHAIN_SOLANA: "off" }))
  expect(chains.map(({ chain }) => chain.key)).toEqual(["arc", "base"])
})

it("takes endpoints of Solana by its name", async () => {
  const env = { RPC_SOLANA: "http://127.0.0.1:9", START_SOLANA: "400000000" }
  const { chains } = await Effect.runPromise(
    settings({ ...env, BACKFILL_FROM_SOLANA: "399999000" })
  )
  expect(chains).toMatchObject([
    {
      chain: { key: "solana", family: "solana" },
      endpoints: ["http://127.0.0.1:9"],
      start: "400000000",
      backfill: { from: 399_999_000 }
    }
  ])
})

it("warns of what has no effect, in one line each", async () => {
  const warnings = async (env: Environment) => {
    const lines: Array<string> = []
    const logger = Logger.make(({ message }) => lines.push(String(message)))
    await Effect.runPromise(settings(env).pipe(Effect.provide(Logger.layer([logger]))))
    return lines
  }
  const env = {
    ...{ START_8453: "xx", BACKFILL_FROM_8453: "x", BACKFILL_ORDER_8453: "up" },
    ...{ BACKFILL_PROVE_8453: "maybe", UNPIN_8453: "..", START_TIME: "of another program" }
  }
  const names = ["START", "BACKFILL_FROM", "BACKFILL_ORDER", "BACKFILL_PROVE"]
  expect(await warnings({ RPC_1: "http://127.0.0.1:9", START_1: "5", ...env })).toEqual(
    [...names, "UNPIN"].map(name => `${name}_8453 has no effect: chain 8453 is off; set RPC_8453`)
  )
  // the devchain's tokens can be pinned; it has no other node than its own
  expect(await warnings({ ...env, UNPIN_8453: TOKEN })).toEqual(
    names.map(name => `${name}_8453 has no effect: chain 8453 is simulated; set RPC_8453`)
  )
})

it("ends a start with one line, before anything is made", async () => {
  const data = join(folder.path, "data")
  const env = { DATA_DIR: data, RPC_8453: "http://127.0.0.1:9", START_8453: "abc" }
  expect(await runProcess("start", [], env)).toEqual({
    code: 1,
    stdout: "",
    output: "error: START_8453=abc: it must be a block number, or latest\n"
  })
  expect(existsSync(data)).toBe(false)
})

it("ends with one line where the data folder is a file", async () => {
  const file = join(folder.path, "file")
  writeFileSync(file, "")
  expect(await runProcess("start", [], { DATA_DIR: file, PORT: "0" })).toEqual({
    code: 1,
    stdout: "",
    output:
      `error: the data folder ${file} cannot be used (${file} is a file: move it away): ` +
      `set DATA_DIR or --data to a folder that can be written\n`
  })
})
