// Completes package-lock.json after `npm install`. Where a registry has not (yet) mirrored the
// binaries of other platforms, npm leaves them out of the lockfile it writes, and then newer npm
// refuses `npm ci` because they are missing. They are optional and made for other machines, so an
// entry with their exact version and platform is all that npm needs.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { repositoryRoot } from "./setup.mjs"

/**
 * @typedef {{ version: string, os?: string[], cpu?: string[], libc?: string[], optional?: boolean,
 *   dev?: boolean, optionalDependencies?: Record<string, string> }} Entry
 * @typedef {{ packages: Record<string, Entry> }} Lockfile
 */

const systems = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "win32"]
/** @type {Record<string, string>} */
const processors = { amd64: "x64", arm: "arm", arm64: "arm64", ia32: "ia32", x64: "x64" }

/**
 * What a package named `…-<system>-<processor>[-musl]` can run on.
 *
 * @param {string} name
 * @returns {{ os?: string[], cpu?: string[], libc?: string[] }}
 */
export const platformOf = name => {
  const words = name.split("-")
  const os = systems.find(system => words.includes(system))
  const cpu = Object.keys(processors).find(processor => words.includes(processor))
  return {
    ...(os && { os: [os] }),
    ...(cpu && { cpu: [/** @type {string} */ (processors[cpu])] }),
    ...(words.includes("musl") && { libc: ["musl"] })
  }
}

/**
 * The optional packages that a lockfile's packages name and the lockfile lacks. Only names that
 * tell a platform are completed: an entry without one would be fetched everywhere.
 *
 * @param {Lockfile} lockfile
 * @returns {Record<string, Entry>} entries by path
 */
export const missingEntries = ({ packages }) => {
  /** @type {Record<string, Entry>} */
  const missing = {}
  for (const entry of Object.values(packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const path = `node_modules/${name}`
      const platform = platformOf(name)
      const isExact = /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)
      if (packages[path] || !platform.os || !platform.cpu || !isExact) continue
      const { cpu, libc, os } = platform
      // In npm's own order, so that its next run leaves the entry as it is.
      const dev = entry.dev && { dev: true }
      missing[path] = { version, cpu, ...dev, ...(libc && { libc }), optional: true, os }
    }
  }
  return missing
}

const main = () => {
  const path = join(repositoryRoot, "package-lock.json")
  const lockfile = JSON.parse(readFileSync(path, "utf8"))
  const missing = missingEntries(lockfile)
  const packages = Object.entries({ ...lockfile.packages, ...missing })
  packages.sort(([a], [b]) => a.localeCompare(b, "en"))
  lockfile.packages = Object.fromEntries(packages)
  writeFileSync(path, `${JSON.stringify(lockfile, null, 2)}\n`)
  console.log(`added ${Object.keys(missing).length} entries: ${Object.keys(missing).join(", ")}`)
}

if (process.argv[1] === import.meta.filename) main()
