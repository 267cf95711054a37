/** Orca Whirlpool for the laws of venues of Solana. */
import type { Field } from "../made-transaction.ts"
import type { LawDeed, LawPool, LawPoolCall, SolanaVenueLaws } from "../venue-laws.ts"

/** Its data tells the tick spacing. */
const creation = (name: string, pool: number, bytes: number, spacingAt: number): LawPoolCall => ({
  ...{ name, pool, mints: [1, 2], alone: true },
  data: { bytes, tells: ["spacing"], fields: ({ spacing }) => [[spacingAt, spacing, 2]] }
})

/** Amounts with transfer fees, which no pool gains. */
const changed = (pool: LawPool, paid: readonly [bigint, bigint]): ReadonlyArray<Field> => [
  [8, pool.pool],
  [40, pool.position],
  [80, 99n, 16],
  [96, pool.amounts[0] + paid[0]],
  [104, pool.amounts[1] + paid[1]],
  [112, 3n],
  [120, 4n]
]

const deeds: ReadonlyArray<LawDeed> = [
  {
    what: "created",
    forms: [
      {
        ...{ event: "PoolInitialized", bytes: 220, tells: ["pool", "mints", "spacing"] },
        fields: ({ pool, mints, spacing, owner }) => [
          [8, pool],
          [40, owner],
          [72, mints[0]],
          [104, mints[1]],
          [136, spacing, 2],
          // the token program of the first mint
          [138, owner]
        ]
      }
    ],
    calls: [
      creation("initialize_pool", 4, 27, 9),
      creation("initialize_pool_v2", 6, 26, 8),
      { name: "initialize_pool_with_adaptive_fee", pool: 7, mints: [1, 2], alone: true }
    ]
  },
  {
    what: "added",
    forms: [
      {
        ...{ event: "LiquidityIncreased", bytes: 128, tells: ["pool", "position"] },
        fields: pool => changed(pool, [3n, 4n])
      }
    ],
    calls: [
      { name: "increase_liquidity", pool: 0, owner: 2, vaults: [7, 8] },
      { name: "increase_liquidity_v2", pool: 0, owner: 4, mints: [7, 8] },
      { name: "increase_liquidity_by_token_amounts_v2", pool: 0, owner: 4, mints: [7, 8] }
    ]
  },
  {
    what: "removed",
    forms: [
      {
        ...{ event: "LiquidityDecreased", bytes: 128, tells: ["pool", "position"] },
        fields: pool => changed(pool, [0n, 0n])
      }
    ],
    calls: [
      { name: "decrease_liquidity", pool: 0, owner: 2, vaults: [7, 8] },
      { name: "decrease_liquidity_v2", pool: 0, owner: 4, mints: [7, 8] }
    ]
  },
  {
    what: "added",
    forms: [
      {
        ...{ event: "LiquidityRepositioned", bytes: 186, tells: ["pool", "position"] },
        // what the old range gave, and what the new one takes
        fields: ({ pool, position, amounts }) => [
          [8, pool],
          [40, position],
          [120, 100n],
          [128, 20n],
          [136, 100n + amounts[0]],
          [144, 20n + amounts[1]]
        ]
      }
    ],
    calls: [{ name: "reposition_liquidity_v2", pool: 0, owner: 4, mints: [8, 9] }]
  },
  {
    ...{ what: "paid", forms: [] },
    calls: [
      { name: "collect_fees", pool: 0, owner: 1, position: 2, vaults: [5, 7], alone: true },
      { name: "collect_fees_v2", pool: 0, owner: 1, position: 2, vaults: [7, 9], alone: true }
    ]
  }
]

export const laws: SolanaVenueLaws = {
  program: "whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc",
  callsItself: false,
  calls: [
    { name: "swap", user: 1, hops: [{ pool: 2, vaults: [4, 6] }] },
    { name: "swap_v2", user: 3, hops: [{ pool: 4, vaults: [8, 10], mints: [5, 6] }] },
    {
      ...{ name: "two_hop_swap", user: 1 },
      hops: [
        { pool: 2, vaults: [5, 7] },
        { pool: 3, vaults: [9, 11] }
      ]
    },
    {
      ...{ name: "two_hop_swap_v2", user: 14, inputFirst: true },
      hops: [
        { pool: 0, vaults: [9, 10], mints: [2, 3] },
        { pool: 1, vaults: [11, 12], mints: [3, 4] }
      ]
    }
  ],
  forms: [
    {
      ...{ event: "Traded", bytes: 121, after: "root", tellsDirection: true },
      fields: ({ pool, firstIn, root, in: paid, out, fee }) => [
        [8, pool],
        [40, firstIn ? 1 : 0, 1],
        [57, root, 16],
        [73, paid],
        [81, out],
        [105, fee]
      ]
    }
  ],
  deeds
}
