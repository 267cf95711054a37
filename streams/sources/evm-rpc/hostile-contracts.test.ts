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
  const chain = new FakeChain()
  deployMarket(chain)
  const refuse = () => {
    throw new NodeError(code, message)
  }
  const selector = toFunctionSelector("token0()")
  chain.contracts.set(HOSTILE, { [selector]: refuse })
  const swap = v2SwapLog(HOSTILE, WHO, WHO, [5n, 0n, 0n, 5n])
  chain.mine([{ from: WHO, to: WHO, logs: [swap] }])
  chain.mine([])
  node = await startFakeRpc(chain, message)
  run = await startRun({ endpoints: [node.url] })
  expect(await run.reach(chain, 3000)).toBe(true)
  expect(loggedOf(run.events)).toEqual(truthLogs(chain))
})
