/** Builds the swap of a sealed quote, and says what is to be approved. */
import { Effect } from "effect"
import type { Lane } from "../../../engine/lane/lanes.ts"
import {
  approvalCall,
  buildSwap,
  type SwapOrder,
  wantsAllowance
} from "../../../engine/trade/build-swap.ts"
import type { ChainNode, NodeCall } from "../../../engine/trade/chain-node.ts"
import { allowanceOf, refusesOver } from "../../../engine/trade/token-calls.ts"
import type { TradeSite } from "../../../engine/trade/trade.ts"
import { parseAddress } from "../../../src/domain/address.ts"
import { Refusal } from "../../errors.ts"
import { historyEnd } from "../quote-status.ts"
import type { Quote } from "./quote.api.ts"
import type { Approval, Swap, SwapBody, UnsignedCall } from "./swap.api.ts"

type Hex = `0x${string}`

/** Whose swap it is. */
export interface Taker {
  readonly taker: string
  readonly recipient: string | undefined
  readonly permit2: SwapBody["permit2"]
}

const refuse = (status: number, code: string, message: string) =>
  new Refusal({ status, code, message })

const shown = (chainId: number, { from, to, data, value }: NodeCall): UnsignedCall => ({
  chainId,
  from,
  to,
  data,
  value: String(value)
})

/** What a node tells of an allowance; nothing where no node answers. */
const allowanceNow = (node: ChainNode | null, order: SwapOrder) =>
  Effect.gen(function* () {
    const unknown = { needed: null, resetFirst: null }
    if (node === null) return unknown
    const { tokenIn, taker, router, amountIn } = order
    const allowed = yield* allowanceOf(node, tokenIn, taker, router)
    if (allowed === null) return unknown
    const needed = allowed < amountIn
    if (!needed || allowed === 0n) return { needed, resetFirst: false }
    return { needed, resetFirst: yield* refusesOver(node, tokenIn, taker, router, amountIn) }
  }).pipe(Effect.orElseSucceed(() => ({ needed: null, resetFirst: null })))

const approvalOf = (chainId: number, node: ChainNode | null, order: SwapOrder) =>
  Effect.map(allowanceNow(node, order), ({ needed, resetFirst }): Approval => {
    const { tokenIn, taker, router, amountIn } = order
    const approve = (amount: bigint) => shown(chainId, approvalCall(tokenIn, taker, router, amount))
    return {
      ...{ token: tokenIn, spender: router, amount: String(amountIn), needed, resetFirst },
      reset: approve(0n),
      approve: approve(amountIn)
    }
  })

const orderOf = (
  quote: Quote,
  router: Hex,
  { taker, recipient, permit2 }: Taker
): SwapOrder | null => {
  const address = (text: string) => (parseAddress(text) ?? "") as Hex
  if (quote.routerLegs === null) return null
  return {
    router,
    taker: address(taker),
    recipient: address(recipient ?? taker),
    tokenIn: quote.inputMint as Hex,
    tokenOut: quote.outputMint as Hex,
    amountIn: BigInt(quote.inputAmount),
    minimumOut: BigInt(quote.otherAmountThreshold),
    deadline: quote.expiresAt + EXECUTION_SECONDS,
    legs: quote.routerLegs as Hex,
    permit:
      permit2 === undefined
        ? null
        : {
            nonce: BigInt(permit2.nonce),
            signedUntil: BigInt(permit2.signedUntil),
            signature: permit2.signature as Hex
          }
  }
}

/** Seconds after a quote's end within which its transaction may still be mined. */
const EXECUTION_SECONDS = 600

/** The swap of a quote of a lane whose seal was right. */
export const swapOf = (lane: Lane, quote: Quote, { router, node }: TradeSite, whose: Taker) =>
  Effect.gen(function* () {
    const ended = historyEnd(lane)
    if (ended !== null) {
      return yield* refuse(503, "NOT_ENABLED", `${ended}: no swap can be built from it`)
    }
    if (router === null) {
      const message = `no router contract is known on chain ${quote.chain}: set ROUTER_${quote.chain}`
      return yield* refuse(503, "NOT_ENABLED", message)
    }
    const order = orderOf(quote, router, whose)
    if (order === null) {
      const message = `the quote has no route (${quote.noRouteReason ?? "unknown"})`
      return yield* refuse(404, "NO_ROUTE", message)
    }
    const swap: Swap = {
      transaction: shown(quote.chain, buildSwap(order)),
      gasEstimate: quote.gasEstimate,
      inputAmount: quote.inputAmount,
      outputAmount: quote.outputAmount,
      otherAmountThreshold: quote.otherAmountThreshold,
      recipient: order.recipient,
      deadline: order.deadline,
      approval: wantsAllowance(order) ? yield* approvalOf(quote.chain, node, order) : null
    }
    return swap
  })
