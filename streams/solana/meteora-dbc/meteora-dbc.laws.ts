/** Meteora DBC for the laws of venues of Solana. */
import type { LawCall, SolanaVenueLaws } from "../venue-laws.ts"

const [BASE_TO_QUOTE, QUOTE_TO_BASE] = [0, 1]

const call = (name: string): LawCall => ({
  ...{ name, user: 9, hops: [{ pool: 2, vaults: [5, 6], mints: [7, 8] }] }
})

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
  ]
}
