/**
 * How the state of a DODO V2 pool is read (DODOEX/contractV2: DVM, DPP, DSP, GSP): what it computes
 * with (`getPMMStateForCall`) and both fees, for a trader of no name. A pool that asks an oracle
 * for its price says another than its own `_I_`, and is not read, nor are those of V1. What the
 * pool itself says of two sales proves the state, for versions differ and fees may.
 */
import type { StateAnswer, StateAnswers, StateCall, StateQuestion, StateRead } from "../../venue.ts"
import { type MarketState, marketModel } from "./pool.ts"

type Question = StateQuestion<MarketState>

const HEAD: ReadonlyArray<StateCall> = [
  {
    abi: "function getPMMStateForCall() view returns (uint256, uint256, uint256, uint256, uint256, uint256, uint256)"
  },
  { abi: "function _I_() view returns (uint256)" },
  { abi: "function getUserFeeRate(address) view returns (uint256, uint256)", args: [0n] }
]

/** What the first round tells; null where something of it is missing or moves by an oracle. */
const toldBy = ([market, price, fees]: ReadonlyArray<StateAnswer>): MarketState["told"] | null => {
  const [lpFee, mtFee] = fees ?? []
  if (market?.length !== 7 || lpFee === undefined || mtFee === undefined) return null
  const [i, k, baseReserve, quoteReserve, baseTarget, quoteTarget, rState] = market as Seven
  if (price?.[0] !== i) return null
  return { i, k, lpFee, mtFee, rState, baseTarget, quoteTarget, baseReserve, quoteReserve }
}

type Seven = readonly [bigint, bigint, bigint, bigint, bigint, bigint, bigint]

/** What is sold in a sale that proves the state: a thousandth of what the pool holds. */
const PART = 1000n

const salesOf = ({ baseReserve = 0n, quoteReserve = 0n }: MarketState["told"]) =>
  [
    { name: "querySellBase", tokenIn: 0, amount: baseReserve / PART },
    { name: "querySellQuote", tokenIn: 1, amount: quoteReserve / PART }
  ] as const

const calls = (_question: Question, [head, ...later]: StateAnswers): ReadonlyArray<StateCall> => {
  if (head === undefined) return HEAD
  const told = toldBy(head)
  if (told === null || later.length > 0) return []
  return salesOf(told).map(({ name, amount }) => ({
    abi: `function ${name}(address, uint256) view returns (uint256, uint256)`,
    args: [0n, amount]
  }))
}

const stateOf = ({ facts }: Question, [head, sales]: StateAnswers): MarketState | null => {
  const told = head === undefined ? null : toldBy(head)
  if (told === null || sales === undefined) return null
  const state = { pool: facts.pool, tokens: facts.tokens, told }
  const isProven = salesOf(told).every(({ tokenIn, amount }, place) => {
    const quote = marketModel.quote(state, facts, tokenIn, 1 - tokenIn, amount)
    return quote.ok && quote.amountOut === sales[place]?.[0]
  })
  return isProven ? state : null
}

export const marketStateRead: StateRead<MarketState> = { calls, state: stateOf }
