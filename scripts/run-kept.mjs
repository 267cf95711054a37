/**
 * Runs a program of a bundle with the code that V8 made of it before: compiling takes half of the
 * processor time that a thread needs to begin. No package may be imported here.
 */
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { cachedDataVersionTag, setFlagsFromString } from "node:v8"
import { Script } from "node:vm"
import { threadId } from "node:worker_threads"

/** Folder of the code that was made of scripts, by program. */
export const KEPT = "code"

// What sources set for themselves, set before: V8 takes no code that it made under other flags.
setFlagsFromString("--heap-growing-percent=100")
setFlagsFromString("--expose-gc")

const require = createRequire(import.meta.url)

/** @type {(filename: string, cachedData?: Buffer) => Script} */
const scriptOf = (filename, cachedData) => {
  const text = readFileSync(filename, "latin1")
  return new Script(text, { filename, ...(cachedData ? { cachedData } : {}) })
}

/**
 * Processes with other flags, as those of tests, have code of their own: V8 takes nobody else's.
 *
 * @type {(folder: string, program: string) => string}
 */
const keptFile = (folder, program) =>
  join(folder, KEPT, `${program.replaceAll("/", "-")}-${cachedDataVersionTag()}`)

/** @type {(folder: string, script: string) => string} */
const outlineOf = (folder, script) => join(folder, KEPT, `${script}-outline`)

/**
 * Keeps, for programs that run for the first time, what V8 knows of a script that nobody has run:
 * where its functions begin and end.
 *
 * @type {(folder: string, script: string) => void}
 */
export const keepOutline = (folder, script) => {
  const code = scriptOf(join(folder, script)).createCachedData()
  writeFileSync(outlineOf(folder, script), code)
}

/**
 * A stack without lines. Effect looks for names in two while it loads, and for one line V8 counts
 * all those of the script.
 *
 * @type {typeof Error.prepareStackTrace}
 */
const names = (error, sites) =>
  [error, ...sites.map(site => `${site.getFunctionName()} [as ${site.getMethodName()}]`)].join("\n")

/**
 * Ends once the program is loaded.
 *
 * @type {(script: Script, program: string) => Promise<void>}
 */
const load = async (script, program) => {
  const { prepareStackTrace } = Error
  Error.prepareStackTrace = names
  try {
    await script.runInThisContext()(require, program)
  } finally {
    Error.prepareStackTrace = prepareStackTrace
  }
}

/** How much longer code is that is worth keeping anew. */
const GROWN = 1.02

/** @type {(file: string, code: Buffer) => void} */
const write = (file, code) => {
  // several may start side by side: each has a whole file
  const part = `${file}-${process.pid}-${threadId}`
  writeFileSync(part, code)
  renameSync(part, file)
}

/**
 * Runs a program of a script, named by its source. The first run keeps the code of what it has
 * called once it is loaded, and the first that ends by itself after more that of all it has called;
 * what V8 does not take is replaced.
 *
 * @param {string} folder of the bundle
 * @param {string} name the script's, in the folder
 * @param {string} program
 * @returns {Promise<boolean>} whether code of the program was used
 */
export const runKept = async (folder, name, program) => {
  const loaded = keptFile(folder, program)
  const ended = `${loaded}-ended`
  const found = [ended, loaded].find(existsSync)
  const kept = readFileSync(found ?? outlineOf(folder, name))
  const script = scriptOf(join(folder, name), kept)
  const isUsed = found !== undefined && script.cachedDataRejected === false
  await load(script, program)
  if (isUsed && found === ended) return true
  if (!isUsed) {
    rmSync(ended, { force: true })
    write(loaded, script.createCachedData())
  }
  const { size } = statSync(loaded)
  process.once("exit", () => {
    const code = script.createCachedData()
    if (code.length > size * GROWN) write(ended, code)
  })
  return isUsed
}
