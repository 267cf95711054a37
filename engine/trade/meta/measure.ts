/**
 * Runs a stranger's transaction on paper as its taker, and measures what it sold and what arrived:
 * its own word for that is not believed. The probe's code stands in the place of the taker's
 * account for one call, so the router sees the taker and the balances are those of the chain.
 */
import { Effect } from "effect"
import { decodeFunctionResult, encodeFunctionData, parseAbi } from "viem"
import type { RpcError } from "../../../src/platform/rpc-error.ts"
import { type ChainNode, type NodeCall, quantity, type StateOverrides } from "../chain-node.ts"
import { NATIVE } from "../contract/router-call.ts"
import { runTrial, type TrialOutcome } from "../simulate.ts"
import type { SlotFinder } from "../token-slots.ts"
import probe from "./probe/probe.json" with { type: "json" }
import type { BuildOrder, Hex } from "./protocol/provider.ts"

const abi = parseAbi([
  "function measure(address target, uint256 value, bytes data, address tokenIn, address tokenOut, address recipient) returns (uint256 sold, uint256 arrived)"
])

/** Raw units that left the taker, and that came to the recipient. */
export interface Measured {
  readonly sold: bigint
  readonly arrived: bigint
}

const NOTHING: Measured = { sold: 0n, arrived: 0n }

/** The taker's account with the probe's code and, for a sale of the native unit, with that. */
const inPlaceOf = ({ taker, tokenIn, amountIn }: BuildOrder): StateOverrides => ({
  [taker]: {
    code: probe.code as Hex,
    ...(tokenIn === NATIVE ? { balance: quantity(amountIn) } : {})
  }
})

const measuring = ({ to, data, value }: NodeCall, order: BuildOrder): NodeCall => {
  const { taker, recipient, tokenIn, tokenOut } = order
  const args = [to, value, data, tokenIn, tokenOut, recipient] as const
  const measured = encodeFunctionData({ abi, functionName: "measure", args })
  return { from: taker, to: taker, data: measured, value: 0n }
}

const WORDS_TEXT = 2 + 2 * 64

const readMeasured = (answer: Hex): Measured => {
  // a node without overrides calls an account without code
  if (answer.length < WORDS_TEXT) return NOTHING
  const [sold, arrived] = decodeFunctionResult({ abi, functionName: "measure", data: answer })
  return { sold, arrived }
}

/** Measures a transaction; the taker has the input and has approved `spender`, on paper. */
export const measureCall = (
  node: ChainNode,
  call: NodeCall,
  order: BuildOrder,
  spender: Hex,
  finder: SlotFinder
): Effect.Effect<TrialOutcome<Measured>, RpcError> => {
  const { taker, tokenIn, amountIn } = order
  const asked = measuring(call, order)
  const own = inPlaceOf(order)
  return Effect.map(
    runTrial(
      node,
      {
        ...{ taker, spender, input: { tokenIn, amountIn, byAllowance: tokenIn !== NATIVE } },
        run: assumed => Effect.map(node.call(asked, { ...assumed, ...own }), readMeasured)
      },
      finder
    ),
    outcome => (tokenIn === NATIVE ? { ...outcome, assumed: ["balance"] as const } : outcome)
  )
}
