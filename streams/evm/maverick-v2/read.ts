/**
 * How the state of a Maverick V2 pool is read (maverickprotocol, `IMaverickV2Pool.sol`): prices and
 * fees, then all of its bins, which are numbered, then the ticks that these lie in. A pool of more
 * bins than are asked for, one whose ticks do not add up to its reserves, and one in which only
 * somebody chosen may swap tell nothing.
 */
import { MAX_UINT128 } from "../../../src/math/fixed-point.ts"
import { MAX_SUB_TICK, type Tick } from "../../../src/math/maverick/tick.ts"
import type { StateAnswer, StateAnswers, StateCall, StateQuestion, StateRead } from "../../venue.ts"
import { asArgument, signedNumber } from "../range-read.ts"
import { type BinPoolState, binPoolModel } from "./pool.ts"

type Question = StateQuestion<BinPoolState>
type Answers = ReadonlyArray<StateAnswer>

/** Bins that are asked for. */
export const MOST_BINS = 1024

const feeCall = (tokenAIn: bigint): StateCall => ({
  abi: "function fee(bool) view returns (uint256)",
  args: [tokenAIn]
})

const HEAD: ReadonlyArray<StateCall> = [
  { abi: "function getState() view returns (uint128, uint128, int64, int64, uint40, int32)" },
  feeCall(1n),
  feeCall(0n),
  { abi: "function kinds() view returns (uint8)" },
  // the first pools have no such word: anybody may swap
  { abi: "function permissionedSwap() view returns (bool)" }
]

interface Head {
  readonly reserves: readonly [bigint, bigint]
  readonly activeTick: number
  readonly bins: number
  readonly state: Pick<BinPoolState, "feeAIn" | "feeBIn" | "protocolFee" | "kinds">
}

/** Words of `getState`, whose struct is in place. */
const WORDS = 9
const ACTIVE_TICK = 5
const BIN_COUNTER = 7
const PROTOCOL_FEE = 8

const headOf = ([state, feeA, feeB, kind, closed]: Answers): Head | null => {
  const [feeAIn, feeBIn, kinds] = [feeA?.[0], feeB?.[0], kind?.[0]]
  if (state?.length !== WORDS || feeAIn === undefined || feeBIn === undefined) return null
  if (kinds === undefined || (closed?.[0] ?? 0n) !== 0n) return null
  const activeTick = signedNumber(state[ACTIVE_TICK] as bigint)
  const bins = state[BIN_COUNTER] as bigint
  const protocolFee = state[PROTOCOL_FEE] as bigint
  if (!(Math.abs(activeTick) <= MAX_SUB_TICK) || bins > MOST_BINS) return null
  return {
    reserves: [state[0] as bigint, state[1] as bigint],
    ...{ activeTick, bins: Number(bins), state: { feeAIn, feeBIn, protocolFee, kinds } }
  }
}

/** Place of a bin's tick among its words. */
const TICK = 4

/** Ticks that bins lie in, ascending; null where a bin is missing. */
const ticksOf = ({ bins }: Head, answers: Answers): ReadonlyArray<number> | null => {
  const ticks = answers.map(answer => signedNumber(answer?.[TICK] ?? MAX_UINT128))
  if (ticks.length !== bins || ticks.some(tick => !(Math.abs(tick) <= MAX_SUB_TICK))) return null
  return [...new Set(ticks)].sort((a, b) => a - b)
}

/** Ticks that hold something; null where one is missing, or they are not all that there is. */
const bookOf = (
  { reserves }: Head,
  ticks: ReadonlyArray<number>,
  answers: Answers
): ReadonlyMap<number, Tick> | null => {
  const found = new Map<number, Tick>()
  let [sumA, sumB] = [0n, 0n]
  for (const [place, tick] of ticks.entries()) {
    const [reserveA, reserveB] = answers[place] ?? []
    if (reserveA === undefined || reserveB === undefined) return null
    sumA += reserveA
    sumB += reserveB
    if (reserveA > 0n || reserveB > 0n) found.set(tick, { reserveA, reserveB })
  }
  return sumA === reserves[0] && sumB === reserves[1] ? found : null
}

const calls = (_question: Question, answers: StateAnswers): ReadonlyArray<StateCall> => {
  const [first, bins, ticks] = answers
  if (first === undefined) return HEAD
  const head = headOf(first)
  if (head === null || ticks !== undefined) return []
  if (bins === undefined) {
    const abi =
      "function getBin(uint32) view returns (uint128, uint128, uint128, uint8, int32, uint32)"
    return Array.from({ length: head.bins }, (_, i) => ({ abi, args: [BigInt(i + 1)] }))
  }
  const abi = "function getTick(int32) view returns (uint128, uint128)"
  return (ticksOf(head, bins) ?? []).map(tick => ({ abi, args: [asArgument(tick)] }))
}

const stateOf = ({ facts, known }: Question, answers: StateAnswers): BinPoolState | null => {
  const [first, bins = [], told = []] = answers
  const head = first === undefined ? null : headOf(first)
  const ticks = head === null ? null : ticksOf(head, bins)
  if (head === null || ticks === null) return null
  const book = bookOf(head, ticks, told)
  if (book === null) return null
  const { tickSpacing } = known
  const { scales } = binPoolModel.initial(facts)
  const { activeTick, state } = head
  return { pool: facts.pool, tickSpacing, scales, ...state, book: { activeTick, ticks: book } }
}

export const binPoolStateRead: StateRead<BinPoolState> = { calls, state: stateOf }
