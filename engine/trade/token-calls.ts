/** What a node tells of a taker's tokens: balance, allowance, and how an approval would go. */
import { Effect } from "effect"
import { encodeFunctionData, erc20Abi } from "viem"
import type { RpcError } from "../../src/platform/rpc-error.ts"
import { approvalCall } from "./build-swap.ts"
import type { ChainNode } from "./chain-node.ts"

type Hex = `0x${string}`

const WORD_TEXT = 66

const wordOf = (hex: Hex): bigint | null =>
  hex.length >= WORD_TEXT ? BigInt(hex.slice(0, WORD_TEXT)) : null

/** Raw units of a token that a holder has; null where the contract does not tell. */
export const balanceOf = (
  node: ChainNode,
  token: Hex,
  holder: Hex
): Effect.Effect<bigint | null, RpcError> => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [holder] })
  return refusedAsNull(node.call({ from: holder, to: token, data, value: 0n }))
}

/** Raw units that a spender may take of a holder; null where the contract does not tell. */
export const allowanceOf = (
  node: ChainNode,
  token: Hex,
  holder: Hex,
  spender: Hex
): Effect.Effect<bigint | null, RpcError> => {
  const args = [holder, spender] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "allowance", args })
  return refusedAsNull(node.call({ from: holder, to: token, data, value: 0n }))
}

const refusedAsNull = (asked: Effect.Effect<Hex, RpcError>) =>
  Effect.map(asked, wordOf).pipe(
    Effect.catchIf(
      ({ kind }) => kind === "reverted",
      () => Effect.succeed(null)
    )
  )

/**
 * Whether the token refuses an approval over the one that stands, which some do until it is set
 * back to nothing. Tried as the taker; false where nothing stands.
 */
export const refusesOver = (
  node: ChainNode,
  token: Hex,
  taker: Hex,
  spender: Hex,
  amount: bigint
): Effect.Effect<boolean, RpcError> =>
  node.call(approvalCall(token, taker, spender, amount)).pipe(
    Effect.as(false),
    Effect.catchIf(
      ({ kind }) => kind === "reverted",
      () => Effect.succeed(true)
    )
  )
