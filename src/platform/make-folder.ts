/** Creates folders with their parent folders. */
import { mkdirSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** Mode of a folder that only its owner may use. */
export const OWN_MODE = 0o700
const USUAL_MODE = 0o777

/**
 * Creates a folder with `mode`, and its missing parents with the usual mode. Folders are created
 * one by one, since Node's recursive `mkdir` never ends where a parent refuses a new folder by
 * "no such file" (/proc).
 *
 * @throws the system's error for the first folder that cannot be created
 */
export const makeFolders = (path: string, mode = USUAL_MODE): void => {
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
