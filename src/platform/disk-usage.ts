/** Measures every 20 s how much disk a folder takes and how much is free. */
import { lstat, readdir, statfs } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Schedule, type Scope } from "effect"

export interface DiskUsage {
  readonly usedBytes: number
  readonly freeBytes: number
}

const EVERY = "20 seconds"

/** Returns the disk bytes of all files below a folder; files deleted meanwhile count 0. */
const bytesBelow = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const sizes = await Promise.all(
    entries.map(entry => {
      const path = join(folder, entry.name)
      return entry.isDirectory()
        ? bytesBelow(path)
        : lstat(path).then(
            // Blocks of 512 bytes: a sparse file takes less disk than its length.
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

/**
 * Measures until the scope ends. The returned function gives the newest measurement; null before
 * the first one and where the last one failed.
 */
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
