/** Transactions run on paper within their gas limit, by a node that needs so much gas. */
import { Effect } from "effect"
import { type Abi, encodeErrorResult, parseAbi } from "viem"
import { expect, it } from "vitest"
import { RpcError } from "../../src/platform/rpc-error.ts"
import type { ChainNode, NodeCall } from "./chain-node.ts"
import { NATIVE, routerAbi, routerCall } from "./contract/router-call.ts"
import { simulateSwap, swapInput } from "./simulate.ts"

type Hex = `0x${string}`

const [TAKER, ROUTER, BOUGHT] = ["aa", "bb", "cc"].map(byte => `0x${byte.repeat(20)}`) as [
  Hex,
  Hex,
  Hex
]
const NEEDED = 200_000n
const { data, value } = routerCall(
  {
    ...{ tokenIn: NATIVE, amountIn: 10n, tokenOut: BOUGHT, minimumOut: 5n, recipient: TAKER },
    ...{ deadline: 4_000_000_000n, legs: [] }
  },
  null
)

/** A node whose calls give 7, or fail as told with less gas than they need. */
const nodeThat = (kind: RpcError["kind"], message: string) => {
  const limits: Array<bigint | undefined> = []
  const asked = { endpoint: "node", method: "eth_call" }
  const node: ChainNode = {
    gasPrice: Effect.succeed(null),
    ask: () => Effect.die("nothing else is asked"),
    call: ({ gas }) => {
      limits.push(gas)
      return gas !== undefined && gas < NEEDED
        ? Effect.fail(new RpcError({ kind, ...asked, message }))
        : Effect.succeed(`0x${"7".padStart(64, "0")}` as Hex)
    }
  }
  return { node, limits }
}

const outcomeOf = (node: ChainNode, gas?: bigint) => {
  const call: NodeCall = { from: TAKER, to: ROUTER, data, value, ...(gas && { gas }) }
  const input = swapInput(data)
  if (input === null) throw new Error("the router's own calldata is not read")
  return Effect.runPromise(Effect.result(simulateSwap(node, call, input, null)))
}

it("is run with its gas limit, and says so where that is too low", async () => {
  const short = "out of gas: it takes more than its limit, 199999; build it again from a new quote"
  for (const [kind, message] of [
    ["reverted", "execution reverted"],
    ["rpc", "out of gas"]
  ] as const) {
    const { node, limits } = nodeThat(kind, message)
    const arrived = { ok: true, amountOut: 7n, assumed: [] }
    expect(await outcomeOf(node)).toMatchObject({ success: arrived })
    expect(await outcomeOf(node, NEEDED)).toMatchObject({ success: arrived })
    expect(await outcomeOf(node, NEEDED - 1n)).toMatchObject({
      success: { ok: false, assumed: [], cause: "out-of-gas", revert: short }
    })
    expect(limits).toEqual([undefined, NEEDED, NEEDED - 1n, undefined])
  }
})

/** What is told of a node whose calls fail so. */
const causeOf = async (failed: RpcError) => {
  const { node } = nodeThat("reverted", "")
  const found = await outcomeOf({ ...node, call: () => Effect.fail(failed) })
  return "success" in found && !found.success.ok ? Object.values(found.success).slice(-2) : found
}

const causeFor = (revertData: Hex | undefined) => {
  const asked = { endpoint: "node", method: "eth_call" }
  const reverted = { kind: "reverted", ...asked, message: "execution reverted" } as const
  return causeOf(new RpcError(revertData === undefined ? reverted : { ...reverted, revertData }))
}

it("names the router's own refusals and a token's, and a taker without the native unit", async () => {
  const refused = (errorName: string, args: ReadonlyArray<unknown>): Hex =>
    encodeErrorResult({ abi: routerAbi as Abi, errorName, args })
  expect(await causeFor(refused("DeadlinePassed", [4_000_000_000n]))).toEqual([
    ...["deadline-passed", "the deadline has passed; quote again"]
  ])
  expect(await causeFor(refused("TooLittleReceived", [4n, 5n]))).toEqual([
    ...["price-moved", "the price moved: 4 would arrive, the least is 5; quote again"]
  ])
  const abi = parseAbi(["error Error(string)"])
  const words = encodeErrorResult({ abi, errorName: "Error", args: ["only the owner sells"] })
  expect(await causeFor(refused("TransferFailed", [BOUGHT, words]))).toEqual([
    ...["token-refused", `token ${BOUGHT} refused its transfer: only the owner sells`]
  ])
  expect(await causeFor(refused("BadLeg", [1n]))).toEqual([
    ...["venue-refused", "a pool refused: BadLeg(1); quote again in some seconds"]
  ])
  const poor = { kind: "rpc", endpoint: "node", method: "eth_call" } as const
  const message = "insufficient funds for gas * price + value"
  expect(await causeOf(new RpcError({ ...poor, message }))).toEqual([
    ...["insufficient-balance", "the taker has less of the native unit than the swap sells"]
  ])
})

it("takes for a pool's refusal what neither the router nor a token is known to say", async () => {
  const of = (words: string) => `a pool refused: ${words}; quote again in some seconds`
  // EnforcedPause() of OpenZeppelin's Pausable
  expect(await causeFor("0xd93c0665")).toEqual([
    ...["venue-refused", of("it reverts with 0xd93c0665")]
  ])
  expect(await causeFor("0x")).toEqual(["venue-refused", of("it reverts without a reason")])
  expect(await causeFor(undefined)).toEqual(["unknown", "execution reverted"])
})

it("does not ask again where the node does not answer", async () => {
  const { node, limits } = nodeThat("timeout", "no answer")
  expect(await outcomeOf(node, 1n)).toMatchObject({ failure: { kind: "timeout" } })
  expect(limits).toEqual([1n])
})
