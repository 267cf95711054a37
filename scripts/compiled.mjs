/**
 * The commands, bundled once for the sources as they are. Through tsx every thread of an engine
 * spends two seconds of processor and 100 MB on a thousand modules, with a bundle a fifth of that,
 * and a twentieth where V8 has kept its code (`run-script.cjs`).
 */
import { createHash } from "node:crypto"
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { compiledName, makeBundles } from "./bundles.mjs"
import { repositoryRoot as root } from "./setup.mjs"

const store = join(root, ".cache/compiled")
const folders = [
  "src",
  "streams",
  "engine",
  "projections",
  "api",
  "bench",
  "scripts",
  "test/support"
]

const sources = () =>
  folders.flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter(name => /\.(ts|mjs|cjs|json)$/.test(name) && !name.endsWith(".test.ts"))
      .map(name => `${folder}/${name.replaceAll("\\", "/")}`)
  )

/**
 * Changes with every source, and with the packages.
 *
 * @param {readonly string[]} paths
 */
const fingerprint = paths => {
  // worktrees may share the store, and every module knows where its source lies
  const hash = createHash("sha256").update(`${process.version} ${root}\n`)
  for (const path of [...paths, "package-lock.json"]) {
    const { mtimeMs, size } = statSync(join(root, path))
    hash.update(`${path} ${mtimeMs} ${size}\n`)
  }
  return hash.digest("hex").slice(0, 16)
}

const DAY_MS = 86_400_000

/** @param {string} pid */
const isAlive = pid => {
  try {
    process.kill(Number(pid), 0)
    return true
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM"
  }
}

/** Who runs a bundle says so in this folder of it: an engine starts threads at any time. */
const USERS = "users"

/** @param {string} folder */
const isUsed = folder => {
  const users = join(folder, USERS)
  return existsSync(users) && readdirSync(users).some(isAlive)
}

/** Removes bundles of sources that have changed since, unless they run. */
const removeOld = () => {
  for (const name of readdirSync(store)) {
    const path = join(store, name)
    const isOld = Date.now() - statSync(path).mtimeMs > DAY_MS
    if (isOld && !isUsed(path)) rmSync(path, { recursive: true, force: true })
  }
}

/** @type {(paths: readonly string[], folder: string) => Promise<string>} */
const made = async (paths, folder) => {
  if (existsSync(folder)) return folder
  mkdirSync(store, { recursive: true })
  removeOld()
  // several may start side by side: whoever is last finds that it is there already
  const part = `${folder}-${process.pid}`
  await makeBundles(paths, folder, part)
  mkdirSync(join(part, USERS))
  try {
    renameSync(part, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
    rmSync(part, { recursive: true })
  }
  return folder
}

/**
 * By folder: within one process it is made once, however many ask.
 *
 * @type {Map<string, Promise<string>>}
 */
const making = new Map()

/**
 * The folder of the bundles of the sources as they are now, made where it is missing; it stays as
 * long as this process lives.
 *
 * @returns {Promise<string>}
 */
export const compiledFolder = async () => {
  const paths = sources()
  const folder = join(store, fingerprint(paths))
  const one = making.get(folder) ?? made(paths, folder)
  making.set(folder, one)
  writeFileSync(join(await one, USERS, String(process.pid)), "")
  return folder
}

/**
 * What Node is given to run a program of the repository, named by its source.
 *
 * @param {string} path
 */
export const compiledProgram = async path => join(await compiledFolder(), compiledName(path))
