/** Folders with those above them. */
import { mkdirSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** Rights of what is nobody's but its maker's. */
export const OWN_MODE = 0o700
const USUAL_MODE = 0o777

/**
 * Creates a folder, with a `mode`, and those above it that are missing. One by one: where a folder
 * takes no new ones but says that it is not there (/proc), Node's own recursive way never ends.
 *
 * @throws the system's error of the first that cannot be created
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
      // another process may have been faster
      if (!isFolder(folder)) throw error
    }
  }
}
