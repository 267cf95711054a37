/** Boards and totals: no tables of their own, only questions to what the markets' fold holds. */
import { projection } from "../../engine/projection.ts"
import { tokenBoard } from "./token-board.ts"
import { overview, venueShares } from "./totals.ts"

export const boards = projection<null>({
  name: "boards",
  version: 1,
  tables: [],
  create: () => ({ out: null, apply: () => {} }),
  queries: {},
  settled: { tokenBoard, overview, venueShares }
})
