/** Meteora DBC for the laws of venues of Solana. */
import type { LawCall, LawDeed, LawPoolCall, LawPoolForm, SolanaVenueLaws } from "../venue-laws.ts"

const [BASE_TO_QUOTE, QUOTE_TO_BASE] = [0, 1]

const call = (name: string): LawCall => ({
  ...{ name, user: 9, hops: [{ pool: 2, vaults: [5, 6], mints: [7, 8] }] }
})

const initialized = (event: string): LawPoolForm => ({
  ...{ event, bytes: 145, tells: ["pool", "first mint"] },
  fields: ({ pool, to, owner, mints }) => [
    [8, pool],
    // its configuration, and who creates it
    [40, to],
    [72, owner],
    [104, mints[0]]
  ]
})

const completed = (event: string): LawPoolForm => ({
  ...{ event, bytes: 88, tells: ["pool"] },
  fields: ({ pool, to }) => [
    [8, pool],
    [40, to]
  ]
})

const creation = (token: string): LawPoolCall => ({
  name: `initialize_virtual_pool_with_${token}`,
  ...{ pool: 5, mints: [3, 4], alone: true }
})

const trade = (name: string): LawPoolCall => ({ name, pool: 2, mints: [7, 8] })

const HOOK = "WithTransferHook"

const deeds: ReadonlyArray<LawDeed> = [
  {
    ...{ what: "created", forms: [initialized("EvtInitializePool")] },
    calls: [creation("spl_token"), creation("token2022")]
  },
  {
    ...{ what: "created", forms: [initialized(`EvtInitializePool${HOOK}`)] },
    calls: [creation("token2022_transfer_hook")]
  },
  {
    ...{ what: "graduated", forms: [completed("EvtCurveComplete")] },
    calls: [trade("swap"), trade("swap2")]
  },
  {
    ...{ what: "graduated", forms: [completed(`EvtCurveComplete${HOOK}`)] },
    calls: [trade("swap2_with_transfer_hook")]
  },
  {
    ...{ what: "graduated", forms: [] },
    calls: [
      { name: "migrate_meteora_damm", pool: 0, to: 4, mints: [7, 8], alone: true },
      { name: "migration_damm_v2", pool: 0, to: 4, mints: [13, 14], alone: true }
    ]
  }
]

export const laws: SolanaVenueLaws = {
  program: "dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN",
  callsItself: true,
  calls: [call("swap"), call("swap2"), call("swap2_with_transfer_hook")],
  toldTogether: true,
  forms: [
    {
      ...{ event: "EvtSwap2", bytes: 187, after: "root", tellsDirection: true },
      fields: ({ pool, firstIn, in: paid, fee, out, root }) => [
        [8, pool],
        [72, firstIn ? BASE_TO_QUOTE : QUOTE_TO_BASE, 1],
        [91, paid],
        [99, paid - fee],
        [115, out],
        [123, root, 16],
        [139, fee]
      ]
    },
    {
      ...{ event: "EvtSwap", bytes: 162, after: "root", tellsDirection: true },
      fields: ({ pool, firstIn, in: paid, fee, out, root }) => [
        [8, pool],
        [72, firstIn ? BASE_TO_QUOTE : QUOTE_TO_BASE, 1],
        [90, paid - fee],
        [98, out],
        [106, root, 16],
        [122, fee],
        [146, paid]
      ]
    }
  ],
  deeds
}
