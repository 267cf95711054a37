/** The transaction of a sealed quote: the router's own, or an aggregator's where that fails. */
import { Clock, Effect } from "effect"
import type { ChainNode, NodeCall } from "../../../engine/trade/chain-node.ts"
import { withGasMargin } from "../../../engine/trade/contract/leg-gas.ts"
import type { CheckedCall } from "../../../engine/trade/meta/meta-desk.ts"
import { type PassedOverReason, passOver } from "../../../engine/trade/meta/protocol/passed-over.ts"
import type { BuildOrder } from "../../../engine/trade/meta/protocol/provider.ts"
import { PROVIDER_IDS, type ProviderId } from "../../../engine/trade/meta/providers/all.ts"
import { simulateSwap, swapInput } from "../../../engine/trade/simulate.ts"
import { finderOf } from "../../../engine/trade/token-slots.ts"
import type { TradeSite } from "../../../engine/trade/trade.ts"
import { parseAddress, ZERO_ADDRESS } from "../../../src/domain/address.ts"
import { Refusal } from "../../errors.ts"
import { approvalOf, shownCall, swapOf } from "../trade/build.ts"
import type { Swap } from "../trade/swap.api.ts"
import {
  type Asked,
  type MetaQuote,
  type MetaSwap,
  type MetaSwapBody,
  OWN
} from "./meta-quote.api.ts"
import type { MetaServices } from "./meta-quote.ts"
import { askedOfTrail, inWords, ownPassed, ownUsed, passedOver } from "./reasons.ts"

type Hex = `0x${string}`

export interface Whose {
  readonly taker: Hex
  readonly recipient: Hex
}

export const whoseOf = ({ taker, recipient }: MetaSwapBody): Whose => {
  const address = (text: string) => (parseAddress(text) ?? ZERO_ADDRESS) as string as Hex
  return { taker: address(taker), recipient: address(recipient ?? taker) }
}

type Simulated = NonNullable<MetaSwap["simulation"]>

const callOf = ({ transaction: { from, to, data, value, gas } }: Swap): NodeCall => ({
  ...{ from: from as Hex, to: to as Hex, data: data as Hex },
  ...{ value: BigInt(value), gas: BigInt(gas) }
})

/** Runs the router's own transaction as the taker; null where no node answers. */
const tryOwn = (node: ChainNode | null, swap: Swap) =>
  Effect.gen(function* () {
    const call = callOf(swap)
    const input = swapInput(call.data)
    if (node === null || input === null) return null
    const outcome = yield* Effect.orElseSucceed(
      simulateSwap(node, call, input, finderOf(node)),
      () => null
    )
    if (outcome === null) return null
    const { assumed } = outcome
    if (outcome.ok) return { outputAmount: String(outcome.amountOut), assumed } satisfies Simulated
    // what the taker lacks he may get before he sends it
    const lacks =
      outcome.cause === "insufficient-balance" || outcome.cause === "router-not-approved"
    return lacks ? null : yield* passOver("simulation-failed", outcome.revert)
  })

/** The router's own transaction of a quote; fails where the quote is another's, or it fails. */
const own = (quote: MetaQuote, site: TradeSite, { taker, recipient }: Whose) =>
  Effect.gen(function* () {
    const { provider, quote: ownQuote } = quote
    if (provider !== OWN || ownQuote === null) {
      const earlier = quote.passedOver.find(passed => passed.provider === OWN)
      return yield* passOver(earlier?.reason ?? "no-route", earlier?.message ?? "it had no route")
    }
    if (ownQuote.noRouteReason !== undefined)
      return yield* passOver("no-route", ownQuote.noRouteReason)
    const swap = yield* Effect.mapError(
      swapOf(ownQuote, site, { taker, recipient, permit2: undefined }),
      ({ message }) => passOver("no-router-contract", message)
    )
    return { swap, simulation: yield* tryOwn(site.node, swap) }
  })

const ofOwn = ({ swap, simulation }: { swap: Swap; simulation: Simulated | null }): MetaSwap => ({
  ...swap,
  ...{ provider: OWN, router: swap.transaction.to, simulation, passedOver: [] }
})

const approvalFor = (
  { chain }: MetaQuote,
  node: ChainNode | null,
  { spender, resetFirst }: CheckedCall,
  { tokenIn: token, taker, amountIn: amount }: BuildOrder
) =>
  token === ZERO_ADDRESS || spender === null
    ? Effect.succeed(null)
    : Effect.map(approvalOf(chain, node, { token, taker, spender, amount }), approval =>
        // the provider may know the token better than a trial does
        resetFirst === true && approval.needed !== false
          ? { ...approval, resetFirst: true }
          : approval
      )

const ofProvider = (
  quote: MetaQuote,
  node: ChainNode | null,
  order: BuildOrder,
  provider: ProviderId,
  call: CheckedCall
) =>
  Effect.gen(function* () {
    const { router, data, value, gas, amountOut, minimumOut, arrived, assumed } = call
    const sent = { from: order.taker, to: router, data, value }
    return {
      ...{ provider, router },
      transaction: {
        ...shownCall(quote.chain, sent),
        gas: gas === null ? null : String(withGasMargin(gas))
      },
      gasEstimate: gas === null ? null : String(gas),
      inputAmount: quote.inputAmount,
      outputAmount: String(amountOut),
      otherAmountThreshold: String(minimumOut),
      ...{ recipient: order.recipient, deadline: null },
      approval: yield* approvalFor(quote, node, call, order),
      simulation: { outputAmount: String(arrived), assumed },
      passedOver: []
    } satisfies MetaSwap
  })

const orderOf = (quote: MetaQuote, whose: Whose, gasPrice: bigint | null): BuildOrder => ({
  ...whose,
  chainId: quote.chain,
  tokenIn: quote.inputMint as Hex,
  tokenOut: quote.outputMint as Hex,
  amountIn: BigInt(quote.inputAmount),
  slippageBps: quote.slippageBps,
  gasPrice
})

/** Reasons that say no more than that there is no route, or nobody to ask for one. */
const NOTHING_THERE: ReadonlySet<PassedOverReason | null> = new Set([
  ...(["no-route", "chain-not-served", "no-key", "no-known-router", "simulated-chain"] as const),
  ...(["no-router-contract", "conversion", "not-needed"] as const)
])

/** Why nobody gave a transaction, by what those who were asked said. */
const refusalOf = (asked: ReadonlyArray<Asked>): Refusal => {
  const message = `nobody gave a transaction: ${inWords(asked)}`
  if (asked.some(({ reason }) => reason === "not-simulated" || reason === "no-node")) {
    return new Refusal({ status: 503, code: "TRADE_UNAVAILABLE", message })
  }
  if (asked[0]?.reason === "no-router-contract") {
    return new Refusal({ status: 503, code: "NOT_ENABLED", message })
  }
  return asked.every(({ reason }) => NOTHING_THERE.has(reason))
    ? new Refusal({ status: 404, code: "NO_ROUTE", message })
    : new Refusal({ status: 502, code: "ROUTE_ERROR", message })
}

/** A swap, or why there is none, and who was asked. */
export interface MetaSwapped {
  readonly swap: MetaSwap | Refusal
  readonly asked: ReadonlyArray<Asked>
}

/** Builds the swap of a quote whose seal was right. */
export const metaSwap = (
  quote: MetaQuote,
  key: string,
  { trade, meta }: Pick<MetaServices, "trade" | "meta">,
  whose: Whose
) =>
  Effect.gen(function* () {
    const site = trade.site(key)
    const beganMs = yield* Clock.currentTimeMillis
    const tried = yield* Effect.result(own(quote, site, whose))
    const ms = (yield* Clock.currentTimeMillis) - beganMs
    if (tried._tag === "Success") {
      const swap = ofOwn(tried.success)
      const used = [ownUsed(swap.outputAmount, swap.router, ms)]
      return { swap, asked: used } satisfies MetaSwapped
    }
    const { reason, message } = tried.failure
    const first = PROVIDER_IDS.find(id => id === quote.provider) ?? null
    const gasPrice = site.node === null ? null : yield* site.node.gasPrice
    const order = orderOf(quote, whose, gasPrice)
    const floor = BigInt(quote.otherAmountThreshold)
    const { found, trail } =
      floor === 0n ? { found: null, trail: [] } : yield* meta.build(key, order, floor, first)
    const asked = [ownPassed(reason, message, ms), ...trail.map(askedOfTrail)]
    if (found === null) return { swap: refusalOf(asked), asked } satisfies MetaSwapped
    const { provider, answer } = found
    const swap = yield* ofProvider(quote, site.node, order, provider, answer)
    return { swap: { ...swap, passedOver: passedOver(asked) }, asked } satisfies MetaSwapped
  })
