// Completes package-lock.json after `npm install`. Where a registry has not (yet) mirrored the
// binaries of other platforms, npm leaves them out of the lockfile it writes, and then newer npm
// refuses `npm ci` because they are missing. They are optional and made for other machines, so an
// entry with their exact version and platform is all that npm needs. What npm then fetches it would
// not check, so the registry is asked for the checksum of each; those it does not have yet are
// named, and `packages.mjs` installs none of them.
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { repositoryRoot } from "./setup.mjs"

/**
 * @typedef {{ version: string, integrity?: string, os?: string[], cpu?: string[], libc?: string[],
 *   optional?: boolean, dev?: boolean, optionalDependencies?: Record<string, string> }} Entry
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

/**
 * Gives every entry without a checksum the one that `ask` answers for its name and version.
 *
 * @param {Lockfile} lockfile
 * @param {(name: string, version: string) => string | undefined} ask
 * @returns {{ packages: Record<string, Entry>, without: string[] }} and what is left without one
 */
export const withChecksums = ({ packages }, ask) => {
  /** @type {string[]} */
  const without = []
  const entries = Object.entries(packages).map(([path, entry]) => {
    if (path === "" || entry.integrity !== undefined) return [path, entry]
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)
    const integrity = ask(name, entry.version)
    if (integrity === undefined) without.push(`${name}@${entry.version}`)
    const { version, ...rest } = entry
    return [path, integrity === undefined ? entry : { version, integrity, ...rest }]
  })
  return { packages: Object.fromEntries(entries), without }
}

/** @type {(name: string, version: string) => string | undefined} */
const askRegistry = (name, version) => {
  const args = ["view", `${name}@${version}`, "dist.integrity", "--loglevel=silent"]
  try {
    const answer = execFileSync("npm", args, { encoding: "utf8", timeout: 60_000 }).trim()
    return /^sha512-[A-Za-z0-9+/]{86}==$/.test(answer) ? answer : undefined
  } catch {
    return undefined
  }
}

const main = () => {
  const path = join(repositoryRoot, "package-lock.json")
  const lockfile = JSON.parse(readFileSync(path, "utf8"))
  const missing = missingEntries(lockfile)
  const all = { packages: { ...lockfile.packages, ...missing } }
  const { packages, without } = withChecksums(all, askRegistry)
  const sorted = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, "en"))
  lockfile.packages = Object.fromEntries(sorted)
  writeFileSync(path, `${JSON.stringify(lockfile, null, 2)}\n`)
  console.log(`added ${Object.keys(missing).length} entries: ${Object.keys(missing).join(", ")}`)
  if (without.length === 0) return console.log("every entry has its checksum")
  console.log(
    `the registry does not have ${without.length} of them, so they have no checksum, and machines ` +
      `that need one of them refuse to install it:\n${without.join("\n")}`
  )
}

if (process.argv[1] === import.meta.filename) main()
