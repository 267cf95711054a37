/** Heads that are told again although they are old: over a socket, and in the status. */
import { Effect, Stream } from "effect"
import { expect, it } from "vitest"
import type { RpcEndpoint } from "../../../src/platform/rpc.ts"
import { FakeChain } from "../../../test/support/fake-chain.ts"
import { pushedHeader } from "../../../test/support/fake-rpc-methods.ts"
import { StatusBoard } from "../../status-board.ts"
import { Endpoints } from "./endpoints.ts"
import { watchHeads } from "./heads.ts"

it("a socket that pushes one head for ever is taken for a silent one: the node is asked", async () => {
  const chain = new FakeChain()
  const head = pushedHeader(chain.mine([]))
  const status = new StatusBoard("evm-rpc", "")
  let asked = 0
  let askedOften = () => {}
  const isAskedOften = new Promise<void>(resolve => {
    askedOften = resolve
  })
  const node: RpcEndpoint = {
    label: "node:1",
    request: ({ method }) =>
      Effect.sync(() => {
        if (method === "eth_chainId") return `0x${chain.chainId.toString(16)}`
        if (++asked === 4) askedOften()
        return head
      }),
    batch: () => Effect.succeed([]),
    newHeads: Stream.map(Stream.tick(5), () => head)
  }
  const endpoints = new Endpoints([node], chain.chainId, status)
  const often = { pollMs: 5, slowPollMs: 1_000_000, overdueMs: 60 }
  const watch = watchHeads(endpoints, [node], often, status)
  const untilAsked = Effect.promise(() => isAskedOften)
  await Effect.runPromise(Effect.scoped(Effect.andThen(watch, untilAsked)))
})

it("the status forgets a head that was none, and no block that was read", () => {
  const board = new StatusBoard("evm-rpc", "")
  board.sawHead(1000, 0)
  board.emitted(10, 0, 0)
  for (let i = 0; i < 7; i++) board.sawHead(3, 0)
  expect(board.read().headBlock).toBe(1000)
  board.sawHead(3, 0)
  expect(board.read().headBlock).toBe(10)
  board.sawHead(11, 0)
  expect(board.read().headBlock).toBe(11)
})

it("a socket that pushes nothing is named while the node tells of new heads", async () => {
  const chain = new FakeChain()
  const status = new StatusBoard("evm-rpc", "")
  let asked = 0
  const node: RpcEndpoint = {
    label: "node:1",
    request: ({ method }) =>
      Effect.sync(() => {
        if (method === "eth_chainId") return `0x${chain.chainId.toString(16)}`
        asked++
        return pushedHeader(chain.mine([]))
      }),
    batch: () => Effect.succeed([]),
    newHeads: Stream.never
  }
  const endpoints = new Endpoints([node], chain.chainId, status)
  const often = { pollMs: 5, slowPollMs: 1_000_000, overdueMs: 60 }
  const untilNamed = Effect.promise(() =>
    expect
      .poll(() => status.read().warnings)
      .toEqual(["node:1 pushes no new blocks over its WebSocket: they are asked for instead"])
  )
  const watch = watchHeads(endpoints, [node], often, status)
  await Effect.runPromise(Effect.scoped(Effect.andThen(watch, untilNamed)))
  expect(asked).toBeGreaterThanOrEqual(10)
})
