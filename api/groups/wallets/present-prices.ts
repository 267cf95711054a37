/** Prices that positions are valued by. */
import type { FoldsView } from "../../../engine/query.ts"
import { pricesOutput } from "../../../projections/prices/output.ts"

/** Dollars a whole token by its id as of one position; null where there are none. */
export type Prices = (token: number) => number | null

/** A copy: the folds may go on while rows are read. */
export const presentPrices = (view: FoldsView): Prices => {
  const prices = view.output(pricesOutput).allPrices()
  return token => {
    const price = prices[token]
    return price !== undefined && price > 0 ? price : null
  }
}
