/** What a chain has proven stands in its log: whoever folds it has the same tables. */
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { afterAll, expect, it } from "vitest"
import { appendFacts, type ChainFact } from "../../engine/log/fact-log.ts"
import { JetStream } from "../../src/platform/jetstream.ts"
import { natsServersOn } from "../../src/platform/nats-server-process.ts"
import { runCommand } from "../support/command.ts"
import { type Engine, runProcess, startEngine } from "../support/engine.ts"
import { pairCreatedLog, syncLog, v2SwapLog } from "../support/fake-logs.ts"
import { logLine, writeLines } from "../support/log-files.ts"
import { temporaryFolder } from "../support/nats.ts"

const folder = temporaryFolder()
const data = join(folder.path, "data")
const chain = ["--chain", "ethereum", "--data", data]
let engine: Engine | null = null

afterAll(async () => {
  await engine?.end("SIGKILL")
  folder.remove()
})

const address = (byte: string) => `0x${byte.repeat(20)}` as const
const [ALICE, BOB, POOL] = [address("a1"), address("b2"), address("21")]
const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"
const WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
/** a candidate of the registry, which counts as nobody's before the chain has proven it */
const APESWAP = "0xbae5dc9b19004883d0377419fef3c2c8832d7d7b"

const lines = [
  logLine(10, 0, pairCreatedLog(APESWAP, USDC, WETH, POOL)),
  logLine(11, 0, syncLog(POOL, 2_000_000n * 10n ** 6n, 10n ** 21n)),
  logLine(11, 1, v2SwapLog(POOL, ALICE, BOB, [0n, 10n ** 19n, 20_000n * 10n ** 6n, 0n]))
]

const proven: ChainFact = {
  kind: "VenueProven",
  block: { number: 99, time: 1_700_000_990, hash: null, parentHash: null },
  ...{ tx: null, logIndex: 0, venue: "apeswap_v2", venueKind: "uniswap-v2", factory: APESWAP },
  reason: "code, log in block 10"
}

const poolsOf = async (served: Engine) => {
  const { body } = await served.get(`/chains/ethereum/token/${WETH}/pools`)
  return (body.pools as ReadonlyArray<{ pool: string; dex: string }>)?.map(({ pool, dex }) => [
    pool,
    dex
  ])
}

it("follows what another engine's chain proves, and says the same to verify and replay", async () => {
  const file = writeLines(folder.path, "ethereum.jsonl", lines)
  const replayed = [...chain, "--no-report", "--serve", file]
  const served = await startEngine({ dataDir: data, command: ["replay", ...replayed] })
  engine = served
  await served.ready()
  expect(await poolsOf(served)).toEqual([[POOL, "v2fork_bae5dc9b"]])

  const [nats] = await Effect.runPromise(natsServersOn(data))
  const { url } = nats ?? { url: "" }
  await Effect.runPromise(
    appendFacts("ethereum", [proven]).pipe(Effect.provide(JetStream.layer({ url })))
  )
  await served.alive("the pool's venue", async () => {
    const pools = await poolsOf(served)
    return pools?.[0]?.[1] === "apeswap_v2" ? pools : null
  })
  expect(served.output).toContain("ethereum has proven more venues or routers")

  const cat = await runCommand("log", ["cat", "--facts", ...chain])
  expect(JSON.parse(cat.output)).toMatchObject({
    ...{ seq: 1, kind: "VenueProven", venue: "apeswap_v2", factory: APESWAP },
    reason: "code, log in block 10"
  })
  const checked = await runCommand("log", ["check", ...chain])
  expect(checked.output).toContain("the fact log of ethereum is whole: 1 events in 1 segments")
  const { lanes } = (await served.get("/status")).body
  expect(lanes[0].venueChecks).toMatchObject([{ id: "apeswap_v2", state: "proven" }])
  expect(await served.end("SIGTERM")).toEqual({ code: 0, signal: null })
  engine = null
  const verified = await runCommand("verify", ["--data", data])
  expect(verified.output).toContain("verified: log and tables agree")
  expect(verified.code).toBe(0)
})

const factsFolder = join(data, "nats", "jetstream", "$G", "streams", "FACTS_ETHEREUM")
it("keeps facts whose stream has lost its description", async () => {
  rmSync(join(factsFolder, "meta.inf"))
  const refused = await runProcess("serve", ["--data", data])
  expect(refused.output).toContain("the fact log of ethereum is in")
  const file = join(folder.path, "ethereum.jsonl")
  const again = await runCommand("replay", [...chain, "--no-report", file])
  expect(again.code, again.output).toBe(0)
  const cat = await runCommand("log", ["cat", "--facts", ...chain])
  expect(JSON.parse(cat.output)).toMatchObject({ venue: "apeswap_v2" })
})

it("says of damaged facts what keeps the part before, which needs no source", async () => {
  const messages = join(factsFolder, "msgs", "1.blk")
  const bytes = readFileSync(messages)
  const at = bytes.indexOf("apeswap_v2")
  bytes[at] = (bytes[at] as number) ^ 1
  writeFileSync(messages, bytes)
  const checked = await runCommand("log", ["check", ...chain])
  const advice = "npm run log -- cut --chain ethereum --facts --to 0 --yes"
  expect(checked.code).toBe(1)
  expect(checked.output).toContain("the fact log of ethereum is broken at message 1")
  expect(checked.output).toContain(advice)
  const served = await startEngine({ dataDir: data, command: ["serve"] })
  engine = served
  const { problem } = await served.alive("its state", async () => {
    const { body } = await served.get("/status")
    const lane = body.lanes?.[0]
    return lane?.state === "failed" ? lane : null
  })
  expect(problem).toContain("the fact log of ethereum is broken at message 1")
  expect(await served.end("SIGTERM")).toEqual({ code: 0, signal: null })
  engine = null
  const plan = await runCommand("log", ["repair", ...chain])
  expect([plan.code, plan.output]).toEqual([1, expect.stringContaining(advice)])
  const cut = await runCommand("log", ["cut", ...chain, "--facts", "--to", "0", "--yes"])
  expect(cut.code, cut.output).toBe(0)
  expect((await runCommand("log", ["check", ...chain])).code).toBe(0)
})
