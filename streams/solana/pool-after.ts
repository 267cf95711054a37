/** The price that a swap leaves its pool with, where its event tells what it follows from. */
import { binPrice, CENTRE_BIN } from "../../src/math/bins/bin-price.ts"
import { sqrt } from "../../src/math/fixed-point.ts"
import type { Swap, SwapSide } from "./swap.ts"
import type { Transaction } from "./transaction.ts"
import type { PoolAfter } from "./venue.ts"

const ofBin = (
  { bin, step: told }: Extract<PoolAfter, { readonly kind: "bin" }>,
  known: number | null
): PoolAfter | null => {
  const step = known ?? told?.step
  const price = step === undefined ? null : binPrice(CENTRE_BIN + bin, step)
  // a price times 2^128, whose root is times 2^64
  return price === null
    ? null
    : { kind: "price", sqrtPriceX64: sqrt(price), liquidity: null, tick: null }
}

/** The bin step of its pool that a swap tells beyond doubt; null for none. */
export const stepToldBy = ({ after }: Swap): number | null =>
  after?.kind === "bin" && after.step?.isExact === true ? after.step.step : null

/** Shares are whole units, so with fewer what one is worth is not told within some millionths. */
const LEAST_SHARES = 1_000_000n
/** A part of what a swap paid out, and units: how far constant product may be off. */
const FIT_PARTS = 100_000n
const FIT_UNITS = 4n

/** What a pool's shares of a vault are worth, by what the swap put in or took out for shares. */
const worthOf = ({ tokenBalances }: Transaction, { share, amount }: SwapSide): bigint | null => {
  const held = tokenBalances.get(share ?? "")
  if (held === undefined) return null
  const moved = held.after > held.before ? held.after - held.before : held.before - held.after
  return moved < LEAST_SHARES ? null : (held.after * amount) / moved
}

/**
 * The reserves by shares. Null where constant product would have paid another amount, as of pools
 * of another curve, whose reserves are no price. Where a transaction swaps in the pool several
 * times shares are not one swap's: then the reserves may be a part of what they are, in the right
 * proportion, until the next swap.
 */
const ofShares = (transaction: Transaction, swap: Swap, net: bigint): PoolAfter | null => {
  const [into, from] = [worthOf(transaction, swap.in), worthOf(transaction, swap.out)]
  if (into === null || from === null) return null
  const [paid, got] = [swap.in.amount, swap.out.amount]
  const before = { in: into - paid, out: from + got }
  if (before.in <= 0n || net <= 0n) return null
  const fit = (before.out * net) / (before.in + net) - got
  const off = fit < 0n ? -fit : fit
  return off <= got / FIT_PARTS + FIT_UNITS ? { kind: "reserves", in: into, out: from } : null
}

/**
 * Returns the swap with its pool's price or reserves in place of what they follow from.
 *
 * @param step the bin step of its pool, as far as the log has it
 */
export const withPrice = (transaction: Transaction, step: number | null, swap: Swap): Swap => {
  const { after } = swap
  if (after?.kind === "bin") return { ...swap, after: ofBin(after, step) }
  if (after?.kind === "shares") return { ...swap, after: ofShares(transaction, swap, after.net) }
  return swap
}
