/** Meteora DLMM for the laws of venues of Solana. */
import { FEE_PERCENT, type LawCall, type SolanaVenueLaws } from "../venue-laws.ts"

/** The rate of the fee, in billionths. */
const RATE = BigInt(FEE_PERCENT * 1e7)

const call = (name: string): LawCall => ({
  ...{ name, user: 10, hops: [{ pool: 0, vaults: [2, 3], mints: [6, 7] }] }
})

export const laws: SolanaVenueLaws = {
  program: "LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo",
  callsItself: true,
  calls: [
    call("swap"),
    call("swap2"),
    call("swap_exact_out"),
    call("swap_exact_out2"),
    call("swap_with_price_impact"),
    call("swap_with_price_impact2")
  ],
  toldTogether: true,
  forms: [
    {
      ...{ event: "Swap", bytes: 137, after: "bin and step", tellsDirection: true },
      fields: ({ pool, firstIn, bin, in: paid, out, fee }) => [
        [8, pool],
        [72, bin, 4],
        [76, bin, 4],
        [80, paid],
        [88, out],
        [96, firstIn ? 1 : 0, 1],
        [97, fee],
        [113, RATE, 16]
      ]
    },
    {
      ...{ event: "Swap2Evt", bytes: 155, after: "bin", tellsDirection: true },
      fields: ({ pool, firstIn, bin, in: paid, out }) => [
        [8, pool],
        [72, bin, 4],
        [76, bin, 4],
        [80, firstIn ? 1 : 0, 1],
        [81, RATE, 16],
        [97, paid],
        [113, out]
      ]
    }
  ]
}
