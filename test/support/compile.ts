/** Bundles of the programs and threads of the repository, made once for all tests. */
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
import type { Plugin } from "esbuild"

/** The repository's folder. */
export const root = join(import.meta.dirname, "../..")
const store = join(root, ".cache/compiled")
const folders = ["src", "streams", "engine", "projections", "api", "bench", "scripts"]

/** What is run as a process or as a worker thread. */
const isEntry = (path: string): boolean =>
  /^src\/bin\/(start|replay|verify|log|tables|\w+-worker)\.ts$/.test(path) ||
  /^bench\/(run|.*-(assistant|worker))\.ts$/.test(path)

const sources = (): ReadonlyArray<string> =>
  folders.flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter(name => /\.(ts|mjs|json)$/.test(name) && !name.endsWith(".test.ts"))
      .map(name => `${folder}/${name.replaceAll("\\", "/")}`)
  )

/** Changes with every source, and with the packages. */
const fingerprint = (paths: ReadonlyArray<string>): string => {
  const hash = createHash("sha256").update(`${process.version} ${root}\n`)
  for (const path of [...paths, "package-lock.json", "test/support/compile.ts"]) {
    const { mtimeMs, size } = statSync(join(root, path))
    hash.update(`${path} ${mtimeMs} ${size}\n`)
  }
  return hash.digest("hex").slice(0, 16)
}

/** What a source is called in the folder of the bundles. */
export const compiledName = (path: string): string => path.replace(/\.ts$/, ".js")

export const replaceOnce = (text: string, what: string, by: string): string => {
  if (text.split(what).length !== 2) throw new Error(`a bundle needs one ${what}`)
  return text.replace(what, () => by)
}

/** Of a thread, as `src/platform/worker.ts` names it. */
export const BOOT = '"./worker-boot.mjs"'

/** Where a source starts a program or a thread of sources, the bundle starts its compiled one. */
const redirected: { readonly [path: string]: (text: string, folder: string) => string } = {
  "src/platform/worker.ts": (text, folder) => {
    const boot = pathToFileURL(join(folder, "worker-boot.mjs")).href
    return replaceOnce(text, BOOT, JSON.stringify(boot))
  },
  "bench/measure/programs.ts": (text, folder) => {
    const compiled = `${JSON.stringify(folder)} + entry.slice(${root.length}, -2) + "js"`
    return replaceOnce(text, '"--import", "tsx", entry', compiled)
  }
}

/** Every module keeps thinking that it lies where its source does. */
const inPlace = (folder: string): Plugin => ({
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

/** A thread of tests' own, which is not among the bundles, runs its source. */
const bootOf = (entries: ReadonlyArray<string>): string => {
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

/** esbuild comes with tsx, which compiles by it as well. */
const esbuild = (): typeof import("esbuild") => {
  const here = createRequire(import.meta.url)
  return createRequire(here.resolve("tsx"))("esbuild")
}

/** For packages that are no modules. */
const REQUIRE =
  'import { createRequire as requireOf } from "node:module"; ' +
  "const require = requireOf(import.meta.url);"

const bundle = async (entries: ReadonlyArray<string>, folder: string, outdir: string) => {
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

/** Bundles of sources that have changed since. */
const removeOld = (): void => {
  for (const name of readdirSync(store)) {
    const path = join(store, name)
    if (Date.now() - statSync(path).mtimeMs > DAY_MS) rmSync(path, { recursive: true })
  }
}

const make = async (paths: ReadonlyArray<string>, folder: string): Promise<string> => {
  if (existsSync(folder)) return folder
  mkdirSync(store, { recursive: true })
  removeOld()
  const entries = paths.filter(isEntry)
  // test files run side by side: whoever is last finds that it is there already
  const part = `${folder}-${process.pid}`
  await bundle(entries, folder, part)
  writeFileSync(join(part, "worker-boot.mjs"), bootOf(entries))
  try {
    renameSync(part, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
    rmSync(part, { recursive: true })
  }
  return folder
}

/** By folder: within one process it is made once, however many ask. */
const making = new Map<string, Promise<string>>()

/** The folder of the bundles of the sources as they are now; made where it is missing. */
export const compiledFolder = (): Promise<string> => {
  const paths = sources()
  const folder = join(store, fingerprint(paths))
  const made = making.get(folder) ?? make(paths, folder)
  making.set(folder, made)
  return made
}
