/** `npm run serve` and `replay --serve`: a replayed history as its user sees it. */

import { existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { chromiumPath, openPage } from "../support/browser.ts"
import { runCommand } from "../support/command.ts"
import { type Engine, eventually, runProcess, startEngine } from "../support/engine.ts"
import { pairCreatedLog, syncLog, transferLog, v2SwapLog } from "../support/fake-logs.ts"
import { logLine, writeLines } from "../support/log-files.ts"
import { temporaryFolder } from "../support/nats.ts"
import { openSocket } from "../support/ws-client.ts"

const folder = temporaryFolder()
const data = join(folder.path, "data")
let engine: Engine | null = null

afterAll(async () => {
  await end()
  folder.remove()
})

const address = (byte: string) => `0x${byte.repeat(20)}` as const
const [ALICE, BOB, POOL] = [address("a1"), address("b2"), address("21")]
const USDC = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"
const WETH = "0x4200000000000000000000000000000000000006"
const FACTORY = "0x8909dc15e40173ff4699343b6eb8132c65e18ec6"

/** Two swaps of ten WETH for 20,000 and 22,000 dollars, and one transfer of a hundred dollars. */
const lines = [
  logLine(10, 0, pairCreatedLog(FACTORY, WETH, USDC, POOL)),
  logLine(11, 0, syncLog(POOL, 10n ** 21n, 2_000_000n * 10n ** 6n)),
  logLine(11, 1, v2SwapLog(POOL, ALICE, BOB, [10n ** 19n, 0n, 0n, 20_000n * 10n ** 6n])),
  logLine(12, 0, transferLog(USDC, ALICE, BOB, 100n * 10n ** 6n)),
  logLine(13, 0, syncLog(POOL, 10n ** 21n, 2_200_000n * 10n ** 6n)),
  logLine(13, 1, v2SwapLog(POOL, ALICE, BOB, [10n ** 19n, 0n, 0n, 22_000n * 10n ** 6n]))
]
const last = { block: 13, blockTime: 1_700_000_130 }

/** A chain that the registry lacks. */
const own = {
  id: 777,
  key: "mine",
  name: "Mine",
  native: { symbol: "M", decimals: 18 },
  nativeToken: null,
  anchors: [],
  venues: [],
  routers: [],
  finalityDepth: 2,
  blockTimeMs: 1000
}
const chainFile = join(folder.path, "mine.json")

const file = writeLines(folder.path, "base.jsonl", lines)
const replayBase = ["--chain", "base", "--data", data, "--no-report", "--pin", USDC]

const end = async () => {
  await engine?.end("SIGKILL")
  engine = null
}

/** Runs it in place of the one before. */
const run = async (...command: readonly ["serve" | "replay", ...ReadonlyArray<string>]) => {
  await end()
  const started = await startEngine({ dataDir: data, command })
  engine = started
  await started.ready()
  // not before what is missing has been counted
  await started.alive("its health", async () => (await started.get("/health")).status === 200)
  return started
}

it("serves what it replayed, without a source", async () => {
  const served = await run("replay", ...replayBase, "--serve", file)
  const lane = await served.lane("base")
  expect(lane).toMatchObject({
    chain: "base",
    state: "history",
    ...last,
    simulated: false,
    source: null
  })
  expect(lane.lag).toMatchObject({ events: 0, blocks: null, seconds: null })
  const read = async (path: string) => (await served.get(path)).body
  expect(await read("/chains/base/status")).toMatchObject({
    ...{ ok: true, state: "history", problem: null, indexedToBlock: 13, blockAgeS: null }
  })
  const candles = await read(`/candles?chain=8453&token=${WETH}&tf=1m`)
  expect(candles.candles).toMatchObject([{ t: 1_700_000_100, o: 2000, c: 2200, v: 42_000, n: 2 }])
  const trades = await read(`/chains/base/token/${WETH}/trades`)
  expect(trades.trades.map(({ ts }: { readonly ts: number }) => ts)).toEqual([
    1_700_000_130, 1_700_000_110
  ])
  const docs = await fetch(`${served.url}/docs`)
  expect([docs.status, (await docs.text()).length > 1_000_000]).toEqual([200, true])
})

it("starts no simulated chain beside other logs, and says what to do", async () => {
  await end()
  const { code, output } = await runProcess("start", [], { DATA_DIR: data })
  expect(code).toBe(1)
  const error = output.split("\n").find(line => line.startsWith("error: "))
  expect(error).toContain("holds the log of base, and no RPC_8453 is set")
  expect(error).toContain(`\`npm run serve -- --data ${data}\` shows what is there`)
  expect(existsSync(join(data, "devchain"))).toBe(false)
})

it("replays another chain into the same folder, by a file that describes it", async () => {
  writeFileSync(chainFile, JSON.stringify(own))
  await end()
  const mine = ["--chain", "mine", "--data", data, "--no-report", "--chain-file", chainFile]
  const replayed = await runCommand("replay", [...mine, file])
  expect(replayed.code, replayed.output).toBe(0)
})

it("serves no part of a folder where the stream of a log is damaged, nor simulates there", async () => {
  await end()
  const description = join(data, "nats", "jetstream", "$G", "streams", "TAPE_BASE", "meta.inf")
  const whole = readFileSync(description)
  truncateSync(description, 9)
  const served = await runProcess("serve", ["--data", data])
  expect(served.code).toBe(1)
  expect(served.output).toContain(`the log of base is in ${data}, but what describes its stream`)
  expect(served.output).toContain('"npm run log -- repair --chain base" writes it again')
  const started = await runProcess("start", [], { DATA_DIR: data })
  expect(started.code).toBe(1)
  expect(started.output).toContain("holds logs of base, mine, and no RPC_8453")
  writeFileSync(description, whole)
})

it("answers every route of what it knows, holders of what the log pins, and the socket", async () => {
  const served = await run("serve", "--data", data)
  const { lanes } = await served.status()
  expect(lanes.map(({ chain, state }) => [chain, state])).toEqual([["base", "history"]])
  expect(served.output).toContain("there is a log of mine, but no chain of that key")
  const routes = [
    ...["/health", "/chains", "/tokens?chain=8453", "/tokens/market?chain=8453", "/rules"],
    ...["overview", "venues", "tokens", "trending", "prints"].map(route => `/chains/base/${route}`),
    ...["", "/pools", "/trades"].map(route => `/chains/base/token/${WETH}${route}`),
    `/tokens/stats/${WETH}?chain=8453`,
    `/prices/explain?chain=8453&token=${WETH}`
  ]
  for (const route of routes) expect((await served.get(route)).status, route).toBe(200)
  const pinned = await served.get(`/chains/base/token/${USDC}/holders`)
  expect(pinned).toMatchObject({ status: 200, body: { tracked: true, complete: false } })
  const other = await served.get(`/chains/base/token/${WETH}/holders`)
  expect(other).toMatchObject({ status: 503, body: { error: "HOLDERS_UNAVAILABLE" } })
  expect(other.body.message).toContain("served as its log stands")
  const upgrade = await openSocket(served.port)
  if (!upgrade.ok) throw new Error(`no socket: ${upgrade.status}`)
  const { client } = upgrade
  client.send({ op: "subscribe", channel: "trades", chain: 8453, token: WETH, from: 0 })
  await eventually("both trades on the socket", () => {
    const trades = client.frames.filter(({ type }) => type === "trade")
    return trades.length === 2
  })
  client.close()
})

it.skipIf(chromiumPath === undefined)("shows days and a badge on the page", async () => {
  if (engine === null) throw new Error("nothing is served")
  const { page, faults, close } = await openPage(engine.url, `/#/base/token/${WETH}`)
  await page.waitForSelector("#tape tr .day")
  await page.waitForSelector("#history:not([hidden])")
  expect(await page.locator("#history").textContent()).toBe(
    "history: the log up to 2023-11-14 22:15 UTC"
  )
  expect(await page.locator("#tape tr .day").allTextContents()).toEqual([
    "2023-11-14 ",
    "2023-11-14 "
  ])
  expect(await page.locator("#connection-text").textContent()).toBe("Connected")
  const window = page.locator("#window")
  await expect.poll(() => window.textContent()).toBe("2023-11-14")
  expect(faults).toEqual([])
  await close()
})

it("serves a chain it lacks by the file that describes it", async () => {
  const both = await run("serve", "--data", data, "--chain-file", chainFile)
  const { lanes } = await both.status()
  expect(lanes.map(({ chain, state }) => [chain, state]).sort()).toEqual([
    ["base", "history"],
    ["mine", "history"]
  ])
})

it("says that a log has lost its messages, where all of it or one of several has", async () => {
  await end()
  const streams = join(data, "nats", "jetstream", "$G", "streams")
  rmSync(join(streams, "TAPE_BASE", "msgs", "1.blk"))
  const lost = `the log of base in ${data} has lost its messages: it is empty, though tables were made of it. Restore ${streams}/TAPE_BASE from a copy; or fill the log again, with npm start where RPC_8453 is set, or with npm run replay -- --chain base and all the files`
  const served = await startEngine({
    ...{ dataDir: data, command: ["serve", "--data", data, "--chain-file", chainFile] }
  })
  engine = served
  await served.ready()
  expect(served.output).toContain(`${lost}; not served`)
  const { lanes } = await served.status()
  expect(lanes.map(({ chain }) => chain)).toEqual(["mine"])
  await end()
  rmSync(join(streams, "TAPE_MINE"), { recursive: true })
  rmSync(join(data, "lanes", "mine.served"))
  const { code, output } = await runProcess("serve", ["--data", data])
  expect(code).toBe(1)
  expect(output).toContain(`error: ${lost}`)
})

it("says where there is nothing to serve", async () => {
  const empty = join(folder.path, "empty")
  mkdirSync(empty)
  const { code, output } = await runProcess("serve", ["--data", empty])
  expect(code).toBe(1)
  expect(output).toContain(
    `error: ${empty} holds no log: fill one with npm run replay, or with npm start`
  )
})
