import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { base } from "../../src/domain/chains/base.ts"
import { makeFileSource } from "../../streams/sources/file/file-source.ts"
import { countKinds, drain } from "../../test/support/tape-input.ts"
import { generateLogs } from "../generate-logs.ts"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "generate-logs-"))
})
afterAll(() => rmSync(folder, { recursive: true }))

const SIZE = { tokens: 40, wallets: 100, swaps: 3000, seed: "test" }

const generate = async (name: string) => {
  const out = join(folder, name)
  const tokensOut = `${out}.tokens`
  const txsOut = `${out}.txs`
  const done = await generateLogs({ ...SIZE, out, tokensOut, txsOut })
  return { done, out, tokensOut, txsOut }
}

it("writes logs that all decode, with their tokens and senders", async () => {
  const { done, out, tokensOut, txsOut } = await generate("a.ndjson")
  const source = makeFileSource({ chain: base, files: [out], tokens: [tokensOut], txs: [txsOut] })
  const { events, error } = await drain(source)
  expect(error).toBeNull()
  expect(source.progress()).toMatchObject({ logs: done.logs, rejected: 0, skipped: 0 })
  const counts = countKinds(events)
  expect(counts["SwapExecuted"]).toBe(done.swaps)
  expect(counts["PoolCreated"]).toBe(done.pools)
  expect(counts["LogQuarantined"]).toBeUndefined()
  expect(counts["TokenSeen"]).toBe(SIZE.tokens + 2)
  expect(events.every(({ tx }) => tx === null || tx.from !== null)).toBe(true)
})

it("moves reserves and prices as the contracts would", async () => {
  const { out } = await generate("b.ndjson")
  const { events } = await drain(makeFileSource({ chain: base, files: [out] }))
  const reserves = new Map<string, readonly [bigint, bigint]>()
  let checked = 0
  for (const [i, event] of events.entries()) {
    if (event.kind === "ReservesSynced") {
      const before = reserves.get(event.pool)
      const after = [event.reserve0, event.reserve1] as const
      reserves.set(event.pool, after)
      const swap = events[i + 1]
      if (before === undefined || swap?.kind !== "SwapExecuted") continue
      checked++
      expect(after).toEqual([
        before[0] + swap.amount0In - swap.amount0Out,
        before[1] + swap.amount1In - swap.amount1Out
      ])
      expect(after[0] * after[1]).toBeGreaterThanOrEqual(before[0] * before[1])
    }
  }
  expect(checked).toBeGreaterThan(300)
})

it("writes logs of many kinds, as each of them logs", async () => {
  const out = join(folder, "mixed.ndjson")
  const tokensOut = `${out}.tokens`
  const done = await generateLogs({ ...SIZE, tokens: 100, mixed: true, out, tokensOut })
  const source = makeFileSource({ chain: base, files: [out], tokens: [tokensOut] })
  const { events, error } = await drain(source)
  expect(error).toBeNull()
  expect(source.progress()).toMatchObject({ logs: done.logs, rejected: 0, skipped: 0 })
  const counts = countKinds(events)
  expect(counts["LogQuarantined"]).toBeUndefined()
  expect(counts["SwapExecuted"]).toBe(done.swaps)
  expect(counts["PoolCreated"]).toBe(done.pools)
  const kinds = events.flatMap(event => (event.kind === "PoolCreated" ? [event.venueKind] : []))
  expect([...new Set(kinds)].sort()).toEqual([
    ...["algebra", "balancer-v2", "pancakeswap-v3", "solidly", "solidly-cl"],
    ...["uniswap-v2", "uniswap-v3", "uniswap-v4"]
  ])
})

it("writes the same bytes for the same options, and packs them where asked", async () => {
  const [a, b] = [await generate("c.ndjson"), await generate("d.ndjson")]
  expect(readFileSync(a.out).equals(readFileSync(b.out))).toBe(true)
  const packed = await generate("e.ndjson.gz")
  const plain = await drain(makeFileSource({ chain: base, files: [a.out] }))
  const unpacked = await drain(makeFileSource({ chain: base, files: [packed.out] }))
  expect(unpacked.events.length).toBe(plain.events.length)
  expect(readFileSync(packed.out).length).toBeLessThan(readFileSync(a.out).length / 2)
})
