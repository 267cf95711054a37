/** The newest swaps of the tables back in memory after a start, so that pages need not be read. */
import { Effect } from "effect"
import { refill } from "../../engine/memory/refill.ts"
import { memoryQuery } from "../../engine/query.ts"
import { tapeOutput } from "./output.ts"
import { tapeTable } from "./tables.ts"

/** Fills what memory has room for; the lane asks it of itself. Answers how many swaps came back. */
export const refillTape = memoryQuery("refillTape", context => {
  const { recent } = context.output(tapeOutput)
  if (recent.held.room === 0) return { value: { swaps: 0 } }
  return {
    read: ({ columns }) =>
      Effect.map(refill(tapeTable, recent, context.seq, columns), swaps => ({ swaps }))
  }
})
