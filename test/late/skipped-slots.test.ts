/** History of slots without a block is filled as any other is, wherever a part of it ends. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { solana } from "../../src/domain/chains/solana.ts"
import { solanaTapeSource } from "../../streams/sources/solana-rpc/tape-source.ts"
import { FakeSolana, fakeNode } from "../support/fake-solana.ts"
import { type LateRun, logNow, startLate } from "../support/late-run.ts"
import type { LocalServer } from "../support/local-http.ts"
import { startLogServer } from "../support/log-server.ts"

const FIRST = 1_000

/** Slots without a block come alone and in runs, as long as three parts are. */
const chain = new FakeSolana(FIRST)
let node: LocalServer
beforeAll(async () => {
  for (const skipped of [0, 1, 0, 3, 0, 0, 12, 0, 1, 1, 0, 2]) chain.produce(skipped)
  for (let i = 0; i < 9; i++) chain.produce()
  node = await fakeNode(chain)
})
afterAll(() => node.close())

const source = (start: number) =>
  solanaTapeSource({
    ...{ endpoints: [node.url], start, genesisHash: null, pollMs: 20 },
    rpc: { timeoutMs: 3_000, maxAnswerBytes: 10_000_000 },
    retry: { firstMs: 2, longestMs: 40, others: 0.05 }
  })

const options = (start: number, order: "newest" | "oldest") => ({
  ...{ endpoints: [], chain: solana, floor: FIRST, order, minPart: 4 },
  source: source(start)
})

/** How often blocks were asked for; where the head is, it is asked all the time. */
const blocksAsked = () => node.requests.filter(({ body }) => /"getBlocks?"/.test(body)).length

const isDone = (run: LateRun): boolean => {
  expect(run.ended()).toBe(null)
  return run.isWhole() && run.late.history?.state === "done"
}

/** A slot whose former slot has no block. */
const afterSkipped = (least: number): number =>
  chain.blocks.find(({ slot, parentSlot }) => slot > least && parentSlot < slot - 1)?.slot ?? 0

it.each(["newest", "oldest"] as const)("fills all of it, %s first, once", async order => {
  const server = await startLogServer()
  try {
    const start = afterSkipped(FIRST + 20)
    const run = await startLate(server, options(start, order))
    await expect.poll(() => isDone(run)).toBe(true)
    await expect.poll(() => run.loggedBlock()).toBe(chain.head.slot)
    await run.kill()
    const { events, gaps } = await logNow(server, solana.key)
    expect(gaps).toEqual([])
    const sealed = events.filter(({ kind }) => kind === "BlockSealed")
    expect(sealed.map(({ block }) => block.hash)).toEqual(
      chain.blocks.map(({ blockhash }) => blockhash)
    )
    const asked = blocksAsked()
    const again = await startLate(server, options(start, order))
    await expect.poll(() => again.late.history?.state).toBe("done")
    await again.kill()
    // nothing of the past is read again: at most the head is looked at
    expect(blocksAsked() - asked).toBeLessThan(10)
  } finally {
    await server.stop()
  }
})
