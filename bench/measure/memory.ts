/** Memory of processes, as Linux tells it. */
import { readFileSync } from "node:fs"

/** Peak resident memory of a process so far in bytes; null where the system does not tell. */
export const peakMemory = (pid: number): number | null => {
  try {
    const found = /VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "latin1"))
    return found === null ? null : Number(found[1]) * 1024
  } catch {
    return null
  }
}

/** The pid in a file, null where there is none. */
const pidIn = (path: string): number | null => {
  try {
    return Number(readFileSync(path, "latin1"))
  } catch {
    return null
  }
}

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
  const look = () => {
    engine = Math.max(engine, peakMemory(pid) ?? 0)
    const server = pidIn(`${dataFolder}/nats.pid`)
    if (server !== null) nats = Math.max(nats, peakMemory(server) ?? 0)
  }
  const timer = setInterval(look, 100)
  return {
    engine: () => engine,
    nats: () => nats,
    stop: () => clearInterval(timer)
  }
}
