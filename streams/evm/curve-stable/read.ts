/**
 * How a StableSwap pool's state is read. Rates come from `stored_rates` where the pool has it
 * (stable-ng, and factory pools of rated coins), from the virtual price of the base pool where one
 * is named, else from decimals. Not all contracts tell that their coins have rates, so the pool is
 * asked for some swaps (`get_dy`) too: a state that does not give their outputs is none.
 */
import { addressOfWord } from "../../../src/domain/address.ts"
import { MAX_UINT160 } from "../../../src/math/fixed-point.ts"
import { type StablePool, stableExchange } from "../../../src/math/stable-swap/exchange.ts"
import { type StableRule, stableRules } from "../../../src/math/stable-swap/invariant.ts"
import type { StateAnswer, StateAnswers, StateCall, StateQuestion, StateRead } from "../../venue.ts"
import { type CurveStableState, poolsOf } from "./state.ts"

type Question = StateQuestion<CurveStableState>
type Answers = ReadonlyArray<StateAnswer>

const MOST_COINS = 8

const named = [
  "A_precise",
  "A",
  "initial_A",
  "future_A",
  "initial_A_time",
  "future_A_time",
  "fee",
  "admin_fee",
  "offpeg_fee_multiplier",
  "totalSupply",
  "base_pool"
] as const

const RATES = named.length
const FACTORY_BASE = RATES + 1
const BALANCES = FACTORY_BASE + 1

/** Stands where no factory can be asked, so that the others keep their places. */
const again: StateCall = { abi: "function base_pool() view returns (address)" }

/** The first pools number their coins by int128. */
const balanceCalls = (place: number): ReadonlyArray<StateCall> =>
  ["uint256", "int128"].map(type => ({
    abi: `function balances(${type}) view returns (uint256)`,
    args: [BigInt(place)]
  }))

const headOf = ({ facts, factory }: Question): ReadonlyArray<StateCall> => [
  ...named.map(name => ({ abi: `function ${name}() view returns (uint256)` })),
  { abi: "function stored_rates() view returns (uint256[])" },
  factory === null
    ? again
    : {
        to: factory,
        abi: "function get_base_pool(address) view returns (address)",
        args: [BigInt(facts.pool)]
      },
  ...facts.tokens.flatMap((_, place) => balanceCalls(place))
]

const wordAt = (head: Answers, name: (typeof named)[number]): bigint | null =>
  head[named.indexOf(name)]?.[0] ?? null

/** Balances by place; null where one is missing. */
const balancesIn = (head: Answers, coins: number): ReadonlyArray<bigint> | null => {
  const found = Array.from({ length: coins }, (_, place) => {
    const [first, second] = head.slice(BALANCES + 2 * place)
    return first?.[0] ?? second?.[0] ?? null
  }).filter(one => one !== null)
  return found.length === coins ? found : null
}

/** The base pool of a metapool. */
const baseIn = (head: Answers): bigint | null => {
  const base = wordAt(head, "base_pool") ?? head[FACTORY_BASE]?.[0] ?? 0n
  return base > 0n && base <= MAX_UINT160 ? base : null
}

/** Rates as a list of any length, or as so many words. */
const storedRates = (head: Answers, coins: number): ReadonlyArray<bigint> | null => {
  const words = head[RATES] ?? null
  if (words === null) return null
  if (words.length === coins) return words
  const isList = words[0] === 32n && words[1] === BigInt(coins)
  return isList && words.length === coins + 2 ? words.slice(2) : []
}

/** What is sold in a swap that proves the state: a thousandth of what the pool holds. */
const PART = 1000n

/** Pairs of places of which each coin is sold once and bought once. */
const ring = (coins: number): ReadonlyArray<readonly [number, number]> =>
  Array.from({ length: coins }, (_, i) => [i, (i + 1) % coins] as const)

const secondRound = (head: Answers, coins: number): ReadonlyArray<StateCall> => {
  const balances = balancesIn(head, coins)
  if (balances === null) return []
  const base = baseIn(head)
  const price = "function get_virtual_price() view returns (uint256)"
  const swap = "function get_dy(int128,int128,uint256) view returns (uint256)"
  return [
    ...ring(coins).map(([i, j]) => ({
      abi: swap,
      args: [BigInt(i), BigInt(j), (balances[i] as bigint) / PART]
    })),
    ...(base === null ? [] : [{ to: addressOfWord(base), abi: price }])
  ]
}

/** The ramp and its precision: `A_precise` where there is one, which ramps carry too. */
const rampIn = (head: Answers): Pick<CurveStableState, "ramp" | "precision"> | null => {
  const precise = wordAt(head, "A_precise")
  const amp = precise ?? wordAt(head, "A")
  if (amp === null) return null
  const precision = precise === null ? 1n : 100n
  const [initial, future] = [wordAt(head, "initial_A"), wordAt(head, "future_A")]
  const [from, to] = [wordAt(head, "initial_A_time"), wordAt(head, "future_A_time")]
  const isTold = initial !== null && future !== null && from !== null && to !== null
  const ramp = isTold
    ? { initial, future, from, to }
    : { initial: amp, future: amp, from: 0n, to: 0n }
  return { ramp, precision }
}

const ratesIn = ({ known }: Question, [head = [], round = []]: StateAnswers, coins: number) => {
  const stored = storedRates(head, coins)
  if (stored !== null) return stored
  const base = baseIn(head)
  if (base === null) return known.rates ?? []
  const price = round[coins]?.[0]
  return price === undefined
    ? []
    : (known.rates ?? []).map((rate, i) => (i === coins - 1 ? price : rate))
}

/** Views round otherwise than swaps do, by this many units at most. */
const VIEW_UNITS = 2n

/** By how many units at most a rule's outputs differ from the pool's; null where it gives none. */
const furthest = (pool: StablePool, round: Answers): bigint | null => {
  let most = 0n
  for (const [at, [i, j]] of ring(pool.balances.length).entries()) {
    const told = round[at]?.[0]
    const out = stableExchange(pool, i, j, (pool.balances[i] as bigint) / PART)
    if (told === undefined || out === null) return null
    const off = out.amountOut > told ? out.amountOut - told : told - out.amountOut
    if (off > most) most = off
  }
  return most
}

/** The rules that give the pool's own outputs, to the unit where one does. */
const provenRules = (state: CurveStableState, round: Answers): ReadonlyArray<StableRule> => {
  const fitting = poolsOf(state, state.balances ?? [], state.time).flatMap(pool => {
    const off = furthest(pool, round)
    return off === null || off > VIEW_UNITS ? [] : [{ rule: pool.rule, off }]
  })
  const exact = fitting.filter(({ off }) => off === 0n)
  return (exact.length > 0 ? exact : fitting).map(({ rule }) => rule)
}

const stateOf = (question: Question, answers: StateAnswers): CurveStableState | null => {
  const { facts, known, time } = question
  const coins = facts.tokens.length
  const [head = [], round = []] = answers
  const balances = balancesIn(head, coins)
  const ramp = rampIn(head)
  const rates = ratesIn(question, answers, coins)
  const [fee, adminFee] = [wordAt(head, "fee"), wordAt(head, "admin_fee")]
  if (balances === null || ramp === null || fee === null || adminFee === null) return null
  if (rates.length !== coins || rates.includes(0n)) return null
  const state: CurveStableState = {
    ...known,
    ...ramp,
    ...{ rates, balances, fee, adminFee, deposit: null, burned: null, rules: stableRules },
    supply: wordAt(head, "totalSupply"),
    offpegMultiplier: wordAt(head, "offpeg_fee_multiplier") ?? 0n,
    time: Math.max(time, known.time)
  }
  const rules = provenRules(state, round)
  return rules.length === 0 ? null : { ...state, rules }
}

export const curveStableStateRead: StateRead<CurveStableState> = {
  calls: (question, [head, ...later]) => {
    const coins = question.facts.tokens.length
    if (coins < 2 || coins > MOST_COINS || later.length > 0) return []
    return head === undefined ? headOf(question) : secondRound(head, coins)
  },
  state: stateOf
}
