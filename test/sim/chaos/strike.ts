/** The faults themselves: each strikes, shows where it must, lasts, and ends. */
import { readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { runCommand } from "../../support/command.ts"
import { eventually, natsPid } from "../../support/engine.ts"
import type { Chance, Faults } from "../../support/fake-rpc-methods.ts"
import type { Random } from "../../support/seed.ts"
import { openSocket } from "../../support/ws-client.ts"
import type { AnswerWatch } from "./answer-watch.ts"
import type { HealthWatch } from "./health-watch.ts"
import type { Fault } from "./schedule.ts"
import { MINTED, type Stage } from "./stage.ts"
import type { TapeReader } from "./tape-reader.ts"

export interface Scene {
  readonly stage: Stage
  readonly health: HealthWatch
  readonly answers: AnswerWatch
  readonly readers: ReadonlyArray<TapeReader>
  readonly random: Random
  readonly holdMs: number
}

const signal = (pid: number | null, name: NodeJS.Signals): void => {
  if (pid === null) throw new Error("there is no process to signal")
  try {
    process.kill(pid, name)
  } catch (error) {
    // it may have been ended meanwhile, by who found that it hangs
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error
  }
}

/** Stops a process until it has shown and lasted, and lets it go on. */
const freeze = async ({ health, holdMs }: Scene, what: Fault, pid: number | null) => {
  const since = performance.now()
  signal(pid, "SIGSTOP")
  try {
    await health.shown(what, since)
    await sleep(holdMs)
  } finally {
    signal(pid, "SIGCONT")
  }
}

/** Nothing more can be written where the engine keeps its data, until that has shown and lasted. */
const fillDisk = async ({ stage: { disk }, health, holdMs }: Scene): Promise<void> => {
  if (disk === null) return
  const since = performance.now()
  disk.fill()
  try {
    await health.shown("disk full", since)
    await sleep(holdMs)
  } finally {
    disk.free()
  }
}

/** The node does what is asked, until it has shown and lasted. */
const nodeFails = async (
  { stage: { node }, health, holdMs }: Scene,
  what: Fault,
  begin: () => Promise<unknown> | undefined,
  end: () => Promise<unknown> | undefined
) => {
  const since = performance.now()
  await begin()
  await health.shown(what, since)
  await sleep(holdMs)
  await end()
  node.cutSockets()
}

/** The node answers wrongly until each way of it has struck. */
const nodeErrs = async ({ stage, holdMs }: Scene, chances: Partial<Faults>) => {
  const { node } = stage
  const names = Object.keys(chances) as ReadonlyArray<Chance>
  const before = names.map(name => node.struck(name))
  node.misbehave(chances)
  await eventually(`${names.join(", ")} of the node`, () =>
    names.every((name, i) => node.struck(name) > (before[i] ?? 0))
  )
  await sleep(holdMs)
  node.misbehave({})
}

/** The node lies about everything in the same way for some blocks. */
const nodeMisleads = async ({ stage, holdMs }: Scene, faults: Partial<Faults>, blocks: number) => {
  const { node, world } = stage
  const { asked } = node
  const from = world.chain.head.number
  node.misbehave(faults)
  await eventually("questions to the node", () => {
    return world.chain.head.number >= from + blocks && node.asked > asked
  })
  await sleep(holdMs)
  node.misbehave({})
}

const flip = (file: string, at: number, count: number): void => {
  const bytes = readFileSync(file)
  for (let i = at; i < Math.min(at + count, bytes.length); i++) bytes[i] = (bytes[i] ?? 0) ^ 0x55
  writeFileSync(file, bytes)
}

const TABLES: ReadonlyArray<(file: string, size: number, r: Random) => void> = [
  (file, size) => truncateSync(file, size >> 1),
  (file, size, r) => flip(file, r.integer(0, size - 1), 1),
  (file, size, r) => flip(file, r.integer(0, size - 1), 4096),
  file => writeFileSync(file, "this is no database")
]

const damageTables = async ({ stage: { victim }, random: r, health }: Scene): Promise<void> => {
  const since = performance.now()
  await victim.engine.end(r.boolean() ? "SIGKILL" : "SIGINT")
  const files = readdirSync(join(victim.dataDir, "lanes")).filter(name => name.endsWith(".duckdb"))
  const file = join(victim.dataDir, "lanes", r.pick(files))
  r.pick(TABLES)(file, readFileSync(file).length, r)
  await health.shown("tables damaged", since)
  await victim.start()
}

/** The log's bytes are damaged; it is found to be, and mended from the chain. */
const damageLog = async ({ stage, random: r, answers, holdMs }: Scene): Promise<void> => {
  const { victim, world } = stage
  await victim.engine.end("SIGKILL")
  await stage.endEra()
  const folder = join(victim.dataDir, "nats/jetstream/$G/streams/TAPE_BASE/msgs")
  const files = readdirSync(folder).filter(name => name.endsWith(".blk"))
  const file = join(folder, r.pick(files))
  flip(file, r.integer(0, readFileSync(file).length - 1), r.pick([1, 64]))
  // what is damaged may be served until it matters; then it must be told
  if (holdMs > 0) {
    await victim.start()
    await sleep(holdMs)
    await victim.engine.end("SIGKILL")
  }
  const env = {
    DATA_DIR: victim.dataDir,
    RPC_8453: world.rpc.url,
    START_8453: "0"
  }
  const log = (...args: ReadonlyArray<string>) =>
    runCommand("log", [...args, "--chain", "base"], env)
  const { code, output } = await log("repair", "--from-source")
  if (code !== 0) throw new Error(`the log is not mended: ${output}`)
  answers.era = stage.eras.length
  await victim.start()
}

const openAndClose = async ({ stage: { victim, tokens }, random: r }: Scene): Promise<void> => {
  for (let i = 0; i < 12; i++) {
    const upgrade = await openSocket(victim.port).catch(() => null)
    if (!upgrade?.ok) continue
    const { client } = upgrade
    for (const token of r.shuffle(tokens).slice(0, r.integer(0, 4))) {
      const channel = r.pick(["trades", "prices"])
      client.send({ op: "subscribe", channel, chain: "base", token, from: r.integer(0, 50) })
    }
    await sleep(r.integer(0, 60))
    client.close()
  }
}

const pin = async ({ stage: { victim } }: Scene): Promise<void> => {
  await eventually("the token's pin", async () => {
    const { body } = await victim.engine.get(`/chains/base/token/${MINTED}/holders`)
    return body.error === "HOLDERS_PENDING" || body.tracked === true
  })
}

const readSlowly = async ({ stage, readers, holdMs }: Scene): Promise<void> => {
  const from = stage.world.chain.head.number
  for (const reader of readers.slice(1)) reader.pause()
  await eventually("blocks", () => stage.world.chain.head.number >= from + 4)
  await sleep(holdMs)
  for (const reader of readers.slice(1)) reader.resume()
}

const BROKEN = { rateLimit: 0.2, html: 0.2, errorObject: 0.2, reset: 0.2, truncate: 0.2 }
const LYING = {
  ...{ dropLogs: 0.5, repeatLogs: 0.3, reorderLogs: 0.3, wrongBlockHash: 0.3 },
  ...{ oldHead: 0.2, nullBlock: 0.2 }
}

/** Lets a fault strike and end; it begins at once. */
export const strike: { readonly [F in Fault]: (scene: Scene) => Promise<void> } = {
  "engine killed": async ({ stage: { victim }, health, holdMs }) => {
    const since = performance.now()
    await victim.engine.end("SIGKILL")
    await health.shown("engine killed", since)
    await sleep(holdMs / 4)
    await victim.start()
  },
  "engine frozen": scene => freeze(scene, "engine frozen", scene.stage.victim.engine.pid),
  "log server killed": async ({ stage: { victim } }) => {
    signal(natsPid(victim.dataDir), "SIGKILL")
  },
  "log server frozen": scene =>
    freeze(scene, "log server frozen", natsPid(scene.stage.victim.dataDir)),
  "tables damaged": damageTables,
  "log damaged": damageLog,
  "disk full": fillDisk,
  "node dead": scene =>
    nodeFails(
      scene,
      "node dead",
      () => scene.stage.node.close(),
      () => scene.stage.node.open()
    ),
  "node silent": scene => {
    const { node } = scene.stage
    const begin = async () => {
      node.misbehave({ hang: 1 })
      node.cutSockets()
    }
    return nodeFails(scene, "node silent", begin, async () => node.misbehave({}))
  },
  "node broken": scene => nodeErrs(scene, BROKEN),
  "node lying": scene => nodeErrs(scene, LYING),
  "node forgetful": scene => nodeMisleads(scene, { keepsLogs: 0, keepsReceiptLogs: 0 }, 2),
  "node behind": scene => nodeMisleads(scene, { lag: 3 }, 3),
  "chain reorganised": async ({ stage, random: r }) => stage.fork(r.integer(1, 8)),
  "tokens pinned": pin,
  "sockets opened and closed": openAndClose,
  "reader slow": readSlowly
}
