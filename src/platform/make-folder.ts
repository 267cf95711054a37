/** Creates folders with their parent folders. */
import { mkdirSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** Returns the nearest existing path at or above one, if it is no folder; null where it is one. */
const fileAt = (path: string): string | null => {
  for (let at = resolve(path); ; at = dirname(at)) {
    try {
      const found = statSync(at, { throwIfNoEntry: false })
      if (found !== undefined) return found.isDirectory() ? null : at
    } catch (error) {
      // The system says so where one of the folders above is a file.
      if ((error as NodeJS.ErrnoException).code !== "ENOTDIR") return null
    }
    if (dirname(at) === at) return null
  }
}

/** Returns which file stands where a folder belongs, and what helps; null where none does. */
export const fileInTheWay = (path: string): string | null => {
  const file = fileAt(path)
  return file === null ? null : `${file} is a file: move it away`
}

/** Mode of a folder that only its owner may use. */
export const OWN_MODE = 0o700
const USUAL_MODE = 0o777

/**
 * Creates a folder with `mode`, and its missing parents with the usual mode. Folders are created
 * one by one, since Node's recursive `mkdir` never ends where a parent refuses a new folder by
 * "no such file" (/proc).
 *
 * @throws what to move away where a file is in a folder's place, else the system's error for the
 * first folder that cannot be created
 */
export const makeFolders = (path: string, mode = USUAL_MODE): void => {
  const inTheWay = fileInTheWay(path)
  if (inTheWay !== null) throw new Error(inTheWay)
  const missing: Array<string> = []
  let at = resolve(path)
  while (!isFolder(at) && dirname(at) !== at) {
    missing.push(at)
    at = dirname(at)
  }
  for (const folder of missing.reverse()) {
    try {
      mkdirSync(folder, folder === resolve(path) ? mode : USUAL_MODE)
    } catch (error) {
      // Another process may have created the folder first.
      if (!isFolder(folder)) throw error
    }
  }
}
