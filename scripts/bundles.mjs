/**
 * Makes the bundles: of what is run often a script each, which V8 keeps the code of
 * (`run-script.cjs`); of what else is run modules, which share what they have in common.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { builtinModules, createRequire } from "node:module"
import { dirname, join, relative } from "node:path"
import { pathToFileURL } from "node:url"
import { repositoryRoot as root } from "./setup.mjs"

/** @typedef {typeof import("esbuild").build} Build */
/** @typedef {import("esbuild").BuildOptions} BuildOptions */

/**
 * What is run as a process or as a worker thread, and often.
 *
 * @param {string} path
 */
const isScript = path =>
  /^src\/bin\/(start|serve|replay|verify|log|mcp|tables|\w+-worker)\.ts$/.test(path)

/**
 * What else is run.
 *
 * @param {string} path
 */
const isModule = path =>
  /^bench\/(run|.*-(assistant|worker))\.ts$/.test(path) ||
  /^test\/support\/.*-(process|worker)\.ts$/.test(path)

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

/** What boots a thread, as `src/platform/worker.ts` names it, and what does in the folder. */
export const BOOT = '"./worker-boot.mjs"'
export const COMPILED_BOOT = "worker-boot.cjs"

/**
 * Where a source starts a program or a thread of sources, the bundle starts its compiled one.
 *
 * @type {{ readonly [path: string]: (text: string, folder: string) => string }}
 */
const redirected = {
  "src/platform/worker.ts": (text, folder) => {
    const boot = pathToFileURL(join(folder, COMPILED_BOOT)).href
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

/** What carries binaries stays where it is. */
const WITH_BINARIES = ["@duckdb/node-bindings*", "uWebSockets.js"]

/** @type {(entries: readonly string[], folder: string, outdir: string) => BuildOptions} */
const optionsOf = (entries, folder, outdir) => ({
  entryPoints: entries.map(path => ({ in: join(root, path), out: path.slice(0, -3) })),
  outdir,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  plugins: [inPlace(folder)],
  logLevel: "error"
})

/** For packages that are no modules. */
const REQUIRE =
  'import { createRequire as requireOf } from "node:module"; ' +
  "const require = requireOf(import.meta.url);"

/** @type {(build: Build, options: BuildOptions) => Promise<unknown>} */
const makeModules = (build, options) =>
  build({ ...options, splitting: true, external: WITH_BINARIES, banner: { js: REQUIRE } })

/**
 * What is not bundled comes by `require`, which a script is given; `import` statements are for
 * modules.
 *
 * @type {import("esbuild").Plugin}
 */
const required = {
  name: "required",
  setup(build) {
    const names = ["node:.*", ...builtinModules, ...WITH_BINARIES].join("|").replaceAll("*", ".*")
    const filter = new RegExp(`^(${names})$`)
    build.onResolve({ filter, namespace: "file" }, ({ path }) => ({ path, namespace: "required" }))
    build.onResolve({ filter, namespace: "required" }, ({ path }) => ({ path, external: true }))
    build.onLoad({ filter, namespace: "required" }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)})`
    }))
    // megabytes of pages for developers, loaded where they are asked for
    build.onResolve({ filter: /\/httpApi(Scalar|Swagger)\.js$/ }, ({ path, resolveDir }) => ({
      path: pathToFileURL(join(resolveDir, path)).href,
      external: true
    }))
  }
}

/**
 * A bundle as a script. V8 holds a character of ASCII in one byte; others would make two of each.
 *
 * @param {string} bundle
 */
const scriptOf = bundle => {
  const body = bundle
    .replaceAll('import("file:', 'importModule("file:')
    .replace(/[^\0-\x7f]/g, one => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`)
  return `(async (require, importModule) => {${body}\n})`
}

/**
 * The flags of V8 that bundles set while they load.
 *
 * @param {readonly { readonly text: string }[]} bundles
 */
const flagsOf = bundles => {
  const set = bundles.flatMap(({ text }) => [...text.matchAll(/setFlagsFromString\)\("(.+?)"\)/g)])
  return [...new Set(set.map(([, flag]) => flag))].sort()
}

/** @type {(build: Build, options: BuildOptions) => Promise<void>} */
const makeScripts = async (build, options) => {
  const { outputFiles = [] } = await build({
    ...options,
    plugins: [...(options.plugins ?? []), required],
    define: { "import.meta.env": "undefined" },
    // in short lines, since an uncaught error shows its line
    minifyWhitespace: true,
    lineLimit: 160,
    write: false
  })
  const runner = JSON.stringify(join(root, "scripts/run-script.cjs"))
  const flags = JSON.stringify(flagsOf(outputFiles))
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path.replace(/js$/, "script"), scriptOf(text))
    const run = `runScript(__filename.replace(/js$/, "script"), ${flags})`
    writeFileSync(path, `require(${runner}).${run}\n`)
    writeFileSync(join(dirname(path), "package.json"), '{ "type": "commonjs" }\n')
  }
}

/**
 * Boots a thread; one that is not among the bundles runs its source.
 *
 * @param {readonly string[]} entries
 */
const bootOf = entries => {
  const source = pathToFileURL(join(root, "src/platform/worker-boot.mjs")).href
  const compiled = Object.fromEntries(
    entries.map(path => [pathToFileURL(join(root, path)).href, `./${compiledName(path)}`])
  )
  return [
    'const { workerData } = require("node:worker_threads")',
    `const compiled = ${JSON.stringify(compiled)}`,
    `import(compiled[workerData.entry] ?? ${JSON.stringify(source)})\n`
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

/**
 * Bundles what is run of the sources.
 *
 * @param {readonly string[]} paths
 * @param {string} folder where the bundles will lie
 * @param {string} outdir where they are made
 */
export const makeBundles = async (paths, folder, outdir) => {
  const { build, stop } = esbuild()
  const [scripts, modules] = [paths.filter(isScript), paths.filter(isModule)]
  await Promise.all([
    makeScripts(build, optionsOf(scripts, folder, outdir)),
    makeModules(build, optionsOf(modules, folder, outdir))
  ])
  await stop()
  writeFileSync(join(outdir, COMPILED_BOOT), bootOf([...scripts, ...modules]))
}
