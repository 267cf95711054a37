/**
 * How the state of a Liquidity Book pair is read (ILBPair of traderjoe-xyz/joe-v2, v2.1 and v2.2):
 * its parameters, then bins around the active one, further and further out, until they hold all
 * that the pair has. A pair whose bins lie further apart tells nothing: one left out would be
 * passed over.
 */
import { MAX_UINT128 } from "../../../src/math/fixed-point.ts"
import type { StateAnswer, StateAnswers, StateCall, StateQuestion, StateRead } from "../../venue.ts"
import type { Bin, LiquidityBookState } from "./state.ts"

/** Bins on each side of those before that a round asks for, and rounds of them. */
export const ROUND_BINS = 512
const MOST_ROUNDS = 4
const MAX_ID = (1 << 24) - 1

const HEAD: ReadonlyArray<StateCall> = [
  { abi: "function getActiveId() view returns (uint24)" },
  { abi: "function getBinStep() view returns (uint16)" },
  { abi: "function getReserves() view returns (uint128, uint128)" },
  { abi: "function getStaticFeeParameters() view returns (uint16)" },
  { abi: "function getVariableFeeParameters() view returns (uint24)" },
  // pairs of v2.1 have no hooks, and refuse
  { abi: "function getLBHooksParameters() view returns (bytes32)" }
]

const numbers = (answer: StateAnswer | undefined, count: number): ReadonlyArray<number> | null => {
  if (answer === null || answer === undefined || answer.length !== count) return null
  return answer.every(word => word <= Number.MAX_SAFE_INTEGER) ? answer.map(Number) : null
}

interface Head {
  readonly activeId: number
  readonly reserves: readonly [bigint, bigint]
  readonly state: Omit<LiquidityBookState, "pool" | "bins" | "activeId" | "time">
}

/** What the first round says; null where something of it is missing. */
const headOf = (answers: ReadonlyArray<StateAnswer>): Head | null => {
  const [active, step, reserves, fees, variable, hooks = null] = answers
  const [activeId] = numbers(active, 1) ?? []
  const [binStep] = numbers(step, 1) ?? []
  const [x, y] = reserves ?? []
  const told = numbers(fees, 7)
  const moved = numbers(variable, 4)
  if (activeId === undefined || activeId > MAX_ID || binStep === undefined || binStep === 0) {
    return null
  }
  if (x === undefined || y === undefined || told === null || moved === null) return null
  const [baseFactor, filterPeriod, decayPeriod, reductionFactor, ...more] = told as Seven
  const [variableFeeControl, protocolShare, maxVolatilityAccumulator] = more
  const [accumulator, reference, idReference, time] = moved as Four
  return {
    activeId,
    reserves: [x, y],
    state: {
      ...{ binStep, hasHooks: hooks !== null && hooks[0] !== 0n },
      fees: {
        ...{ baseFactor, filterPeriod, decayPeriod, reductionFactor, variableFeeControl },
        ...{ protocolShare, maxVolatilityAccumulator }
      },
      volatility: { idReference, reference, accumulator, time }
    }
  }
}

type Four = readonly [number, number, number, number]
type Seven = readonly [number, number, number, number, number, number, number]

/** Ids of the bins that a round asks for: from so far out on both sides, the active one first. */
const idsOf = (activeId: number, round: number): ReadonlyArray<number> => {
  const ids: Array<number> = []
  for (let away = round * ROUND_BINS; away < (round + 1) * ROUND_BINS; away++) {
    if (activeId - away >= 0) ids.push(activeId - away)
    if (away > 0 && activeId + away <= MAX_ID) ids.push(activeId + away)
  }
  return ids
}

/** The bins of all rounds, ascending; null where an answer is missing. */
const binsOf = (activeId: number, rounds: StateAnswers): ReadonlyArray<Bin> | null => {
  const bins: Array<Bin> = []
  for (const [round, answers] of rounds.entries()) {
    for (const [i, id] of idsOf(activeId, round).entries()) {
      const [x, y] = answers[i] ?? []
      if (x === undefined || y === undefined || x > MAX_UINT128 || y > MAX_UINT128) return null
      if (x !== 0n || y !== 0n) bins.push({ id, x, y })
    }
  }
  return bins.sort((a, b) => a.id - b.id)
}

/** Whether the bins hold all that the pair has, the protocol's fees aside, as in each of them. */
const areAll = (bins: ReadonlyArray<Bin>, [x, y]: Head["reserves"]): boolean =>
  bins.reduce((sum, bin) => sum + bin.x, 0n) === x &&
  bins.reduce((sum, bin) => sum + bin.y, 0n) === y

const calls = (
  _question: StateQuestion<LiquidityBookState>,
  [first, ...rounds]: StateAnswers
): ReadonlyArray<StateCall> => {
  if (first === undefined) return HEAD
  const head = headOf(first)
  const bins = head === null ? null : binsOf(head.activeId, rounds)
  if (head === null || bins === null || rounds.length >= MOST_ROUNDS) return []
  if (rounds.length > 0 && areAll(bins, head.reserves)) return []
  const abi = "function getBin(uint24) view returns (uint128, uint128)"
  return idsOf(head.activeId, rounds.length).map(id => ({ abi, args: [BigInt(id)] }))
}

const stateOf = (
  { facts, time }: StateQuestion<LiquidityBookState>,
  [first, ...rounds]: StateAnswers
): LiquidityBookState | null => {
  const head = first === undefined ? null : headOf(first)
  const bins = head === null ? null : binsOf(head.activeId, rounds)
  if (head === null || bins === null || !areAll(bins, head.reserves)) return null
  return { pool: facts.pool, activeId: head.activeId, bins, ...head.state, time }
}

export const liquidityBookStateRead: StateRead<LiquidityBookState> = { calls, state: stateOf }
