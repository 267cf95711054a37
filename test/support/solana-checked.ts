/** What the decoder and the vaults say of blocks of Solana. */
import {
  type CheckedTransactions,
  nothingChecked,
  withChecked
} from "../../streams/solana/checked-transactions.ts"
import { readDocument } from "../../streams/solana/transaction/read-document.ts"
import { solanaVenues, venuesByProgram as venues } from "../../streams/solana/venues.ts"

/** Numbers stand in JSON as they are, whatever a client made of them. */
const asJson = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, one) => (typeof one === "bigint" ? Number(one) : one)))

export const checkedOf = (blocks: ReadonlyArray<unknown>): CheckedTransactions => {
  let checked = nothingChecked(solanaVenues)
  for (const one of blocks.flatMap(block => readDocument(asJson(block)))) {
    if (one._tag !== "Transaction") throw new Error(one.reason)
    checked = withChecked(checked, one, venues)
  }
  return checked
}
