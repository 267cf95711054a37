/** How a pair's state is read: its reserves are all of it. */
import type { StateRead } from "../../venue.ts"
import { reservesIn } from "../pair-read.ts"
import type { PairState } from "./pool.ts"

export const pairStateRead: StateRead<PairState> = {
  calls: (_question, answers) =>
    answers.length === 0 ? [{ abi: "function getReserves() view returns (uint112, uint112)" }] : [],
  state: ({ facts: { pool } }, [head]) => {
    const reserves = reservesIn(head?.[0])
    return reserves === null ? null : { pool, reserves }
  }
}
