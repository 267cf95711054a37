/** Raydium AMM v4 for the laws of venues of Solana. */
import type { Field } from "../made-transaction.ts"
import type { LawCall, LawDeed, LawSwap, SolanaVenueLaws } from "../venue-laws.ts"

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

/** The log names neither pool nor mints nor who pays. */
const deeds: ReadonlyArray<LawDeed> = [
  {
    // of the first pools, whose creators put nothing in with it
    ...{ what: "created", forms: [] },
    calls: [{ name: "initialize", accounts: 18, pool: 3, mints: [7, 8], alone: true }]
  },
  {
    what: "created",
    forms: [
      {
        ...{ event: "Init", bytes: 75, tells: ["deposit"] },
        // of pc ahead of coin
        fields: ({ amounts }) => [
          [27, amounts[1]],
          [35, amounts[0]]
        ]
      }
    ],
    calls: [
      {
        ...{ name: "initialize2", accounts: 21, pool: 4, mints: [8, 9], owner: 17 },
        alone: true
      }
    ]
  },
  {
    what: "added",
    forms: [
      {
        ...{ event: "Deposit", bytes: 105, tells: ["before"] },
        fields: ({ before, amounts }) => [
          [25, before[0]],
          [33, before[1]],
          [81, amounts[0]],
          [89, amounts[1]]
        ]
      }
    ],
    calls: [{ name: "deposit", accounts: 14, pool: 1, vaults: [6, 7], owner: 12 }]
  },
  {
    what: "removed",
    forms: [
      {
        ...{ event: "Withdraw", bytes: 89, tells: ["before"] },
        fields: ({ before, amounts }) => [
          [17, before[0]],
          [25, before[1]],
          [73, amounts[0]],
          [81, amounts[1]]
        ]
      }
    ],
    calls: [{ name: "withdraw", accounts: 22, pool: 1, vaults: [6, 7], burns: true }]
  }
]

export const laws: SolanaVenueLaws = {
  program: "675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8",
  callsItself: false,
  tags: {
    swap_base_in: "09",
    swap_base_out: "0b",
    swap_base_in_v2: "10",
    swap_base_out_v2: "11",
    SwapBaseIn: "03",
    SwapBaseOut: "04",
    initialize: "00",
    initialize2: "01",
    deposit: "03",
    withdraw: "04",
    Init: "00",
    Deposit: "01",
    Withdraw: "02"
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
  ],
  deeds,
  // 25 of 10,000, as `Fees::initialize` has it
  feeBps: 25
}
