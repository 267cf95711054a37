/** Pump.fun for the laws of venues of Solana. */
import type { LawCall, LawForm, SolanaVenueLaws } from "../venue-laws.ts"

/** Its first form tells no virtual parts: `virtual-reserves.test.ts` has it. */
const form = (bytes: number): LawForm => ({
  ...{ event: "TradeEvent", bytes, after: "virtual reserves", tellsDirection: true },
  fields: ({ firstIn, in: paid, out, after, virtual }) => [
    [40, firstIn ? out : paid],
    [48, firstIn ? paid : out],
    [56, firstIn ? 0 : 1, 1],
    [97, after[1]],
    [105, after[0]],
    [113, after[1] - virtual[1]],
    [121, after[0] - virtual[0]]
  ]
})

const call = (name: string): LawCall => ({
  ...{ name, user: 6, hops: [{ pool: 3, vaults: [4, 3], lamports: 3 }] }
})

const callOfAnyQuote = (name: string): LawCall => ({
  name,
  user: 13,
  hops: [{ pool: 10, vaults: [11, 12], mints: [1, 2], lamports: 10 }]
})

export const laws: SolanaVenueLaws = {
  program: "6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P",
  callsItself: true,
  calls: [
    call("buy"),
    call("sell"),
    call("buy_exact_sol_in"),
    callOfAnyQuote("buy_v2"),
    callOfAnyQuote("buy_exact_quote_in_v2"),
    callOfAnyQuote("sell_v2")
  ],
  forms: [form(129), form(225), form(258)]
}
