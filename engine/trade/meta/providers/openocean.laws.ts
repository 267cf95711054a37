/** Answers of OpenOcean, and its calldata. */
import { encodeFunctionData, parseAbi } from "viem"
import type { Hex } from "../protocol/provider.ts"
import type { Answering, ProviderLaws, Told } from "../protocol/provider-laws.ts"

const abi = parseAbi([
  "struct Desc { address srcToken; address dstToken; address srcReceiver; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 guaranteedAmount; uint256 flags; address referrer; bytes permit; }",
  "struct Call { uint256 target; uint256 gasLimit; uint256 value; bytes data; }",
  "function swap(address caller, Desc desc, Call[] calls) payable returns (uint256)"
])

const NOBODY: Hex = `0x${"00".repeat(20)}`

/** Calldata whose router makes these calls. */
export const openoceanData = (
  { executor, ...told }: Told,
  calls: ReadonlyArray<{ readonly target: Hex; readonly data: Hex }> = []
): Hex =>
  encodeFunctionData({
    abi,
    functionName: "swap",
    args: [
      executor,
      {
        ...{ srcToken: told.tokenIn, dstToken: told.tokenOut, srcReceiver: executor },
        ...{ dstReceiver: told.recipient, amount: told.amountIn },
        ...{ minReturnAmount: told.minimumOut, guaranteedAmount: told.minimumOut },
        ...{ flags: told.flags, referrer: NOBODY, permit: "0x" }
      },
      calls.map(({ target, data }) => ({
        ...{ target: BigInt(target), gasLimit: 0n, value: 0n, data }
      }))
    ]
  })

const bodyOf = ({ order, ...told }: Answering) => ({
  code: 200,
  data: {
    ...{ inToken: { address: order.tokenIn }, outToken: { address: order.tokenOut } },
    ...{ inAmount: String(order.amountIn), outAmount: String(told.amountOut) },
    ...{ estimatedGas: 129_211, exchange: told.router, to: told.router, data: told.data },
    ...{ value: String(told.value), chainId: told.chainId }
  }
})

export const laws: ProviderLaws = {
  ...{ dataOf: told => openoceanData(told), bodyOf, tells: { chainId: true, flags: true } },
  noRoute: { body: { code: 200, data: null } }
}
