/** What Raydium AMM v4 pays, by the reserves that it counts as its own. */

const FEE = 25n
const FEE_UNIT = 10_000n
/** From so many units on the fee is one unit, where its share is less than one. */
const LEAST_CHARGED = 200n

const ceilDivide = (a: bigint, b: bigint): bigint => (a + b - 1n) / b

const feeOf = (amountIn: bigint): bigint => {
  if (amountIn * FEE >= FEE_UNIT) return ceilDivide(amountIn * FEE, FEE_UNIT)
  return amountIn >= LEAST_CHARGED ? 1n : 0n
}

/** Returns what goes out for what comes in; null where that is nothing, which is refused. */
export const ammV4Output = (
  reserves: { readonly in: bigint; readonly out: bigint },
  amountIn: bigint
): bigint | null => {
  const net = amountIn - feeOf(amountIn)
  const amountOut = (reserves.out * net) / (reserves.in + net)
  return amountOut > 0n ? amountOut : null
}

/** Returns what must come in for what is to go out; null where the reserves do not have it. */
export const ammV4Input = (
  reserves: { readonly in: bigint; readonly out: bigint },
  amountOut: bigint
): bigint | null => {
  if (amountOut >= reserves.out) return null
  const net = ceilDivide(reserves.in * amountOut, reserves.out - amountOut)
  return ceilDivide(net * FEE_UNIT, FEE_UNIT - FEE)
}
