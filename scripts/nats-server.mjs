import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs"
import { delimiter, join } from "node:path"
import { runToEnd } from "./child.mjs"
import { downloadFromTrixie } from "./debian-archive.mjs"
import { SetupError } from "./setup-error.mjs"

/** 2.10.23 is the first that does not forget a stream after kill -9 with sync_interval: always. */
export const minimumVersion = "2.10.23"

/**
 * Orders dotted versions by their numbers: negative when `a` is older than `b`.
 *
 * @param {string} a
 * @param {string} b
 */
export const compareVersions = (a, b) => {
  const left = a.split(".").map(Number)
  const right = b.split(".").map(Number)
  for (let i = 0; i < 3; i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/**
 * Asks a nats-server binary for its version by running it.
 *
 * @param {string} path
 * @returns {string | undefined} such as "2.10.27"; undefined when it does not run
 */
export const versionOf = path => {
  const { stdout } = spawnSync(path, ["--version"], { encoding: "utf8", timeout: 10_000 })
  return /nats-server: v(\d+\.\d+\.\d+)/.exec(stdout ?? "")?.[1]
}

/** @type {(path: string) => boolean} */
const isNewEnough = path => compareVersions(versionOf(path) ?? "0", minimumVersion) >= 0

/** @type {(cacheDirectory: string) => string[]} */
const unpacked = cacheDirectory => {
  const directory = join(cacheDirectory, "nats-server")
  if (!existsSync(directory)) return []
  return readdirSync(directory)
    .filter(name => /^\d+\.\d+\.\d+$/.test(name))
    .sort((a, b) => compareVersions(b, a))
    .map(version => join(directory, version, "usr", "sbin", "nats-server"))
}

/**
 * Finds a nats-server that is new enough: the one NATS_SERVER names, else the first on PATH (and
 * in the system folders that a user's PATH leaves out), else one unpacked earlier.
 *
 * @param {string} cacheDirectory
 * @returns {string | undefined} its path
 * @throws {SetupError} when NATS_SERVER names something unfit: a wish is not silently replaced
 */
export const findNatsServer = cacheDirectory => {
  const named = process.env["NATS_SERVER"]
  if (named) {
    if (isNewEnough(named)) return named
    const found = versionOf(named) ?? "not a nats-server that runs here"
    throw new SetupError(`NATS_SERVER=${named} is ${found}: ${minimumVersion} or newer is needed`)
  }
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter(folder => folder !== "")
  const installed = [...folders, "/usr/local/sbin", "/usr/sbin"]
    .map(folder => join(folder, "nats-server"))
    .filter(path => existsSync(path))
  return [...installed, ...unpacked(cacheDirectory)].find(isNewEnough)
}

/** @type {(reason: string) => SetupError} */
const howToInstall = reason =>
  new SetupError(
    [
      `no nats-server ${minimumVersion} or newer was found, and ${reason}.`,
      "Install one and run the command again:",
      "  - macOS: brew install nats-server",
      "  - any system: a release from https://github.com/nats-io/nats-server/releases",
      "or set NATS_SERVER to the path of its program."
    ].join("\n")
  )

/**
 * Downloads Debian trixie's nats-server and unpacks it under the cache directory, as any user.
 *
 * @param {string} cacheDirectory
 */
export const installNatsServer = async cacheDirectory => {
  const directory = join(cacheDirectory, "nats-server")
  mkdirSync(directory, { recursive: true })
  // What an interrupted set-up left; the lock says that no other one is at work.
  for (const name of readdirSync(directory).filter(name => name.startsWith("unpack-")))
    rmSync(join(directory, name), { recursive: true, force: true })
  const workspace = mkdtempSync(join(directory, "unpack-"))
  try {
    console.error("setup: downloading nats-server from the Debian archive (about 15 MB)")
    const archive = await downloadFromTrixie("nats-server", workspace).catch(error => {
      throw error.expected ? howToInstall(error.message) : error
    })
    const tree = join(workspace, "tree")
    const code = await runToEnd("dpkg-deb", ["-x", archive, tree], { stdio: ["ignore", 2, 2] })
    if (code !== 0) throw new SetupError(`dpkg-deb could not unpack ${archive}`)
    const program = join(tree, "usr", "sbin", "nats-server")
    const version = versionOf(program)
    if (!version || !isNewEnough(program))
      throw howToInstall(`the archive's ${version ?? "binary does not run here"} does not do`)
    const target = join(directory, version)
    rmSync(target, { recursive: true, force: true })
    renameSync(tree, target)
    console.error(`setup: nats-server ${version} unpacked into ${target}`)
  } finally {
    rmSync(workspace, { recursive: true, force: true })
  }
}
