/** A kind that declares that it cannot quote: pairs of another one, whose laws give the swaps. */
import type { KindUnderLaw } from "./venue-laws.ts"

const WHY = "its fee follows what no event tells"

export const neverQuoting = ([first]: ReadonlyArray<KindUnderLaw>): KindUnderLaw => {
  if (first === undefined) throw new Error("there are no venue kinds")
  const { kind, laws } = first
  return {
    kind: {
      ...kind,
      kind: "pairs-unquoted",
      neverQuotes: WHY,
      pool: { ...kind.pool, quote: () => ({ ok: false, reason: "unknown-state" }) }
    },
    laws: {
      ...laws,
      kind: "pairs-unquoted",
      swap: (pool, chance) => {
        const [held0 = 0n, held1 = 0n] = laws.holdings(pool)
        const amountIn = held0 / 1000n + 1n
        const amountOut = (held1 * amountIn) / (held0 + amountIn)
        return chance.integer(0, 1) === 0
          ? { tokenIn: 0, tokenOut: 1, amountIn, amountOut }
          : { tokenIn: 1, tokenOut: 0, amountIn: held1 / 1000n + 1n, amountOut: held0 / 1002n }
      }
    }
  }
}
