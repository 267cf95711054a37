/** Meteora DAMM v1 for the laws of venues of Solana. */
import {
  FEE_PERCENT,
  type LawDeed,
  type LawPool,
  type LawPoolCall,
  type LawPoolForm,
  type SolanaVenueLaws
} from "../venue-laws.ts"

/** The pool's trade fee, in basis points. */
const BASIS_POINTS = FEE_PERCENT * 100

/** A creation, of which the event tells no fee. */
const creation = (name: string, mint: number): LawPoolCall => ({
  ...{ name, pool: 0, mints: [mint, mint + 1], alone: true }
})

const FEE_TIER = "initialize_permissionless_pool_with_fee_tier"
const CONSTANT = "permissionless_constant_product_pool"
/** Bytes of a curve by its number: of a stable one its parameters stand behind that. */
const [CONSTANT_PRODUCT, STABLE] = [1, 51]

/** The fee stands behind the curve. */
const withFee = (curveBytes: number): LawPoolCall => ({
  ...creation(FEE_TIER, 2),
  data: {
    ...{ bytes: 8 + curveBytes + 24, tells: ["fee"] },
    fields: () => [
      [8, curveBytes === STABLE ? 1 : 0, 1],
      [8 + curveBytes, BASIS_POINTS]
    ]
  }
})

const form = (event: string): LawPoolForm => ({
  ...{ event, bytes: 32, tells: [] },
  // shares of the pool stand ahead
  fields: ({ amounts }: LawPool) => [
    [8, 99n],
    [16, amounts[0]],
    [24, amounts[1]]
  ]
})

/** Mints are those of the tokens that the lending vaults hold. */
const change = (name: string, owner = 13): LawPoolCall => ({
  ...{ name, owner, pool: 0, vaults: [9, 10] }
})

const deeds: ReadonlyArray<LawDeed> = [
  {
    what: "created",
    forms: [
      {
        ...{ event: "PoolCreated", bytes: 137, tells: ["pool", "mints"] },
        fields: ({ pool, mints, owner }) => [
          // the mint of its shares
          [8, owner],
          [40, mints[0]],
          [72, mints[1]],
          [104, 1, 1],
          [105, pool]
        ]
      }
    ],
    calls: [
      creation("initialize_permissioned_pool", 2),
      creation("initialize_permissionless_pool", 2),
      withFee(CONSTANT_PRODUCT),
      withFee(STABLE),
      creation(`initialize_${CONSTANT}_with_config`, 3),
      creation(`initialize_${CONSTANT}_with_config2`, 3),
      creation(`initialize_customizable_${CONSTANT}`, 2)
    ]
  },
  {
    ...{ what: "added", forms: [form("AddLiquidity")] },
    calls: [change("add_balance_liquidity"), change("add_imbalance_liquidity")]
  },
  {
    what: "added",
    // should both be told, the one that names the pool is believed
    toldTogether: true,
    forms: [
      {
        ...{ event: "BootstrapLiquidity", bytes: 64, tells: ["pool"] },
        fields: pool => [...form("BootstrapLiquidity").fields(pool), [32, pool.pool]]
      },
      form("AddLiquidity")
    ],
    calls: [change("bootstrap_liquidity")]
  },
  {
    ...{ what: "removed", forms: [form("RemoveLiquidity")] },
    calls: [change("remove_balance_liquidity"), change("remove_liquidity_single_side", 12)]
  }
]

export const laws: SolanaVenueLaws = {
  program: "Eo7WjKq67rjJQSZxS6z3YkapzY3eMj6Xy8X5EQVn5UaB",
  callsItself: false,
  calls: [{ name: "swap", user: 12, hops: [{ pool: 0, vaults: [5, 6], shares: [9, 10] }] }],
  forms: [
    {
      ...{ event: "Swap", bytes: 48, after: "net", tellsDirection: false },
      fields: ({ in: paid, out, fee }) => [
        [8, paid],
        [16, out],
        [24, fee]
      ]
    }
  ],
  deeds
}
