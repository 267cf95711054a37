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
import { builtinModules, createRequire } from "node:module"
import { basename, dirname, join, relative } from "node:path"
import { pathToFileURL } from "node:url"
import { BUNDLE, KEPT, keepOutline } from "./run-kept.mjs"
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

/** Where the list of the page's files finds its scripts, as `api/web/static-files.ts` says it. */
const PAGE_SCRIPTS = 'new URL("../../", import.meta.url)'

/** @type {(text: string, what: string, by: string) => string} */
export const replaceOnce = (text, what, by) => {
  if (text.split(what).length !== 2) throw new Error(`a bundle needs one ${what}`)
  return text.replace(what, () => by)
}

/** What boots a thread, as `src/platform/worker.ts` names it. */
export const BOOT = '"./worker-boot.mjs"'

/**
 * Where a source starts Node on `entry`, a source.
 *
 * @type {(text: string, folder: string) => string}
 */
const compiledEntry = (text, folder) => {
  const compiled = `${JSON.stringify(folder)} + entry.slice(${root.length}, -2) + "js"`
  return replaceOnce(text, '"--import", "tsx", entry', compiled)
}

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
  "api/web/static-files.ts": (text, folder) =>
    replaceOnce(text, PAGE_SCRIPTS, `new URL(${JSON.stringify(`${pathToFileURL(folder).href}/`)})`),
  "bench/measure/programs.ts": compiledEntry,
  "src/bin/start-prober.ts": compiledEntry
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
 * What is no part of the bundle is required when a module of it is run: a script imports nothing.
 *
 * @type {import("esbuild").Plugin}
 */
const required = {
  name: "required",
  setup(build) {
    const binaries = "@duckdb/node-bindings.*|litesvm.*|uWebSockets\\.js"
    const outside = new RegExp(`^(node:.*|${binaries}|${builtinModules.join("|")})$`)
    build.onResolve({ filter: outside }, ({ path, kind }) =>
      kind === "require-call" ? { path, external: true } : { path, namespace: "required" }
    )
    build.onLoad({ filter: /.*/, namespace: "required" }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)})`
    }))
  }
}

/**
 * Three megabytes that readers of the docs page ask for stay a file, which is read then.
 *
 * @type {(folder: string, part: string) => import("esbuild").Plugin}
 */
const aside = (folder, part) => ({
  name: "aside",
  setup(build) {
    build.onResolve({ filter: /\/httpApiScalar\.js$/ }, ({ path, resolveDir, kind }) =>
      kind === "dynamic-import" ? { path: join(resolveDir, path), namespace: "aside" } : undefined
    )
    build.onResolve({ filter: /./, namespace: "aside" }, ({ path }) => ({ path, external: true }))
    build.onLoad({ filter: /./, namespace: "aside" }, ({ path }) => {
      const name = `${basename(path, ".js")}.cjs`
      const { code } = esbuild().transformSync(readFileSync(path, "utf8"), { format: "cjs" })
      writeFileSync(join(part, name), code)
      return { contents: `module.exports = require(${JSON.stringify(join(folder, name))})` }
    })
  }
})

/**
 * What starts threads: one that is not among the programs runs its source.
 *
 * @param {readonly string[]} entries
 */
const bootOf = entries => {
  const source = pathToFileURL(join(root, "src/platform/worker-boot.mjs")).href
  const compiled = Object.fromEntries(
    entries.map(path => [pathToFileURL(join(root, path)).href, path])
  )
  return [
    'import { workerData } from "node:worker_threads"',
    'import { run } from "./run-kept.mjs"',
    `const program = ${JSON.stringify(compiled)}[workerData.entry]`,
    `await (program === undefined ? import(${JSON.stringify(source)}) : run(program))\n`
  ].join("\n")
}

/**
 * esbuild comes with tsx, which compiles by it as well.
 *
 * @returns {typeof import("esbuild")}
 */
export const esbuild = () => {
  const here = createRequire(import.meta.url)
  return createRequire(here.resolve("tsx"))("esbuild")
}

/** How browsers get scripts: modules of their own still, each as short as it can be. */
export const PAGE_FORM = /** @type {const} */ ({ minify: true, format: "esm", target: "es2022" })

/**
 * All programs in one script that runs the one it is called with, so that V8's code of it can be
 * kept: Node 20 keeps none of modules.
 *
 * @type {(entries: readonly string[], folder: string, part: string) => Promise<string>}
 */
const bundled = async (entries, folder, part) => {
  const programs = entries.map(
    path => `${JSON.stringify(path)}: () => import(${JSON.stringify(join(root, path))})`
  )
  const { build, stop } = esbuild()
  const { outputFiles } = await build({
    stdin: { contents: `await ({ ${programs} })[program]()`, resolveDir: root },
    write: false,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    define: { "import.meta": "{}" },
    plugins: [inPlace(folder), aside(folder, part), required],
    logLevel: "error"
  })
  await stop()
  const [{ text } = { text: "" }] = outputFiles
  // Of one byte a character: only comments and patterns have others, in which this is the same.
  const ascii = text.replace(
    /[^\0-\x7f]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`
  )
  // V8 compiles the outermost at once where it is such a function
  return `(async function (require, program) {\n"use strict"\n${ascii}\n})\n`
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
  writeFileSync(join(part, BUNDLE), await bundled(entries, folder, part))
  keepOutline(part)
  const runner = pathToFileURL(join(root, "scripts/run-kept.mjs")).href
  const run = `program => runKept(${JSON.stringify(folder)}, program)`
  writeFileSync(
    join(part, "run-kept.mjs"),
    `import { runKept } from ${JSON.stringify(runner)}\nexport const run = ${run}\n`
  )
  writeFileSync(join(part, "worker-boot.mjs"), bootOf(entries))
  for (const path of entries) {
    const name = join(part, compiledName(path))
    const up = relative(dirname(path), "run-kept.mjs")
    mkdirSync(dirname(name), { recursive: true })
    writeFileSync(name, `import { run } from "${up}"\nawait run("${path}")\n`)
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
