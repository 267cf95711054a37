/**
 * Kill -9 of the engine and of its nats-server under load, again and again: nothing is lost,
 * nothing comes twice. The engines compact, copy and roll back all the time, so that kills fall
 * into the middle of each; some are timed to do so. A reader of live events comes back after each, and
 * ends with what the log tells.
 */

import { mkdirSync, rmSync, watch } from "node:fs"
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { afterEach, expect, it, onTestFinished } from "vitest"
import { runCommand } from "../support/command.ts"
import { type Engine, eventually, freePort, natsPid, startEngine } from "../support/engine.ts"
import { differenceFrom, logOf } from "../support/engine-log.ts"
import { differences, laneAnswers, startWorld, type World } from "../support/engine-world.ts"
import { LiveHolder, toldOf } from "../support/live-holder.ts"
import { temporaryFolder } from "../support/nats.ts"
import { PATIENCE_MS } from "../support/patience.ts"
import { type Random, random, seed } from "../support/seed.ts"

const long = process.env["SWAPTAPE_LONG"] === "1"
/** In the long run every one of the moments below, and then any of them. */
const KILLS = long ? 120 : 2

/** Upkeep after every commit, or now and then. */
const busy = { COMPACT_EVERY: "1", COMPACT_ROWS: "1", SNAPSHOT_EVERY: "1" }
const steady = { COMPACT_EVERY: "2000", COMPACT_ROWS: "500", SNAPSHOT_EVERY: "5000" }

const load = { everyMs: 100, swaps: 6, forks: 0.08, deepest: 6 }

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

const killNats = (engine: Engine): void => {
  const pid = natsPid(engine.dataDir)
  if (pid !== null) process.kill(pid, "SIGKILL")
}

/** Waits until the engine, once ready, has committed something since it was asked. */
const progress = async (engine: Engine): Promise<void> => {
  await engine.ready()
  const before = await engine.lane("base")
  await engine.alive("progress", async () => (await engine.lane("base")).seq > before.seq)
}

/** Waits until a file of such a name is written in a folder of the lanes, or as long as tests wait. */
const written = (engine: Engine, folder: string, name: RegExp): Promise<void> =>
  new Promise(resolve => {
    const path = join(engine.dataDir, folder)
    mkdirSync(path, { recursive: true })
    const watcher = watch(path, (_, file) => {
      if (name.test(file ?? "")) done()
    })
    const timer = setTimeout(() => done(), PATIENCE_MS)
    const done = () => {
      clearTimeout(timer)
      watcher.close()
      resolve()
    }
  })

const COPYING = "while it copies"

/** What to wait for before an engine is killed. */
const moments: { [name: string]: (engine: Engine, world: World, r: Random) => Promise<unknown> } = {
  "while it starts": (_engine, _world, r) => pause(r.integer(0, 1_500)),
  "while it works": async (engine, _world, r) => {
    await progress(engine)
    await pause(r.integer(0, 600))
  },
  "while it commits": async (engine, _world, r) => {
    await progress(engine)
    await written(engine, "lanes", /\.wal$/)
    await pause(r.integer(0, 15))
  },
  [COPYING]: async (engine, _world, r) => {
    await progress(engine)
    await written(engine, "lanes/snapshots", /\.part$/)
    await pause(r.integer(0, 5))
  },
  "while it rolls back": async (engine, world, r) => {
    await progress(engine)
    world.fork(r.integer(10, 30), 12)
    await pause(r.integer(0, 250))
  },
  "after its nats-server": async (engine, _world, r) => {
    await progress(engine)
    killNats(engine)
    await progress(engine)
    await pause(r.integer(0, 400))
  },
  "with its nats-server": async (engine, _world, r) => {
    await progress(engine)
    await pause(r.integer(0, 400))
    killNats(engine)
  }
}

const folders: Array<string> = []
afterEach(() => {
  for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true })
})
const newFolder = (): string => {
  const { path } = temporaryFolder()
  folders.push(path)
  return path
}

interface Place {
  readonly dataDir: string
  readonly port: number
}

const engineOn = (world: World, place: Place, env: Record<string, string> = {}) =>
  startEngine({ ...place, rpc: world.endpoints, env })

/** Every moment once, in an order of the seed; then any of them. */
const schedule = (r: Random): ReadonlyArray<string> => {
  const names = Object.keys(moments)
  const first = r.shuffle(names).slice(0, KILLS)
  const more = Array.from({ length: KILLS - first.length }, () => r.pick(names))
  return [...first, ...more]
}

const tokensOf = ({ market }: World) => market.tokens.slice(0, 3).map(({ address }) => address)

const newReader = (world: World) =>
  new LiveHolder(
    "base",
    tokensOf(world).flatMap(token => [
      { channel: "trades", token },
      { channel: "candles", token, tf: "1m" }
    ])
  )

/** Waits until a reader holds what an engine tells, which gets no more to fold. */
const heardAll = async (engine: Engine, world: World, reader: LiveHolder): Promise<void> => {
  const told = await Promise.all(tokensOf(world).map(token => toldOf(engine, token)))
  const held = () =>
    tokensOf(world).map(token => {
      return { token, trades: reader.trades(token), candles: reader.candles(token, "1m") }
    })
  await eventually("all frames", () => isDeepStrictEqual(held(), told)).catch(() => undefined)
  expect(reader.faults).toEqual([])
  expect(held()).toEqual(told)
  // one that is killed while it starts may have had none
  expect(reader.connections).toBeGreaterThan(1)
}

const troubles = (engine: Engine): string =>
  engine.output
    .split("\n")
    .filter(line => /WARN|ERROR/.test(line))
    .join("\n    ")

/** Reads one thing after the other until the engine is gone; answers what went wrong. */
const readOnAndOn = async (engine: Engine, { config, market }: World, r: Random) => {
  const strange: Array<string> = []
  while (engine.exit === null) {
    const { address } = r.pick(market.tokens)
    const path = r.pick([
      `/tokens/trades/${address}?chain=${config.id}&limit=${r.integer(1, 500)}`,
      `/candles?chain=${config.id}&token=${address}&tf=1m&limit=${r.integer(1, 500)}`
    ])
    const answer = await engine.get(path).catch(() => null)
    if (answer !== null && ![200, 404, 503].includes(answer.status)) {
      strange.push(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    }
    await pause(r.integer(0, long ? 30 : 120))
  }
  return strange
}

/** Kills engine after engine on one data folder. */
const killAgainAndAgain = async (world: World, place: Place, r: Random) => {
  for (const [kill, name] of schedule(r).entries()) {
    const upkeep = name === COPYING || r.boolean(0.7) ? busy : steady
    const engine = await engineOn(world, place, upkeep)
    const reading = readOnAndOn(engine, world, random(`reads of ${kill}`))
    await moments[name]?.(engine, world, r)
    expect(await engine.end("SIGKILL"), engine.output).toEqual({ code: null, signal: "SIGKILL" })
    expect(await reading).toEqual([])
    console.log(
      `kill ${kill + 1} at block ${world.chain.head.number}, ${name}\n    ${troubles(engine)}`
    )
    if (r.boolean(0.3)) world.fork(r.integer(1, 20), 12)
  }
}

it(
  `kill -9 at ${KILLS} moments loses nothing and repeats nothing`,
  async () => {
    const label = `kills ${KILLS}`
    console.log(`kills: SEED=${seed}`)
    const world = await startWorld(label)
    const dataDir = newFolder()
    const own = { dataDir, port: await freePort() }
    const reader = newReader(world)
    let isRead = false
    onTestFinished(() => {
      isRead = true
    })
    const reading = reader.followEvents(own.port, () => isRead)
    world.work(load)
    await killAgainAndAgain(world, own, random(label))
    world.rest()
    const { number } = world.chain.head

    // that the tables are those of the log is verified below: the long run asks a second engine, too
    const fresh = long ? [{ dataDir: newFolder(), port: await freePort() }] : []
    const engines = await Promise.all([own, ...fresh].map(one => engineOn(world, one)))
    const [survived, unharmed] = await Promise.all(
      engines.map(async engine => {
        await engine.reaches("base", number)
        const answers = await laneAnswers(engine, world)
        if (engine.port === own.port) {
          await heardAll(engine, world, reader)
          isRead = true
          await reading
        }
        expect(await engine.stop()).toEqual({ code: 130, signal: null })
        return answers
      })
    )
    await world.close()
    expect(differenceFrom(world.chain, await logOf(dataDir, "base"))).toBeNull()
    const verified = await runCommand("verify", ["--data", dataDir])
    expect(verified.output).toContain("verified: log and tables agree")
    expect(verified.code).toBe(0)
    if (long) expect(differences(survived ?? {}, unharmed ?? {})).toEqual([])
    expect(natsPid(dataDir)).toBeNull()
  },
  long ? 1_800_000 : 300_000
)
