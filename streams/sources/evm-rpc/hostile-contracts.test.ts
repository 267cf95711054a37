/** Contracts choose what their refusals say: none of it may pass for the node's own words. */
import { toFunctionSelector } from "viem"
import { afterEach, expect, it } from "vitest"
import type { Hex } from "../../../src/platform/anvil-rpc.ts"
import { FakeChain } from "../../../test/support/fake-chain.ts"
import { v2SwapLog } from "../../../test/support/fake-logs.ts"
import { deployMarket } from "../../../test/support/fake-market.ts"
import { type FakeRpc, startFakeRpc } from "../../../test/support/fake-rpc.ts"
import { NodeError } from "../../../test/support/fake-rpc-methods.ts"
import { loggedOf, type RpcRun, startRun, truthLogs } from "../../../test/support/rpc-source.ts"

const HOSTILE: Hex = `0x${"d0".repeat(20)}`
const WHO: Hex = `0x${"09".repeat(20)}`

let node: FakeRpc | undefined
let run: RpcRun | undefined
afterEach(async () => {
  await run?.stop()
  await node?.close()
})

/** Reads a chain in which a contract that answers like this logs a swap. */
const expectReadOn = async (token0: string | (() => never), maxAnswerBytes = 2 ** 24) => {
  const chain = new FakeChain()
  deployMarket(chain)
  const answers = ["token0()", "token1()"].map(call => [toFunctionSelector(call), token0])
  chain.contracts.set(HOSTILE, Object.fromEntries(answers))
  const swap = v2SwapLog(HOSTILE, WHO, WHO, [5n, 0n, 0n, 5n])
  chain.mine([{ from: WHO, to: WHO, logs: [swap] }])
  chain.mine([])
  node = await startFakeRpc(chain, "hostile")
  run = await startRun({ endpoints: [node.url], rpc: { timeoutMs: 5000, maxAnswerBytes } })
  expect(await run.reach(chain)).toBe(true)
  expect(loggedOf(run.events)).toEqual(truthLogs(chain))
}

it.each([
  [3, "execution reverted: rate limit exceeded"],
  [3, "execution reverted: too many requests, quota"],
  [-32000, "execution reverted: method not found"],
  [-32015, "VM execution error: Reverted 429 too many requests"],
  [-32000, "execution reverted: request timed out"],
  // a loop without end, by a node that counts seconds and no gas
  [-32000, "execution aborted (timeout = 5s)"],
  [-32002, "request timed out"]
])("%i %s: the chain is read on", async (code, message) => {
  await expectReadOn(() => {
    throw new NodeError(code, message)
  })
})

it.each([40_000, 100_000])("answers of %i bytes: the chain is read on", async bytes => {
  await expectReadOn(`0x${"ab".repeat(bytes / 2)}`, 65_536)
})

it("contracts that take their time together are asked in smaller parts", async () => {
  const chain = new FakeChain()
  deployMarket(chain)
  const slowly = (): Hex => {
    const until = performance.now() + 15
    while (performance.now() < until);
    return "0x"
  }
  const pools = Array.from({ length: 20 }, (_, i): Hex => `0x${(0xd0 + i).toString(16).repeat(20)}`)
  for (const pool of pools) chain.contracts.set(pool, { [toFunctionSelector("token0()")]: slowly })
  const logs = pools.map(pool => v2SwapLog(pool, WHO, WHO, [5n, 0n, 0n, 5n]))
  chain.mine([{ from: WHO, to: WHO, logs }])
  node = await startFakeRpc(chain, "slow")
  run = await startRun({ endpoints: [node.url], rpc: { timeoutMs: 100, maxAnswerBytes: 2 ** 24 } })
  expect(await run.reach(chain)).toBe(true)
  expect(loggedOf(run.events)).toEqual(truthLogs(chain))
})

it("reads no state of a pool that answers more than a message of the log holds", async () => {
  const chain = new FakeChain()
  deployMarket(chain)
  const reserves = (further: number): Hex => {
    const words = [5n, 7n, ...Array.from({ length: further }, () => (1n << 256n) - 1n)]
    return `0x${words.map(word => word.toString(16).padStart(64, "0")).join("")}`
  }
  const modest: Hex = `0x${"d1".repeat(20)}`
  const selector = toFunctionSelector("getReserves()")
  chain.contracts.set(HOSTILE, { [selector]: reserves(300_000) })
  chain.contracts.set(modest, { [selector]: reserves(1) })
  chain.mine([])
  node = await startFakeRpc(chain, "hostile")
  run = await startRun({
    endpoints: [node.url],
    rpc: { timeoutMs: 5000, maxAnswerBytes: 2 ** 27 }
  })
  expect(await run.reach(chain)).toBe(true)
  // one after the other, so the second is read when the first was
  const wanted = [HOSTILE, modest].map(pool => ({
    ...{ venueKind: "uniswap-v2", factory: null },
    facts: {
      pool,
      tokens: [`0x${"01".repeat(20)}`, WHO],
      fee: 3000,
      tickSpacing: null,
      decimals: [18, 18]
    }
  }))
  run.readStates(wanted)
  const { events } = run
  const read = () => {
    chain.mine([])
    return events.flatMap(event => (event.kind === "PoolStateRead" ? [event.pool] : []))
  }
  await expect.poll(read).toContain(modest)
  expect(read()).toEqual([modest])
})
