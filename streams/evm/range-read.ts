/**
 * How the state of a V3-shaped pool is read from its contract: price and active liquidity, then the
 * rows of its tick bitmap around the price, then the ticks that those name. A pool with more than
 * is asked for is known within a window of whole rows, out of which nothing is quoted.
 */
import type { TickInfo, TickWindow } from "../../src/math/concentrated/tick-map.ts"
import { MAX_TICK, MIN_TICK } from "../../src/math/concentrated/tick-math.ts"
import { MAX_UINT128, MAX_UINT160 } from "../../src/math/fixed-point.ts"
import type { StateAnswer, StateAnswers, StateCall, StateQuestion, StateRead } from "../venue.ts"
import { isSound, type RangePoolPrice, type RangePoolState, rangePoolState } from "./range-pool.ts"

/** Rows of the bitmap that are asked for: all there are from a tick spacing of 10 on. */
export const MOST_ROWS = 700
/** Ticks that are asked for, of the rows nearest to the price. */
export const MOST_TICKS = 1024

const ROW_TICKS = 256

type Answers = ReadonlyArray<StateAnswer>

/** Where a kind's contracts keep what the read needs. */
interface RangeContract {
  /** the first round, price and liquidity among what it asks */
  readonly head: ReadonlyArray<StateCall>
  /** null where the answers to the first round tell none */
  readonly price: (head: Answers) => RangePoolPrice | null
  /** a row of the bitmap, as one word */
  readonly row: (index: number) => StateCall
  readonly tick: (tick: number) => StateCall
  /** gross and net liquidity of a tick as one or two words tell them */
  readonly liquidity: (words: ReadonlyArray<bigint>) => readonly [bigint, bigint] | null
}

/** A number as an argument of a call. */
export const asArgument = (value: number): bigint => BigInt.asUintN(256, BigInt(value))

/** A number of 24 bits or fewer with a sign, as a word holds it; NaN for a word that holds none. */
const signedNumber = (word: bigint): number => {
  const value = BigInt.asIntN(256, word)
  return BigInt.asIntN(24, value) === value ? Number(value) : Number.NaN
}

interface Rows {
  readonly first: number
  readonly last: number
  /** true where these are all that a pool of the spacing has */
  readonly isAll: boolean
  /** the price's own */
  readonly own: number
}

const rowsAround = (tick: number, spacing: number): Rows => {
  const rowOf = (one: number) => Math.floor(Math.floor(one / spacing) / ROW_TICKS)
  const [lowest, highest, own] = [rowOf(MIN_TICK), rowOf(MAX_TICK), rowOf(tick)]
  const first = Math.max(lowest, Math.min(own - MOST_ROWS / 2, highest - MOST_ROWS + 1))
  const last = Math.min(highest, first + MOST_ROWS - 1)
  return { first, last, isAll: first === lowest && last === highest, own }
}

interface Found {
  /** initialised ticks of the rows that are kept */
  readonly ticks: ReadonlyArray<number>
  readonly window: TickWindow | null
}

const ticksOfRow = (row: number, bits: bigint, spacing: number): ReadonlyArray<number> => {
  const ticks: Array<number> = []
  for (let bit = 0; bit < ROW_TICKS; bit++) {
    if ((bits >> BigInt(bit)) & 1n) ticks.push((row * ROW_TICKS + bit) * spacing)
  }
  return ticks
}

/** What the bitmap names, of the rows nearest to the price; null where a row is missing. */
const foundIn = (rows: Rows, spacing: number, answers: Answers): Found | null => {
  const named = answers.map((answer, i) => {
    const bits = answer?.[0]
    const row = rows.first + i
    return bits === undefined ? null : { row, ticks: ticksOfRow(row, bits, spacing) }
  })
  const known = named.filter(one => one !== null)
  if (known.length !== rows.last - rows.first + 1) return null
  known.sort((a, b) => Math.abs(a.row - rows.own) - Math.abs(b.row - rows.own))
  let count = 0
  const kept = known.filter(({ ticks }) => {
    count += ticks.length
    return count <= MOST_TICKS
  })
  const places = kept.map(({ row }) => row)
  const window = {
    low: Math.min(...places) * ROW_TICKS * spacing,
    high: (Math.max(...places) * ROW_TICKS + ROW_TICKS - 1) * spacing
  }
  const isAll = rows.isAll && kept.length === known.length
  return { ticks: kept.flatMap(({ ticks }) => ticks), window: isAll ? null : window }
}

const isPrice = (price: RangePoolPrice | null): price is RangePoolPrice =>
  price !== null &&
  price.sqrtPriceX96 <= MAX_UINT160 &&
  price.liquidity <= MAX_UINT128 &&
  isSound(price)

/** The calls of the next round; none without a spacing or a price. */
const rangeCalls = (
  contract: RangeContract,
  tickSpacing: number | null,
  [head, bitmap, ...later]: StateAnswers
): ReadonlyArray<StateCall> => {
  if (tickSpacing === null || tickSpacing < 1) return []
  if (head === undefined) return contract.head
  const price = contract.price(head)
  if (!isPrice(price) || later.length > 0) return []
  const rows = rowsAround(price.tick, tickSpacing)
  if (bitmap !== undefined) {
    return (foundIn(rows, tickSpacing, bitmap)?.ticks ?? []).map(contract.tick)
  }
  const count = rows.last - rows.first + 1
  return Array.from({ length: count }, (_, i) => contract.row(rows.first + i))
}

/** Null where a tick has no liquidity, which no initialised one has. */
const tickInfos = (
  { liquidity }: RangeContract,
  ticks: ReadonlyArray<number>,
  answers: Answers
): ReadonlyArray<TickInfo> | null => {
  const infos = ticks.flatMap((tick, i): ReadonlyArray<TickInfo> => {
    const [gross, net] = liquidity(answers[i] ?? []) ?? []
    return gross === undefined || net === undefined || gross <= 0n ? [] : [{ tick, gross, net }]
  })
  return infos.length === ticks.length ? infos : null
}

/** Ticks that are all known add up to the active liquidity below the price, and to none in all. */
const addUp = (ticks: ReadonlyArray<TickInfo>, { tick, liquidity }: RangePoolPrice): boolean => {
  const sum = (from: ReadonlyArray<TickInfo>) => from.reduce((total, { net }) => total + net, 0n)
  return sum(ticks) === 0n && sum(ticks.filter(one => one.tick <= tick)) === liquidity
}

/** The state that the answers tell; null where they tell none. */
const rangeStateOf = (
  contract: RangeContract,
  pool: string,
  tickSpacing: number | null,
  [head, bitmap, named = []]: StateAnswers
): RangePoolState | null => {
  if (tickSpacing === null || tickSpacing < 1) return null
  if (head === undefined || bitmap === undefined) return null
  const price = contract.price(head)
  if (!isPrice(price)) return null
  const found = foundIn(rowsAround(price.tick, tickSpacing), tickSpacing, bitmap)
  const ticks = found === null ? null : tickInfos(contract, found.ticks, named)
  if (found === null || ticks === null) return null
  if (found.window === null && !addUp(ticks, price)) return null
  return rangePoolState(pool, tickSpacing, price, ticks, found.window)
}

/** Price and tick are the first words of `slot0` in every fork; what follows differs. */
const v3Contract: RangeContract = {
  head: [
    { abi: "function slot0() view returns (uint160, int24)" },
    { abi: "function liquidity() view returns (uint128)" }
  ],
  price: ([slot0, active]) => {
    const [sqrtPriceX96, tick] = slot0 ?? []
    const liquidity = active?.[0]
    return sqrtPriceX96 === undefined || tick === undefined || liquidity === undefined
      ? null
      : { sqrtPriceX96, tick: signedNumber(tick), liquidity }
  },
  row: index => ({
    abi: "function tickBitmap(int16) view returns (uint256)",
    args: [asArgument(index)]
  }),
  tick: tick => ({
    abi: "function ticks(int24) view returns (uint128, int128)",
    args: [asArgument(tick)]
  }),
  liquidity: ([gross, net]) =>
    gross === undefined || net === undefined ? null : [gross, BigInt.asIntN(256, net)]
}

const spacingOf = ({ facts, known }: StateQuestion<RangePoolState>): number | null =>
  known.tickSpacing ?? facts.tickSpacing

/** Of pools with the accessors of Uniswap V3's (`IUniswapV3PoolState`). */
export const rangeStateRead: StateRead<RangePoolState> = {
  calls: (question, answers) => rangeCalls(v3Contract, spacingOf(question), answers),
  state: (question, answers) =>
    rangeStateOf(v3Contract, question.facts.pool, spacingOf(question), answers)
}
