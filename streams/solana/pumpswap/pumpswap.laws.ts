/** PumpSwap for the laws of venues of Solana. */
import type { Field } from "../made-transaction.ts"
import type {
  LawCall,
  LawDeed,
  LawForm,
  LawPool,
  LawPoolForm,
  LawSwap,
  SolanaVenueLaws
} from "../venue-laws.ts"

/** What vaults hold of what prices the pool: `virtual` is what is told of the quote beside. */
const fields = (swap: LawSwap, virtual: bigint): ReadonlyArray<Field> => {
  const { pool, firstIn, in: paid, out, before } = swap
  return [
    [16, firstIn ? paid : out],
    [48, before[0]],
    [56, before[1] - virtual],
    [104, firstIn ? out : paid],
    [120, pool]
  ]
}

const NAME_AT = 401
const NAME = "buy"
/** The instruction's name stands ahead of the four numbers of cashback and buyback. */
const [BUY_TAIL, SELL_TAIL, FEES] = [NAME_AT + 4 + NAME.length, 360, 32]

/** The forms that do not tell what is virtual. */
const plain = (event: string, firstIn: boolean, bytes: number): LawForm => ({
  ...{ event, bytes, after: "reserves", tellsDirection: true, firstIn },
  fields: swap => fields(swap, 0n)
})

/** The newest forms, with quote tokens that no vault holds. */
const virtual = (event: string, firstIn: boolean, tail: number): LawForm => ({
  ...{ event, bytes: tail + FEES + 16, after: "virtual quote", tellsDirection: true, firstIn },
  fields: swap => [
    ...fields(swap, swap.virtual[1]),
    ...(firstIn ? [] : ([[NAME_AT, NAME.length, 4]] as const)),
    [tail + FEES, swap.virtual[1], 16]
  ]
})

const call = (name: string): LawCall => ({
  ...{ name, user: 1, hops: [{ pool: 0, vaults: [7, 8], mints: [3, 4] }] }
})

const created = (bytes: number): LawPoolForm => ({
  ...{ event: "CreatePoolEvent", bytes, tells: ["pool", "mints", "deposit", "owner"] },
  fields: ({ pool, mints, owner, amounts }) => [
    [18, owner],
    [50, mints[0]],
    [82, mints[1]],
    [116, amounts[0]],
    [124, amounts[1]],
    [173, pool]
  ]
})

const changed = (event: string): LawPoolForm => ({
  ...{ event, bytes: 256, tells: ["pool", "owner", "before"] },
  fields: ({ pool, owner, amounts, before }: LawPool) => [
    [56, before[0]],
    [64, before[1]],
    [72, amounts[0]],
    [80, amounts[1]],
    [96, pool],
    [128, owner]
  ]
})

const deeds: ReadonlyArray<LawDeed> = [
  { what: "created", forms: [created(301), created(343)], calls: [] },
  {
    ...{ what: "added", forms: [changed("DepositEvent")] },
    calls: [{ name: "deposit", pool: 0, mints: [3, 4] }]
  },
  {
    ...{ what: "removed", forms: [changed("WithdrawEvent")] },
    calls: [{ name: "withdraw", pool: 0, mints: [3, 4] }]
  }
]

export const laws: SolanaVenueLaws = {
  program: "pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA",
  callsItself: true,
  calls: [call("buy"), call("buy_exact_quote_in"), call("sell")],
  forms: [
    plain("BuyEvent", false, 312),
    plain("BuyEvent", false, 393),
    plain("SellEvent", true, 312),
    plain("SellEvent", true, 360),
    virtual("BuyEvent", false, BUY_TAIL),
    virtual("SellEvent", true, SELL_TAIL)
  ],
  deeds
}
