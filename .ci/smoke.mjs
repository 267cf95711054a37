// Starts the engine as a user does, asks it what a user asks, and stops it with Ctrl-C's signal.
import { spawn } from "node:child_process"
import { randomInt } from "node:crypto"
import { once } from "node:events"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as sleep } from "node:timers/promises"

const readyWithinMs = 180_000
const answersWithinMs = 60_000
const stopsWithinMs = 5_000

/** @type {() => Promise<number>} below the ports that the kernel gives to outgoing connections */
const freePort = async () => {
  const port = randomInt(10_000, 20_000)
  const server = createServer().listen(port, "127.0.0.1")
  const isFree = await new Promise(resolve => {
    server.once("listening", () => resolve(true)).once("error", () => resolve(false))
  })
  server.close()
  return isFree ? port : freePort()
}

/** @type {(path: string) => string} */
const readOrEmpty = path => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

/** Every process by pid: its parent and its command line; those that have ended are left out. */
const processes = () => {
  const found = new Map()
  for (const pid of readdirSync("/proc").filter(name => /^\d+$/.test(name))) {
    const stat = readOrEmpty(`/proc/${pid}/stat`)
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    const command = readOrEmpty(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim()
    if (state && !/[ZX]/.test(state)) found.set(Number(pid), { parent: Number(parent), command })
  }
  return found
}

/** The processes below one, at any depth. */
const descendants = pid => {
  const all = processes()
  const below = new Set([pid])
  for (let size = 0; size !== below.size; ) {
    size = below.size
    for (const [child, { parent }] of all) if (below.has(parent)) below.add(child)
  }
  return [...below].map(child => ({ pid: child, command: all.get(child)?.command ?? "" }))
}

const ask = async url => {
  const answer = await fetch(url, { signal: AbortSignal.timeout(10_000) })
  const body = await answer.json()
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${JSON.stringify(body)}`)
  return body
}

/** Asks until the answer satisfies, and fails with the last reason when time is up. */
const askUntil = async (url, deadline, problem) => {
  for (;;) {
    let reason
    try {
      const body = await ask(url)
      reason = problem(body)
      if (reason === undefined) return body
    } catch (error) {
      reason = error.message
    }
    if (Date.now() > deadline) throw new Error(`${url}: ${reason}`)
    await sleep(500)
  }
}

/** The trades in a page of candles, which grows with every block of the devchain. */
const tradesIn = ({ candles }) => candles.reduce((sum, { n }) => sum + n, 0)

const exercise = async base => {
  const deadline = Date.now() + answersWithinMs
  // 503 until every source has its first block
  const well = ({ ok }) => (ok ? undefined : "not well")
  const health = await askUntil(`${base}/v1/health`, deadline, well)
  console.log("health:", JSON.stringify(health))
  const live = body =>
    body.lanes.every(({ state }) => state === "live") ? undefined : JSON.stringify(body.lanes)
  const status = await askUntil(`${base}/v1/status`, deadline, live)
  for (const { chain, state, block, swaps } of status.lanes)
    console.log(`lane ${chain}: ${state}, block ${block}, ${swaps} swaps`)
  for (const { id, chain } of status.lanes) {
    const some = body => (body.tokens.length > 0 ? undefined : "no token yet")
    const { tokens } = await askUntil(`${base}/v1/tokens?chain=${id}`, deadline, some)
    const token = tokens[0].address
    const candles = `${base}/v1/candles?chain=${id}&token=${token}&tf=1m`
    const first = await askUntil(candles, deadline, page =>
      page.candles.length > 0 ? undefined : "no candle yet"
    )
    const next = await askUntil(candles, deadline, page =>
      tradesIn(page) > tradesIn(first) ? undefined : "candles do not grow"
    )
    console.log(
      `candles of ${token} on ${chain}: ${tradesIn(first)}, then ${tradesIn(next)} trades`
    )
    // arc has routes of its own
    const tape =
      chain === "arc"
        ? `${base}/v1/tokens/trades/${token}?chain=${id}`
        : `${base}/v1/chains/${chain}/token/${token}/trades`
    const { trades } = await askUntil(tape, deadline, page =>
      page.trades.length > 0 ? undefined : "no trade yet"
    )
    console.log(`tape of ${token} on ${chain}: ${trades.length} trades on the first page`)
  }
}

const untilReady = async (engine, port) => {
  const line = `ready http://127.0.0.1:${port}`
  const seen = (async () => {
    for await (const text of createInterface({ input: engine.stdout })) {
      console.log(`| ${text}`)
      if (text.includes(line)) return
    }
    throw new Error("the engine ended before it was ready")
  })()
  const late = sleep(readyWithinMs, undefined, { ref: false }).then(() => {
    throw new Error(`no "${line}" within ${readyWithinMs / 1000} s`)
  })
  await Promise.race([seen, late])
  engine.stdout.resume()
}

/** Stops the engine as Ctrl-C does and fails when it is slow or leaves a process behind. */
const stop = async (engine, dataDirectory) => {
  const family = descendants(engine.pid)
  const asked = Date.now()
  engine.kill("SIGINT")
  const ended = engine.exitCode === null && engine.signalCode === null ? once(engine, "exit") : null
  const late = sleep(stopsWithinMs, "late", { ref: false })
  if (ended !== null && (await Promise.race([ended, late])) === "late") {
    for (const { pid } of family) process.kill(pid, "SIGKILL")
    throw new Error(`the engine was still there ${stopsWithinMs} ms after SIGINT`)
  }
  console.log(`stopped after ${Date.now() - asked} ms with exit code ${engine.exitCode}`)
  const now = processes()
  const left = [...now].filter(
    ([pid, { command }]) =>
      command.includes(dataDirectory) ||
      family.some(one => one.pid === pid && one.command === command)
  )
  for (const [pid] of left) process.kill(pid, "SIGKILL")
  if (left.length > 0)
    throw new Error(`processes left: ${left.map(([pid, { command }]) => `${pid} ${command}`)}`)
}

const port = await freePort()
const dataDirectory = mkdtempSync(join(tmpdir(), "swaptape-smoke-"))
const engine = spawn("npm", ["start"], {
  env: { ...process.env, PORT: String(port), DATA_DIR: dataDirectory },
  stdio: ["ignore", "pipe", "inherit"]
})
let problem
try {
  await untilReady(engine, port)
  console.log(`ready on port ${port}, processes:`)
  for (const { pid, command } of descendants(engine.pid)) console.log(`  ${pid} ${command}`)
  await exercise(`http://127.0.0.1:${port}`)
} catch (error) {
  problem = error
}
await stop(engine, dataDirectory).catch(error => {
  problem ??= error
})
rmSync(dataDirectory, { recursive: true, force: true })
if (problem) {
  console.error(`smoke: FAILED: ${problem.message}`)
  process.exit(1)
}
console.log("smoke: passed")
