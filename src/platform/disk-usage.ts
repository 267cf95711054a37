/** How much of its disk a folder takes and how much is free, looked at now and then. */
import { lstat, readdir, statfs } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Schedule, type Scope } from "effect"

export interface DiskUsage {
  readonly usedBytes: number
  readonly freeBytes: number
}

const EVERY = "20 seconds"

/** Bytes of all files below a folder; one that goes away meanwhile counts nothing. */
const bytesBelow = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const sizes = await Promise.all(
    entries.map(entry => {
      const path = join(folder, entry.name)
      return entry.isDirectory()
        ? bytesBelow(path)
        : lstat(path).then(
            // what is taken of the disk, which of a sparse file is less than its length
            ({ blocks }) => blocks * 512,
            () => 0
          )
    })
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

const look = async (folder: string): Promise<DiskUsage | null> => {
  try {
    const { bavail, bsize } = await statfs(folder)
    return { usedBytes: await bytesBelow(folder), freeBytes: bavail * bsize }
  } catch {
    return null
  }
}

/** Looks for the length of the scope; gives what was seen last, null before that. */
export const watchDisk = (
  folder: string
): Effect.Effect<() => DiskUsage | null, never, Scope.Scope> =>
  Effect.gen(function* () {
    let seen: DiskUsage | null = null
    const once = Effect.promise(async () => {
      seen = await look(folder)
    })
    yield* Effect.forkScoped(Effect.repeat(once, Schedule.spaced(EVERY)))
    return () => seen
  })
