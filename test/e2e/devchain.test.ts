/** What a new user does first: starts with nothing configured, stops, starts again, verifies. */
import { afterAll, expect, it } from "vitest"
import { type Engine, runCommand, startEngine } from "../support/engine.ts"
import { temporaryFolder } from "../support/nats.ts"

const folder = temporaryFolder()
let engine: Engine

afterAll(async () => {
  await engine?.end("SIGKILL")
  folder.remove()
})

/** Starts on the folder, lives for some blocks, and is stopped. */
const live = async (blocks: number) => {
  engine = await startEngine({ dataDir: folder.path })
  await engine.ready()
  for (const key of ["arc", "base"]) {
    const from = (await engine.lane(key)).block ?? 0
    await engine.alive(`${blocks} blocks of ${key}`, async () => {
      const { block, state } = await engine.lane(key)
      return state === "live" && (block ?? 0) >= from + blocks
    })
  }
  for (const key of ["arc", "base"]) {
    await engine.alive(`a count of all events of ${key}`, async () => {
      const { events, seq } = await engine.lane(key)
      return events === seq
    })
  }
  expect(await engine.stop()).toEqual({ code: 130, signal: null })
}

it("has the same tables after two starts as its log gives again", async () => {
  await live(2)
  await live(2)
  const verified = await runCommand("verify", ["--data", folder.path])
  expect(verified.output).toContain("verified: log and tables agree")
  expect(verified.output).not.toContain("DIFFERENT")
}, 120_000)
