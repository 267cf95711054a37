/** Meteora DAMM v2 for the laws of venues of Solana. */
import type { Field } from "../made-transaction.ts"
import {
  FEE_PERCENT,
  type LawCall,
  type LawDeed,
  type LawPool,
  type LawPoolForm,
  type SolanaVenueLaws
} from "../venue-laws.ts"

const [A_TO_B, B_TO_A] = [0, 1]

const call = (name: string): LawCall => ({
  ...{ name, user: 8, hops: [{ pool: 1, vaults: [4, 5], mints: [6, 7] }] }
})

/** The fee begins with its numerator of 10^9. */
const NUMERATOR = FEE_PERCENT * 1e7
/** The dynamic part of the fee, where there is one. */
const DYNAMIC_BYTES = 32

/**
 * The oldest form ends with amounts that have transfer fees in them, and the pool's type; newer
 * ones have those without them ahead, which are the deposit.
 */
const initialized = (isDynamic: boolean, isOldest: boolean): LawPoolForm => {
  const amountsAt = 307 + (isDynamic ? DYNAMIC_BYTES : 0)
  const ofOldest = ["pool", "mints", "fee"] as const
  return {
    event: "EvtInitializePool",
    bytes: amountsAt + (isOldest ? 17 : 33),
    tells: isOldest ? ofOldest : [...ofOldest, "deposit", "owner"],
    fields: ({ pool, mints, owner, position, amounts }) => [
      [8, pool],
      [40, mints[0]],
      [72, mints[1]],
      [104, owner],
      // who pays
      [136, position],
      [200, NUMERATOR],
      [230, isDynamic ? 1 : 0, 1],
      [amountsAt, amounts[0]],
      [amountsAt + 8, amounts[1]],
      ...(isOldest
        ? []
        : ([
            [amountsAt + 16, amounts[0] + 3n],
            [amountsAt + 24, amounts[1] + 4n]
          ] as const))
    ]
  }
}

const ofPosition = ({ pool, position, owner }: LawPool): ReadonlyArray<Field> => [
  [8, pool],
  [40, position],
  [72, owner]
]

const [DEPOSIT, WITHDRAWAL] = [0, 1]

/** Amounts without transfer fees, as a deposit brings them, and with them, as a withdrawal has. */
const changed = (type: number): LawPoolForm => ({
  ...{ event: "EvtLiquidityChange", bytes: 185, tells: ["pool", "position", "owner"] },
  fields: pool => {
    const [first, second] = pool.amounts
    const [without, including] = type === DEPOSIT ? [0n, 3n] : [-3n, 0n]
    return [
      ...ofPosition(pool),
      [104, first + without],
      [112, second + without],
      [120, first + including],
      [128, second + including],
      [184, type, 1]
    ]
  }
})

const older = (event: string, bytes: number): LawPoolForm => ({
  ...{ event, bytes, tells: ["pool", "position", "owner"] },
  fields: pool => [...ofPosition(pool), [136, pool.amounts[0]], [144, pool.amounts[1]]]
})

const deeds: ReadonlyArray<LawDeed> = [
  {
    what: "created",
    forms: [
      initialized(false, true),
      initialized(true, true),
      initialized(false, false),
      initialized(true, false)
    ],
    calls: []
  },
  {
    what: "added",
    ...{ toldTogether: true, forms: [changed(DEPOSIT), older("EvtAddLiquidity", 168)] },
    calls: [{ name: "add_liquidity", pool: 0, mints: [6, 7] }]
  },
  {
    what: "removed",
    ...{ toldTogether: true, forms: [changed(WITHDRAWAL), older("EvtRemoveLiquidity", 152)] },
    calls: [
      { name: "remove_liquidity", pool: 1, mints: [7, 8] },
      { name: "remove_all_liquidity", pool: 1, mints: [7, 8] }
    ]
  },
  {
    what: "paid",
    forms: [
      {
        ...{ event: "EvtClaimPositionFee", bytes: 120, tells: ["pool", "position", "owner"] },
        fields: pool => [...ofPosition(pool), [104, pool.amounts[0]], [112, pool.amounts[1]]]
      }
    ],
    calls: [{ name: "claim_position_fee", pool: 1, mints: [7, 8] }]
  }
]

export const laws: SolanaVenueLaws = {
  program: "cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG",
  callsItself: true,
  calls: [call("swap"), call("swap2")],
  toldTogether: true,
  forms: [
    {
      ...{ event: "EvtSwap2", bytes: 188, after: "root", tellsDirection: true },
      fields: ({ pool, firstIn, in: paid, fee, out, root }) => [
        [8, pool],
        [40, firstIn ? A_TO_B : B_TO_A, 1],
        [60, paid],
        [68, paid - fee],
        [84, out],
        [92, root, 16],
        [108, fee]
      ]
    },
    {
      ...{ event: "EvtSwap", bytes: 130, after: "root", tellsDirection: true },
      fields: ({ pool, firstIn, in: paid, fee, out, root }) => [
        [8, pool],
        [40, firstIn ? A_TO_B : B_TO_A, 1],
        [58, out],
        [66, root, 16],
        [82, fee],
        [114, paid]
      ]
    }
  ],
  deeds
}
