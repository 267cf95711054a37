/**
 * OpenOcean (De1 Exchange), API v4: `GET quote`, and `GET swap` with a transaction. Protocol by
 * openocean-finance/OpenOcean-skills@3b21121, function by its published ABI (2026-11-22).
 */
import { Effect, Schema } from "effect"
import { parseAbi } from "viem"
import type { HttpAnswer } from "../../../../src/platform/json-over-http.ts"
import { NATIVE } from "../../contract/router-call.ts"
import { readCall } from "../../read-abi.ts"
import { passOver } from "../protocol/passed-over.ts"
import {
  type Ask,
  BUILD_MS,
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
  ...{ 1: "eth", 56: "bsc", 8453: "base", 42161: "arbitrum", 43114: "avax" },
  ...{ 143: "monad", 4663: "robinhood", 5042: "arc" }
}

const abi = parseAbi([
  "struct Desc { address srcToken; address dstToken; address srcReceiver; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 guaranteedAmount; uint256 flags; address referrer; bytes permit; }",
  "struct Call { uint256 target; uint256 gasLimit; uint256 value; bytes data; }",
  "function swap(address caller, Desc desc, Call[] calls) payable returns (uint256)"
])

const Envelope = Schema.Struct({
  code: Schema.Int,
  data: Schema.optionalKey(Schema.Unknown),
  error: Schema.optionalKey(Schema.Unknown),
  message: Schema.optionalKey(Schema.Unknown)
})
const readEnvelope = Schema.decodeUnknownResult(Envelope)

const Token = Schema.Struct({ address: AnyAddress })
const quoted = {
  inToken: Token,
  outToken: Token,
  inAmount: Raw,
  outAmount: Raw,
  estimatedGas: Schema.optionalKey(Gas)
}
const Quote = Schema.Struct({ ...quoted, exchange: Schema.optionalKey(AnyAddress) })
const readQuote = Schema.decodeUnknownResult(Quote)

const Swap = Schema.Struct({
  ...quoted,
  to: AnyAddress,
  value: Quantity,
  data: CallData,
  chainId: Schema.optionalKey(Schema.Int)
})
const readSwap = Schema.decodeUnknownResult(Swap)

const OK = 200

const textOf = (told: unknown): string => (typeof told === "string" ? told : "")

/** Its body's code decides, often under HTTP 200; no route is no data. */
const dataOf = ({ json, retryAfterMs }: HttpAnswer) =>
  Effect.gen(function* () {
    const { code, data = null, error, message } = yield* readAnswer(readEnvelope, json)
    const words = `code ${code}: ${textOf(error) || textOf(message)}`
    if (code === 429) return yield* passOver("rate-limited", words, retryAfterMs ?? 0)
    if (code === 401 || code === 403) return yield* passOver("misconfigured", words)
    if (code >= 400 && code < 500) return yield* passOver("request-refused", words)
    if (code !== OK) return yield* passOver("provider-failed", words)
    if (data === null) return yield* passOver("no-route", "it has no route")
    return data
  })

/** bps as the percent that it wants. */
const percent = (bps: number): string => String(bps / 100)

const ask = (
  asker: Ask,
  order: ProviderOrder,
  what: "quote" | "swap",
  more: { readonly [name: string]: string }
) =>
  Effect.gen(function* () {
    if (order.gasPrice === null) {
      return yield* passOver("no-gas-price", "it wants a gas price, and no node tells one")
    }
    const answer = yield* asker({
      path: `/${SLUGS[order.chainId] ?? order.chainId}/${what}`,
      query: {
        inTokenAddress: placeholderOf(order.tokenIn),
        outTokenAddress: placeholderOf(order.tokenOut),
        amountDecimals: String(order.amountIn),
        gasPriceDecimals: String(order.gasPrice),
        slippage: percent(order.slippageBps),
        ...more
      },
      timeoutMs: what === "quote" ? QUOTE_MS : BUILD_MS
    })
    return yield* dataOf(answer)
  })

const checked = (
  told: {
    readonly inToken: { readonly address: string }
    readonly outToken: { readonly address: string }
    readonly inAmount: bigint
    readonly outAmount: bigint
  },
  order: ProviderOrder
) =>
  Effect.gen(function* () {
    yield* mustBe("inToken", tokenOf(told.inToken.address), order.tokenIn)
    yield* mustBe("outToken", tokenOf(told.outToken.address), order.tokenOut)
    yield* mustBe("inAmount", told.inAmount, order.amountIn)
    if (told.outAmount === 0n) return yield* passOver("no-route", "it would give nothing")
  })

const decode = (data: Hex): Decoded => {
  const call = readCall(abi, data)
  if (call === null) return null
  const [, desc] = call.args
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

export const openocean: Provider = {
  baseUrl: "https://open-api.de1.exchange/v4",
  needsKey: false,
  needsTaker: false,
  keyHeader: "apikey",
  headers: {},
  rate: { free: { burst: 2, everyMs: 500 }, keyed: { burst: 2, everyMs: 500 } },
  slippageBps: { least: 5, most: 5000 },
  chainName: chainId => SLUGS[chainId] ?? null,
  contracts: [
    {
      chains: [1, 56, 143, 4663, 8453, 42161, 43114],
      address: "0x6352a56caadc4f1e25cd6c75970fa768a3304e64",
      date: "2026-11-22",
      source: "lifinance/contracts@ef00558fde config/whitelist.json"
    }
  ],
  quote: (asker, order) =>
    Effect.gen(function* () {
      const told = yield* readAnswer(readQuote, yield* ask(asker, order, "quote", {}))
      yield* checked(told, order)
      const router = (told.exchange ?? null) as Hex | null
      const { outAmount: amountOut, estimatedGas } = told
      return { amountOut, router, spender: router, gas: gasOf(estimatedGas) }
    }),
  build: (asker, order) =>
    Effect.gen(function* () {
      const { taker: sender, recipient: account } = order
      const told = yield* readAnswer(
        readSwap,
        yield* ask(asker, order, "swap", { account, sender })
      )
      yield* checked(told, order)
      yield* mustBe("chainId", told.chainId ?? order.chainId, order.chainId)
      return {
        router: told.to as Hex,
        // its router takes the input itself
        spender: order.tokenIn === NATIVE ? null : (told.to as Hex),
        data: told.data as Hex,
        value: told.value,
        amountOut: told.outAmount,
        gas: gasOf(told.estimatedGas),
        resetFirst: null
      }
    }),
  decode
}
