/** Raydium CPMM for the laws of venues of Solana. */
import type { Field } from "../made-transaction.ts"
import type {
  LawCall,
  LawDeed,
  LawPool,
  LawPoolCall,
  LawSwap,
  SolanaVenueLaws
} from "../venue-laws.ts"

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

/** The first mint, and the amounts that its creator puts in. */
const creation = (name: string, owner: number, pool: number, mint: number): LawPoolCall => ({
  ...{ name, owner, pool, mints: [mint, mint + 1], alone: true },
  data: {
    ...{ bytes: 33, tells: ["deposit"] },
    fields: ({ amounts }) => [
      [8, amounts[0]],
      [16, amounts[1]]
    ]
  }
})

const [DEPOSIT, WITHDRAWAL] = [0, 1]

/** Transfer fees come beside what is put in; with them goes what is taken out. */
const changed = (pool: LawPool, type: number, paid: readonly [bigint, bigint]): Array<Field> => [
  [8, pool.pool],
  [48, pool.before[0]],
  [56, pool.before[1]],
  [64, pool.amounts[0] - paid[0]],
  [72, pool.amounts[1] - paid[1]],
  [80, 3n],
  [88, 4n],
  [96, type, 1]
]

const deeds: ReadonlyArray<LawDeed> = [
  {
    ...{ what: "created", forms: [] },
    calls: [
      creation("initialize", 0, 3, 4),
      // who pays stands ahead of who creates it
      creation("initialize_with_permission", 1, 4, 5)
    ]
  },
  {
    what: "added",
    forms: [
      {
        ...{ event: "LpChangeEvent", bytes: 97, tells: ["pool", "before"] },
        fields: pool => changed(pool, DEPOSIT, [0n, 0n])
      }
    ],
    calls: [{ name: "deposit", owner: 0, pool: 2, mints: [10, 11] }]
  },
  {
    what: "removed",
    forms: [
      {
        ...{ event: "LpChangeEvent", bytes: 97, tells: ["pool", "before"] },
        fields: pool => changed(pool, WITHDRAWAL, [3n, 4n])
      }
    ],
    calls: [{ name: "withdraw", owner: 0, pool: 2, mints: [10, 11] }]
  }
]

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
  ],
  deeds
}
