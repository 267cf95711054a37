/** Scripts of the bundle, made of sources by esbuild. */
import { readFileSync, writeFileSync } from "node:fs"
import { builtinModules, createRequire } from "node:module"
import { basename, dirname, join, relative } from "node:path"
import { pathToFileURL } from "node:url"
import { repositoryRoot as root } from "./setup.mjs"

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

/** What marks an entry as a script, so that esbuild asks of none of a program's imports. */
const SCRIPT = "script:"

/**
 * Scripts by name, each of which runs the program of its own that it is called with.
 *
 * @param {ReadonlyMap<string, readonly string[]>} scripts
 * @returns {import("esbuild").Plugin}
 */
const ofScripts = scripts => ({
  name: "scripts",
  setup(build) {
    build.onResolve({ filter: new RegExp(`^${SCRIPT}`) }, ({ path }) => ({
      path: path.slice(SCRIPT.length),
      namespace: "script"
    }))
    build.onLoad({ filter: /.*/, namespace: "script" }, ({ path: script }) => {
      const programs = (scripts.get(script) ?? []).map(
        path => `${JSON.stringify(path)}: () => import(${JSON.stringify(join(root, path))})`
      )
      return { contents: `await ({ ${programs} })[program]()`, resolveDir: root }
    })
  }
})

/**
 * The text of each script, so that V8's code of it can be kept: Node 20 keeps none of modules.
 *
 * @param {ReadonlyMap<string, readonly string[]>} scripts with their programs
 * @param {string} folder where they are to lie
 * @param {string} part where files beside them are written meanwhile
 * @returns {Promise<ReadonlyMap<string, string>>}
 */
export const bundled = async (scripts, folder, part) => {
  const { build, stop } = esbuild()
  const { outputFiles } = await build({
    entryPoints: [...scripts.keys()].map(script => ({
      in: `${SCRIPT}${script}`,
      out: basename(script, ".js")
    })),
    outdir: part,
    write: false,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    define: { "import.meta": "{}" },
    plugins: [ofScripts(scripts), inPlace(folder), aside(folder, part), required],
    logLevel: "error"
  })
  await stop()
  return new Map(outputFiles.map(({ path, text }) => [basename(path), calledText(text)]))
}

/** @param {string} text */
const calledText = text => {
  // Of one byte a character: only comments and patterns have others, in which this is the same.
  const ascii = text.replace(
    /[^\0-\x7f]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`
  )
  // V8 compiles the outermost at once where it is such a function
  return `(async function (require, program) {\n"use strict"\n${ascii}\n})\n`
}
