/** How long endpoints rest that told wrong answers, as of blocks that a node has forgotten. */
import { Effect } from "effect"
import { expect, it } from "vitest"
import type { RpcEndpoint } from "../../../src/platform/rpc.ts"
import { StatusBoard } from "../../status-board.ts"
import { EndpointHealth } from "./endpoint-health.ts"
import { Endpoints } from "./endpoints.ts"

const TIMES = { firstMs: 200, longestMs: 20_000 }

/** Milliseconds that the first of two endpoints rests after so many of its answers were wrong. */
const restAfter = async (wrong: number, labels: readonly [string, string]): Promise<number> => {
  const all = labels.map((label): RpcEndpoint => {
    const none = Effect.succeed(null)
    return { label, request: () => none, batch: () => Effect.succeed([]), newHeads: null }
  })
  const healths = labels.map(label => new EndpointHealth(label))
  const endpoints = new Endpoints(all, 1, new StatusBoard("evm-rpc", ""), TIMES, healths)
  for (let i = 0; i < wrong; i++) await Effect.runPromise(endpoints.convict(0, "block 1: wrong"))
  return (healths[0]?.restUntil ?? 0) - Date.now()
}

it("a node that is asked in two ways rests no longer for each wrong answer", async () => {
  expect(await restAfter(12, ["node:1", "node:1"])).toBeLessThanOrEqual(200)
})

it("one of two nodes does: the other is asked meanwhile", async () => {
  expect(await restAfter(12, ["node:1", "node:2"])).toBeGreaterThan(5_000)
})
