/** Meteora DAMM v2 for the laws of venues of Solana. */
import { FEE_PERCENT, type LawCall, type SolanaVenueLaws } from "../venue-laws.ts"

const [A_TO_B, B_TO_A] = [0, 1]

const call = (name: string): LawCall => ({
  ...{ name, user: 8, hops: [{ pool: 1, vaults: [4, 5], mints: [6, 7] }] }
})

export const laws: SolanaVenueLaws = {
  program: "cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG",
  callsItself: true,
  calls: [call("swap"), call("swap2")],
  toldTogether: true,
  forms: [
    {
      ...{ event: "EvtSwap2", bytes: 188, after: "root", tellsDirection: true },
      fields: ({ pool, firstIn, in: paid, fee, out, root }) => [
        [8, pool],
        [40, firstIn ? A_TO_B : B_TO_A, 1],
        [60, paid],
        [68, paid - fee],
        [84, out],
        [92, root, 16],
        [108, fee]
      ]
    },
    {
      ...{ event: "EvtSwap", bytes: 130, after: "root", tellsDirection: true },
      fields: ({ pool, firstIn, in: paid, fee, out, root }) => [
        [8, pool],
        [40, firstIn ? A_TO_B : B_TO_A, 1],
        [58, out],
        [66, root, 16],
        [82, fee],
        [114, paid]
      ]
    }
  ],
  // a numerator of 10^9
  fees: { EvtInitializePool: [{ bytes: 208, fields: [[200, FEE_PERCENT * 1e7]] }] }
}
