/**
 * 0x Swap API v2 by AllowanceHolder: `GET price`, and `GET quote` with a transaction. Protocol by
 * 0xProject/0x-docs@2ec0a996, contracts by 0xProject/0x-settler@f6b73031 (2026-11-22).
 *
 * AllowanceHolder lets whomever the calldata names take the input, and holds nothing against what
 * arrives: so who is named must be a Settler, by 0x's own registry on the chain.
 */
import { Effect, Schema } from "effect"
import { encodeFunctionData, parseAbi } from "viem"
import type { HttpAnswer } from "../../../../src/platform/json-over-http.ts"
import type { ChainNode } from "../../chain-node.ts"
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
import { type Decoded, lower } from "./calldata.ts"

const CHAINS = new Set([1, 56, 143, 4663, 5042, 8453, 42161, 43114])

const outer = parseAbi([
  "function exec(address operator, address token, uint256 amount, address target, bytes data) payable returns (bytes)"
])
const inner = parseAbi([
  "struct Slippage { address recipient; address buyToken; uint256 minAmountOut; }",
  "function execute(Slippage slippage, bytes[] actions, bytes32 zid) payable returns (bool)"
])

const Failure = Schema.Struct({
  name: Schema.optionalKey(Schema.String),
  message: Schema.optionalKey(Schema.String)
})
const readFailure = Schema.decodeUnknownResult(Failure)

const readLiquidity = Schema.decodeUnknownResult(
  Schema.Struct({ liquidityAvailable: Schema.Boolean })
)

const Allowance = Schema.NullOr(Schema.Struct({ spender: AnyAddress }))
const priced = {
  buyAmount: Raw,
  buyToken: AnyAddress,
  sellAmount: Raw,
  sellToken: AnyAddress,
  allowanceTarget: Schema.NullOr(AnyAddress),
  issues: Schema.Struct({ allowance: Allowance })
}
const Price = Schema.Struct({ ...priced, gas: Schema.optionalKey(Schema.NullOr(Gas)) })
const readPrice = Schema.decodeUnknownResult(Price)

const Quote = Schema.Struct({
  ...priced,
  transaction: Schema.Struct({
    to: AnyAddress,
    data: CallData,
    gas: Schema.optionalKey(Schema.NullOr(Gas)),
    value: Quantity
  })
})
const readQuote = Schema.decodeUnknownResult(Quote)

/** Names that say that a token is not traded there; others of a 4xx are of the request. */
const NO_ROUTE = new Set([
  "TOKEN_NOT_SUPPORTED",
  "BUY_TOKEN_NOT_AUTHORIZED_FOR_TRADE",
  "SELL_TOKEN_NOT_AUTHORIZED_FOR_TRADE"
])

const failureOf = ({ status, json }: HttpAnswer) =>
  Effect.gen(function* () {
    const { name = "", message = "" } = yield* readAnswer(readFailure, json)
    const words = `HTTP ${status} ${name}: ${message}`
    if (name === "USER_NOT_AUTHORIZED") return yield* passOver("misconfigured", words)
    return yield* passOver(NO_ROUTE.has(name) ? "no-route" : "request-refused", words)
  })

const ask = (
  asker: Ask,
  order: ProviderOrder,
  what: "price" | "quote",
  more: { readonly [name: string]: string }
) =>
  Effect.gen(function* () {
    const answer = yield* asker({
      path: `/swap/allowance-holder/${what}`,
      query: {
        chainId: String(order.chainId),
        sellToken: placeholderOf(order.tokenIn),
        buyToken: placeholderOf(order.tokenOut),
        sellAmount: String(order.amountIn),
        slippageBps: String(order.slippageBps),
        ...more
      },
      timeoutMs: what === "price" ? QUOTE_MS : BUILD_MS
    })
    if (answer.status !== 200) return yield* failureOf(answer)
    // without liquidity every other field is absent
    const { liquidityAvailable } = yield* readAnswer(readLiquidity, answer.json)
    if (!liquidityAvailable) return yield* passOver("no-route", "it has no liquidity")
    return answer.json
  })

interface Priced {
  readonly sellToken: string
  readonly buyToken: string
  readonly sellAmount: bigint
  readonly allowanceTarget: string | null
  readonly issues: { readonly allowance: { readonly spender: string } | null }
}

/** Checks whose answer it is; returns what is to be approved. */
const checked = (told: Priced, order: ProviderOrder) =>
  Effect.gen(function* () {
    yield* mustBe("sellToken", tokenOf(told.sellToken), order.tokenIn)
    yield* mustBe("buyToken", tokenOf(told.buyToken), order.tokenOut)
    yield* mustBe("sellAmount", told.sellAmount, order.amountIn)
    if (order.tokenIn === NATIVE) return null
    return (told.issues.allowance?.spender ?? told.allowanceTarget) as Hex | null
  })

const decode = (data: Hex): Decoded => {
  const call = readCall(outer, data)
  if (call === null) return null
  const [operator, token, amountIn, target, settled] = call.args
  // another operator could take the input and leave the target without it
  if (operator !== target) return null
  const execution = readCall(inner, settled)
  if (execution === null) return null
  const [{ recipient, buyToken, minAmountOut }] = execution.args
  const tokenIn = tokenOf(token)
  return {
    tokenIn,
    tokenOut: tokenOf(buyToken),
    amountIn: tokenIn === NATIVE ? null : amountIn,
    minimumOut: minAmountOut,
    recipient: lower(recipient),
    executor: lower(target)
  }
}

/** 0x's registry of Settlers: an ERC-721 of features, of which 2 is swaps that takers send. */
const REGISTRY: Hex = "0x00000000000004533fe15556b1e086bb1a72ceae"
const TAKER_SUBMITTED = 2n
const registry = parseAbi([
  "function ownerOf(uint256 feature) view returns (address)",
  "function prev(uint128 feature) view returns (address)"
])
const READS = [
  encodeFunctionData({ abi: registry, functionName: "ownerOf", args: [TAKER_SUBMITTED] }),
  // for a while the one before is as good
  encodeFunctionData({ abi: registry, functionName: "prev", args: [TAKER_SUBMITTED] })
]

/** Whether the registry names the executor; while the feature is paused it names none. */
const vouches = (node: ChainNode, executor: Hex) =>
  Effect.gen(function* () {
    for (const data of READS) {
      const word = yield* Effect.catchIf(
        node.call({ from: NATIVE, to: REGISTRY, data, value: 0n }),
        ({ kind }) => kind === "reverted",
        () => Effect.succeed("0x" as Hex)
      )
      if (word.length === 66 && `0x${word.slice(26)}`.toLowerCase() === executor) return true
    }
    return false
  })

export const zeroex: Provider = {
  baseUrl: "https://api.0x.org",
  needsKey: true,
  needsTaker: false,
  keyHeader: "0x-api-key",
  headers: { "0x-version": "v2" },
  rate: { free: { burst: 5, everyMs: 200 }, keyed: { burst: 5, everyMs: 200 } },
  slippageBps: { least: 0, most: 10_000 },
  chainName: chainId => (CHAINS.has(chainId) ? String(chainId) : null),
  contracts: [
    {
      chains: [1, 56, 143, 4663, 8453, 42161, 43114],
      address: "0x0000000000001ff3684f28c67538d4d072c22734",
      date: "2026-11-22",
      source: "0xProject/0x-settler@f6b73031 README.md"
    }
  ],
  quote: (asker, order) =>
    Effect.gen(function* () {
      const told = yield* readAnswer(readPrice, yield* ask(asker, order, "price", {}))
      const spender = yield* checked(told, order)
      // it names the contract to be called with the transaction alone
      return { amountOut: told.buyAmount, router: null, spender, gas: gasOf(told.gas ?? undefined) }
    }),
  build: (asker, order) =>
    Effect.gen(function* () {
      const { taker, recipient } = order
      const whose = recipient === taker ? { taker } : { taker, recipient }
      const told = yield* readAnswer(readQuote, yield* ask(asker, order, "quote", whose))
      const spender = yield* checked(told, order)
      const { to, data, value, gas } = told.transaction
      return {
        router: to as Hex,
        spender,
        data: data as Hex,
        value,
        amountOut: told.buyAmount,
        gas: gasOf(gas ?? undefined),
        resetFirst: null
      }
    }),
  decode,
  vouches
}
