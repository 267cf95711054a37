/**
 * How a pool's state is read: the PoolManager has no accessors but `extsload`, a word of its
 * storage, where a pool's state stands in slots that are hashes (Uniswap/v4-core 1.0, `Pool.State`
 * and `StateLibrary`). No storage holds the hooks of a pool: its `Initialize` alone tells them.
 */
import { MAX_UINT128, MAX_UINT160 } from "../../../src/math/fixed-point.ts"
import type { StateAnswers, StateCall, StateQuestion, StateRead } from "../../venue.ts"
import {
  asArgument,
  type RangeContract,
  rangeCalls,
  rangeStateOf,
  signedNumber
} from "../range-read.ts"
import { slotOf } from "../storage-slot.ts"
import type { HookedPoolState } from "./pool.ts"

const POOLS_SLOT = 6n
const LIQUIDITY_OFFSET = 3n
const TICKS_OFFSET = 4n
const BITMAP_OFFSET = 5n

const managerContract = (pool: string, manager: string): RangeContract => {
  const state = slotOf(BigInt(pool), POOLS_SLOT)
  const load = (slot: bigint): StateCall => ({
    to: manager,
    abi: "function extsload(bytes32) view returns (bytes32)",
    args: [slot]
  })
  return {
    head: [load(state), load(state + LIQUIDITY_OFFSET)],
    price: ([slot0, active]) => {
      const [head, liquidity] = [slot0?.[0], active?.[0]]
      if (head === undefined || liquidity === undefined) return null
      const tick = signedNumber(BigInt.asUintN(256, BigInt.asIntN(24, head >> 160n)))
      return { sqrtPriceX96: head & MAX_UINT160, tick, liquidity }
    },
    row: index => load(slotOf(asArgument(index), state + BITMAP_OFFSET)),
    tick: tick => load(slotOf(asArgument(tick), state + TICKS_OFFSET)),
    liquidity: ([word]) =>
      word === undefined ? null : [word & MAX_UINT128, BigInt.asIntN(128, word >> 128n)]
  }
}

/** The read of the pool's range; null where the manager is not known. */
const rangeOf = ({ facts, factory, known }: StateQuestion<HookedPoolState>) =>
  factory === null || !/^0x[0-9a-f]{64}$/.test(facts.pool)
    ? null
    : {
        contract: managerContract(facts.pool, factory),
        tickSpacing: known.range.tickSpacing ?? facts.tickSpacing
      }

const stateOf = (
  question: StateQuestion<HookedPoolState>,
  answers: StateAnswers
): HookedPoolState | null => {
  const read = rangeOf(question)
  const slot0 = answers[0]?.[0]?.[0]
  if (read === null || slot0 === undefined) return null
  const range = rangeStateOf(read.contract, question.facts.pool, read.tickSpacing, answers)
  return (
    range && { ...question.known, range, protocolFee: Number(BigInt.asUintN(24, slot0 >> 184n)) }
  )
}

export const hookedStateRead: StateRead<HookedPoolState> = {
  calls: (question, answers) => {
    const read = rangeOf(question)
    return read === null ? [] : rangeCalls(read.contract, read.tickSpacing, answers)
  },
  state: stateOf
}
