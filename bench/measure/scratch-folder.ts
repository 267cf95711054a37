/** Folders of a run, on the disk of the repository: a temporary folder may lie in memory. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"

export const benchCache = join(import.meta.dirname, "..", "..", ".cache", "bench")

/** Runs with a new empty folder, which is gone afterwards. */
export const withFolder = async <A>(use: (path: string) => Promise<A>): Promise<A> => {
  mkdirSync(benchCache, { recursive: true })
  const path = mkdtempSync(join(benchCache, "run-"))
  const remove = () => rmSync(path, { recursive: true, force: true })
  process.once("exit", remove)
  try {
    return await use(path)
  } finally {
    process.off("exit", remove)
    remove()
  }
}
