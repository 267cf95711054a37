/** The simulated node as its users have it: over HTTP, by the official client. */
import { createSolanaRpc, type Signature } from "@solana/kit"
import { Effect, Exit, Scope } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { checkedOf } from "../../../test/support/solana-checked.ts"
import { type SolanaNode, startNode } from "./node.ts"

const scope = Effect.runSync(Scope.make())
let node: SolanaNode
let rpc: ReturnType<typeof createSolanaRpc>

const step = async (times: number) => {
  for (let i = 0; i < times; i++) await Effect.runPromise(node.step)
}

beforeAll(async () => {
  const plan = { seed: "node", users: 20, pooled: 3, curves: 3, port: 0, slotMs: 400 }
  node = await Effect.runPromise(startNode(plan).pipe(Scope.provide(scope)))
  rpc = createSolanaRpc(node.url)
  await step(120)
})

afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const blocksOf = async (slots: ReadonlyArray<bigint>) => {
  const config = {
    commitment: "confirmed",
    maxSupportedTransactionVersion: 0,
    encoding: "json"
  } as const
  return Promise.all(slots.map(slot => rpc.getBlock(slot, { ...config, rewards: false }).send()))
}

it("makes blocks whose swaps their vaults confirm, and skips some slots", async () => {
  const head = await rpc.getSlot({ commitment: "confirmed" }).send()
  const slots = await rpc.getBlocks(head - 119n, head, { commitment: "confirmed" }).send()
  expect(slots.length).toBeLessThan(120)
  const blocks = await blocksOf(slots)
  const { table, bad, remarks, transactions } = checkedOf(blocks)
  expect([bad, [...remarks]]).toEqual([[], []])
  const counts = [3, 10].map(number => table.get(number))
  for (const venue of counts) expect(venue?.ok).toBe(venue?.swaps)
  expect(counts.every(venue => (venue?.swaps ?? 0) > 10)).toBe(true)
  expect(transactions).toBeGreaterThan(100)
  for (const [i, block] of blocks.entries()) {
    if (i === 0) continue
    expect(block?.previousBlockhash).toBe(blocks[i - 1]?.blockhash)
    expect(block?.parentSlot).toBe(slots[i - 1])
  }
})

it("says of a slot without a block what nodes say, by how old it is", async () => {
  const first = await rpc.getFirstAvailableBlock().send()
  const head = await rpc.getSlot({ commitment: "confirmed" }).send()
  const final = await rpc.getSlot({ commitment: "finalized" }).send()
  const slots = new Set(await rpc.getBlocks(first, head, { commitment: "confirmed" }).send())
  const skipped = Array.from({ length: Number(head - first) }, (_, i) => first + BigInt(i)).filter(
    slot => !slots.has(slot)
  )
  const old = skipped.find(slot => slot < final)
  if (old === undefined) throw new Error("no slot was skipped")
  const ask = (slot: bigint) =>
    rpc.getBlock(slot, { commitment: "confirmed", maxSupportedTransactionVersion: 0 }).send()
  await expect(ask(old)).rejects.toMatchObject({ context: { __code: -32007 } })
  await expect(ask(head + 1n)).rejects.toMatchObject({ context: { __code: -32004 } })
  await expect(ask(first - 1n)).rejects.toMatchObject({ context: { __code: -32001 } })
  await expect(
    rpc.getBlock(head, { commitment: "finalized", maxSupportedTransactionVersion: 0 }).send()
  ).rejects.toMatchObject({ context: { __code: -32004 } })
})

it("tells accounts, transactions and their status", async () => {
  const [pool] = node.genesis.pools
  if (pool === undefined) throw new Error("no pool")
  const { value } = await rpc.getMultipleAccounts([pool.address, pool.vaults[0]]).send()
  expect(value.map(one => one?.owner)).toEqual([
    "CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C",
    "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"
  ])
  const final = await rpc.getSlot({ commitment: "finalized" }).send()
  const slots = await rpc.getBlocks((await rpc.getFirstAvailableBlock().send()) + 1n, final).send()
  const block = (await blocksOf(slots)).find(one => (one?.transactions.length ?? 0) > 0)
  const signature = block?.transactions[0]?.transaction.signatures[0] as Signature
  const statuses = await rpc.getSignatureStatuses([signature]).send()
  expect(statuses.value[0]).toMatchObject({ confirmationStatus: "finalized", err: null })
  const config = { maxSupportedTransactionVersion: 0, encoding: "json" } as const
  const found = await rpc.getTransaction(signature, config).send()
  expect(found?.transaction.signatures).toEqual([signature])
})

it("answers what is no call with an error, and stays", async () => {
  const post = async (body: string) => (await fetch(node.url, { method: "POST", body })).text()
  expect(JSON.parse(await post("{"))).toMatchObject({ error: { code: -32700 } })
  expect(JSON.parse(await post("[]"))).toMatchObject({ error: { code: -32600 } })
  const call = (method: string, params: unknown) =>
    post(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })).then(text => JSON.parse(text))
  for (const none of ["getWhat", "requestAirdrop", "constructor", "toString"])
    expect([none, await call(none, [])]).toMatchObject([none, { error: { code: -32601 }, id: 1 }])
  expect(await call("getBlock", ["x"])).toMatchObject({ error: { code: -32602 } })
  const garbage = Buffer.alloc(80, 7).toString("base64")
  expect(await call("sendTransaction", [garbage, { encoding: "base64" }])).toHaveProperty("error")
  expect(await call("getHealth", [])).toEqual({ jsonrpc: "2.0", result: "ok", id: 1 })
})
