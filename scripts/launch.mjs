import { existsSync } from "node:fs"
import { join } from "node:path"
import { check } from "./check.mjs"
import { runToEnd } from "./child.mjs"
import { makeNew, NEW_HELP } from "./new.mjs"
import { repositoryRoot, setUp } from "./setup.mjs"
import { SetupError } from "./setup-error.mjs"

/**
 * Memory in pages of 2 MiB where the kernel has them: what folds know of a market lies all over
 * memory, and with pages of 4 KiB the processor spends a fifth of its time on where they are.
 */
const largePages = { GLIBC_TUNABLES: "glibc.malloc.hugetlb=1" }

/** @type {(source: string) => Command} */
const program = source => ({ source, nats: true, envFile: true })
const vitest = { script: "node_modules/vitest/vitest.mjs", words: ["run"], nats: true }
/** Part of the names of tests that try whole engines against failures, chains and browsers. */
const simulations = ".sim.test."
/** What `npm test` leaves to `npm run test:sim` and to `npm run check`. */
const elsewhere = [`**/*${simulations}*`, "test/tidy/**", "test/tidy.test.ts"]

/**
 * @typedef {object} Command
 * @property {string=} source what is run, one of our sources
 * @property {string=} script or a script of somebody else's
 * @property {string[]=} words what it is given before the user's arguments
 * @property {boolean} nats whether it needs a nats-server
 * @property {boolean=} envFile whether `.env` is read
 * @property {Record<string, string>=} env variables added for it
 */

/**
 * What each `npm run <name>` starts, once set-up is done; the user's arguments are appended.
 *
 * @type {Record<string, Command>}
 */
const commands = {
  start: program("src/bin/start.ts"),
  serve: program("src/bin/serve.ts"),
  replay: program("src/bin/replay.ts"),
  verify: program("src/bin/verify.ts"),
  log: program("src/bin/log.ts"),
  keys: program("src/bin/keys.ts"),
  bench: program("bench/run.ts"),
  mcp: { source: "src/bin/mcp.ts", nats: false, envFile: true },
  probe: program("src/bin/prober.ts"),
  tables: { source: "src/bin/tables.ts", nats: false },
  client: { source: "src/bin/client.ts", nats: false },
  router: { source: "src/bin/router.ts", nats: false, envFile: true },
  "solana:check": { source: "src/bin/solana-check.ts", nats: false },
  "solana:node": { source: "src/bin/solana-node.ts", nats: false },
  test: { ...vitest, words: ["run", ...elsewhere.flatMap(glob => ["--exclude", glob])] },
  "test:sim": { ...vitest, words: ["run", simulations] },
  "test:long": { ...vitest, env: { SWAPTAPE_LONG: "1" } }
}

/**
 * Of commands that are no program of ours, which would tell themselves.
 *
 * @type {Record<string, string>}
 */
const helps = {
  check: `Checks format, lint, types and tidiness; exits 1 where one fails, and changes nothing.

  npm run check             takes no options`,
  new: NEW_HELP,
  setup: `Installs what is missing, as every other command does first: packages and a nats-server.

  npm run setup             takes no options; NATS_SERVER names a nats-server of yours`,
  test: `Runs the tests.

  npm test                  all but simulations (*.sim.test.ts) and the checks of style
  npm test -- PATH...       those of files whose path contains one of these
  npm test -- -t NAME       those whose name matches; other options of vitest are passed on too
  npm run test:sim          simulations: whole engines against failures, chains and browsers
  npm run test:long         all of both, with more of what is random or repeated

SEED sets the seed of random tests (default: always the same; test:long: the commit's hash).`
}

/**
 * What is answered to the arguments without running anything.
 *
 * @param {string} name
 * @param {readonly string[]} args
 * @returns {number | undefined} the exit code; undefined where the command is to be run
 */
const answered = (name, args) => {
  const help = helps[name.startsWith("test:") ? "test" : name]
  if (help === undefined) return undefined
  if (args.includes("--help") || args.includes("-h")) {
    console.log(help)
    return 0
  }
  if (name.startsWith("test") || name === "new" || args.length === 0) return undefined
  throw new SetupError(`${name} takes no options: npm run ${name} -- --help tells more`)
}

/**
 * A source as Node can run it. What compiles it needs packages that set-up may just have installed.
 *
 * @param {string} source
 */
const compiled = async source => {
  const { compiledProgram } = await import("./compiled.mjs")
  return compiledProgram(source)
}

/**
 * Installs what is missing, then runs a command with the user's arguments untouched.
 *
 * @param {string | undefined} name a key of `commands`, or `check` or `setup`
 * @param {readonly string[]} args
 * @returns {Promise<number>} the exit code to end with
 */
export const launch = async (name, args) => {
  const code = answered(name ?? "", args)
  if (code !== undefined) return code
  if (name === "check") {
    await setUp({ natsServer: false })
    return check(repositoryRoot)
  }
  if (name === "setup") {
    await setUp({ natsServer: true })
    console.error("setup: everything is in place")
    return 0
  }
  if (name === "new") {
    await setUp({ natsServer: false })
    console.log((await makeNew(repositoryRoot, args)).join("\n"))
    return 0
  }
  const command = commands[name ?? ""]
  if (!command) throw new SetupError(`no command "${name}", use one of ${Object.keys(commands)}`)
  const envFile = join(repositoryRoot, ".env")
  // Variables that are already set win over the file. Tests stay independent of it.
  if (command.envFile && existsSync(envFile)) process.loadEnvFile(envFile)
  const external = command.envFile && name !== "bench" && process.env["NATS_URL"]
  await setUp({ natsServer: command.nats && !external })
  const { source, script = "", words = [] } = command
  const path = source === undefined ? script : await compiled(source)
  return runToEnd(process.execPath, [path, ...words, ...args], {
    cwd: repositoryRoot,
    env: { ...largePages, ...process.env, ...command.env },
    stdio: "inherit"
  })
}
