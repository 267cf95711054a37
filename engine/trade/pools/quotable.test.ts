import { expect, it } from "vitest"
import { type AnyVenueKind, type PoolFacts, refused } from "../../../streams/venue.ts"
import { whyUnquoted } from "./quotable.ts"
import { quotesAgree } from "./read-state.ts"

const facts: PoolFacts = {
  ...{ pool: "0x1", tokens: ["0xa", "0xb", "0xc"], fee: null, tickSpacing: null },
  decimals: [18, 18, 18]
}

/** A kind whose pools do not trade the token at one place. */
const kindWithout = (own: number) =>
  ({
    kind: "owning",
    pool: {
      quote: (rate: bigint, _facts: PoolFacts, from: number, to: number, amountIn: bigint) =>
        from === own || to === own
          ? refused("unknown-state")
          : { ok: true, amountIn, amountOut: amountIn * rate }
    }
  }) as unknown as AnyVenueKind

it("looks at every token of a pool, of which one may not be traded", () => {
  for (const own of [0, 1, 2]) {
    const kind = kindWithout(own)
    expect(whyUnquoted({ kind, facts, state: 2n })).toBeNull()
    expect(quotesAgree(kind, facts, 2n, 2n)).toBe(true)
    expect(quotesAgree(kind, facts, 2n, 3n)).toBe(false)
  }
  const two = { ...facts, tokens: ["0xa", "0xb"] }
  expect(whyUnquoted({ kind: kindWithout(1), facts: two, state: 2n })).not.toBeNull()
  expect(quotesAgree(kindWithout(1), two, 2n, 3n)).toBeNull()
})
