/** Raydium AMM v4 for the laws of venues of Solana. */
import type { Field } from "../made-transaction.ts"
import type { LawCall, LawSwap, SolanaVenueLaws } from "../venue-laws.ts"

const [PC_TO_COIN, COIN_TO_PC] = [1, 2]

const common = ({ firstIn, before }: LawSwap): ReadonlyArray<Field> => [
  [17, firstIn ? COIN_TO_PC : PC_TO_COIN],
  [33, before[0]],
  [41, before[1]]
]

/** Callers list the target orders, or leave them out. */
const marketCalls = (name: string): ReadonlyArray<LawCall> => [
  { name, accounts: 18, user: 17, hops: [{ pool: 1, vaults: [5, 6] }] },
  { name, accounts: 17, user: 16, hops: [{ pool: 1, vaults: [4, 5] }] }
]

const shortCall = (name: string): LawCall => ({
  ...{ name, accounts: 8, user: 7, hops: [{ pool: 1, vaults: [3, 4] }] }
})

export const laws: SolanaVenueLaws = {
  program: "675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8",
  callsItself: false,
  tags: {
    swap_base_in: "09",
    swap_base_out: "0b",
    swap_base_in_v2: "10",
    swap_base_out_v2: "11",
    SwapBaseIn: "03",
    SwapBaseOut: "04"
  },
  calls: [
    ...marketCalls("swap_base_in"),
    ...marketCalls("swap_base_out"),
    shortCall("swap_base_in_v2"),
    shortCall("swap_base_out_v2")
  ],
  toldTogether: false,
  forms: [
    {
      ...{ event: "SwapBaseIn", bytes: 57, after: "reserves", tellsDirection: true },
      fields: swap => [...common(swap), [1, swap.in], [49, swap.out]]
    },
    {
      ...{ event: "SwapBaseOut", bytes: 57, after: "reserves", tellsDirection: true },
      fields: swap => [...common(swap), [9, swap.out], [49, swap.in]]
    }
  ]
}
