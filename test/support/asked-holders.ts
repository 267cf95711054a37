/** What a route adds to a question about holders, where the source and the tables lack nothing. */
import type { HoldersParams } from "../../projections/holders/queries.ts"

export const WHOLE: Omit<HoldersParams, "token" | "limit"> = {
  reached: null,
  problem: null,
  unaudited: null
}
