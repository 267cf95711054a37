/** Answers of KyberSwap, and its calldata. */
import { encodeFunctionData, parseAbi } from "viem"
import type { Hex } from "../protocol/provider.ts"
import type { Answering, ProviderLaws, Told } from "../protocol/provider-laws.ts"

const abi = parseAbi([
  "struct Desc { address srcToken; address dstToken; address[] srcReceivers; uint256[] srcAmounts; address[] feeReceivers; uint256[] feeAmounts; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; bytes permit; }",
  "struct Execution { address callTarget; address approveTarget; bytes targetData; Desc desc; bytes clientData; }",
  "function swap(Execution execution) payable"
])

const NOBODY: Hex = `0x${"00".repeat(20)}`

const dataOf = ({ executor, ...told }: Told): Hex => {
  const desc = {
    ...{ srcToken: told.tokenIn, dstToken: told.tokenOut, srcReceivers: [executor] },
    ...{ srcAmounts: [told.amountIn], feeReceivers: [], feeAmounts: [] },
    ...{ dstReceiver: told.recipient, amount: told.amountIn, minReturnAmount: told.minimumOut },
    ...{ flags: told.flags, permit: "0x" as const }
  }
  const execution = {
    ...{ callTarget: executor, approveTarget: NOBODY, targetData: "0x01" as const },
    ...{ desc, clientData: "0x" as const }
  }
  return encodeFunctionData({ abi, functionName: "swap", args: [execution] })
}

/** A number beyond a double, which a parser would round. */
const EXACT = '{"reserve":340282366920938463463374607431768211455, "note" : "a\\"}"}'

/** The summary that KyberSwap wants back as it gave it. */
export const kyberSummary = ({ order, amountOut }: Answering): string =>
  `{"tokenIn":"${order.tokenIn}","tokenOut":"${order.tokenOut}","amountIn":"${order.amountIn}",` +
  `"amountOut":"${amountOut}","gas":"253000","extra":${EXACT}}`

const bodyOf = (told: Answering, path: string): string =>
  path.endsWith("/routes")
    ? `{"code":0,"message":"ok","data":{"routeSummary": ${kyberSummary(told)} ,"routerAddress":"${told.router}"}}`
    : JSON.stringify({
        code: 0,
        data: {
          ...{ amountIn: String(told.order.amountIn), amountOut: String(told.amountOut) },
          ...{ gas: "253000", data: told.data, routerAddress: told.router },
          transactionValue: String(told.value)
        }
      })

export const laws: ProviderLaws = {
  ...{ dataOf, bodyOf, tells: { flags: true } },
  noRoute: { status: 400, body: { code: 4008, message: "route not found" } }
}
