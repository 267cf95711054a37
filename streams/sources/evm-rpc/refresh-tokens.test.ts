/** What a pool paid out, followed by the receipt of its transaction where no block shows it. */
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { FakeChain } from "../../../test/support/fake-chain.ts"
import { syncLog, transferLog, v2SwapLog } from "../../../test/support/fake-logs.ts"
import { deployMarket, TOKEN_B, V2_POOL } from "../../../test/support/fake-market.ts"
import { type FakeRpc, startFakeRpc } from "../../../test/support/fake-rpc.ts"
import { type RpcRun, rpcChain, startRun } from "../../../test/support/rpc-source.ts"

const WHO = `0x${"09".repeat(20)}` as const

let chain: FakeChain
let node: FakeRpc
let run: RpcRun
beforeEach(() => {
  chain = new FakeChain()
  deployMarket(chain)
})
afterEach(async () => {
  await run.stop()
  await node.close()
})

/** A swap that pays 1000 of a token of which 993 arrive, and more transactions than are asked for. */
const mineSwap = () => {
  const logs = [
    transferLog(TOKEN_B, V2_POOL, WHO, 993n),
    syncLog(V2_POOL, 1_000_000n, 1_000_000n),
    v2SwapLog(V2_POOL, WHO, WHO, [1000n, 0n, 0n, 1000n])
  ]
  const tx = { from: WHO, to: WHO, logs: [] }
  return chain.mine([{ ...tx, logs }, ...Array.from({ length: 129 }, () => tx)])
}

const read = async () => {
  node = await startFakeRpc(chain, "payments", { noReceipts: true })
  run = await startRun({ endpoints: [node.url], chain: { ...rpcChain, blockTimeMs: 1 } })
  expect(await run.reach(chain)).toBe(true)
}

/** Blocks without logs until it holds: what is read beside blocks is told with the next of them. */
const until = async (holds: () => boolean) => {
  for (let i = 0; i < 400 && !holds(); i++) await mineEmpty()
  expect(holds()).toBe(true)
}

const mineEmpty = async () => {
  chain.mine([])
  expect(await run.reach(chain)).toBe(true)
}

const checks = () => run.events.filter(event => event.kind === "TransferChecked")
const receiptsAsked = () => node.calls.get("eth_getTransactionReceipt") ?? 0

it("tells once what arrived of it", async () => {
  const block = mineSwap()
  await read()
  await until(() => checks().length > 0)
  mineSwap()
  for (let i = 0; i < 3; i++) await mineEmpty()
  expect(checks()).toMatchObject([
    {
      token: TOKEN_B,
      pool: V2_POOL,
      transaction: block.txs[0]?.hash,
      sent: 1000n,
      received: 993n
    }
  ])
  expect(receiptsAsked()).toBe(1)
})

it("tells nothing of a receipt that is of another branch", async () => {
  const block = mineSwap()
  const twin = { ...block, hash: `0x${"f0".repeat(32)}` as const }
  // where receipts of transactions are looked for; blocks are found by their number and hash
  vi.spyOn(chain, "blocks", "get").mockReturnValue([twin])
  await read()
  await until(() => receiptsAsked() > 0)
  for (let i = 0; i < 3; i++) await mineEmpty()
  expect(checks()).toEqual([])
  // the next payment is looked at instead
  vi.restoreAllMocks()
  const next = mineSwap()
  await until(() => checks().length > 0)
  expect(checks()).toMatchObject([{ transaction: next.txs[0]?.hash, sent: 1000n, received: 993n }])
  expect(receiptsAsked()).toBe(2)
})
