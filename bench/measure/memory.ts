/** Memory and processor time of processes, as Linux tells them. */
import { existsSync, readFileSync, realpathSync } from "node:fs"
import { Effect } from "effect"
import { natsServersOn } from "../../src/platform/nats-server-process.ts"

const memoryOf = (pid: number, line: RegExp): number | null => {
  try {
    const found = line.exec(readFileSync(`/proc/${pid}/status`, "latin1"))
    return found === null ? null : Number(found[1]) * 1024
  } catch {
    return null
  }
}

/** Peak resident memory of a process so far in bytes; null where the system does not tell. */
export const peakMemory = (pid: number): number | null => memoryOf(pid, /VmHWM:\s*(\d+) kB/)

/** Resident memory of a process in bytes; NaN where the system does not tell. */
export const residentMemory = (pid: number): number =>
  memoryOf(pid, /VmRSS:\s*(\d+) kB/) ?? Number.NaN

/** Linux tells processor time in these, whatever the machine. */
const TICKS_PER_SECOND = 100

/** Seconds of processor that the main thread of a process has taken. */
export const mainThreadSeconds = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, "latin1")
  // behind the name in parentheses: the state, then ten numbers, then user and system time
  const [user, system] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13)
  return (Number(user) + Number(system)) / TICKS_PER_SECOND
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
