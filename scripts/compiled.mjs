/**
 * The commands and threads, bundled once for the sources as they are. Through tsx every thread of
 * an engine spends two seconds of processor and 100 MB on a thousand modules: here a tenth of that.
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
import { dirname, join, relative } from "node:path"
import { pathToFileURL } from "node:url"
import { bundled, esbuild, PAGE_FORM } from "./bundled.mjs"
import { KEPT, keepOutline } from "./run-kept.mjs"
import { repositoryRoot as root } from "./setup.mjs"

const store = join(root, ".cache/compiled")
const folders = [
  "src",
  "streams",
  "engine",
  "projections",
  "api",
  "client",
  "bench",
  "scripts",
  "test/support"
]

/** Who runs a bundle says so in this folder of it: an engine starts threads at any time. */
const USERS = "users"

/**
 * What is run as a process or as a worker thread.
 *
 * @param {string} path
 */
const isEntry = path =>
  /^src\/bin\/(start|serve|replay|verify|log|keys|mcp|tables|client|router|prober|solana-check|solana-node)\.ts$/.test(
    path
  ) ||
  /^src\/bin\/\w+-worker\.ts$/.test(path) ||
  /^bench\/(run|.*-(assistant|worker))\.ts$/.test(path) ||
  /^test\/support\/.*-(process|worker)\.ts$/.test(path)

/** The script of all programs but those that have one of their own. */
const PROGRAMS = "programs.js"

/**
 * The script that a program is part of. Threads of an engine, of which there are dozens, have their
 * own: each holds the text of its script, and what V8 knows of all functions in it.
 *
 * @param {string} path
 */
const scriptOf = path => {
  const [, name] = /^src\/bin\/(\w+-worker)\.ts$/.exec(path) ?? []
  return name === undefined ? PROGRAMS : `${name}.js`
}

const sources = () =>
  folders.flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter(name => /\.(ts|mjs|js|json)$/.test(name) && !name.endsWith(".test.ts"))
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

/**
 * What browsers are sent of the page: its scripts and the client's.
 *
 * @param {string} path
 */
const isOfThePage = path => /^(api\/web|client)\/.*\.js$/.test(path)

/**
 * The programs of each script.
 *
 * @param {readonly string[]} entries
 */
const scriptsOf = entries => {
  /** @type {Map<string, string[]>} */
  const scripts = new Map()
  for (const path of entries) {
    const script = scriptOf(path)
    scripts.set(script, [...(scripts.get(script) ?? []), path])
  }
  return scripts
}

/**
 * What starts threads: one that is not among the programs runs its source.
 *
 * @param {readonly string[]} entries
 */
const bootOf = entries => {
  const source = pathToFileURL(join(root, "src/platform/worker-boot.mjs")).href
  const compiled = Object.fromEntries(
    entries.map(path => [pathToFileURL(join(root, path)).href, [scriptOf(path), path]])
  )
  return [
    'import { workerData } from "node:worker_threads"',
    'import { run } from "./run-kept.mjs"',
    `const compiled = ${JSON.stringify(compiled)}[workerData.entry]`,
    `await (compiled === undefined ? import(${JSON.stringify(source)}) : run(...compiled))\n`
  ].join("\n")
}

/**
 * The page's scripts without comments and long names, which readers would load for nothing.
 *
 * @type {(paths: readonly string[], part: string) => void}
 */
const writePage = (paths, part) => {
  for (const path of paths.filter(isOfThePage)) {
    const text = readFileSync(join(root, path), "utf8")
    const { code } = esbuild().transformSync(text, PAGE_FORM)
    mkdirSync(join(part, dirname(path)), { recursive: true })
    writeFileSync(join(part, path), code)
  }
}

/** @type {(paths: readonly string[], folder: string, part: string) => Promise<void>} */
const write = async (paths, folder, part) => {
  const entries = paths.filter(isEntry)
  mkdirSync(join(part, USERS), { recursive: true })
  mkdirSync(join(part, KEPT))
  writePage(paths, part)
  for (const [script, text] of await bundled(scriptsOf(entries), folder, part)) {
    writeFileSync(join(part, script), text)
    keepOutline(part, script)
  }
  const runner = pathToFileURL(join(root, "scripts/run-kept.mjs")).href
  const run = `(script, program) => runKept(${JSON.stringify(folder)}, script, program)`
  writeFileSync(
    join(part, "run-kept.mjs"),
    `import { runKept } from ${JSON.stringify(runner)}\nexport const run = ${run}\n`
  )
  writeFileSync(join(part, "worker-boot.mjs"), bootOf(entries))
  for (const path of entries) {
    const name = join(part, compiledName(path))
    const up = relative(dirname(path), "run-kept.mjs")
    mkdirSync(dirname(name), { recursive: true })
    writeFileSync(name, `import { run } from "${up}"\nawait run("${scriptOf(path)}", "${path}")\n`)
  }
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
  await write(paths, folder, part)
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
