/** Answers of 0x, and its calldata. */
import { encodeFunctionData, parseAbi } from "viem"
import type { Hex } from "../protocol/provider.ts"
import type { Answering, ProviderLaws, Told } from "../protocol/provider-laws.ts"

const execAbi = parseAbi([
  "function exec(address operator, address token, uint256 amount, address target, bytes data) payable returns (bytes)"
])
const executeAbi = parseAbi([
  "struct Slippage { address recipient; address buyToken; uint256 minAmountOut; }",
  "function execute(Slippage slippage, bytes[] actions, bytes32 zid) payable returns (bool)"
])

const dataOf = ({ tokenIn, tokenOut, amountIn, minimumOut, recipient, executor }: Told): Hex => {
  const slippage = { recipient, buyToken: tokenOut, minAmountOut: minimumOut }
  const args = [slippage, [], `0x${"00".repeat(32)}`] as const
  const data = encodeFunctionData({ abi: executeAbi, functionName: "execute", args })
  const outer = [executor, tokenIn, amountIn, executor, data] as const
  return encodeFunctionData({ abi: execAbi, functionName: "exec", args: outer })
}

const bodyOf = ({ order, ...told }: Answering) => ({
  ...{ liquidityAvailable: true, allowanceTarget: told.spender },
  ...{ buyAmount: String(told.amountOut), buyToken: order.tokenOut },
  ...{ sellAmount: String(order.amountIn), sellToken: order.tokenIn },
  issues: { allowance: { actual: "0", spender: told.spender } },
  transaction: { to: told.router, data: told.data, gas: "300000", value: String(told.value) }
})

export const laws: ProviderLaws = {
  ...{ dataOf, bodyOf, tells: { spender: true } },
  noRoute: { body: { liquidityAvailable: false, zid: "0x01" } }
}
