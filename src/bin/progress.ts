/** A progress bar on standard error: a rewritten line on a terminal, else a line every 5 s. */

export interface Progress {
  /** shows `done` of the total, with a note */
  readonly at: (done: number, note?: string) => void
  readonly end: () => void
}

const WIDTH = 30
const TERMINAL_MS = 100
const LINES_MS = 5000

/** Returns a bar for `total` units; a total of 0 counts as done. */
export const progressBar = (label: string, total: number): Progress => {
  const terminal = process.stderr.isTTY === true
  const began = performance.now()
  let shown = 0
  let last = ""
  let written = ""
  const draw = (done: number, note: string): string => {
    const share = total === 0 ? 1 : Math.min(1, done / total)
    const filled = Math.round(share * WIDTH)
    const seconds = (performance.now() - began) / 1000
    const left = share > 0.01 && share < 1 ? ` ${Math.ceil(seconds / share - seconds)} s left` : ""
    const bar = "=".repeat(filled) + " ".repeat(WIDTH - filled)
    return `${label} [${bar}] ${(share * 100).toFixed(1)} %${left}${note === "" ? "" : `  ${note}`}`
  }
  const write = (text: string): void => {
    written = text
    process.stderr.write(terminal ? `\r\x1b[2K${text}` : `${text}\n`)
  }
  return {
    at: (done, note = "") => {
      last = draw(done, note)
      const now = performance.now()
      if (now - shown < (terminal ? TERMINAL_MS : LINES_MS)) return
      shown = now
      write(last)
    },
    end: () => {
      if (last !== written) write(last)
      if (terminal) process.stderr.write("\n")
    }
  }
}
