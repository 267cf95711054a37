import { Effect } from "effect"
import { expect, it } from "vitest"
import type { WorkerHandle } from "../../src/platform/worker.ts"
import { chainConfig } from "../../test/support/fake-lanes.ts"
import { source } from "../../test/support/well-lane.ts"
import { makeLaneClient } from "./lane-client.ts"
import type { FromLane, ToLane } from "./messages.ts"

/** A worker that tells what a test makes it tell. */
const scripted = () => {
  let listen: (message: FromLane) => void = () => undefined
  const handle: WorkerHandle<ToLane, FromLane> = {
    post: () => undefined,
    onMessage: listener => {
      listen = listener
    },
    ended: Effect.never
  }
  return { handle, tell: (message: FromLane) => listen(message) }
}

it("is as far as what is counted, though its commit is not told of yet", async () => {
  const client = Effect.runSync(makeLaneClient(chainConfig(8453, "base")))
  const { handle, tell } = scripted()
  client.attach(handle)
  client.attachSource(() => undefined)
  client.setSource({ ...source, headBlock: 114, emittedBlock: 114 })
  const [told, counted] = [
    { seq: 10, block: 112, blockTime: 1_700_000_000 },
    { seq: 12, block: 114, blockTime: 1_700_000_004 }
  ]
  const live = { ...client.status(), state: "live", assurance: "proven", logSeq: 12 } as const
  tell({ type: "status", status: { ...live, ...told, counted: told } })
  await expect
    .poll(() => client.health().problem)
    .toBe("the lane is catching up with the chain: block 112 of 114")
  tell({ type: "status", status: { ...live, ...told, counted } })
  await expect.poll(() => client.health().problem).toMatch(/^the newest block here is /)
  expect(client.seq()).toBe(10)
})

it("is no further than what is counted, though newer commits are told of", async () => {
  const now = Date.now() / 1000
  const client = Effect.runSync(makeLaneClient(chainConfig(8453, "base")))
  const { handle, tell } = scripted()
  client.attach(handle)
  client.attachSource(() => undefined)
  client.setSource({ ...source, headBlock: 114, emittedBlock: 114, headToldMs: now * 1000 })
  const old = { seq: 10, block: 100, blockTime: now - 60 }
  const newest = { seq: 12, block: 114, blockTime: now }
  const live = { ...client.status(), state: "live", assurance: "proven", logSeq: 12 } as const
  tell({ type: "status", status: { ...live, ...newest, counted: old } })
  // the row of status shows what is counted
  await expect.poll(() => client.status().counted.block).toBe(100)
  expect(client.health().ok).toBe(false)
  tell({ type: "status", status: { ...live, ...newest, counted: newest } })
  await expect.poll(() => client.health().ok).toBe(true)
})
