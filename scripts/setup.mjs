import { mkdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { findNatsServer, installNatsServer } from "./nats-server.mjs"
import { checkNativeBinaries, installPackages, packagesAreCurrent } from "./packages.mjs"
import { withSetupLock } from "./setup-lock.mjs"

export const repositoryRoot = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Brings the working tree to the state in which a command can run: packages as the lockfile says
 * and, when asked for, a nats-server whose path is left in the environment as NATS_SERVER. Does
 * nothing, in a few milliseconds, when nothing is missing; safe to run twice at the same time.
 *
 * @param {{ natsServer: boolean }} wanted
 */
export const setUp = async wanted => {
  const cacheDirectory = join(repositoryRoot, ".cache")
  const current = () =>
    packagesAreCurrent(repositoryRoot) && (!wanted.natsServer || findNatsServer(cacheDirectory))
  if (!current()) {
    mkdirSync(cacheDirectory, { recursive: true })
    await withSetupLock(join(cacheDirectory, "setup.lock"), async () => {
      if (!packagesAreCurrent(repositoryRoot)) await installPackages(repositoryRoot)
      if (wanted.natsServer && !findNatsServer(cacheDirectory))
        await installNatsServer(cacheDirectory)
    })
  }
  checkNativeBinaries(repositoryRoot)
  if (wanted.natsServer) process.env["NATS_SERVER"] = findNatsServer(cacheDirectory)
}
