/** What is believed of a node, which may be a liar. */
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type LocalServer, localServer } from "../../test/support/local-http.ts"
import { openChainNode } from "./chain-node.ts"
import { encodedCall } from "./contract/router-call.ts"
import { simulateSwap, swapInput } from "./simulate.ts"

type Hex = `0x${string}`

const [ROUTER, TAKER, SOLD] = ["99", "cc", "aa"].map(byte => `0x${byte.repeat(20)}`) as [
  ...[Hex, Hex, Hex]
]

let told: unknown = "0x1"
let node: LocalServer
beforeAll(async () => {
  node = await localServer(({ body }) => ({
    body: { jsonrpc: "2.0", id: JSON.parse(body).id, result: told }
  }))
})
afterAll(() => node.close())

const word = (value: bigint): string => `0x${value.toString(16).padStart(64, "0")}`

it("believes no gas price that nobody could pay", async () => {
  const priceOf = (answer: unknown) => {
    told = answer
    const price = Effect.flatMap(openChainNode([node.url]), ({ gasPrice }) => gasPrice)
    // on a clock that stands still the first who asks waits as long as it takes
    return Effect.runPromise(Effect.provide(Effect.scoped(price), TestClock.layer()))
  }
  expect(await priceOf("0x3b9aca00")).toBe(1_000_000_000n)
  expect(await priceOf(word(5n))).toBe(5n)
  for (const answer of ["0x", `0x${"f".repeat(310)}`, word(1n << 255n), "1", {}, 7]) {
    expect(await priceOf(answer), String(answer)).toBeNull()
  }
})

it("believes no simulation that the contract cannot have given", async () => {
  const order = {
    ...{ tokenIn: SOLD, amountIn: 5n, tokenOut: ROUTER, minimumOut: 3n },
    ...{ recipient: TAKER, deadline: 9n, legs: [] }
  }
  const call = { from: TAKER, to: ROUTER, ...encodedCall(order, null) }
  const input = swapInput(call.data)
  if (input === null) throw new Error("no swap")
  const outcomeOf = (answer: unknown) => {
    told = answer
    const outcome = Effect.flatMap(openChainNode([node.url]), one =>
      Effect.result(simulateSwap(one, call, input, null))
    )
    return Effect.runPromise(Effect.scoped(outcome))
  }
  expect(await outcomeOf(word(3n))).toMatchObject({ success: { ok: true, amountOut: 3n } })
  const lies = ["0x", "0x1234", word(2n), word(0n), `${word(3n)}00`, `0x${"ab".repeat(5000)}`]
  for (const answer of lies) {
    expect(await outcomeOf(answer), answer).toMatchObject({
      failure: {
        kind: "bad-answer",
        message: `the node answers what no router contract does: is there one at ${ROUTER}?`
      }
    })
  }
})
