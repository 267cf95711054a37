import { spawn } from "node:child_process"

const node = process.execPath
const tsc = "node_modules/typescript/bin/tsc"

/**
 * Checks the types of a project; what it found of files that have not changed is kept.
 * @type {(project: string, kept: string) => string[]}
 */
const types = (project, kept) => [
  ...[tsc, "--noEmit", "-p", project],
  ...["--incremental", "--tsBuildInfoFile", `.cache/${kept}.tsbuildinfo`]
]

const colors = process.stdout.isTTY && !process.env["NO_COLOR"] ? "force" : "off"

/**
 * The checks of `npm run check`, each leaves the working tree as it is. Those of a list run side by
 * side; what fails oftenest comes first, so that it is known while the rest still runs.
 */
const checks = [
  [
    { name: "types", argv: types(".", "types") },
    { name: "types of scripts", argv: types("scripts", "types-of-scripts") },
    {
      name: "format and lint",
      // it would colour what goes into a file too
      argv: ["node_modules/@biomejs/biome/bin/biome", "ci", `--colors=${colors}`, "."],
      help: "npm run format writes all of the format and what of lint is safe"
    }
  ],
  [{ name: "tidy", argv: ["node_modules/vitest/vitest.mjs", "run", "test/tidy"] }]
]

/** @typedef {{ name: string, argv: string[], help?: string }} Check */
/** @typedef {{ name: string, code: number, output: string }} Outcome */

/** @type {(check: Check, cwd: string) => Promise<Outcome>} */
const runOne = ({ name, argv }, cwd) =>
  new Promise(resolve => {
    const child = spawn(node, argv, { cwd, stdio: ["ignore", "pipe", "pipe"] })
    /** @type {Buffer[]} */
    const output = []
    child.stdout.on("data", bytes => output.push(bytes))
    child.stderr.on("data", bytes => output.push(bytes))
    child.once("error", error => resolve({ name, code: 1, output: String(error) }))
    child.once("close", code =>
      resolve({ name, code: code ?? 1, output: Buffer.concat(output).toString() })
    )
  })

/**
 * Runs every check and prints each one's output when it ends; one failure does not hide another.
 *
 * @param {string} cwd the repository root
 * @returns {Promise<number>} 0 when all passed, else 1
 */
export const check = async cwd => {
  /** @type {string[]} */
  const failed = []
  for (const some of checks) {
    await Promise.all(
      some.map(async one => {
        const { name, code, output } = await runOne(one, cwd)
        if (code !== 0) failed.push(name)
        if (output.trim()) console.log(output.trimEnd())
        const help = one.help === undefined ? "" : `: ${one.help}`
        console.log(`check: ${name} ${code === 0 ? "passed" : `FAILED${help}`}\n`)
      })
    )
  }
  console.log(failed.length ? `check: FAILED: ${failed.join(", ")}` : "check: all passed")
  return failed.length ? 1 : 0
}
