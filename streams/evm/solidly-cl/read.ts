/** How a Slipstream pool's state is read: as Uniswap V3's, and its fee of the moment. */
import { PIPS } from "../../../src/math/fixed-point.ts"
import type { StateQuestion, StateRead } from "../../venue.ts"
import type { RangePoolState } from "../range-pool.ts"
import { type RangeContract, rangeCalls, rangeStateOf, v3Contract } from "../range-read.ts"

const contract: RangeContract = {
  ...v3Contract,
  head: [...v3Contract.head, { abi: "function fee() view returns (uint24)" }]
}

const spacingOf = ({ facts, known }: StateQuestion<RangePoolState>): number | null =>
  known.tickSpacing ?? facts.tickSpacing

export const slipstreamStateRead: StateRead<RangePoolState> = {
  calls: (question, answers) => rangeCalls(contract, spacingOf(question), answers),
  state: (question, answers) => {
    const state = rangeStateOf(contract, question.facts.pool, spacingOf(question), answers)
    const fee = answers[0]?.[v3Contract.head.length]?.[0]
    return state === null || fee === undefined || fee >= PIPS
      ? null
      : { ...state, fee: Number(fee) }
  }
}
