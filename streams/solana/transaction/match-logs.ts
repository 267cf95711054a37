/** Which instruction wrote which line of a transaction's log. */
import type { LoggedData, LogState } from "../transaction.ts"

/** An instruction while it is read. */
export interface Draft {
  readonly program: string
  /** 0 where the node did not tell it */
  height: number
  readonly isOuter: boolean
  readonly logged: Array<LoggedData>
}

const HEIGHT = /^\d+$/
const INVOKED = " invoke ["
const DATA = "Program data: "
const RAY = "Program log: ray_log: "
const TRUNCATED = "Log truncated"

/**
 * Finds the next instruction that runs the program at that height. Instructions of programs that
 * log nothing, as those that only check signatures, are outer and passed over.
 */
const nextOf = (
  drafts: ReadonlyArray<Draft>,
  from: number,
  program: string,
  height: number
): number => {
  for (let at = from; at < drafts.length; at++) {
    const draft = drafts[at]!
    const fits = draft.height === 0 ? height > 1 : draft.height === height
    if (draft.program === program && fits) return at
    if (!draft.isOuter) return -1
  }
  return -1
}

/**
 * Gives every instruction the bytes that it logged, and its height where the node told none: the
 * k-th `invoke` line is the k-th instruction that ran. Where a program's name or height is another
 * one than expected, nothing further is attributed.
 */
export const matchLogs = (
  drafts: ReadonlyArray<Draft>,
  lines: ReadonlyArray<string> | null
): LogState => {
  if (lines === null || lines.length === 0) return drafts.length === 0 ? "complete" : "missing"
  const running: Array<number> = []
  let next = 0
  for (const line of lines) {
    if (!line.startsWith("Program ")) {
      if (line === TRUNCATED) return "truncated"
      continue
    }
    const top = running[running.length - 1]
    if (line.startsWith(DATA) || line.startsWith(RAY)) {
      const isRay = line.startsWith(RAY)
      const base64 = line.slice(isRay ? RAY.length : DATA.length)
      if (top !== undefined) drafts[top]!.logged.push({ isRay, base64 })
      continue
    }
    // other texts of programs are theirs to choose, and might look like a line of the runtime
    if (line.startsWith("Program log: ") || line.startsWith("Program return: ")) continue
    const invoked = line.endsWith("]") ? line.lastIndexOf(INVOKED) : -1
    const told = invoked < 0 ? "" : line.slice(invoked + INVOKED.length, -1)
    if (HEIGHT.test(told)) {
      const height = Number(told)
      const at = nextOf(drafts, next, line.slice(8, invoked), height)
      if (at < 0 || height !== running.length + 1) return "unmatched"
      drafts[at]!.height = height
      running.push(at)
      next = at + 1
    } else if (line.endsWith(" success") || line.includes(" failed: ")) {
      const name = line.slice(8, line.indexOf(" ", 8))
      if (top === undefined || drafts[top]!.program !== name) return "unmatched"
      running.pop()
    }
  }
  return "complete"
}
