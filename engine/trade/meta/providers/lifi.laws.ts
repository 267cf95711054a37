/** Answers of LI.FI, and its calldata. */
import { encodeFunctionData, parseAbi } from "viem"
import type { Hex } from "../protocol/provider.ts"
import type { Answering, ProviderLaws, Told } from "../protocol/provider-laws.ts"

const abi = parseAbi([
  "struct Swap { address callTo; address approveTo; address sendingAssetId; address receivingAssetId; uint256 fromAmount; bytes callData; bool requiresDeposit; }",
  "function swapTokensSingleV3ERC20ToERC20(bytes32 id, string integrator, string referrer, address receiver, uint256 minAmountOut, Swap swap)"
])

const dataOf = ({ tokenIn, tokenOut, amountIn, minimumOut, recipient, executor }: Told): Hex =>
  encodeFunctionData({
    abi,
    functionName: "swapTokensSingleV3ERC20ToERC20",
    args: [
      ...([`0x${"01".repeat(32)}`, "swaptape", "", recipient, minimumOut] as const),
      {
        ...{ callTo: executor, approveTo: executor, sendingAssetId: tokenIn },
        ...{ receivingAssetId: tokenOut, fromAmount: amountIn, callData: "0x01" },
        requiresDeposit: true
      }
    ]
  })

const bodyOf = ({ order, ...told }: Answering) => ({
  action: {
    ...{ fromChainId: order.chainId, toChainId: order.chainId },
    ...{ fromToken: { address: order.tokenIn }, toToken: { address: order.tokenOut } },
    fromAmount: String(order.amountIn)
  },
  estimate: {
    ...{ toAmount: String(told.amountOut), approvalAddress: told.spender },
    approvalReset: true
  },
  transactionRequest: {
    ...{ to: told.router, data: told.data, value: `0x${told.value.toString(16)}` },
    ...{ gasLimit: "0x4f588", chainId: told.chainId }
  }
})

export const laws: ProviderLaws = {
  ...{ dataOf, bodyOf, tells: { spender: true, chainId: true } },
  noRoute: { status: 404, body: { code: 1002, message: "No available quotes" } }
}
