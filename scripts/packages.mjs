import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { runToEnd } from "./child.mjs"
import { SetupError } from "./setup-error.mjs"

/**
 * The part of a package-lock.json entry that tells one installation from another.
 * @typedef {object} LockEntry
 * @property {string=} version
 * @property {string=} integrity
 * @property {boolean=} optional
 * @property {string[]=} os
 * @property {string[]=} cpu
 * @property {string[]=} libc
 *
 * @typedef {{ packages: Record<string, LockEntry> }} Lockfile
 */

/** @type {(path: string) => Lockfile | undefined} */
const readLockfile = path => {
  try {
    return JSON.parse(readFileSync(path, "utf8"))
  } catch {
    return undefined
  }
}

/** @type {(entry: LockEntry) => boolean} */
const fitsThisMachine = entry =>
  (!entry.os || entry.os.includes(process.platform)) &&
  (!entry.cpu || entry.cpu.includes(process.arch))

/**
 * Tells whether an installation holds what the lockfile asks for. Contents are compared, not
 * times: a fresh checkout of the same lockfile costs nothing. An optional package may be absent,
 * because npm skips the binaries of other machines; one made for another machine may not be
 * present, because then node_modules was copied from there.
 *
 * @param {Lockfile} wanted package-lock.json
 * @param {Lockfile | undefined} installed the record npm writes at the end of an installation
 */
export const lockfilesAgree = (wanted, installed) => {
  if (!installed) return false
  for (const [path, entry] of Object.entries(wanted.packages)) {
    if (path === "") continue
    const found = installed.packages[path]
    if (!found && entry.optional) continue
    if (!found || found.version !== entry.version || found.integrity !== entry.integrity)
      return false
  }
  return Object.entries(installed.packages).every(
    ([path, entry]) => path in wanted.packages && fitsThisMachine(entry)
  )
}

/** @type {(root: string) => Lockfile} */
const lockfileOf = root => {
  const wanted = readLockfile(join(root, "package-lock.json"))
  if (!wanted) throw new SetupError("package-lock.json is missing or damaged: restore it from git")
  return wanted
}

/** @type {(root: string) => boolean} */
export const packagesAreCurrent = root => {
  const wanted = lockfileOf(root)
  const installed = readLockfile(join(root, "node_modules", ".package-lock.json"))
  return (
    lockfilesAgree(wanted, installed) &&
    Object.keys(installed?.packages ?? {}).every(path => existsSync(join(root, path)))
  )
}

const hasGlibc = () => {
  const { header } = /** @type {any} */ (process.report.getReport())
  return header.glibcVersionRuntime !== undefined
}

/**
 * Packages that npm would install here without checking what it got: the lockfile has no checksum
 * of them, because the registry it was made with lacked them.
 *
 * @param {Lockfile} lockfile
 * @returns {string[]} names with versions
 */
export const uncheckedPackages = ({ packages }) =>
  Object.entries(packages)
    .filter(([path, entry]) => path !== "" && entry.integrity === undefined)
    .filter(([, entry]) => fitsThisMachine(entry))
    .filter(([, { libc }]) => !libc || libc.includes(hasGlibc() ? "glibc" : "musl"))
    .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, "")}@${version}`)

/**
 * Installs the packages of package-lock.json with npm, its output going to standard error.
 *
 * @param {string} root the repository root
 */
export const installPackages = async root => {
  const unchecked = uncheckedPackages(lockfileOf(root))
  if (unchecked.length > 0)
    throw new SetupError(
      `package-lock.json has no checksum of ${unchecked.join(", ")}, which ${process.platform}-${process.arch} ` +
        "needs, and nothing is installed unchecked: `npm install` asks your registry for it and writes it down"
    )
  const started = Date.now()
  console.error("setup: installing packages with npm ci (about a minute the first time)")
  const npm = process.env["npm_execpath"]
  const [command, argv] = npm?.endsWith(".js") ? [process.execPath, [npm]] : ["npm", []]
  // Development packages are needed by the tests even where NODE_ENV=production is set.
  const flags = ["--include=dev", "--include=optional", "--no-audit", "--no-fund"]
  // Warnings are about engines that packages ask for and do not need, as the tests show.
  const code = await runToEnd(command, [...argv, "ci", ...flags, "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", 2, 2]
  })
  if (code !== 0)
    throw new SetupError(`npm ci failed with exit code ${code}: its messages are above`)
  if (!packagesAreCurrent(root))
    throw new SetupError("npm ci finished, but node_modules does not match package-lock.json")
  const seconds = Math.round((Date.now() - started) / 1000)
  console.error(`setup: packages installed in ${seconds} s`)
}

/**
 * Refuses a Node for which the HTTP server has no binary, with a message that says what fits:
 * without this the first import fails with a loader error that names neither.
 *
 * @param {string} root the repository root
 */
export const checkNativeBinaries = root => {
  const { node, modules } = process.versions
  const binary = `uws_${process.platform}_${process.arch}_${modules}.node`
  const advice = "use Node 20 (20.19 or newer), which runs on every supported system"
  if (!existsSync(join(root, "node_modules", "uWebSockets.js", binary)))
    throw new SetupError(
      `uWebSockets.js has no binary for Node ${node} on ${process.platform}-${process.arch}: ${advice}`
    )
  if (process.platform !== "linux" || Number(node.split(".")[0]) < 22) return
  const { header } = /** @type {any} */ (process.report.getReport())
  const [major = 0, minor = 0] = String(header.glibcVersionRuntime ?? "0.0")
    .split(".")
    .map(Number)
  if (major < 2 || (major === 2 && minor < 38))
    throw new SetupError(
      `uWebSockets.js needs glibc 2.38 or newer under Node ${node}, this system has ` +
        `${header.glibcVersionRuntime ?? "another C library"}: ${advice}`
    )
}
