/** Memory of processes, as Linux tells it. */
import { existsSync, readFileSync, realpathSync } from "node:fs"
import { Effect } from "effect"
import { natsServersOn } from "../../src/platform/nats-server-process.ts"

/** Peak resident memory of a process so far in bytes; null where the system does not tell. */
export const peakMemory = (pid: number): number | null => {
  try {
    const found = /VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "latin1"))
    return found === null ? null : Number(found[1]) * 1024
  } catch {
    return null
  }
}

const serverOn = (dataFolder: string): number | null =>
  Effect.runSync(natsServersOn(realpathSync(dataFolder)))[0]?.pid ?? null

export interface MemoryWatch {
  /** peak of the process, and of the nats-server of its data folder, in bytes */
  readonly engine: () => number
  readonly nats: () => number
  readonly stop: () => void
}

/** Looks at an engine's memory ten times a second; the kernel's own peaks leave no gap. */
export const watchMemory = (pid: number, dataFolder: string): MemoryWatch => {
  let engine = 0
  let nats = 0
  let server: number | null = null
  const look = () => {
    engine = Math.max(engine, peakMemory(pid) ?? 0)
    const peak = server === null ? null : peakMemory(server)
    nats = Math.max(nats, peak ?? 0)
    // the command may make the folder, and start its server, a moment later
    if (peak === null) server = existsSync(dataFolder) ? serverOn(dataFolder) : null
  }
  const timer = setInterval(look, 100)
  return {
    engine: () => engine,
    nats: () => nats,
    stop: () => clearInterval(timer)
  }
}
