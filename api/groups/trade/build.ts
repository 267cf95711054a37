/** Builds the swap of a sealed quote, and says what is to be approved. */
import { Effect } from "effect"
import {
  approvalCall,
  buildSwap,
  type SwapOrder,
  wantsAllowance
} from "../../../engine/trade/build-swap.ts"
import type { ChainNode, NodeCall } from "../../../engine/trade/chain-node.ts"
import { lacksPermit2 } from "../../../engine/trade/lacks-permit2.ts"
import { allowanceOf, refusesOver } from "../../../engine/trade/token-calls.ts"
import type { TradeSite } from "../../../engine/trade/trade.ts"
import { parseAddress, ZERO_ADDRESS } from "../../../src/domain/address.ts"
import { Refusal } from "../../errors.ts"
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

/** A call as answers show it. */
export const shownCall = (chainId: number, { from, to, data, value }: NodeCall): UnsignedCall => ({
  chainId,
  from,
  to,
  data,
  value: String(value)
})

/** Who has to be allowed to take how much of whose. */
interface Wanted {
  readonly token: Hex
  readonly taker: Hex
  readonly spender: Hex
  readonly amount: bigint
}

/** What a node tells of an allowance; nothing where no node answers. */
const allowanceNow = (node: ChainNode | null, { token, taker, spender, amount }: Wanted) =>
  Effect.gen(function* () {
    const unknown = { needed: null, resetFirst: null }
    if (node === null) return unknown
    const allowed = yield* allowanceOf(node, token, taker, spender)
    if (allowed === null) return unknown
    const needed = allowed < amount
    if (!needed || allowed === 0n) return { needed, resetFirst: false }
    return { needed, resetFirst: yield* refusesOver(node, token, taker, spender, amount) }
  }).pipe(Effect.orElseSucceed(() => ({ needed: null, resetFirst: null })))

/** The approval that a swap wants, as answers show it. */
export const approvalOf = (chainId: number, node: ChainNode | null, wanted: Wanted) =>
  Effect.map(allowanceNow(node, wanted), ({ needed, resetFirst }): Approval => {
    const { token, taker, spender, amount } = wanted
    const approve = (most: bigint) => shownCall(chainId, approvalCall(token, taker, spender, most))
    return {
      ...{ token, spender, amount: String(amount), needed, resetFirst },
      reset: approve(0n),
      approve: approve(amount)
    }
  })

const ownApproval = (chainId: number, node: ChainNode | null, order: SwapOrder) => {
  const { tokenIn: token, taker, router: spender, amountIn: amount } = order
  return approvalOf(chainId, node, { token, taker, spender, amount })
}

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
    gas: BigInt(quote.gasEstimate),
    taxed: new Set(quote.transferTaxes?.map(({ token }) => token)).size,
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

/** Fails where the router contract refuses the recipient, so that no swap to it can be executed. */
export const refuseRecipient = (
  { router }: TradeSite,
  { taker, recipient = taker }: Pick<SwapBody, "taker" | "recipient">
): Effect.Effect<void, Refusal> => {
  const address = parseAddress(recipient)
  if (address !== ZERO_ADDRESS && address !== router) return Effect.void
  const message = "recipient must be neither the zero address nor the router contract"
  return refuse(400, "INVALID_PARAMS", message)
}

/** Seconds after a quote's end within which its transaction may still be mined. */
const EXECUTION_SECONDS = 600

/** The swap of a quote whose seal was right. */
export const swapOf = (quote: Quote, { router, node }: TradeSite, whose: Taker) =>
  Effect.gen(function* () {
    if (router === null) {
      const message = `no router contract is known on chain ${quote.chain}: set ROUTER_${quote.chain}`
      return yield* refuse(503, "NOT_ENABLED", message)
    }
    if (quote.preliminary === true) {
      const message =
        "no safety gate has looked at a preliminary quote: quote again, without fast=1"
      return yield* refuse(400, "INVALID_PARAMS", message)
    }
    const order = orderOf(quote, router, whose)
    if (order === null) {
      const message = `the quote has no route (${quote.noRouteReason ?? "unknown"})`
      return yield* refuse(404, "NO_ROUTE", message)
    }
    if (order.permit !== null && order.tokenIn === ZERO_ADDRESS) {
      const message =
        "permit2 must be left out where the native unit is sold: it needs no allowance"
      return yield* refuse(400, "INVALID_PARAMS", message)
    }
    if (order.permit !== null && (yield* lacksPermit2(node, router))) {
      const message = `the router contract of chain ${quote.chain} knows no Permit2: leave permit2 out, and approve the router itself`
      return yield* refuse(400, "INVALID_PARAMS", message)
    }
    const { gas, ...call } = buildSwap(order)
    const swap: Swap = {
      transaction: { ...shownCall(quote.chain, call), gas: String(gas) },
      gasEstimate: quote.gasEstimate,
      inputAmount: quote.inputAmount,
      outputAmount: quote.outputAmount,
      otherAmountThreshold: quote.otherAmountThreshold,
      recipient: order.recipient,
      deadline: order.deadline,
      approval: wantsAllowance(order) ? yield* ownApproval(quote.chain, node, order) : null
    }
    return swap
  })
