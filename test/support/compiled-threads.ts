/**
 * Threads that tests start within their own process run bundles as well: where `src/platform`
 * boots one from its source, a test boots the bundle. With `THREADS_FROM_SOURCE` in the
 * environment it boots the source, as the engine does.
 */
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Plugin } from "vitest/config"
import { BOOT, replaceOnce } from "../../scripts/bundled.mjs"
import { compiledFolder } from "../../scripts/compiled.mjs"

export const compiledThreads: Plugin = {
  name: "compiled-threads",
  enforce: "pre",
  async transform(code, id) {
    if (!id.endsWith("/src/platform/worker.ts")) return undefined
    const boot = pathToFileURL(join(await compiledFolder(), "worker-boot.mjs")).href
    const isSource = 'process.env["THREADS_FROM_SOURCE"] !== undefined'
    return replaceOnce(code, BOOT, `${isSource} ? ${BOOT} : ${JSON.stringify(boot)}`)
  }
}
