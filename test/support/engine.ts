/** The engine as its user runs it: a process of its own, with its port and its data folder. */

import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync, realpathSync } from "node:fs"
import { availableParallelism, loadavg } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import type { Status } from "../../api/groups/status/status.api.ts"
import { describeExit } from "../../src/platform/child.ts"
import { choosePort, natsServersOn } from "../../src/platform/nats-server-process.ts"
import { compiledProgram } from "./compiled.ts"
import { get } from "./get.ts"
import { PATIENCE_MS } from "./patience.ts"
import { describeProcesses } from "./processes.ts"

const root = join(import.meta.dirname, "../..")

/** How many threads want the processor this moment, which only Linux tells; 0 elsewhere. */
const runningNow = (): number =>
  process.platform === "linux"
    ? Number.parseInt(readFileSync("/proc/loadavg", "utf8").split(" ")[3] ?? "", 10)
    : 0

/**
 * How long something may take now that takes so many milliseconds where the machine has a core for
 * everybody: what is promised within seconds cannot be had while others take the processor. The
 * system's average is of a minute, so others who have just come are counted beside it.
 */
export const atRest = (ms: number): number =>
  ms * Math.max(1, Math.max(loadavg()[0] ?? 0, runningNow()) / availableParallelism())

/** A port that is free now, and that the kernel gives to nobody who does not ask for it by number. */
export const freePort = (): Promise<number> => Effect.runPromise(choosePort)

const settings =
  /^(PORT|DATA_DIR|HOST|NATS_URL|NATS_REPLICAS|DUCKDB_|RPC_|START_|BACKFILL_|COMPACT_|SNAPSHOT_)/

/** The environment without settings of whoever runs the tests, and without a prober. */
export const plainEnvironment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !settings.test(name))),
  PROBER: "off"
})

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A running command of `src/bin`. */
export class Command {
  readonly process: ChildProcess
  readonly exited: Promise<Exit>
  /** what it wrote, standard output alone and both together */
  stdout = ""
  output = ""
  exit: Exit | null = null

  constructor(name: string, args: ReadonlyArray<string>, env: Record<string, string> = {}) {
    this.process = spawn(process.execPath, [...compiledProgram(`src/bin/${name}.ts`), ...args], {
      cwd: root,
      // tests of the other devchains pay nothing for it
      env: { ...plainEnvironment(), DEVCHAIN_SOLANA: "off", ...env },
      stdio: ["ignore", "pipe", "pipe"]
    })
    this.process.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.stdout += text
      this.output += text
    })
    this.process.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.output += text
    })
    this.exited = once(this.process, "close").then(([code, signal]) => {
      this.exit = { code, signal }
      return this.exit
    })
  }

  get pid(): number {
    return this.process.pid as number
  }

  /** Sends a signal and waits for the end. */
  async end(signal: NodeJS.Signals): Promise<Exit> {
    if (this.exit === null) this.process.kill(signal)
    return this.exited
  }
}

/** Runs a command to its end. */
export const runProcess = async (
  name: "replay" | "serve" | "verify" | "log" | "keys" | "mcp" | "start" | "tables" | "client",
  args: ReadonlyArray<string>,
  env: Record<string, string> = {}
) => {
  const command = new Command(name, args, env)
  const { code } = await command.exited
  return { code, stdout: command.stdout, output: command.output }
}

/** Polls until the check gives something; fails with `what` and the last error. */
export const eventually = async <A>(
  what: string,
  check: () => Promise<A | null | false> | A | null | false,
  timeoutMs = PATIENCE_MS,
  pauseMs = 50
): Promise<A> => {
  const deadline = performance.now() + timeoutMs
  let problem = ""
  while (performance.now() < deadline) {
    try {
      const found = await check()
      if (found !== null && found !== false) return found
    } catch (error) {
      problem = ` (${error instanceof Error ? error.message : error})`
    }
    await new Promise(resolve => setTimeout(resolve, pauseMs))
  }
  throw new Error(`${what} did not come true in ${timeoutMs} ms${problem}`)
}

export interface EngineOptions {
  readonly dataDir: string
  /** endpoints by chain id; none runs the devchain */
  readonly rpc?: { readonly [chainId: number]: ReadonlyArray<string> }
  readonly port?: number
  readonly env?: Record<string, string>
  /** what is run, `start` by default, and with which arguments */
  readonly command?: readonly ["start" | "serve" | "replay", ...ReadonlyArray<string>]
}

export interface HttpAnswer {
  readonly status: number
  /** the log position it reflects */
  readonly seq: number | null
  /** as `fetch` types it: answers of many routes, asserted by value */
  readonly body: Awaited<ReturnType<Response["json"]>>
}

/** A started engine. */
export class Engine extends Command {
  readonly url: string
  readonly port: number
  readonly dataDir: string

  constructor(
    port: number,
    { dataDir, rpc = {}, env = {}, command: [name, ...args] = ["start"] }: EngineOptions
  ) {
    const chains = Object.entries(rpc).flatMap(([id, urls]) => [
      [`RPC_${id}`, urls.join(",")] as const,
      [`START_${id}`, "0"] as const
    ])
    const settings = {
      PORT: String(port),
      DATA_DIR: dataDir,
      ...Object.fromEntries(chains),
      ...env
    }
    super(name, args, settings)
    this.port = port
    this.url = `http://127.0.0.1:${port}`
    this.dataDir = dataDir
  }

  /** Waits for the line that says so. */
  async ready(timeoutMs = PATIENCE_MS): Promise<void> {
    await this.alive("ready", () => /^ready http/m.test(this.stdout), timeoutMs)
  }

  /** Waits for something as `eventually`, but not once the engine has ended. */
  async alive<A>(
    what: string,
    check: () => Promise<A | null | false> | A | null | false,
    timeoutMs = PATIENCE_MS
  ): Promise<A> {
    const found = await eventually(
      what,
      async () => {
        if (this.exit !== null) return { ended: this.exit }
        const value = await check()
        return value === null || value === false ? null : { value }
      },
      timeoutMs
    ).catch(error => {
      const processes = describeProcesses(this.pid, this.dataDir)
      throw new Error(`${error.message}, of an engine that wrote:\n${this.output}\n${processes}`)
    })
    if ("value" in found) return found.value
    throw new Error(`it ended with ${describeExit(found.ended)} before ${what}:\n${this.output}`)
  }

  async get(path: string): Promise<HttpAnswer> {
    const { status, headers, text } = await get(`${this.url}/v1${path}`, {}, PATIENCE_MS)
    const seq = headers["x-log-seq"]
    return { status, seq: seq === undefined ? null : Number(seq), body: JSON.parse(text) }
  }

  async status(): Promise<Status> {
    return (await this.get("/status")).body
  }

  /** The status of one lane. */
  async lane(key: string): Promise<Status["lanes"][number]> {
    const found = (await this.status()).lanes.find(({ chain }) => chain === key)
    if (found === undefined) throw new Error(`no lane ${key}`)
    return found
  }

  /** Waits until a lane's tables hold a block, and nothing of the log is left to fold. */
  async reaches(key: string, block: number, timeoutMs = PATIENCE_MS): Promise<void> {
    await this.alive(
      `${key} at block ${block}`,
      async () => {
        const lane = await this.lane(key)
        // scripted chains stand still in the past, which is told as a stall
        const isThere = lane.state === "live" || lane.state === "stalled"
        return isThere && lane.block === block && lane.seq === lane.logSeq
      },
      timeoutMs
    )
  }

  /** Stops it as Ctrl-C does. */
  stop(): Promise<Exit> {
    return this.end("SIGINT")
  }
}

export const startEngine = async (options: EngineOptions): Promise<Engine> =>
  new Engine(options.port ?? (await freePort()), options)

/** The pid of the nats-server that runs on a data folder; null where none does. */
export const natsPid = (dataDir: string): number | null =>
  Effect.runSync(natsServersOn(realpathSync(dataDir)))[0]?.pid ?? null
