/**
 * How a crypto pool's state is read. Which maths a pool has it tells by the contract that it names:
 * the newer ones have `MATH`, whose version is asked; the first three-coin ones have a token of
 * their own (`token`) and no `MATH`. Of others nothing is told, the first two-coin ones among them.
 */

import { addressOfWord } from "../../../src/domain/address.ts"
import type { ThreeCoinRule, Triple } from "../../../src/math/crypto-swap/three-coin.ts"
import { MAX_UINT160 } from "../../../src/math/fixed-point.ts"
import type { StateAnswer, StateAnswers, StateCall, StateQuestion, StateRead } from "../../venue.ts"
import { precisionsOf } from "./precisions.ts"
import type { CurveCryptoState, Ramp } from "./state.ts"

type Question = StateQuestion<CurveCryptoState>

const number = (name: string): StateCall => ({
  abi: `function ${name}() view returns (uint256)`
})

const named = [
  "MATH",
  "token",
  "D",
  "virtual_price",
  "totalSupply",
  "initial_A_gamma",
  "future_A_gamma",
  "initial_A_gamma_time",
  "future_A_gamma_time",
  "mid_fee",
  "out_fee",
  "fee_gamma"
] as const

const placed = (name: string, place: number): StateCall => ({
  abi: `function ${name}(uint256) view returns (uint256)`,
  args: [BigInt(place)]
})

const headOf = (coins: number): ReadonlyArray<StateCall> => [
  ...named.map(number),
  ...(coins === 2 ? [number("price_scale")] : [placed("price_scale", 0), placed("price_scale", 1)]),
  ...Array.from({ length: coins }, (_, place) => placed("balances", place))
]

/** The text of a `string` answer of up to 32 bytes; null for any other. */
const shortText = (answer: StateAnswer | undefined): string | null => {
  const [offset, length, word] = answer ?? []
  if (offset !== 32n || length === undefined || word === undefined || length > 32n) return null
  const digits = word
    .toString(16)
    .padStart(64, "0")
    .slice(0, Number(length) * 2)
  return (digits.match(/../g) ?? []).map(pair => String.fromCharCode(Number(`0x${pair}`))).join("")
}

/** Versions of the maths that ours are, by the number of coins. */
const versions: { readonly [coins: number]: ReadonlyArray<string> } = {
  2: ["v2.0.0", "v2.1.0"],
  3: ["v2.0.0"]
}

/** The first words of the answers by name, and of those by place. */
const wordsOf = (coins: number, answers: ReadonlyArray<StateAnswer>) => {
  const word = (at: number): bigint | null => answers[at]?.[0] ?? null
  const byName = (name: (typeof named)[number]) => word(named.indexOf(name))
  const scales = Array.from({ length: coins - 1 }, (_, i) => word(named.length + i))
  const balances = Array.from({ length: coins }, (_, i) => word(named.length + coins - 1 + i))
  return { byName, scales, balances }
}

/** Which maths: null where they are not ours. */
const ruleOf = (coins: number, [head = [], round]: StateAnswers): ThreeCoinRule | null => {
  const { byName } = wordsOf(coins, head)
  if (byName("MATH") === null) return coins === 3 && byName("token") !== null ? "newton" : null
  const version = shortText(round?.[0])
  return version !== null && versions[coins]?.includes(version) === true ? "analytic" : null
}

const LOW = 128n
/** A stands above gamma in one word. */
const rampOf = (initial: bigint, future: bigint): { readonly a: Ramp; readonly gamma: Ramp } => ({
  a: { initial: initial >> LOW, future: future >> LOW },
  gamma: { initial: BigInt.asUintN(128, initial), future: BigInt.asUintN(128, future) }
})

/** What pools of both numbers of coins answer; null where something is missing. */
const commonOf = (coins: number, answers: ReadonlyArray<StateAnswer>) => {
  const { byName, scales, balances } = wordsOf(coins, answers)
  const [d, virtualPrice] = [byName("D"), byName("virtual_price")]
  const [initial, future] = [byName("initial_A_gamma"), byName("future_A_gamma")]
  const [from, to] = [byName("initial_A_gamma_time"), byName("future_A_gamma_time")]
  const [mid, out, gamma] = [byName("mid_fee"), byName("out_fee"), byName("fee_gamma")]
  if (d === null || virtualPrice === null || initial === null || future === null) return null
  if (from === null || to === null || mid === null || out === null || gamma === null) return null
  const known = [...scales, ...balances].filter(one => one !== null)
  if (known.length !== 2 * coins - 1 || known.slice(0, coins - 1).includes(0n)) return null
  const ramp = rampOf(initial, future)
  const fees = { mid, out, gamma }
  return { d, virtualPrice, supply: byName("totalSupply"), from, to, fees, ramp, known }
}

const stateOf = (question: Question, answers: StateAnswers): CurveCryptoState | null => {
  const { facts, known: before, time } = question
  const coins = facts.tokens.length
  const rule = ruleOf(coins, answers)
  const told = commonOf(coins, answers[0] ?? [])
  const precisions = precisionsOf(facts)
  if (rule === null || told === null || precisions === null) return null
  const { d, virtualPrice, supply, from, to, fees, ramp, known } = told
  if (rule === "analytic" && (supply === null || supply === 0n)) return null
  const state = { ...before, time: Math.max(time, before.time), deposit: null }
  if (coins === 2) {
    const [priceScale, first, second] = known as [bigint, bigint, bigint]
    const balances = [first, second] as const
    const rates = { midFee: fees.mid, outFee: fees.out, feeGamma: fees.gamma }
    return { ...state, ...ramp, ...rates, balances, priceScale, d, virtualPrice, supply, from, to }
  }
  const [scale1, scale2, ...held] = known as [bigint, bigint, bigint, bigint, bigint]
  const triple = {
    ...{ rule, ...ramp, from, to, fees, d, virtualPrice },
    priceScale: [scale1, scale2] as const,
    supply: rule === "analytic" ? supply : null,
    balances: held as unknown as Triple,
    precisions: precisions as unknown as Triple
  }
  return { ...state, triple }
}

/** The version of the maths, of pools that name a contract with them. */
const versionCalls = (
  coins: number,
  head: ReadonlyArray<StateAnswer>
): ReadonlyArray<StateCall> => {
  const maths = wordsOf(coins, head).byName("MATH")
  if (maths === null || maths > MAX_UINT160) return []
  return [{ to: addressOfWord(maths), abi: "function version() view returns (string)" }]
}

export const cryptoStateRead: StateRead<CurveCryptoState> = {
  calls: ({ facts }, [head, ...later]) => {
    const coins = facts.tokens.length
    if (versions[coins] === undefined || later.length > 0) return []
    return head === undefined ? headOf(coins) : versionCalls(coins, head)
  },
  state: stateOf
}
