/**
 * LI.FI, API v1: one `GET quote` answers route and transaction. Fields and codes by npm @lifi/types
 * 18.4.0 and docs.li.fi, functions by lifinance/contracts@ef00558fde (2026-11-22).
 */
import { Effect, Schema } from "effect"
import { getAddress, parseAbi } from "viem"
import type { HttpAnswer } from "../../../../src/platform/json-over-http.ts"
import { NATIVE } from "../../contract/router-call.ts"
import { readCall } from "../../read-abi.ts"
import { type PassedOver, passOver } from "../protocol/passed-over.ts"
import {
  type Ask,
  BUILD_MS,
  type Hex,
  type Provider,
  type ProviderCall,
  type ProviderOrder
} from "../protocol/provider.ts"
import {
  AnyAddress,
  CallData,
  gasOf,
  mustBe,
  Quantity,
  Raw,
  readAnswer,
  tokenOf
} from "../protocol/stranger-answer.ts"
import { type Decoded, lower } from "./calldata.ts"

const CHAINS = new Set([1, 56, 143, 4663, 5042, 8453, 42161, 43114])

const abi = parseAbi([
  "struct Swap { address callTo; address approveTo; address sendingAssetId; address receivingAssetId; uint256 fromAmount; bytes callData; bool requiresDeposit; }",
  "function swapTokensSingleV3ERC20ToERC20(bytes32 id, string integrator, string referrer, address receiver, uint256 minAmountOut, Swap swap)",
  "function swapTokensSingleV3ERC20ToNative(bytes32 id, string integrator, string referrer, address receiver, uint256 minAmountOut, Swap swap)",
  "function swapTokensSingleV3NativeToERC20(bytes32 id, string integrator, string referrer, address receiver, uint256 minAmountOut, Swap swap) payable",
  "function swapTokensMultipleV3ERC20ToERC20(bytes32 id, string integrator, string referrer, address receiver, uint256 minAmountOut, Swap[] swaps)",
  "function swapTokensMultipleV3ERC20ToNative(bytes32 id, string integrator, string referrer, address receiver, uint256 minAmountOut, Swap[] swaps)",
  "function swapTokensMultipleV3NativeToERC20(bytes32 id, string integrator, string referrer, address receiver, uint256 minAmountOut, Swap[] swaps) payable",
  "function swapTokensGeneric(bytes32 id, string integrator, string referrer, address receiver, uint256 minAmountOut, Swap[] swaps) payable"
])

const Failure = Schema.Struct({
  code: Schema.optionalKey(Schema.Int),
  message: Schema.optionalKey(Schema.String)
})
const readFailure = Schema.decodeUnknownResult(Failure)

const Token = Schema.Struct({ address: AnyAddress })
const Step = Schema.Struct({
  action: Schema.Struct({
    fromChainId: Schema.Int,
    toChainId: Schema.Int,
    fromToken: Token,
    toToken: Token,
    fromAmount: Raw
  }),
  estimate: Schema.Struct({
    toAmount: Raw,
    approvalAddress: AnyAddress,
    approvalReset: Schema.optionalKey(Schema.Boolean)
  }),
  transactionRequest: Schema.Struct({
    to: AnyAddress,
    data: CallData,
    value: Quantity,
    gasLimit: Schema.optionalKey(Quantity),
    chainId: Schema.Int
  })
})
const readStep = Schema.decodeUnknownResult(Step)

const RATE_LIMIT = 1005
const UNAUTHORIZED = 1010
const NO_QUOTE = new Set([1002, 1003])
const REFUSED = new Set([1004, 1011, 1013])

const failureOf = (
  { status, retryAfterMs }: HttpAnswer,
  code: number,
  text: string
): PassedOver => {
  const message = `HTTP ${status}, code ${code}: ${text}`
  if (NO_QUOTE.has(code)) return passOver("no-route", message)
  if (REFUSED.has(code)) return passOver("request-refused", message)
  if (code === RATE_LIMIT) return passOver("rate-limited", message, retryAfterMs ?? 0)
  if (code === UNAUTHORIZED) return passOver("misconfigured", message)
  return passOver("provider-failed", message)
}

/** bps as the fraction that it wants. */
const fraction = (bps: number): string => (bps / 10_000).toFixed(4)

const stepOf = (ask: Ask, order: ProviderOrder, taker: Hex, recipient: Hex) =>
  Effect.gen(function* () {
    const chain = String(order.chainId)
    const answer = yield* ask({
      path: "/quote",
      query: {
        fromChain: chain,
        toChain: chain,
        // symbols and lower case may be matched to another token
        fromToken: getAddress(order.tokenIn),
        toToken: getAddress(order.tokenOut),
        fromAmount: String(order.amountIn),
        fromAddress: getAddress(taker),
        toAddress: getAddress(recipient),
        slippage: fraction(order.slippageBps),
        integrator: "swaptape",
        skipSimulation: "true"
      },
      timeoutMs: BUILD_MS
    })
    if (answer.status !== 200) {
      const { code = 0, message = "" } = yield* readAnswer(readFailure, answer.json)
      return yield* failureOf(answer, code, message)
    }
    const { action, estimate, transactionRequest: told } = yield* readAnswer(readStep, answer.json)
    yield* mustBe("fromChainId", action.fromChainId, order.chainId)
    yield* mustBe("toChainId", action.toChainId, order.chainId)
    yield* mustBe("the transaction's chainId", told.chainId, order.chainId)
    yield* mustBe("fromToken", tokenOf(action.fromToken.address), order.tokenIn)
    yield* mustBe("toToken", tokenOf(action.toToken.address), order.tokenOut)
    yield* mustBe("fromAmount", action.fromAmount, order.amountIn)
    return {
      router: told.to as Hex,
      spender: order.tokenIn === NATIVE ? null : (estimate.approvalAddress as Hex),
      data: told.data as Hex,
      value: told.value,
      amountOut: estimate.toAmount,
      gas: gasOf(told.gasLimit),
      resetFirst: estimate.approvalReset ?? null
    } satisfies ProviderCall
  })

type Swap = {
  readonly sendingAssetId: string
  readonly receivingAssetId: string
  readonly fromAmount: bigint
  readonly requiresDeposit: boolean
}

/** What swaps take from the taker; the value that is sent along tells it of the native unit. */
const takenBy = (swaps: ReadonlyArray<Swap>, tokenIn: Hex): bigint | null =>
  tokenIn === NATIVE
    ? null
    : swaps
        .filter(({ requiresDeposit }) => requiresDeposit || swaps.length === 1)
        .reduce((sum, { fromAmount }) => sum + fromAmount, 0n)

const decode = (data: Hex): Decoded => {
  const call = readCall(abi, data)
  if (call === null) return null
  const [, , , receiver, minimumOut, given] = call.args
  const swaps: ReadonlyArray<Swap> = "fromAmount" in given ? [given] : given
  const [first, last] = [swaps[0], swaps[swaps.length - 1]]
  if (first === undefined || last === undefined) return null
  const tokenIn = tokenOf(first.sendingAssetId)
  const isOther = (swap: Swap) => swap.requiresDeposit && tokenOf(swap.sendingAssetId) !== tokenIn
  // would take another token of the taker's, too
  if (swaps.some(isOther)) return null
  return {
    tokenIn,
    tokenOut: tokenOf(last.receivingAssetId),
    amountIn: takenBy(swaps, tokenIn),
    minimumOut,
    recipient: lower(receiver),
    // its contract knows by itself whom it calls, and holds the minimum against what arrives
    executor: null
  }
}

export const lifi: Provider = {
  baseUrl: "https://li.quest/v1",
  needsKey: false,
  needsTaker: true,
  keyHeader: "x-lifi-api-key",
  headers: {},
  rate: { free: { burst: 75, everyMs: 96_000 }, keyed: { burst: 100, everyMs: 600 } },
  slippageBps: { least: 1, most: 5000 },
  chainName: chainId => (CHAINS.has(chainId) ? String(chainId) : null),
  contracts: [
    {
      chains: [1, 56, 8453, 42161, 43114],
      address: "0x1231deb6f5749ef6ce6943a275a1d3e7486f4eae",
      date: "2026-11-22",
      source: "lifinance/contracts@ef00558fde deployments/"
    },
    {
      chains: [143],
      address: "0x026f252016a7c47cdef1f05a3fc9e20c92a49c37",
      date: "2026-11-22",
      source: "lifinance/contracts@ef00558fde deployments/"
    },
    {
      chains: [4663],
      address: "0xb477751b76cf82d00a686a1232f5fcd772414af3",
      date: "2026-11-22",
      source: "lifinance/contracts@ef00558fde deployments/"
    },
    {
      chains: [5042],
      address: "0xa4072583658fae592a3506a42431cb6316a8d40b",
      date: "2026-11-22",
      source: "lifinance/contracts@ef00558fde deployments/"
    }
  ],
  quote: (ask, order) =>
    order.taker === null
      ? Effect.fail(passOver("needs-taker", "it quotes for a taker alone: tell `taker`"))
      : stepOf(ask, order, order.taker, order.taker),
  build: (ask, order) => stepOf(ask, order, order.taker, order.recipient),
  decode
}
