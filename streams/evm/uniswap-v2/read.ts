/** How a pair's state is read: its reserves are all of it. */
import { MAX_UINT112 } from "../../../src/math/fixed-point.ts"
import type { StateAnswer, StateRead } from "../../venue.ts"
import type { PairState } from "./pool.ts"

/** The first two words of `getReserves`; null where a pair cannot have said them. */
const reservesIn = (answer: StateAnswer | undefined): readonly [bigint, bigint] | null => {
  const [reserve0, reserve1] = answer ?? []
  if (reserve0 === undefined || reserve1 === undefined) return null
  return reserve0 > MAX_UINT112 || reserve1 > MAX_UINT112 ? null : [reserve0, reserve1]
}

export const pairStateRead: StateRead<PairState> = {
  calls: (_question, answers) =>
    answers.length === 0 ? [{ abi: "function getReserves() view returns (uint112, uint112)" }] : [],
  state: ({ facts: { pool } }, [head]) => {
    const reserves = reservesIn(head?.[0])
    return reserves === null ? null : { pool, reserves }
  }
}
