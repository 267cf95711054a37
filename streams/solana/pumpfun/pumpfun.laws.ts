/** Pump.fun for the laws of venues of Solana. */
import { NATIVE_MINT } from "../moves.ts"
import type { LawCall, LawDeed, LawForm, LawPoolForm, SolanaVenueLaws } from "../venue-laws.ts"

/** Its first form tells no virtual parts: `virtual-reserves.test.ts` has it. */
const form = (bytes: number): LawForm => ({
  ...{ event: "TradeEvent", bytes, after: "virtual reserves", tellsDirection: true },
  fields: ({ firstIn, in: paid, out, after, virtual }) => [
    [40, firstIn ? out : paid],
    [48, firstIn ? paid : out],
    [56, firstIn ? 0 : 1, 1],
    [97, after[1]],
    [105, after[0]],
    [113, after[1] - virtual[1]],
    [121, after[0] - virtual[0]]
  ]
})

const call = (name: string): LawCall => ({
  ...{ name, user: 6, hops: [{ pool: 3, vaults: [4, 3], lamports: 3 }] }
})

const callOfAnyQuote = (name: string): LawCall => ({
  name,
  user: 13,
  hops: [{ pool: 10, vaults: [11, 12], mints: [1, 2], lamports: 10 }]
})

/** Name, symbol and page of the token, each behind its length: their bytes, and where they end. */
const textsOf = (lengths: readonly [number, number, number]) => {
  const [name, symbol, page] = lengths
  const fields = [
    [8, name, 4],
    [12 + name, symbol, 4],
    [16 + name + symbol, page, 4]
  ] as const
  return { fields, end: 20 + name + symbol + page }
}

/** What curves are paid in stands there behind the texts, in the newest form. */
const QUOTE_AT = 202

const created = (
  lengths: readonly [number, number, number],
  behind: number,
  isQuoteNamed: boolean
): LawPoolForm => {
  const { fields, end } = textsOf(lengths)
  return {
    ...{ event: "CreateEvent", bytes: end + behind },
    ...(isQuoteNamed
      ? { tells: ["pool", "mints"] }
      : { tells: ["pool", "first mint"], secondMint: NATIVE_MINT }),
    fields: ({ pool, mints, owner }) => [
      ...fields,
      [end, mints[0]],
      [end + 32, pool],
      [end + 64, owner],
      ...(isQuoteNamed ? ([[end + QUOTE_AT, mints[1]]] as const) : [])
    ]
  }
}

const completed = (bytes: number): LawPoolForm => ({
  ...{ event: "CompleteEvent", bytes, tells: ["pool", "first mint"] },
  fields: ({ pool, mints, owner }) => [
    [8, owner],
    [40, mints[0]],
    [72, pool]
  ]
})

const migrated = (bytes: number): LawPoolForm => ({
  ...{ event: "CompletePumpAmmMigrationEvent", bytes, tells: ["pool", "first mint", "to"] },
  fields: ({ pool, mints, owner, to }) => [
    [8, owner],
    [40, mints[0]],
    [96, pool],
    [136, to]
  ]
})

/** Curves are paid in lamports before the newest form, and where that names no quote. */
const deeds: ReadonlyArray<LawDeed> = [
  {
    what: "created",
    forms: [
      created([0, 0, 0], 96, false),
      created([4, 3, 60], 200, false),
      created([4, 3, 60], 242, false),
      created([0, 7, 5], 242, true)
    ],
    calls: []
  },
  { what: "graduated", forms: [completed(112), completed(144)], calls: [] },
  { what: "graduated", forms: [migrated(168), migrated(200)], calls: [] }
]

export const laws: SolanaVenueLaws = {
  program: "6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P",
  callsItself: true,
  calls: [
    call("buy"),
    call("sell"),
    call("buy_exact_sol_in"),
    callOfAnyQuote("buy_v2"),
    callOfAnyQuote("buy_exact_quote_in_v2"),
    callOfAnyQuote("sell_v2")
  ],
  forms: [form(129), form(225), form(258)],
  deeds
}
