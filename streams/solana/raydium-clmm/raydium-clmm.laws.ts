/** Raydium CLMM for the laws of venues of Solana. */
import type { LawDeed, LawPoolCall, LawPoolForm, SolanaVenueLaws } from "../venue-laws.ts"

const creation = (name: string): LawPoolCall => ({ name, pool: 2, mints: [3, 4], alone: true })

/** Of what is put in `fees` are transfer fees, of what is taken out those that were earned. */
const changed: LawPoolForm["fields"] = ({ position, amounts, fees }) => [
  [8, position],
  [40, 99n, 16],
  [56, amounts[0]],
  [64, amounts[1]],
  [72, fees[0]],
  [80, fees[1]]
]

const deeds: ReadonlyArray<LawDeed> = [
  {
    what: "created",
    forms: [
      {
        ...{ event: "PoolCreatedEvent", bytes: 190, tells: ["pool", "mints", "spacing"] },
        fields: ({ pool, mints, spacing }) => [
          [8, mints[0]],
          [40, mints[1]],
          [72, spacing, 2],
          [74, pool]
        ]
      }
    ],
    calls: [creation("create_pool"), creation("create_customizable_pool")]
  },
  {
    what: "added",
    forms: [
      {
        ...{ event: "CreatePersonalPositionEvent", bytes: 160, tells: ["pool", "owner"] },
        fields: ({ pool, owner, amounts, fees }) => [
          [8, pool],
          [72, owner],
          [128, amounts[0]],
          [136, amounts[1]],
          // transfer fees, which come beside
          [144, fees[0]],
          [152, fees[1]]
        ]
      }
    ],
    calls: [
      { name: "open_position", pool: 5, position: 2, vaults: [12, 13] },
      { name: "open_position_v2", pool: 5, position: 2, mints: [20, 21] },
      { name: "open_position_with_token22_nft", pool: 4, position: 2, mints: [18, 19] }
    ]
  },
  {
    what: "added",
    forms: [
      {
        ...{ event: "IncreaseLiquidityEvent", bytes: 88, tells: ["position"] },
        fields: changed
      }
    ],
    calls: [
      { name: "increase_liquidity", pool: 2, owner: 0, vaults: [9, 10] },
      { name: "increase_liquidity_v2", pool: 2, owner: 0, mints: [13, 14] }
    ]
  },
  {
    what: "removed",
    forms: [
      {
        ...{ event: "DecreaseLiquidityEvent", bytes: 128, tells: ["position", "fees"] },
        fields: changed
      }
    ],
    calls: [
      { name: "decrease_liquidity", pool: 3, owner: 0, vaults: [5, 6] },
      { name: "decrease_liquidity_v2", pool: 3, owner: 0, mints: [14, 15] }
    ]
  }
]

export const laws: SolanaVenueLaws = {
  program: "CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK",
  callsItself: false,
  calls: [
    { name: "swap", user: 0, hops: [{ pool: 2, vaults: [5, 6] }], inputFirst: true },
    {
      ...{ name: "swap_v2", user: 0, inputFirst: true },
      hops: [{ pool: 2, vaults: [5, 6], mints: [11, 12] }]
    },
    { name: "swap_router_base_in", user: 0, hops: [], inputFirst: true }
  ],
  forms: [
    {
      ...{ event: "SwapEvent", bytes: 205, after: "root and liquidity", tellsDirection: true },
      fields: ({ pool, firstIn, in: paid, out, root, liquidity, tick }) => [
        [8, pool],
        [136, firstIn ? paid : out],
        [152, firstIn ? out : paid],
        [168, firstIn ? 1 : 0, 1],
        [169, root, 16],
        [185, liquidity, 16],
        [201, tick, 4]
      ]
    }
  ],
  deeds
}
