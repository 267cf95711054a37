/** How long endpoints rest that told wrong answers, as of blocks that a node has forgotten. */
import { Clock, Effect } from "effect"
import { expect, it } from "vitest"
import { steadyMillis } from "../../../src/platform/elapsed.ts"
import type { RpcEndpoint } from "../../../src/platform/rpc.ts"
import { EndpointHealth } from "../../endpoints/endpoint-health.ts"
import { StatusBoard } from "../../status-board.ts"
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
  return (healths[0]?.restUntil ?? 0) - (await Effect.runPromise(steadyMillis))
}

it("a node that is asked in two ways rests no longer for each wrong answer", async () => {
  expect(await restAfter(12, ["node:1", "node:1"])).toBeLessThanOrEqual(200)
})

it("one of two nodes does: the other is asked meanwhile", async () => {
  expect(await restAfter(12, ["node:1", "node:2"])).toBeGreaterThan(5_000)
})

it("both are asked again after their rest, whatever the clock is set to meanwhile", async () => {
  let [wallMs, steadyMs] = [1_790_000_000_000, 0]
  const nanos = (ms: number) => BigInt(ms) * 1_000_000n
  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: () => wallMs,
    currentTimeMillis: Effect.sync(() => wallMs),
    currentTimeNanosUnsafe: () => nanos(wallMs),
    currentTimeNanos: Effect.sync(() => nanos(wallMs)),
    monotonicTimeNanosUnsafe: () => nanos(steadyMs),
    monotonicTimeNanos: Effect.sync(() => nanos(steadyMs)),
    sleep: () => Effect.void
  }
  const run = <A, E>(work: Effect.Effect<A, E>) =>
    Effect.runPromise(Effect.provideService(work, Clock.Clock, clock))
  const asked: Array<string> = []
  const all = ["node:1", "node:2"].map((label): RpcEndpoint => {
    const request = ({ method }: { readonly method: string }) =>
      Effect.sync(() => {
        asked.push(`${label} ${method}`)
        return "0x1"
      })
    return { label, request, batch: () => Effect.succeed([]), newHeads: null }
  })
  const healths = all.map(({ label }) => new EndpointHealth(label))
  const endpoints = new Endpoints(all, 1, new StatusBoard("evm-rpc", ""), TIMES, healths)
  for (const place of [0, 1]) await run(endpoints.convict(place, "block 1: wrong"))
  await run(endpoints.compare(0))
  expect(asked).toEqual([])
  steadyMs += TIMES.longestMs
  wallMs -= 3_600_000
  await run(endpoints.compare(0))
  expect(asked.toSorted()).toEqual(
    ["node:1", "node:2"].flatMap(label => [`${label} eth_blockNumber`, `${label} eth_chainId`])
  )
})
