/** A real disk that is small enough to be filled, where the tests may mount one. */
import { spawnSync } from "node:child_process"
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "./nats.ts"

export interface SmallDisk {
  /** a folder on it */
  readonly path: string
  /** takes all that is left, to the last byte */
  readonly fill: () => void
  /** gives it back */
  readonly free: () => void
  /** makes the whole disk read-only, or writable again */
  readonly readOnly: (isSo: boolean) => void
  readonly remove: () => void
}

const ran = (command: string, ...args: ReadonlyArray<string>): boolean =>
  spawnSync(command, args, { stdio: "ignore" }).status === 0

/** Writes pieces of a size until no more fits. */
const writeAll = (file: number, size: number): void => {
  const piece = Buffer.alloc(size, 1)
  try {
    while (writeSync(file, piece) > 0);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ENOSPC") throw cause
  }
}

/** Mounts a disk of so many megabytes; null where that is not permitted. */
export const mountSmallDisk = (megabytes: number): SmallDisk | null => {
  const below = temporaryFolder()
  if (!ran("mount", "-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", below.path)) {
    below.remove()
    return null
  }
  const path = join(below.path, "data")
  const filler = join(below.path, "filler")
  mkdirSync(path)
  const remove = () => {
    process.off("exit", remove)
    // at once or as soon as nobody uses it any more
    ran("umount", "-l", below.path)
    below.remove()
  }
  // where what runs after the tests of a file does not
  process.on("exit", remove)
  return {
    path,
    fill: () => {
      const file = openSync(filler, "a")
      for (const size of [65_536, 4096, 1]) writeAll(file, size)
      closeSync(file)
    },
    free: () => rmSync(filler, { force: true }),
    readOnly: isSo => {
      if (!ran("mount", "-o", `remount,${isSo ? "ro" : "rw"}`, below.path)) {
        throw new Error("the disk cannot be mounted otherwise: a file is open for writing")
      }
    },
    remove
  }
}
