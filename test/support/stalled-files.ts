/**
 * Ends what hangs. A test that waits in the system, or in a loop, holds its whole process, where no
 * timeout of Vitest can fire, and a file that waits while it is imported has none: the run would
 * never end, and not say why. Nobody tells which process holds a file, so all are killed: files
 * that run beside it fail with it.
 */
import { readFileSync } from "node:fs"
import type { Reporter, TestModule } from "vitest/node"
import { processesWhere } from "../../src/platform/process-table.ts"

/** Longer than any test may take. */
export const STALLED_AFTER_MS = 420_000
const LOOK_EVERY_MS = 10_000
const WORKER = "/vitest/dist/workers/forks.js"

/** The processes that run this run's test files: Vitest's, among those that it started. */
const workers = (): ReadonlyArray<number> => {
  const started = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").split(" ")
  return processesWhere(args => args.some(word => word.endsWith(WORKER))).flatMap(({ pid }) =>
    started.includes(`${pid}`) ? [pid] : []
  )
}

export class StalledFiles implements Reporter {
  /** when something was last heard of each file that runs, by `performance.now()` */
  readonly #heard = new Map<string, number>()
  readonly #stalledAfterMs: number

  constructor(stalledAfterMs: number) {
    this.#stalledAfterMs = stalledAfterMs
  }

  onInit(): void {
    setInterval(() => this.#look(), Math.min(LOOK_EVERY_MS, this.#stalledAfterMs)).unref()
  }

  onTestModuleQueued({ moduleId }: TestModule): void {
    this.#heard.set(moduleId, performance.now())
  }

  onTestModuleEnd({ moduleId }: TestModule): void {
    this.#heard.delete(moduleId)
  }

  onTestCaseResult({ module }: { readonly module: TestModule }): void {
    if (this.#heard.has(module.moduleId)) this.onTestModuleQueued(module)
  }

  /** Vitest says of each worker's file that it failed once that has gone, and runs the others. */
  #look(): void {
    const since = performance.now() - this.#stalledAfterMs
    const stalled = [...this.#heard].flatMap(([file, at]) => (at < since ? [file] : []))
    if (stalled.length === 0) return
    for (const file of stalled) this.#heard.delete(file)
    const seconds = Math.round(this.#stalledAfterMs / 1000)
    console.error(
      `nothing was heard for ${seconds} s of ${stalled.join(", ")}: ` +
        "all processes that run files are killed"
    )
    for (const pid of workers()) process.kill(pid, "SIGKILL")
  }
}
