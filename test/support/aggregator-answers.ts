/** Answers of the four protocols that are right, made of an order; tests make them wrong. */
import { encodeFunctionData, parseAbi } from "viem"
import { allowedRouter } from "../../engine/trade/meta/allow-list.ts"
import type { BuildOrder, Hex, ProviderId } from "../../engine/trade/meta/protocol/provider.ts"

const kyberAbi = parseAbi([
  "struct Desc { address srcToken; address dstToken; address[] srcReceivers; uint256[] srcAmounts; address[] feeReceivers; uint256[] feeAmounts; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; bytes permit; }",
  "struct Execution { address callTarget; address approveTarget; bytes targetData; Desc desc; bytes clientData; }",
  "function swap(Execution execution) payable",
  "function strange(Execution execution) payable"
])
const lifiAbi = parseAbi([
  "struct Swap { address callTo; address approveTo; address sendingAssetId; address receivingAssetId; uint256 fromAmount; bytes callData; bool requiresDeposit; }",
  "function swapTokensSingleV3ERC20ToERC20(bytes32 id, string integrator, string referrer, address receiver, uint256 minAmountOut, Swap swap)"
])
const openoceanAbi = parseAbi([
  "struct Desc { address srcToken; address dstToken; address srcReceiver; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 guaranteedAmount; uint256 flags; address referrer; bytes permit; }",
  "struct Call { uint256 target; uint256 gasLimit; uint256 value; bytes data; }",
  "function swap(address caller, Desc desc, Call[] calls) payable returns (uint256)"
])
const execAbi = parseAbi([
  "function exec(address operator, address token, uint256 amount, address target, bytes data) payable returns (bytes)"
])
const executeAbi = parseAbi([
  "struct Slippage { address recipient; address buyToken; uint256 minAmountOut; }",
  "function execute(Slippage slippage, bytes[] actions, bytes32 zid) payable returns (bool)"
])

const NOBODY: Hex = `0x${"00".repeat(20)}`
export const EXECUTOR: Hex = `0x${"e7".repeat(20)}`

/** What calldata is made of; a liar changes some of it. */
export interface Told {
  readonly tokenIn: Hex
  readonly tokenOut: Hex
  readonly amountIn: bigint
  readonly minimumOut: bigint
  readonly recipient: Hex
  readonly flags: bigint
  readonly executor: Hex
}

export const toldOf = (order: BuildOrder, minimumOut: bigint): Told => ({
  ...{ tokenIn: order.tokenIn, tokenOut: order.tokenOut, amountIn: order.amountIn },
  ...{ minimumOut, recipient: order.recipient, flags: 0n, executor: EXECUTOR }
})

const kyberData = ({ executor, ...told }: Told): Hex => {
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
  return encodeFunctionData({ abi: kyberAbi, functionName: "swap", args: [execution] })
}

const lifiData = ({ tokenIn, tokenOut, amountIn, minimumOut, recipient, executor }: Told): Hex =>
  encodeFunctionData({
    abi: lifiAbi,
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

export const openoceanData = (
  { executor, ...told }: Told,
  calls: ReadonlyArray<{ readonly target: Hex; readonly data: Hex }> = []
): Hex =>
  encodeFunctionData({
    abi: openoceanAbi,
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

const zeroexData = ({
  tokenIn,
  tokenOut,
  amountIn,
  minimumOut,
  recipient,
  executor
}: Told): Hex => {
  const slippage = { recipient, buyToken: tokenOut, minAmountOut: minimumOut }
  const args = [slippage, [], `0x${"00".repeat(32)}`] as const
  const data = encodeFunctionData({ abi: executeAbi, functionName: "execute", args })
  const outer = [executor, tokenIn, amountIn, executor, data] as const
  return encodeFunctionData({ abi: execAbi, functionName: "exec", args: outer })
}

export const dataOf: { readonly [id in ProviderId]: (told: Told) => Hex } = {
  ...{ kyberswap: kyberData, lifi: lifiData },
  ...{ openocean: told => openoceanData(told), zeroex: zeroexData }
}

/** What of an answer a test may want otherwise. */
export interface Answering {
  readonly order: BuildOrder
  readonly amountOut: bigint
  readonly router: Hex
  readonly spender: Hex
  readonly value: bigint
  readonly data: Hex
  readonly chainId: number
}

export const answeringOf = (
  id: ProviderId,
  order: BuildOrder,
  amountOut: bigint,
  minimumOut: bigint
): Answering => {
  const { router, spender } = allowedRouter(id, order.chainId) ?? {
    router: NOBODY,
    spender: NOBODY
  }
  const data = dataOf[id](toldOf(order, minimumOut))
  return { order, amountOut, router, spender, value: 0n, data, chainId: order.chainId }
}

/** A number beyond a double, which a parser would round. */
const EXACT = '{"reserve":340282366920938463463374607431768211455, "note" : "a\\"}"}'

/** The summary that KyberSwap wants back as it gave it. */
export const kyberSummary = ({ order, amountOut }: Answering): string =>
  `{"tokenIn":"${order.tokenIn}","tokenOut":"${order.tokenOut}","amountIn":"${order.amountIn}",` +
  `"amountOut":"${amountOut}","gas":"253000","extra":${EXACT}}`

const kyberBody = (told: Answering, path: string): string =>
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

const lifiBody = ({ order, ...told }: Answering) => ({
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

const openoceanBody = ({ order, ...told }: Answering) => ({
  code: 200,
  data: {
    ...{ inToken: { address: order.tokenIn }, outToken: { address: order.tokenOut } },
    ...{ inAmount: String(order.amountIn), outAmount: String(told.amountOut) },
    ...{ estimatedGas: 129_211, exchange: told.router, to: told.router, data: told.data },
    ...{ value: String(told.value), chainId: told.chainId }
  }
})

const zeroexBody = ({ order, ...told }: Answering) => ({
  ...{ liquidityAvailable: true, allowanceTarget: told.spender },
  ...{ buyAmount: String(told.amountOut), buyToken: order.tokenOut },
  ...{ sellAmount: String(order.amountIn), sellToken: order.tokenIn },
  issues: { allowance: { actual: "0", spender: told.spender } },
  transaction: { to: told.router, data: told.data, gas: "300000", value: String(told.value) }
})

/** The body of an answer to a request at a path. */
export const bodyOf = (id: ProviderId, told: Answering, path: string): unknown => {
  switch (id) {
    case "kyberswap":
      return kyberBody(told, path)
    case "lifi":
      return lifiBody(told)
    case "openocean":
      return openoceanBody(told)
    case "zeroex":
      return zeroexBody(told)
  }
}
