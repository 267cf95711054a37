/**
 * Forks through the whole engine, deep and shallow, while it runs and while it is down: what HTTP
 * answers, and what a reader of the live socket holds, is the final chain and nothing else.
 */
import { rmSync } from "node:fs"
import { isDeepStrictEqual } from "node:util"
import { afterAll, beforeAll, expect, it } from "vitest"
import { runCommand } from "../support/command.ts"
import { type Engine, freePort, startEngine } from "../support/engine.ts"
import { differenceFrom, logOf } from "../support/engine-log.ts"
import { differences, laneAnswers, startWorld, type World } from "../support/engine-world.ts"
import { LiveHolder, toldOf } from "../support/live-holder.ts"
import { temporaryFolder } from "../support/nats.ts"
import { random as newRandom, seed } from "../support/seed.ts"

const long = process.env["SWAPTAPE_LONG"] === "1"
const ROUNDS = long ? 60 : 3
const PATIENCE = long ? 900_000 : 240_000
const SWAPS = 6
const TOKENS = long ? 40 : 6
/** Between two reads of each of the readers: they compare answers, and are no load test. */
const READ_PAUSE_MS = 20

const first = temporaryFolder()
const second = temporaryFolder()
const r = newRandom("reorgs")
let world: World
let engine: Engine
let port: number
let reader: LiveHolder
let tokens: ReadonlyArray<string>

const start = (dataDir: string, own?: number) =>
  startEngine({ dataDir, rpc: world.endpoints, ...(own === undefined ? {} : { port: own }) })

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

const caughtUp = () => engine.reaches("base", world.chain.head.number)

/** One of the things a chain may do to who follows it. */
const happen = async (): Promise<void> => {
  const kind = r.pick(["grow", "shallow", "deep", "shorter", "twice"])
  if (kind === "shallow") world.fork(r.integer(1, 3), SWAPS)
  else if (kind === "deep") world.fork(r.integer(10, 50), SWAPS)
  else if (kind === "twice") {
    world.fork(r.integer(2, 6), SWAPS)
    await pause(r.integer(0, 400))
    world.fork(r.integer(2, 6), SWAPS)
  } else if (kind === "shorter") {
    const depth = r.integer(3, 10)
    world.chain.rewind(depth)
    world.mine(r.integer(1, depth), SWAPS)
  }
  world.mine(r.integer(1, 4), SWAPS)
}

/**
 * Reads what it can while the chain forks: two answers that reflect one position must agree, and
 * each must be about the token that was asked for.
 */
const readMeanwhile = (until: () => boolean) => {
  const seen = new Map<string, string>()
  const faults: Array<string> = []
  const compare = (key: string, body: unknown) => {
    const text = JSON.stringify(body)
    const before = seen.get(key) ?? text
    if (text !== before) faults.push(`${key}\n  ${before}\n  ${text}`)
    seen.set(key, text)
  }
  const one = async () => {
    const { address } = random.pick(world.market.tokens)
    const limit = random.integer(20, 400)
    const { status, seq, body } = await engine.get(
      `/tokens/trades/${address}?chain=8453&limit=${limit}`
    )
    if (status === 200)
      compare(`${address} at ${seq}`, { ...body, pageSize: 0, trades: body.trades.slice(0, 20) })
    else compare(`${address} at ${seq}`, status)
  }
  const random = newRandom("reads")
  const all = Array.from({ length: 3 }, async () => {
    while (!until()) {
      await one()
      await pause(READ_PAUSE_MS)
    }
  })
  return Promise.all(all).then(() => faults)
}

/** What the reader holds, beside what HTTP answers. */
const heldAndTold = async () => {
  const held: Array<unknown> = []
  const told: Array<unknown> = []
  for (const token of tokens) {
    told.push(await toldOf(engine, token))
    held.push({ token, trades: reader.trades(token), candles: reader.candles(token, "1m") })
  }
  return { held, told }
}

/** The same once the frames of the newest commit are there, which HTTP may tell of before them. */
const settled = async () => {
  for (let tries = 0; ; tries++) {
    const found = await heldAndTold()
    if (tries === 50 || isDeepStrictEqual(found.held, found.told)) return found
    await pause(100)
  }
}

beforeAll(async () => {
  console.log(`reorgs: SEED=${seed}`)
  port = await freePort()
  world = await startWorld("reorgs", { blocks: 110, swaps: SWAPS, tokens: TOKENS })
  engine = await start(first.path, port)
  await caughtUp()
  tokens = world.market.tokens.slice(0, 3).map(({ address }) => address)
  reader = new LiveHolder(
    "base",
    tokens.flatMap(token => [
      { channel: "trades", token },
      { channel: "candles", token, tf: "1m" }
    ])
  )
  await reader.connect(port)
})

afterAll(async () => {
  await engine?.end("SIGKILL")
  await world?.close()
  first.remove()
  rmSync(second.path, { recursive: true, force: true })
})

it(
  "undoes what a fork replaced, and brings the new branch, to HTTP and the live socket",
  async () => {
    let isOver = false
    const reading = readMeanwhile(() => isOver)
    for (let round = 0; round < ROUNDS; round++) {
      await happen()
      await pause(r.integer(0, 700))
    }
    world.fork(5, SWAPS)
    await caughtUp()
    isOver = true
    expect(await reading).toEqual([])
    const { held, told } = await settled()
    expect(reader.faults).toEqual([])
    expect(held).toEqual(told)
    for (const token of tokens) {
      expect(reader.undos({ channel: "trades", token })).toBeGreaterThan(0)
    }
  },
  PATIENCE
)

it(
  "takes up forks that came while it was down, and a reader that resumes with it",
  async () => {
    const before = reader.undos({ channel: "trades", token: tokens[0] ?? "" })
    reader.disconnect()
    expect(await engine.stop()).toEqual({ code: 130, signal: null })
    world.fork(30, SWAPS)
    world.fork(12, SWAPS)
    engine = await start(first.path, port)
    await caughtUp()
    await reader.connect(port)
    world.fork(2, SWAPS)
    await caughtUp()
    const { held, told } = await settled()
    expect(reader.faults).toEqual([])
    expect(held).toEqual(told)
    expect(reader.undos({ channel: "trades", token: tokens[0] ?? "" })).toBeGreaterThan(before)
  },
  PATIENCE
)

it(
  "ends as an engine that saw the final chain only",
  async () => {
    await engine.alive("the count", async () => (await engine.lane("base")).rollbacks > 0)
    // its log is the final chain's, and its tables the log's: another engine is asked in the long run
    if (long) {
      const fresh = await start(second.path)
      await fresh.reaches("base", world.chain.head.number)
      const [one, other] = [await laneAnswers(engine, world), await laneAnswers(fresh, world)]
      await fresh.stop()
      expect(differences(one, other)).toEqual([])
    }
    await engine.stop()
    const events = await logOf(first.path, "base")
    expect(differenceFrom(world.chain, events)).toBeNull()
    // the forks after which it was waited for; of the others some may have come at once
    expect(events.filter(({ kind }) => kind === "Rollback").length).toBeGreaterThanOrEqual(3)
    const verified = await runCommand("verify", ["--data", first.path])
    expect(verified.output).toContain("verified: log and tables agree")
    expect(verified.code).toBe(0)
  },
  PATIENCE
)
