import { mkdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { afterAll, expect, it, vi } from "vitest"
import { temporaryFolder } from "../../test/support/nats.ts"
import { PATIENCE_MS } from "../../test/support/patience.ts"
import { watchDisk } from "./disk-usage.ts"

const folder = temporaryFolder()
afterAll(() => folder.remove())

it("sums the files of a folder and tells what is free", () =>
  Effect.gen(function* () {
    mkdirSync(join(folder.path, "a/b"), { recursive: true })
    const paths = ["one", "a/two", "a/b/three"].map(name => join(folder.path, name))
    for (const path of paths) writeFileSync(path, new Uint8Array(10_000).fill(1))
    const usage = yield* watchDisk(folder.path)
    const seen = yield* Effect.promise(() => vi.waitUntil(usage, { timeout: PATIENCE_MS }))
    const taken = paths.reduce((sum, path) => sum + statSync(path).blocks * 512, 0)
    expect(seen.usedBytes).toBe(taken)
    expect(seen.freeBytes).toBeGreaterThan(0)
  }).pipe(Effect.scoped, Effect.runPromise))
