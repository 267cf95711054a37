/**
 * Holds a provider's transaction against what was asked for, before anything of it is shown: where
 * it goes, who is approved, what it sells, for how much, and to whom. A refusal names the reason.
 */
import { NATIVE } from "../contract/router-call.ts"
import type { AllowedRouter } from "./allow-list.ts"
import { type PassedOver, passOver } from "./protocol/passed-over.ts"
import type { BuildOrder, DecodedCall, Provider, ProviderCall } from "./protocol/provider.ts"

/** Bytes of calldata at most. */
const MOST_BYTES = 128 * 1024

/** Why the contracts that it names must not be trusted with it; null where they may. */
const strangerIn = (
  { router, spender }: Pick<ProviderCall, "router" | "spender">,
  { tokenIn }: BuildOrder,
  allowed: AllowedRouter
): PassedOver | null => {
  if (router !== allowed.router) {
    const message = `the transaction goes to ${router}; only ${allowed.router} is allowed`
    return passOver("router-not-allowed", message)
  }
  if (tokenIn === NATIVE) return null
  if (spender !== allowed.spender) {
    const message = `it wants an approval for ${spender}; only ${allowed.spender} is allowed`
    return passOver("spender-not-allowed", message)
  }
  return null
}

const tokensOf = (decoded: DecodedCall, { tokenIn, tokenOut }: BuildOrder): PassedOver | null => {
  if (decoded.tokenIn !== null && decoded.tokenIn !== tokenIn) {
    return passOver("mismatch", `the transaction sells ${decoded.tokenIn}, not ${tokenIn}`)
  }
  return decoded.tokenOut === tokenOut
    ? null
    : passOver("mismatch", `the transaction buys ${decoded.tokenOut}, not ${tokenOut}`)
}

const amountsOf = (
  decoded: DecodedCall,
  { value }: ProviderCall,
  { tokenIn, amountIn }: BuildOrder
): PassedOver | null => {
  const wanted = tokenIn === NATIVE ? amountIn : 0n
  if (value !== wanted) {
    return passOver("amount-changed", `the transaction sends ${value} wei, not ${wanted}`)
  }
  return decoded.amountIn === null || decoded.amountIn === amountIn
    ? null
    : passOver("amount-changed", `the transaction sells ${decoded.amountIn}, not ${amountIn}`)
}

/** What the transaction does, or why it is refused. Its minimum is checked by `belowFloor`. */
export const checkCall = (
  provider: Provider,
  call: ProviderCall,
  order: BuildOrder,
  allowed: AllowedRouter
): DecodedCall | PassedOver => {
  const stranger = strangerIn(call, order, allowed)
  if (stranger !== null) return stranger
  const bytes = (call.data.length - 2) / 2
  if (bytes > MOST_BYTES) return passOver("bad-answer", `calldata of ${bytes} bytes is too long`)
  const decoded = provider.decode(call.data)
  if (decoded === null) {
    const message = `function ${call.data.slice(0, 10)} of the router is not allowed, or does not read`
    return passOver("router-not-allowed", message)
  }
  if (decoded.recipient !== order.recipient) {
    const message = `the transaction pays ${decoded.recipient}, not ${order.recipient}`
    return passOver("recipient-changed", message)
  }
  return tokensOf(decoded, order) ?? amountsOf(decoded, call, order) ?? decoded
}

/** Why the least that it accepts is too little; null where it is enough. */
export const belowFloor = (
  { minimumOut }: DecodedCall,
  { amountOut }: ProviderCall,
  floor: bigint
): PassedOver | null => {
  if (amountOut < floor) {
    return passOver("price-moved", `it would give ${amountOut}, and ${floor} is the least`)
  }
  return minimumOut < floor
    ? passOver("amount-changed", `the transaction accepts ${minimumOut}, and ${floor} is the least`)
    : null
}

const BPS = 10_000n

/**
 * The slippage with which a transaction would accept no less than `floor`, by how far this one is
 * below; null where the price leaves none.
 */
export const tighterSlippage = (
  { minimumOut }: DecodedCall,
  { amountOut }: ProviderCall,
  floor: bigint,
  slippageBps: number
): number | null => {
  if (amountOut < floor || minimumOut >= floor) return null
  const missing = ((floor - minimumOut) * BPS + amountOut - 1n) / amountOut
  const tighter = slippageBps - Number(missing)
  return tighter >= 0 && missing <= BPS ? tighter : null
}
