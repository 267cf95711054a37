/**
 * The commands, bundled once for the sources as they are. Through tsx every thread of an engine
 * spends two seconds of processor and 100 MB on a thousand modules, with a bundle a fifth of that.
 */
import { createHash } from "node:crypto"
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative } from "node:path"
import { pathToFileURL } from "node:url"
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

/**
 * What is run as a process or as a worker thread.
 *
 * @param {string} path
 */
const isEntry = path =>
  /^src\/bin\/(start|serve|replay|verify|log|keys|mcp|tables|router|\w+-worker)\.ts$/.test(path) ||
  /^bench\/(run|.*-(assistant|worker))\.ts$/.test(path) ||
  /^test\/support\/.*-(process|worker)\.ts$/.test(path)

const sources = () =>
  folders.flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter(name => /\.(ts|mjs|json)$/.test(name) && !name.endsWith(".test.ts"))
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

/**
 * What a source is called in the folder of the bundles.
 *
 * @param {string} path
 */
export const compiledName = path => path.replace(/\.ts$/, ".js")

/** @type {(text: string, what: string, by: string) => string} */
export const replaceOnce = (text, what, by) => {
  if (text.split(what).length !== 2) throw new Error(`a bundle needs one ${what}`)
  return text.replace(what, () => by)
}

/** What boots a thread, as `src/platform/worker.ts` names it. */
export const BOOT = '"./worker-boot.mjs"'

/**
 * Where a source starts a program or a thread of sources, the bundle starts its compiled one.
 *
 * @type {{ readonly [path: string]: (text: string, folder: string) => string }}
 */
const redirected = {
  "src/platform/worker.ts": (text, folder) => {
    const boot = pathToFileURL(join(folder, "worker-boot.mjs")).href
    return replaceOnce(text, BOOT, JSON.stringify(boot))
  },
  "bench/measure/programs.ts": (text, folder) => {
    const compiled = `${JSON.stringify(folder)} + entry.slice(${root.length}, -2) + "js"`
    return replaceOnce(text, '"--import", "tsx", entry', compiled)
  }
}

/**
 * Every module keeps thinking that it lies where its source does.
 *
 * @param {string} folder
 * @returns {import("esbuild").Plugin}
 */
const inPlace = folder => ({
  name: "in-place",
  setup(build) {
    build.onLoad({ filter: /\.(ts|mjs)$/ }, ({ path }) => {
      if (path.includes("node_modules")) return undefined
      const name = relative(root, path)
      const text = readFileSync(path, "utf8")
      const contents = (redirected[name]?.(text, folder) ?? text)
        .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href))
        .replaceAll("import.meta.filename", JSON.stringify(path))
        .replaceAll("import.meta.dirname", JSON.stringify(dirname(path)))
      return { contents, loader: path.endsWith(".ts") ? "ts" : "js" }
    })
  }
})

/**
 * A thread that is not among the bundles runs its source.
 *
 * @param {readonly string[]} entries
 */
const bootOf = entries => {
  const source = pathToFileURL(join(root, "src/platform/worker-boot.mjs")).href
  const compiled = Object.fromEntries(
    entries.map(path => [pathToFileURL(join(root, path)).href, `./${compiledName(path)}`])
  )
  return [
    'import { workerData } from "node:worker_threads"',
    `const compiled = ${JSON.stringify(compiled)}`,
    `await import(compiled[workerData.entry] ?? ${JSON.stringify(source)})\n`
  ].join("\n")
}

/**
 * esbuild comes with tsx, which compiles by it as well.
 *
 * @returns {typeof import("esbuild")}
 */
const esbuild = () => {
  const here = createRequire(import.meta.url)
  return createRequire(here.resolve("tsx"))("esbuild")
}

/** For packages that are no modules. */
const REQUIRE =
  'import { createRequire as requireOf } from "node:module"; ' +
  "const require = requireOf(import.meta.url);"

/** @type {(entries: readonly string[], folder: string, outdir: string) => Promise<void>} */
const bundle = async (entries, folder, outdir) => {
  const { build, stop } = esbuild()
  await build({
    entryPoints: entries.map(path => ({ in: join(root, path), out: path.slice(0, -3) })),
    outdir,
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node20",
    // what carries binaries stays where it is
    external: ["@duckdb/node-bindings*", "uWebSockets.js"],
    banner: { js: REQUIRE },
    plugins: [inPlace(folder)],
    logLevel: "error"
  })
  await stop()
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
  const entries = paths.filter(isEntry)
  // several may start side by side: whoever is last finds that it is there already
  const part = `${folder}-${process.pid}`
  await bundle(entries, folder, part)
  mkdirSync(join(part, USERS))
  writeFileSync(join(part, "worker-boot.mjs"), bootOf(entries))
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
