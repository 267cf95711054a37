/** Meteora DLMM for the laws of venues of Solana. */
import type { Field } from "../made-transaction.ts"
import {
  FEE_PERCENT,
  type LawCall,
  type LawDeed,
  type LawPool,
  type LawPoolCall,
  type LawPoolForm,
  type SolanaVenueLaws
} from "../venue-laws.ts"

/** The rate of the fee, in billionths. */
const RATE = BigInt(FEE_PERCENT * 1e7)

const call = (name: string): LawCall => ({
  ...{ name, user: 10, hops: [{ pool: 0, vaults: [2, 3], mints: [6, 7] }] }
})

/** Who moves it stands ahead of the position; other events have it the other way round. */
const moved = (event: string): LawPoolForm => ({
  ...{ event, bytes: 124, tells: ["pool", "owner", "position"] },
  fields: ({ pool, owner, position, amounts }) => [
    [8, pool],
    [40, owner],
    [72, position],
    [104, amounts[0]],
    [112, amounts[1]]
  ]
})

const ofPosition = ({ pool, position, owner }: LawPool): ReadonlyArray<Field> => [
  [8, pool],
  [40, position],
  [72, owner]
]

/** What it withdraws besides, and adds again. */
const [X_AGAIN, Y_AGAIN] = [20n, 30n]

/** Each amount that is withdrawn stands ahead of the one that is added. */
const rebalancing = (isAdded: boolean): LawPoolForm => ({
  ...{ event: "Rebalancing", bytes: 188, tells: ["pool", "owner", "position", "fees"] },
  fields: pool => [
    ...ofPosition(pool),
    [108, X_AGAIN + (isAdded ? 0n : pool.amounts[0])],
    [116, X_AGAIN + (isAdded ? pool.amounts[0] : 0n)],
    [124, Y_AGAIN + (isAdded ? 0n : pool.amounts[1])],
    [132, Y_AGAIN + (isAdded ? pool.amounts[1] : 0n)],
    [140, pool.fees[0]],
    [148, pool.fees[1]]
  ]
})

const claimed = (event: string, bytes: number): LawPoolForm => ({
  ...{ event, bytes, tells: ["pool", "owner", "position"] },
  fields: pool => [...ofPosition(pool), [104, pool.amounts[0]], [112, pool.amounts[1]]]
})

const change = (name: string): LawPoolCall => ({ name, pool: 1, mints: [7, 8] })
const ofOneSide = (name: string): LawPoolCall => ({ name, pool: 1, mint: 5 })

const deeds: ReadonlyArray<LawDeed> = [
  {
    what: "created",
    forms: [
      {
        ...{ event: "LbPairCreate", bytes: 106, tells: ["pool", "mints", "spacing"] },
        fields: ({ pool, mints, spacing }) => [
          [8, pool],
          [40, spacing, 2],
          [42, mints[0]],
          [74, mints[1]]
        ]
      }
    ],
    calls: []
  },
  {
    ...{ what: "added", forms: [moved("AddLiquidity")] },
    calls: [
      change("add_liquidity"),
      change("add_liquidity2"),
      change("add_liquidity_by_strategy"),
      change("add_liquidity_by_strategy2"),
      change("add_liquidity_by_weight"),
      change("add_liquidity_by_weight2"),
      ofOneSide("add_liquidity_one_side"),
      ofOneSide("add_liquidity_by_strategy_one_side"),
      ofOneSide("add_liquidity_one_side_precise"),
      ofOneSide("add_liquidity_one_side_precise2")
    ]
  },
  {
    ...{ what: "removed", forms: [moved("RemoveLiquidity")] },
    calls: [
      change("remove_all_liquidity"),
      change("remove_liquidity"),
      change("remove_liquidity2"),
      change("remove_liquidity_by_range"),
      change("remove_liquidity_by_range2")
    ]
  },
  // should its parts be told as well, the whole is believed
  {
    ...{ what: "added", toldTogether: true, forms: [rebalancing(true), moved("AddLiquidity")] },
    calls: [change("rebalance_liquidity")]
  },
  {
    what: "removed",
    ...{ toldTogether: true, forms: [rebalancing(false), moved("RemoveLiquidity")] },
    calls: [change("rebalance_liquidity")]
  },
  {
    what: "paid",
    ...{ toldTogether: true, forms: [claimed("ClaimFee2", 124), claimed("ClaimFee", 120)] },
    calls: [
      { name: "claim_fee", pool: 0, mints: [9, 10] },
      { name: "claim_fee2", pool: 0, mints: [7, 8] }
    ]
  }
]

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
  ],
  deeds
}
