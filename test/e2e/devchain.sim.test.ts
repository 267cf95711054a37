/** What a new user does first: starts with nothing configured, stops, starts again, verifies. */
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, expect, it } from "vitest"
import { processesWith } from "../../src/platform/process-table.ts"
import { chromiumPath, openPage } from "../support/browser.ts"
import { runCommand } from "../support/command.ts"
import { openDevchain } from "../support/devchain.ts"
import { atRest, type Engine, eventually, startEngine } from "../support/engine.ts"
import { type LocalServer, localServer } from "../support/local-http.ts"
import { temporaryFolder } from "../support/nats.ts"
import { programsOn } from "../support/processes.ts"
import { isLong } from "../support/rounds.ts"

const folder = temporaryFolder()
let engine: Engine
let collector: LocalServer

// what one test leaves running holds the folder of the next
afterEach(() => engine.end("SIGKILL"))
afterAll(async () => {
  await collector.close()
  folder.remove()
})

/**
 * In the long run the chains begin with the engine, and half an hour of history, and it is started
 * twice; else they go on.
 */
beforeAll(async () => {
  collector = await localServer(() => ({ body: {} }))
  if (isLong) return
  const options = { dataDir: folder.path, blocks: "live", history: 20 } as const
  for (const chain of ["arc", "base"] as const)
    await (await openDevchain({ ...options, chain })).stop()
})

interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: number }
}
interface Traces {
  readonly resourceSpans: ReadonlyArray<{
    readonly resource: { readonly attributes: ReadonlyArray<Attribute> }
    readonly scopeSpans: ReadonlyArray<{
      readonly spans: ReadonlyArray<{
        readonly name: string
        readonly attributes: ReadonlyArray<Attribute>
      }>
    }>
  }>
}

const attributeOf = (attributes: ReadonlyArray<Attribute>, name: string) => {
  const value = attributes.find(({ key }) => key === name)?.value
  return value?.stringValue ?? value?.intValue
}

const traced = () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })

/** Waits until each lane has counted what its log holds. */
const hasCounted = async () => {
  for (const key of ["arc", "base"]) {
    await engine.alive(`a count of all events of ${key}`, async () => {
      const { events, seq } = await engine.lane(key)
      return events === seq
    })
  }
}

/** Starts on the folder, lives for some blocks, and is stopped. */
const live = async (blocks: number, env = {}) => {
  engine = await startEngine({ dataDir: folder.path, env })
  await engine.ready()
  for (const key of ["arc", "base"]) {
    const from = (await engine.lane(key)).block ?? 0
    await engine.alive(`${blocks} blocks of ${key}`, async () => {
      const { block, state } = await engine.lane(key)
      return state === "live" && (block ?? 0) >= from + blocks
    })
  }
  await hasCounted()
  await engine.get("/chains")
  expect(await engine.stop()).toEqual({ code: 130, signal: null })
}

/** What a collector was told, by thread: the name of each span and what it says. */
const spansOf = (requests: LocalServer["requests"]) =>
  requests.flatMap(({ path, body }) => {
    expect(path).toBe("/v1/traces")
    const { resourceSpans } = JSON.parse(body) as Traces
    return resourceSpans.flatMap(({ resource, scopeSpans }) => {
      const thread = attributeOf(resource.attributes, "swaptape.thread")
      return scopeSpans.flatMap(({ spans }) => spans.map(span => ({ thread, ...span })))
    })
  })

/** The page of a chain, once its badge is green; it tells how long the badge takes to lose that. */
const greenPage = async (chain: string) => {
  const { page, close } = await openPage(engine.url, `/#/${chain}/boards/volume`)
  await page.waitForSelector('#connection[data-state="open"]')
  const lost = () =>
    page.waitForSelector('#connection[data-state="stalled"]', { timeout: atRest(3000) })
  return { lost, back: () => page.waitForSelector('#connection[data-state="open"]'), close }
}

/** The engine's prober, which is another process than `before`. */
const proberBut = (before: number): Promise<number> =>
  engine.alive("a prober", async () => {
    const pids = processesWith("--url", engine.url).map(({ pid }) => pid)
    return pids.find(pid => pid !== before) ?? false
  })

it("is not well within five seconds of its node's freezing, and well again after", async () => {
  engine = await startEngine({
    dataDir: folder.path,
    env: { ...traced(), PROBER: "own", PROBE_SECONDS: "1" }
  })
  await engine.ready()
  const isWell = async () => (await engine.get("/health")).status === 200
  await engine.alive("its health", isWell)
  const page = chromiumPath === undefined ? null : await greenPage("arc")
  const [anvil] = processesWith("--config-out", join(folder.path, "devchain/arc/anvil.json"))
  if (anvil === undefined) throw new Error("no anvil of arc runs")
  const { pid } = anvil
  process.kill(pid, "SIGSTOP")
  try {
    await eventually(
      "the trouble",
      async () => {
        const { body } = await engine.get("/health")
        const chains: ReadonlyArray<Record<string, string>> = body.chains ?? []
        const { state, problem = "" } = chains.find(({ chain }) => chain === "arc") ?? {}
        // on a busy machine the chain may have been in trouble for another reason before
        const words = /^127\.0\.0\.1:\d+ has not answered for \d+ s; the simulated/
        return state === "stalled" && words.test(problem)
      },
      atRest(5000)
    )
    await page?.lost()
  } finally {
    process.kill(pid, "SIGCONT")
  }
  await engine.alive("its health", isWell)
  const killed = await proberBut(0)
  process.kill(killed, "SIGKILL")
  await proberBut(killed)
  await engine.alive("the measured trouble", async () => {
    const { uptime } = (await engine.get("/status")).body
    const arc = uptime?.days.at(-1).chains[0]
    return arc?.chain === "arc" && arc.okS > 0 && arc.okS < arc.measuredS
  })
  await page?.back()
  await page?.close()
  await hasCounted()
  await engine.get("/chains")
  expect(await engine.stop()).toEqual({ code: 130, signal: null })
  expect(programsOn(folder.path)).toEqual([])
})

it("is not gone on with from nodes of the real chain", async () => {
  const rpc = { 8453: ["http://127.0.0.1:1"] }
  engine = await startEngine({ dataDir: folder.path, rpc })
  expect(await engine.exited).toEqual({ code: 1, signal: null })
  expect(engine.output).toContain(
    `error: RPC_8453 is set, and ${folder.path} holds the log of base as the simulated chain has ` +
      "it: blocks of the real one must not stand in the same log. Set another DATA_DIR, or unset " +
      "RPC_8453 to go on with the simulated chain"
  )
})

it("has the same tables after its starts as its log gives again", async () => {
  const before = isLong ? collector.requests.length : 0
  if (isLong) await live(2, traced())
  const spans = spansOf(collector.requests.slice(before))
  const asked = spans.find(
    ({ attributes }) => attributeOf(attributes, "http.route") === "/v1/chains"
  )
  expect([asked?.thread, asked?.name]).toEqual(["serving", "GET"])
  for (const thread of ["lane arc", "lane base"]) {
    const commits = spans.filter(span => span.thread === thread)
    expect(new Set(commits.map(({ name }) => name))).toEqual(new Set(["lane commit"]))
    const seqs = commits.map(({ attributes }) => attributeOf(attributes, "swaptape.seq"))
    expect(seqs).toEqual(seqs.toSorted((a, b) => Number(a) - Number(b)))
  }
  const verified = await runCommand("verify", ["--data", folder.path])
  expect(verified.output).toContain("verified: log and tables agree")
  expect(verified.output).not.toContain("DIFFERENT")
})
