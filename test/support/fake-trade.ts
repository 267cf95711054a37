/** A router for tests of the API alone: it finds the same route for every order. */
import { Effect } from "effect"
import type { QuoteLeg, QuoteOutcome } from "../../engine/trade/quote.ts"
import type { Trade } from "../../engine/trade/trade.ts"

const POOL = `0x${"77".repeat(20)}` as const
const FAKE_ROUTER = `0x${"99".repeat(20)}` as const

/** One pool that pays two for one. */
export const fakeTrade: Trade["Service"] = {
  site: () => ({ router: FAKE_ROUTER, node: null, checks: null }),
  quote: (_, { tokenIn, tokenOut, amount }) => {
    const [amountIn, amountOut] = [amount, amount * 2n]
    const ends = { tokenIn: tokenIn as `0x${string}`, tokenOut: tokenOut as `0x${string}` }
    const call = { kind: "uniswap-v2", fee: 3000, pool: POOL, ...ends, share: 10n ** 18n } as const
    const leg: QuoteLeg = {
      ...ends,
      dex: "uniswap_v2",
      pool: POOL,
      percent: 100,
      call,
      amountIn,
      amountOut
    }
    const outcome: QuoteOutcome = {
      ...{ ok: true, seq: 7, block: 100, lost: [], legs: [leg], calls: [call] },
      ...{ amountIn, amountOut, priceImpact: 0, gas: 138_000, gasDollars: null }
    }
    return Effect.succeed(outcome)
  },
  status: () =>
    Effect.succeed({
      ...{ state: "live", problem: null, seq: 7, block: 100, pools: 2, quotable: 1 },
      unquoted: [{ reason: "its fee is not known", pools: 1 }],
      reads: { agreed: 3, differed: 0, contradicted: 1 },
      warnings: ["no snapshot of the pools is written: the disk is full"]
    }),
  undone: () => Effect.succeed(false)
}
