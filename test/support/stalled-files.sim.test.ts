import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, expect, it } from "vitest"
import { temporaryFolder } from "./nats.ts"

const folder = temporaryFolder()

afterAll(() => folder.remove())

it("ends a run whose file holds its process, names the file and runs the others", () => {
  const reporter = fileURLToPath(new URL("stalled-files.ts", import.meta.url))
  const vitest = fileURLToPath(new URL("../../node_modules/vitest/vitest.mjs", import.meta.url))
  const held = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)"
  const config = `import { StalledFiles } from ${JSON.stringify(reporter)}
export default {
  test: { pool: "forks", globals: true, isolate: false, maxWorkers: 2, testTimeout: 100,
    reporters: ["default", new StalledFiles(3000)] }
}`
  writeFileSync(join(folder.path, "vitest.config.mjs"), config)
  writeFileSync(join(folder.path, "a.test.mjs"), `it("waits", () => ${held})`)
  writeFileSync(join(folder.path, "b.test.mjs"), `it("is", () => expect(1).toBe(1))`)
  const run = spawnSync(process.execPath, [vitest, "run", "--root", folder.path], {
    env: { ...process.env, NO_COLOR: "1" },
    encoding: "utf8",
    timeout: 120_000
  })
  expect(run.status).toBe(1)
  expect(run.stderr).toMatch(
    /^nothing was heard for 3 s of .*\/a\.test\.mjs: all processes that run files are killed$/m
  )
  expect(run.stdout).toMatch(/Test Files .*1 passed/)
})
