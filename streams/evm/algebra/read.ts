/**
 * How the state of an Algebra pool is read: as Uniswap V3's, in the names of its contracts. What
 * `globalState` answers tells the generation by its length: V1's seven words have one fee, V1.9's
 * eight have two, Integral's six have the plugin's configuration in the place of the second.
 */
import type { StateAnswer, StateAnswers, StateQuestion, StateRead } from "../../venue.ts"
import { rangePoolModel } from "../range-pool.ts"
import {
  asArgument,
  type RangeContract,
  rangeCalls,
  rangeStateOf,
  signedNumber,
  v3Contract
} from "../range-read.ts"
import { type AlgebraPoolState, V1_SPACING } from "./pool.ts"

const contract: RangeContract = {
  ...v3Contract,
  head: [
    { abi: "function globalState() view returns (uint160, int24)" },
    { abi: "function liquidity() view returns (uint128)" }
  ],
  price: ([global, active]) => {
    const [sqrtPriceX96, tick] = global ?? []
    const liquidity = active?.[0]
    return sqrtPriceX96 === undefined || tick === undefined || liquidity === undefined
      ? null
      : { sqrtPriceX96, tick: signedNumber(tick), liquidity }
  },
  row: index => ({
    abi: "function tickTable(int16) view returns (uint256)",
    args: [asArgument(index)]
  })
}

/** What a generation's `globalState` says beside the price; null where none answers so. */
const told = (
  global: StateAnswer
): Omit<AlgebraPoolState, "fine" | "coarse" | "longSwap"> | null => {
  const [fee, other] = [Number(global?.[2] ?? 0n), Number(global?.[3] ?? 0n)]
  switch (global?.length) {
    case 6:
      return { generation: "integral", fees: [fee, fee], pluginConfig: other }
    case 7:
      return { generation: "v1", fees: [fee, fee], pluginConfig: null }
    case 8:
      return { generation: "v1.9", fees: [fee, other], pluginConfig: null }
    default:
      return null
  }
}

/** Ticks of a row are multiples of it; null before the generation is known to be one. */
const spacingIn = ([head]: StateAnswers): number | null => {
  // the first round asks the same of all
  if (head === undefined) return 1
  const generation = told(head[0] ?? null)?.generation
  if (generation === undefined) return null
  return generation === "v1" ? V1_SPACING : 1
}

const stateOf = (
  { facts, known }: StateQuestion<AlgebraPoolState>,
  answers: StateAnswers
): AlgebraPoolState | null => {
  const parameters = told(answers[0]?.[0] ?? null)
  const fine = rangeStateOf(contract, facts.pool, spacingIn(answers), answers)
  if (parameters === null || fine === null) return null
  // of V1 both are the same: all its ticks are multiples of the spacing, and rows of them
  const unread = rangePoolModel.initial({ ...facts, tickSpacing: V1_SPACING })
  const coarse = parameters.generation === "v1" ? fine : unread
  return { ...parameters, fine, coarse, longSwap: known.longSwap }
}

export const algebraStateRead: StateRead<AlgebraPoolState> = {
  calls: (_question, answers) => rangeCalls(contract, spacingIn(answers), answers),
  state: stateOf
}
