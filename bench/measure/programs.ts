/** Programs that a bench starts: Node on a TypeScript file. None outlives the bench. */
import { type ChildProcess, type StdioOptions, spawn } from "node:child_process"
import { once } from "node:events"

export interface ProgramOptions {
  readonly args?: ReadonlyArray<string>
  readonly env?: { readonly [name: string]: string }
  /** writes CPU profiles of all threads into this folder */
  readonly profileFolder?: string | undefined
}

const STOP_GRACE_MS = 8000

const running = new Set<ChildProcess>()

process.on("exit", () => {
  for (const child of running) child.kill("SIGTERM")
})

/** Ends all programs before the bench, whose folders go with it. */
const interrupted = async (): Promise<void> => {
  await Promise.all([...running].map(stopProgram))
  process.exit(130)
}
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, interrupted)

/** The settings of whoever runs the bench must not reach the engine that is measured. */
const environment = (env: ProgramOptions["env"]): NodeJS.ProcessEnv => {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(RPC|START)_|^(NATS_URL|NATS_REPLICAS|DATA_DIR|PORT|HOST)$/.test(name)
  )
  return { ...Object.fromEntries(kept), ...env }
}

/** Starts Node with the TypeScript file as its entry. */
export const startProgram = (
  entry: string,
  stdio: StdioOptions,
  { args = [], env, profileFolder }: ProgramOptions = {}
): ChildProcess => {
  const profile =
    profileFolder === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profileFolder}`]
  const argv = [...profile, "--import", "tsx", entry, ...args]
  const child = spawn(process.execPath, argv, {
    cwd: new URL("../..", import.meta.url),
    env: environment(env),
    stdio
  })
  running.add(child)
  child.once("exit", () => running.delete(child))
  return child
}

/** Starts any command; its standard output is kept, its errors are shown. */
export const startCommand = (command: string, args: ReadonlyArray<string>): ChildProcess => {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] })
  running.add(child)
  child.once("exit", () => running.delete(child))
  return child
}

/** Ends a program as a user would, or by force where it does not follow. */
export const stopProgram = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, "exit")
  child.kill("SIGTERM")
  const force = setTimeout(() => child.kill("SIGKILL"), STOP_GRACE_MS)
  await ended
  clearTimeout(force)
}

/** Waits for the end; answers what it wrote to its standard output, throws where it failed. */
export const outputOf = async (child: ChildProcess): Promise<string> => {
  const parts: Array<Buffer> = []
  child.stdout?.on("data", part => parts.push(part as Buffer))
  const [code, signal] = (await once(child, "close")) as [number | null, string | null]
  if (code !== 0) throw new Error(`${child.spawnargs.join(" ")} ended: ${signal ?? code}`)
  return Buffer.concat(parts).toString()
}
