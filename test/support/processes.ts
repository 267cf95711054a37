/** The processes that work on a folder, as their command lines tell. */
import { readdirSync, readFileSync } from "node:fs"
import { basename } from "node:path"
import { processesWhere } from "../../src/platform/process-table.ts"

const workingOn = (folder: string) =>
  processesWhere(args => args.some(argument => argument.includes(folder)))

/** The names of the running programs that were given a path in a folder; sorted. */
export const programsOn = (folder: string): ReadonlyArray<string> =>
  workingOn(folder)
    .map(({ args }) => basename(args[0] ?? ""))
    .sort()

/** What the kernel says of one thread: its state, processor ticks, and where it waits. */
const threadState = (path: string): string => {
  const stat = readFileSync(`${path}/stat`, "utf8")
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return `${fields[0]} ${Number(fields[11]) + Number(fields[12])} ${readFileSync(`${path}/wchan`, "utf8")}`
}

/**
 * What a process that gives no sign is doing, and those that work on its folder: each thread's
 * state, ticks (a hundredth of a second of processor time) and where it waits. Linux only.
 */
export const describeProcesses = (pid: number, folder: string): string => {
  const pids = new Set([pid, ...workingOn(folder).map(one => one.pid)])
  return [...pids]
    .map(one => {
      try {
        const threads = readdirSync(`/proc/${one}/task`)
        const states = threads.map(thread => threadState(`/proc/${one}/task/${thread}`))
        const name = readFileSync(`/proc/${one}/comm`, "utf8").trim()
        return `process ${one} ${name}: ${states.join(", ")}`
      } catch {
        return `process ${one}: cannot be looked at`
      }
    })
    .join("\n")
}
