/**
 * KyberSwap Aggregator, API v1: `GET routes`, then `POST route/build` with the route's summary as
 * it was given. Protocol, router and codes as its documentation has them (KyberNetwork/
 * kyberswap-documentation@c370ffa, kyberswap-skills@77aca1c; 2026-11-22).
 */
import { Effect, Schema } from "effect"
import { parseAbi } from "viem"
import type { HttpAnswer } from "../../../../src/platform/json-over-http.ts"
import { readCall } from "../../read-abi.ts"
import { jsonMember } from "../protocol/json-member.ts"
import { type PassedOver, passOver } from "../protocol/passed-over.ts"
import {
  type Ask,
  BUILD_MS,
  type BuildOrder,
  type Hex,
  type Provider,
  type ProviderOrder,
  QUOTE_MS
} from "../protocol/provider.ts"
import {
  AnyAddress,
  CallData,
  Gas,
  gasOf,
  mustBe,
  placeholderOf,
  Quantity,
  Raw,
  readAnswer,
  tokenOf
} from "../protocol/stranger-answer.ts"
import { type Decoded, fillsPartly, lower } from "./calldata.ts"

const SLUGS: { readonly [chainId: number]: string } = {
  ...{ 1: "ethereum", 56: "bsc", 8453: "base", 42161: "arbitrum", 43114: "avalanche" },
  ...{ 143: "monad", 4663: "robinhood", 5042: "arc" }
}

const abi = parseAbi([
  "struct Desc { address srcToken; address dstToken; address[] srcReceivers; uint256[] srcAmounts; address[] feeReceivers; uint256[] feeAmounts; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; bytes permit; }",
  "struct Execution { address callTarget; address approveTarget; bytes targetData; Desc desc; bytes clientData; }",
  "function swap(Execution execution) payable",
  "function swapGeneric(Execution execution) payable",
  "function swapSimpleMode(address caller, Desc desc, bytes executorData, bytes clientData)"
])

const Failure = Schema.Struct({
  code: Schema.Int,
  message: Schema.optionalKey(Schema.String)
})
const readFailure = Schema.decodeUnknownResult(Failure)

const Routes = Schema.Struct({
  data: Schema.Struct({
    routeSummary: Schema.Struct({
      tokenIn: AnyAddress,
      tokenOut: AnyAddress,
      amountIn: Raw,
      amountOut: Raw,
      gas: Schema.optionalKey(Gas)
    }),
    routerAddress: AnyAddress
  })
})
const readRoutes = Schema.decodeUnknownResult(Routes)

const Built = Schema.Struct({
  data: Schema.Struct({
    amountIn: Raw,
    amountOut: Raw,
    gas: Schema.optionalKey(Gas),
    data: CallData,
    routerAddress: AnyAddress,
    transactionValue: Quantity
  })
})
const readBuilt = Schema.decodeUnknownResult(Built)

/** Codes of its bodies, by what they mean; others are failures of its own. */
const NO_ROUTE = new Set([4008, 4009, 4010, 4011, 40011])
const REFUSED = new Set([4000, 4001, 4002, 4003, 4004, 4005, 4007, 40010])
/** The price moved between route and build; for 4227 its message says whether. */
const MOVED = 4222
const GAS_ESTIMATE = 4227

const failureOf = (code: number, text: string): PassedOver => {
  const message = `code ${code}: ${text}`
  if (NO_ROUTE.has(code)) return passOver("no-route", message)
  if (REFUSED.has(code)) return passOver("request-refused", message)
  if (code === MOVED) return passOver("price-moved", message)
  if (code === GAS_ESTIMATE) {
    const isMoved = /return amount is not enough/i.test(text)
    return passOver(isMoved ? "price-moved" : "request-refused", message)
  }
  return passOver("provider-failed", message)
}

/** Its body's code decides, whatever the status; an unknown chain has another body. */
const checked = ({ status, json }: HttpAnswer) =>
  Effect.gen(function* () {
    if (status === 404) {
      return yield* passOver("misconfigured", "HTTP 404: it does not know the chain")
    }
    const { code, message = "" } = yield* readAnswer(readFailure, json)
    if (code !== 0) return yield* failureOf(code, message)
  })

const route = (ask: Ask, order: ProviderOrder, slug: string) =>
  Effect.gen(function* () {
    const answer = yield* ask({
      path: `/${slug}/api/v1/routes`,
      query: {
        tokenIn: placeholderOf(order.tokenIn),
        tokenOut: placeholderOf(order.tokenOut),
        amountIn: String(order.amountIn)
      },
      timeoutMs: QUOTE_MS
    })
    yield* checked(answer)
    const { data } = yield* readAnswer(readRoutes, answer.json)
    const { routeSummary: summary, routerAddress } = data
    yield* mustBe("tokenIn", tokenOf(summary.tokenIn), order.tokenIn)
    yield* mustBe("tokenOut", tokenOf(summary.tokenOut), order.tokenOut)
    yield* mustBe("amountIn", summary.amountIn, order.amountIn)
    const { amountOut, gas } = summary
    // as it is written: its checksum is over the text, and it holds numbers beyond a double
    const text = jsonMember(answer.text, ["data", "routeSummary"]) ?? "null"
    return { amountOut, gas: gasOf(gas), router: routerAddress as Hex, text }
  })

const slugOf = (chainId: number) => {
  const slug = SLUGS[chainId]
  return slug === undefined
    ? Effect.fail(passOver("chain-not-served", `it does not serve chain ${chainId}`))
    : Effect.succeed(slug)
}

const buildOnce = (ask: Ask, order: BuildOrder) =>
  Effect.gen(function* () {
    const slug = yield* slugOf(order.chainId)
    const { text } = yield* route(ask, order, slug)
    const others = JSON.stringify({
      sender: order.taker,
      recipient: order.recipient,
      slippageTolerance: order.slippageBps,
      enableGasEstimation: false,
      source: "swaptape"
    })
    const answer = yield* ask({
      path: `/${slug}/api/v1/route/build`,
      body: `{"routeSummary":${text},${others.slice(1)}`,
      timeoutMs: BUILD_MS
    })
    yield* checked(answer)
    const { data } = yield* readAnswer(readBuilt, answer.json)
    yield* mustBe("amountIn", data.amountIn, order.amountIn)
    return {
      router: data.routerAddress as Hex,
      // its router takes the input itself
      spender: data.routerAddress as Hex,
      data: data.data as Hex,
      value: data.transactionValue,
      amountOut: data.amountOut,
      gas: gasOf(data.gas),
      resetFirst: null
    }
  })

const decode = (data: Hex): Decoded => {
  const call = readCall(abi, data)
  if (call === null) return null
  const desc = call.functionName === "swapSimpleMode" ? call.args[1] : call.args[0].desc
  if (fillsPartly(desc.flags)) return null
  return {
    tokenIn: tokenOf(desc.srcToken),
    tokenOut: tokenOf(desc.dstToken),
    amountIn: desc.amount,
    minimumOut: desc.minReturnAmount,
    recipient: lower(desc.dstReceiver),
    // the router holds the minimum against what arrives, whoever executes
    executor: null
  }
}

export const kyberswap: Provider = {
  baseUrl: "https://aggregator-api.kyberswap.com",
  needsKey: false,
  needsTaker: false,
  keyHeader: "x-api-key",
  headers: { "x-client-id": "swaptape" },
  rate: { free: { burst: 3, everyMs: 334 }, keyed: { burst: 3, everyMs: 334 } },
  slippageBps: { least: 0, most: 2000 },
  chainName: chainId => SLUGS[chainId] ?? null,
  contracts: [
    {
      chains: [1, 56, 143, 4663, 8453, 42161, 43114],
      address: "0x6131b5fae19ea4f9d964eac0408e4408b66337b5",
      date: "2026-11-22",
      source:
        "KyberNetwork/kyberswap-documentation@c370ffa; lifinance/contracts@ef00558fde config/whitelist.json"
    },
    {
      chains: [5042],
      address: "0x6131b5fae19ea4f9d964eac0408e4408b66337b5",
      date: "2026-11-22",
      source: "clients of two independent owners in public repositories, read 2026-09 and 2026-10"
    }
  ],
  quote: (ask, order) =>
    Effect.gen(function* () {
      const slug = yield* slugOf(order.chainId)
      const { amountOut, gas, router } = yield* route(ask, order, slug)
      return { amountOut, gas, router, spender: router }
    }),
  build: (ask, order) =>
    Effect.catchIf(
      buildOnce(ask, order),
      ({ reason }) => reason === "price-moved",
      () => buildOnce(ask, order)
    ),
  decode
}
