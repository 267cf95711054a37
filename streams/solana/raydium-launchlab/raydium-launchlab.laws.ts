/** Raydium LaunchLab for the laws of venues of Solana. */
import type { Field } from "../made-transaction.ts"
import type {
  LawCall,
  LawDeed,
  LawForm,
  LawPoolCall,
  LawPoolForm,
  LawSwap,
  SolanaVenueLaws
} from "../venue-laws.ts"

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

const STATUS_MIGRATE = 1

/** The last trade of a curve, by the pool's status after it. */
const lastTrade = (bytes: number, statusAt: number): LawPoolForm => ({
  ...{ event: "TradeEvent", bytes, tells: ["pool"] },
  fields: ({ pool }) => [
    [8, pool],
    [statusAt, STATUS_MIGRATE, 1]
  ]
})

const creation = (name: string): LawPoolCall => ({ name, pool: 5, mints: [6, 7], alone: true })
const trade = (name: string): LawPoolCall => ({ name, pool: 4, mints: [9, 10] })

const deeds: ReadonlyArray<LawDeed> = [
  {
    what: "created",
    // behind the pool texts of any length
    forms: [
      {
        ...{ event: "PoolCreateEvent", bytes: 167, tells: ["pool"] },
        fields: ({ pool, owner }) => [
          [8, pool],
          [40, owner]
        ]
      }
    ],
    calls: [
      creation("initialize"),
      creation("initialize_v2"),
      creation("initialize_with_token_2022")
    ]
  },
  {
    ...{ what: "graduated", forms: [lastTrade(138, 137), lastTrade(147, 145)] },
    calls: [
      trade("buy_exact_in"),
      trade("buy_exact_out"),
      trade("sell_exact_in"),
      trade("sell_exact_out")
    ]
  },
  {
    ...{ what: "graduated", forms: [] },
    calls: [
      { name: "migrate_to_amm", pool: 23, mints: [1, 2], to: 13, alone: true },
      { name: "migrate_to_cpswap", pool: 17, mints: [1, 2], to: 5, alone: true }
    ]
  }
]

export const laws: SolanaVenueLaws = {
  program: "LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj",
  callsItself: true,
  calls: [
    call("buy_exact_in"),
    call("buy_exact_out"),
    call("sell_exact_in"),
    call("sell_exact_out")
  ],
  forms: [form(138, 136), form(147, 144)],
  deeds
}
