import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { defineConfig } from "vitest/config"
import { findNatsServer } from "./scripts/nats-server.mjs"
import { compiledThreads } from "./test/support/compiled-threads.ts"
import { LongestFirst } from "./test/support/longest-first.ts"
import { STALLED_AFTER_MS, StalledFiles } from "./test/support/stalled-files.ts"
import { V8_FLAGS } from "./test/support/v8-flags.ts"

const commitHash = (): string => {
  try {
    return execFileSync("git", ["-c", "safe.directory=*", "rev-parse", "HEAD"], {
      cwd: import.meta.dirname,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"]
    }).trim()
  } catch {
    return "no-commit"
  }
}

// `npm run test:long`: the same tests, with more of what is random or repeated.
const isLong = process.env["SWAPTAPE_LONG"] === "1"

/**
 * `npm test` draws the same numbers in every run, so it fails for a change and never for its seed.
 * The long suite searches: it draws new ones for every commit, reproducible from its hash. What it
 * finds is kept as a case of its own (`test/support/seed.ts`).
 */
const PINNED_SEED = "swaptape"
const seed = process.env["SEED"] ?? (isLong ? commitHash() : PINNED_SEED)
console.log(`random tests use SEED=${seed}`)

// The style checks need no server, so `npm run check` works where none is set up yet.
const onlyTidy = process.argv.includes("test/tidy")
const natsServer = findNatsServer(join(import.meta.dirname, ".cache"))
if (!natsServer && !onlyTidy) throw new Error("no nats-server is set up: run `npm run setup` once")

export default defineConfig({
  plugins: [compiledThreads],
  test: {
    env: { SEED: seed, ...(natsServer ? { NATS_SERVER: natsServer } : {}) },
    exclude: ["**/node_modules/**", ".cache/**", "data/**"],
    // Processes, not threads: tests end up in native modules, worker threads and signals. Files
    // share them, since loading the modules anew for each took longer than most of its tests.
    pool: "forks",
    execArgv: [...V8_FLAGS],
    isolate: false,
    // Many start engines and wait for them: two cores have nothing to do for 15 % of a run with
    // three workers, for 10 % with four. Each one more loads all modules once more.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // For what hangs: on a busy machine what takes seconds at rest may take minutes.
    testTimeout: isLong ? 600_000 : 300_000,
    hookTimeout: 300_000,
    reporters: ["default", new StalledFiles(isLong ? 2 * STALLED_AFTER_MS : STALLED_AFTER_MS)],
    // what a test waits to see: a second, the default, is a promise about the machine
    expect: { poll: { timeout: 180_000 } }
  }
})
