/** Raydium CPMM for the laws of venues of Solana. */
import type { Field } from "../made-transaction.ts"
import type { LawCall, LawSwap, SolanaVenueLaws } from "../venue-laws.ts"

const fields = ({ pool, firstIn, before, in: paid, out }: LawSwap): ReadonlyArray<Field> => [
  [8, pool],
  [40, firstIn ? before[0] : before[1]],
  [48, firstIn ? before[1] : before[0]],
  [56, paid],
  [64, out]
]

const call = (name: string): LawCall => ({
  ...{ name, user: 0, hops: [{ pool: 3, vaults: [6, 7], mints: [10, 11] }], inputFirst: true }
})

export const laws: SolanaVenueLaws = {
  program: "CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C",
  callsItself: false,
  calls: [call("swap_base_input"), call("swap_base_output")],
  forms: [
    { event: "SwapEvent", bytes: 89, after: "reserves", tellsDirection: false, fields },
    {
      ...{ event: "SwapEvent", bytes: 170, after: "reserves", tellsDirection: true },
      fields: swap => [...fields(swap), [89, swap.mints[0]], [121, swap.mints[1]]]
    }
  ]
}
