import { spawnSync } from "node:child_process"
import { closeSync, openSync } from "node:fs"
import { runToEnd } from "./child.mjs"

/**
 * Runs `body` while holding an exclusive kernel lock on a file, waiting for another set-up that
 * holds it. `flock` locks the file descriptor it inherits, which this process shares, so the lock
 * is ours until we close it or die: there is no stale lock. Without the flock tool (it is not
 * part of every system) the body runs unlocked.
 *
 * @param {string} path
 * @param {() => Promise<void>} body
 */
export const withSetupLock = async (path, body) => {
  const file = openSync(path, "a")
  try {
    const attempt = spawnSync("flock", ["-n", "3"], { stdio: ["ignore", 1, 2, file] })
    if (attempt.status === 1) {
      console.error("setup: another set-up is running in this folder, waiting for it")
      await runToEnd("flock", ["3"], { stdio: ["ignore", 2, 2, file] })
    }
    await body()
  } finally {
    closeSync(file)
  }
}
