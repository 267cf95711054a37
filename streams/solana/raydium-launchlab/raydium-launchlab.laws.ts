/** Raydium LaunchLab for the laws of venues of Solana. */
import type { Field } from "../made-transaction.ts"
import type { LawCall, LawForm, LawSwap, SolanaVenueLaws } from "../venue-laws.ts"

const [BUY, SELL] = [0, 1]
const [STATUS_TRADE, SOLD] = [2, 123_456_789n]

/** Base is counted as what is sold of all that is for sale, quote as what was paid for it. */
const form = (bytes: number, directionAt: number): LawForm => ({
  ...{ event: "TradeEvent", bytes, after: "virtual reserves", tellsDirection: true },
  fields: ({ pool, firstIn, virtual, after, in: paid, out }: LawSwap): ReadonlyArray<Field> => [
    [8, pool],
    [40, after[0] + SOLD - virtual[0]],
    [48, after[0] + SOLD],
    [56, virtual[1]],
    [80, SOLD],
    [88, after[1] - virtual[1]],
    [96, paid],
    [104, out],
    [directionAt, firstIn ? SELL : BUY, 1],
    [directionAt + 1, STATUS_TRADE, 1]
  ]
})

const call = (name: string): LawCall => ({
  ...{ name, user: 0, hops: [{ pool: 4, vaults: [7, 8], mints: [9, 10] }] }
})

export const laws: SolanaVenueLaws = {
  program: "LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj",
  callsItself: true,
  calls: [
    call("buy_exact_in"),
    call("buy_exact_out"),
    call("sell_exact_in"),
    call("sell_exact_out")
  ],
  forms: [form(138, 136), form(147, 144)]
}
