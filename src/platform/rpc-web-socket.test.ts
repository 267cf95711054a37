/** Several parts of a source ask the same URL: each has a socket of its own. */
import { Effect, Exit, Scope } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { FakeChain } from "../../test/support/fake-chain.ts"
import { type FakeRpc, startFakeRpc } from "../../test/support/fake-rpc.ts"
import { openRpc, type RpcEndpoint } from "./rpc.ts"

const chain = new FakeChain(8453)
let node: FakeRpc
beforeAll(async () => {
  for (let i = 0; i < 40; i++) chain.mine([])
  node = await startFakeRpc(chain, "sockets")
})
afterAll(() => node.close())

const open = async () => {
  const scope = await Effect.runPromise(Scope.make())
  const options = { timeoutMs: 2_000, maxAnswerBytes: 2 ** 20 }
  const endpoint = await Effect.runPromise(openRpc(node.wsUrl, options).pipe(Scope.provide(scope)))
  return { endpoint, close: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}

const numberOf = (endpoint: RpcEndpoint, block: number) =>
  Effect.runPromise(
    endpoint.request({
      method: "eth_getBlockByNumber",
      params: [`0x${block.toString(16)}`, false]
    })
  ).then(header => Number((header as { readonly number: string }).number))

it("gives every endpoint its own answers", async () => {
  const all = await Promise.all([open(), open(), open()])
  const asked = all.flatMap(({ endpoint }, i) =>
    Array.from({ length: 10 }, (_, j) => ({ endpoint, block: 10 * i + j }))
  )
  const told = await Promise.all(asked.map(({ endpoint, block }) => numberOf(endpoint, block)))
  expect(told).toEqual(asked.map(({ block }) => block))
  for (const { close } of all) await close()
})

it("closes its own socket only", async () => {
  const [one, other] = await Promise.all([open(), open()])
  expect(await Promise.all([numberOf(one.endpoint, 1), numberOf(other.endpoint, 2)])).toEqual([
    1, 2
  ])
  const asked = Array.from({ length: 20 }, (_, i) => numberOf(other.endpoint, i))
  await one.close()
  expect(await Promise.all(asked)).toEqual(Array.from({ length: 20 }, (_, i) => i))
  expect(await numberOf(other.endpoint, 7)).toBe(7)
  await other.close()
})
