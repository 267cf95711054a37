/** The processes that work on a folder, as their command lines tell. */
import { execFileSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { basename } from "node:path"
import { commandLine, isRunning } from "../../src/platform/process-table.ts"

const allPids = (): ReadonlyArray<number> =>
  (process.platform === "linux"
    ? readdirSync("/proc").filter(name => /^\d+$/.test(name))
    : execFileSync("ps", ["-A", "-o", "pid="], { encoding: "utf8" }).trim().split("\n")
  ).map(Number)

/** The names of the running programs that were given a path in a folder; sorted. */
export const programsOn = (folder: string): ReadonlyArray<string> =>
  allPids()
    .flatMap(pid => {
      const line = commandLine(pid) ?? []
      const names = line.some(argument => argument.includes(folder)) && isRunning(pid)
      return names ? [basename(line[0] ?? "")] : []
    })
    .sort()
