/**
 * Runs a bundle with the code that V8 made of it in an earlier run. To compile one takes longer
 * than to run it: a third of a second of an engine's start, and a tenth of each of its threads'.
 */
const { createHash } = require("node:crypto")
const { readFileSync, renameSync, rmSync, writeFileSync } = require("node:fs")
const { createRequire } = require("node:module")
const { cachedDataVersionTag, setFlagsFromString } = require("node:v8")
const { Script } = require("node:vm")
const { threadId } = require("node:worker_threads")

/**
 * Where the code of a bundle lies: code is good for one V8 with certain flags on one processor.
 *
 * @param {string} path
 */
const codeOf = path => `${path}.${cachedDataVersionTag().toString(16)}`

/** V8 believes what it is given: a file that a dying machine half wrote could end a process. */
const digestOf = (/** @type {Buffer} */ code) => createHash("sha256").update(code).digest()
const DIGEST_BYTES = 32

/** @param {string} path */
const keptCode = path => {
  try {
    const kept = readFileSync(codeOf(path))
    const code = kept.subarray(DIGEST_BYTES)
    return kept.subarray(0, DIGEST_BYTES).equals(digestOf(code)) ? code : undefined
  } catch {
    return undefined
  }
}

/**
 * Keeps the code for the next run; where it cannot be written the next run compiles as well.
 *
 * @param {string} path
 * @param {import("node:vm").Script} script
 */
const keepCode = (path, script) => {
  const kept = codeOf(path)
  const part = `${kept}-${process.pid}-${threadId}`
  const code = script.createCachedData()
  try {
    writeFileSync(part, Buffer.concat([digestOf(code), code]))
    renameSync(part, kept)
  } catch {
    rmSync(part, { force: true })
  }
}

/**
 * Runs a bundle: an async function of `require` and of what imports a module, in ASCII.
 *
 * @param {string} path
 * @param {readonly string[]} flags of V8 that bundles set: code counts for those of its time
 * @returns {boolean} whether there was code that V8 could use
 */
exports.runScript = (path, flags) => {
  for (const flag of flags) setFlagsFromString(flag)
  const cachedData = keptCode(path)
  const script = new Script(readFileSync(path, "latin1"), { filename: path, cachedData })
  // a script cannot import by itself: V8 keeps no code that knows how
  const importModule = (/** @type {string} */ url) => import(url)
  /** @type {Promise<void>} */
  const running = script.runInThisContext()(createRequire(path), importModule)
  const isUsed = cachedData !== undefined && script.cachedDataRejected !== true
  if (!isUsed) running.then(() => keepCode(path, script))
  return isUsed
}
