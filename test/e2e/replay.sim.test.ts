/**
 * `npm run replay` and `npm run verify` on real days of real pools, as a user runs them. Counts are
 * those of the data's own README.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openDuckDb } from "../../src/platform/duckdb-local.ts"
import { runCommand } from "../support/command.ts"
import { temporaryFolder } from "../support/nats.ts"
import { describeWithSharedData, sharedData } from "../support/shared-data.ts"

const pathOf = (name: string) => `evm/logs/${name}.jsonl.gz`
const ETHEREUM = "eth-univ3-usdc-weth-500-2024-01-05"
const MANAGER = "eth-univ3-npm-2024-01-05"
const POLYGON = ["2021-12-22", "2022-01-05"].map(day => `polygon-univ3-usdc-weth-500-${day}`)
const [FIRST = "", SECOND = ""] = POLYGON
const MONAD = "monad-univ3-mon-usdc"
const BNB = "bsc-pancakev3-single"
const files = [ETHEREUM, MANAGER, ...POLYGON, MONAD, BNB].map(pathOf)

/** Polygon is not in the registry; its Uniswap V3 is deployed as on Ethereum. */
const polygon = {
  id: 137,
  key: "polygon",
  name: "Polygon",
  native: { symbol: "POL", decimals: 18 },
  nativeToken: "0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270",
  anchors: [
    {
      address: "0x2791bca1f2de4661ed88a30c99a7a9449aa84174",
      symbol: "USDC.e",
      decimals: 6,
      kind: "usd"
    }
  ],
  venues: [
    {
      id: "uniswap_v3",
      kind: "uniswap-v3",
      factory: "0x1f98431c8ad98523631ae4a59f267346ea31f984",
      initCodeHash: "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54",
      feeTiers: [{ fee: 500, tickSpacing: 10 }]
    }
  ],
  routers: [],
  finalityDepth: 128,
  blockTimeMs: 2000
}

/** What the registry does not know of the tokens of the pools. */
const tokens = "0x7ceb23fd6bc0add59e62ac25578270cff1b9f619,WETH,Wrapped Ether,18\n"

const folder = temporaryFolder()
const chainFile = join(folder.path, "polygon.json")
const tokenFile = join(folder.path, "tokens.csv")
const common = ["--data", folder.path, "--chain-file", chainFile]

const command = (chain: string, ...names: ReadonlyArray<string>) => {
  const options = ["--tokens", tokenFile, "--chain", chain, "--json"]
  const paths = names.map(name => join(sharedData, pathOf(name)))
  return runCommand("replay", [...common, ...options, ...paths])
}

/** The summary of a replay, without the time it took. */
const replay = async (chain: string, ...names: ReadonlyArray<string>) => {
  const { code, stdout, output } = await command(chain, ...names)
  expect(code, output).toBe(0)
  const { seconds, reportSeconds, venues, ...counts } = JSON.parse(stdout)
  expect(seconds).toBeGreaterThan(0)
  expect(reportSeconds).toBeGreaterThan(0)
  return { ...counts, quotes: venues.map(quotesOf) }
}

const FIRST_SWAP = "the pool's first swap seen"
const CROSSED = "its ticks are not known, and it crossed some"

/** How the report's quotes of a venue fared: of so many swaps of known state so many are exact. */
const quotesOf = ({ venue, quotes }: { readonly venue: string; readonly quotes: object }) => {
  const { checked, exact, other, unknown } = quotes as { readonly [name: string]: unknown }
  return { venue, checked, exact, other, unknown }
}

const allExact = (known: number, crossed: number) => [
  {
    ...{ venue: "uniswap_v3", checked: known, exact: known, other: {} },
    unknown: { [FIRST_SWAP]: 1, ...(crossed > 0 && { [CROSSED]: crossed }) }
  }
]

const summary = (chain: string, counts: object) => ({
  chain,
  skipped: 0,
  duplicates: 0,
  rejected: 0,
  quarantined: [],
  ...counts
})

/** Every lane and table that `verify` looked at, as it found it. */
const verified = (stdout: string) =>
  [...stdout.matchAll(/^(same|DIFFERENT) {2}(\w+) {2}(\w+) {2}(\d+) rows {2}\d+$/gm)].map(
    ([, found, chain, table, rows]) => ({ found, chain, table, rows: Number(rows) })
  )

const alter = (file: string, sql: string): Promise<void> =>
  Effect.runPromise(
    openDuckDb(file, { threads: 1 }).pipe(
      Effect.flatMap(database => database.connect),
      Effect.flatMap(connection => connection.run(sql)),
      Effect.scoped
    )
  )

beforeAll(() => {
  writeFileSync(chainFile, JSON.stringify(polygon))
  writeFileSync(tokenFile, `address,symbol,name,decimals\n${tokens}`)
})
afterAll(() => folder.remove())

/** That a file's logs are taken once is told in `replay-again.sim.test.ts` as well. */
const isLong = process.env["SWAPTAPE_LONG"] === "1"

describeWithSharedData("replay", files, () => {
  it("reads a day of Ethereum, pool and position manager, once", async () => {
    // 2 tokens and 1 pool, then swaps, changes of liquidity, collections, positions and seals
    const events = 3 + 6046 + 69 + 54 + 65 + 3853 + 4862
    const quotes = allExact(5478, 567)
    const once = summary("ethereum", {
      logs: 6234 + 3853,
      seq: events,
      events,
      swaps: 6046,
      quotes
    })
    expect(await replay("ethereum", ETHEREUM, MANAGER)).toEqual(once)
    if (!isLong) return
    const again = { ...once, duplicates: 6234 + 3853 }
    expect(await replay("ethereum", MANAGER, ETHEREUM)).toEqual(again)
  })

  it("reads days of Polygon, by a chain file, once", async () => {
    // 2 tokens and 1 pool, then swaps, changes of liquidity, collections and seals of each day
    const first = 3 + 199 + 7 + 2 + 2 + 201
    const both = first + 3972 + 64 + 62 + 60 + 3445
    const of = (logs: number, events: number, swaps: number, crossed: number) =>
      summary("polygon", {
        ...{ logs, seq: events, events, swaps },
        quotes: allExact(swaps - 1 - crossed, crossed)
      })
    expect(await replay("polygon", FIRST)).toEqual(of(210, first, 199, 13))
    expect(await replay("polygon", SECOND)).toEqual(of(4158, both, 199 + 3972, 579))
    if (!isLong) return
    expect(await replay("polygon", FIRST, SECOND)).toEqual({
      ...of(210 + 4158, both, 199 + 3972, 579),
      duplicates: 210 + 4158
    })
  })

  it("reads Monad's swaps", async () => {
    const events = 2 + 1 + 13 + 12
    const counts = summary("monad", {
      logs: 13,
      seq: events,
      events,
      swaps: 13,
      quotes: allExact(12, 0)
    })
    expect(await replay("monad", MONAD)).toEqual(counts)
  })

  it("refuses logs without a time, and says what would help", async () => {
    const untimed = await command("bnb", BNB)
    expect(untimed).toMatchObject({ code: 1, stdout: "" })
    expect(untimed.output).toContain(
      `error: ${BNB}.jsonl.gz:1: block 105495649 has no timestamp: ` +
        "give a file of block times with --blocks"
    )
  })

  it.runIf(isLong)("is verified", async () => {
    const agreed = await runCommand("verify", common)
    expect(agreed.code, agreed.output).toBe(0)
    expect(agreed.stdout).toMatch(/\nverified: log and tables agree\n$/)
  })

  it("is verified but for one row altered by hand, whose table is named", async () => {
    const file = join(folder.path, "lanes", "ethereum.duckdb")
    await alter(file, "UPDATE tape_rows SET usd = usd + 1 WHERE seq = (SELECT max(seq) FROM tape)")
    const altered = await runCommand("verify", common)
    expect(altered.code).toBe(1)
    expect(altered.stdout).toMatch(/\nlog and tables differ\n$/)
    const found = verified(altered.stdout)
    const tape = found.filter(({ table }) => table === "tape")
    expect(tape.map(({ found, chain, rows }) => [found, chain, rows])).toEqual([
      ["same", "bnb", 0],
      ["DIFFERENT", "ethereum", 6046],
      ["same", "monad", 13],
      ["same", "polygon", 4171]
    ])
    // what a token traded is a view of the tape until compaction sorts it
    const differing = found.filter(row => row.found !== "same")
    expect(differing.map(({ chain, table }) => [chain, table]).sort()).toEqual([
      ["ethereum", "prints"],
      ["ethereum", "tape"]
    ])
  })
})
