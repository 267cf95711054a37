/**
 * Laws of what a pool can hold. A contract keeps amounts in words, or in less, and reverts where a
 * sum does not fit: a quote of such a sale is a swap that cannot be.
 */
import { describe, expect, it } from "vitest"
import { stateOf } from "./law-swaps.ts"
import { rounds } from "./rounds.ts"
import { random } from "./seed.ts"
import type { KindUnderLaw } from "./venue-laws.ts"

const POOLS = rounds(120)
const WORD = 256
const MAX_UINT256 = (1n << 256n) - 1n

const takesWhatFits = ({ kind, laws }: KindUnderLaw): void => {
  const { holdingBits = WORD } = laws
  const most = (1n << BigInt(holdingBits)) - 1n
  const chance = random(`${kind.kind} width`)
  for (let run = 0; run < POOLS; run++) {
    const one = laws.pool(chance)
    const state = stateOf(kind, one)
    const tokenIn = run % 2
    const held = laws.holdings(one)[tokenIn] as bigint
    const offers = [most - held + 1n, most, most - held + chance.bits(holdingBits), MAX_UINT256]
    for (const offer of offers.filter(amount => amount > 0n && amount <= MAX_UINT256)) {
      const quote = kind.pool.quote(state, one.facts, tokenIn, 1 - tokenIn, offer)
      if (!quote.ok) continue
      expect(
        held + quote.amountIn,
        `run ${run}: of ${offer} units the quote of streams/evm/${kind.kind} takes ${quote.amountIn}, ` +
          `and the pool holds ${held}: together that is more than ${holdingBits} bits, in which the ` +
          `contract keeps it (holdingBits of ${kind.kind}.laws.ts; ${WORD} where absent), so the swap ` +
          'reverts. Refuse such an amount ("too-large")'
      ).toBeLessThanOrEqual(most)
    }
  }
}

export const widthLaws = (under: KindUnderLaw): void => {
  const { kind } = under
  if (kind.neverQuotes !== undefined) return
  describe(`${kind.kind}: widths`, () => {
    it("of what the pool would hold are kept by what it takes", () => takesWhatFits(under))
  })
}
