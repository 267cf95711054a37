/**
 * How a pair's state is read. `poolFees` is of the second generation alone (Velodrome v2's
 * `IPool`), whose factories tell a pair's fee in 1e-4; those of the first count in units of their
 * own and are not asked.
 */
import { PIPS } from "../../../src/math/fixed-point.ts"
import type { StateAnswer, StateCall, StateQuestion, StateRead } from "../../venue.ts"
import { reservesIn } from "../pair-read.ts"
import type { SolidlyState } from "./pool.ts"

const PIPS_OF_BASIS_POINT = 100n

const head: ReadonlyArray<StateCall> = [
  { abi: "function getReserves() view returns (uint256, uint256)" },
  { abi: "function stable() view returns (bool)" },
  { abi: "function poolFees() view returns (address)" }
]

/** The curve; null where the pair does not say. */
const stableIn = (answer: StateAnswer | undefined): bigint | null => {
  const stable = answer?.[0]
  return stable === 0n || stable === 1n ? stable : null
}

/** The fee's call, which the first answers lead to; none of pairs of the first generation. */
const feeCalls = (
  { facts: { pool }, factory }: StateQuestion<SolidlyState>,
  [, stableAnswer, poolFees]: ReadonlyArray<StateAnswer>
): ReadonlyArray<StateCall> => {
  const stable = stableIn(stableAnswer)
  if (factory === null || stable === null || !poolFees) return []
  const abi = "function getFee(address,bool) view returns (uint256)"
  return [{ to: factory, abi, args: [BigInt(pool), stable] }]
}

export const solidlyStateRead: StateRead<SolidlyState> = {
  calls: (question, [first, ...later]) => {
    if (first === undefined) return head
    return later.length === 0 ? feeCalls(question, first) : []
  },
  state: ({ known }, [first, second]) => {
    const reserves = reservesIn(first?.[0])
    const stable = stableIn(first?.[1])
    if (reserves === null || stable === null) return null
    const version = first?.[2] ? 2 : known.version
    const told = second?.[0]?.[0]
    const fee = told === undefined ? null : told * PIPS_OF_BASIS_POINT
    if (fee !== null && fee >= PIPS) return null
    return {
      ...known,
      reserves,
      isStable: stable === 1n,
      version,
      fee: fee === null ? null : Number(fee)
    }
  }
}
