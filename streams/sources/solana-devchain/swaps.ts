/** Swaps that the simulated chain's wallets make. */
import type { Address } from "@solana/kit"
import { Effect } from "effect"
import { cpmmOutput } from "../../solana/raydium-cpmm/quote.ts"
import type { Random } from "../devchain/random.ts"
import { WSOL } from "./addresses.ts"
import { TRADE_FEE, type User } from "./genesis.ts"
import type { CurveToken, Market } from "./market.ts"
import { accountFor, type Moment, type Plan } from "./moment.ts"
import { ammReserves, curveState, poolLiquidity, poolReserves, tokensOf } from "./states.ts"
import { ammSwap, cpmmSwap, curveSwap } from "./swap-instructions.ts"

/** How often a swap goes where the price leads to. */
const LEANING = 0.75
/** Millionths of the reserve that a swap sends. */
const LEAST_SHARE = 100
const MOST_SHARE = 4_000
/** Of a graduated token's reserve: its pool is small, and so its price is lively. */
const MOST_SHARE_OF_TOKEN = 20_000
const MILLION = 1_000_000n
/** Of a quote, in percent, that a swap insists on, or pays at most. */
const INSISTED = 95n
const PAID_AT_MOST = 106n
/** How many of a list are the newest. */
const NEWEST = 4
/** What wallets buy for on a curve, in lamports. */
const SMALL: readonly [number, number] = [20_000_000, 1_000_000_000]
const LARGE: readonly [number, number] = [2_000_000_000, 10_000_000_000]

/** A swap of a pool of two tokens that both have fair prices. */
export const swapInPool: Plan = ({ bank, market, prices, timeSeconds }, user, random) =>
  Effect.sync(() => {
    const pool = random.pick(market.pools)
    if (poolLiquidity(bank, pool).openSeconds > timeSeconds) return null
    const reserves = poolReserves(bank, pool)
    const [first, second] = pool.mints.map(mint => prices.get(mint)?.(timeSeconds) ?? 0)
    // the pool holds too much of the token that is worth more there than elsewhere
    const isFirstDear = Number(reserves[0]) * (first ?? 0) < Number(reserves[1]) * (second ?? 0)
    const isFirstIn = random.chance(LEANING) ? isFirstDear : !isFirstDear
    const [from, to] = isFirstIn ? ([0, 1] as const) : ([1, 0] as const)
    const share = BigInt(random.between(LEAST_SHARE, MOST_SHARE))
    const amount = (reserves[from] * share) / MILLION + 1n
    const facts = { in: reserves[from], out: reserves[to], feeRate: TRADE_FEE }
    const quote = cpmmOutput({ ...facts, feeOfInput: null, feeOfOutput: null }, amount)
    const limit = (quote * INSISTED) / 100n
    const accounts = pool.mints.map(mint => user.accounts.get(mint)) as [Address, Address]
    const swap = { pool, user: user.signer, accounts, isFirstIn, amount, limit } as const
    return { user, instructions: [cpmmSwap({ ...swap, exact: "in" })] }
  })

/** Where a wallet holds a token, and how much of it. */
interface Holding {
  readonly token: CurveToken
  readonly user: User
  readonly account: Address
  readonly has: bigint
}

const curveCall = ({ token, user, account, has }: Holding, random: Random) => {
  const { curve, hasBuyers } = token
  const common = { curve, user: user.signer, account, limit: 1n }
  if (has === 0n || random.chance(hasBuyers ? 0.9 : 0.6)) {
    const amount = BigInt(random.between(...(hasBuyers ? LARGE : SMALL)))
    return curveSwap({ ...common, call: "buy_exact_sol_in", amount })
  }
  const part = has / BigInt(random.between(1, 4)) + 1n
  return curveSwap({ ...common, call: "sell", amount: part > has ? has : part })
}

/** A swap of a graduated token; null where the wallet has none to sell. */
const ammCall = (moment: Moment, { token, user, account, has }: Holding, random: Random) => {
  const { pool, fairLamports } = token
  const [base, quote] = ammReserves(moment.bank, pool)
  const isCheap = Number(quote) / Number(base) < fairLamports(moment.timeSeconds)
  const isBuy = random.chance(LEANING) ? isCheap : !isCheap
  const share = BigInt(random.between(LEAST_SHARE, MOST_SHARE_OF_TOKEN))
  const wanted = (base * share) / MILLION + 1n
  const amount = isBuy || wanted < has ? wanted : has
  const wrapped = user.accounts.get(WSOL)
  if (amount === 0n || wrapped === undefined) return null
  const limit = isBuy
    ? (((quote * amount) / (base - amount)) * PAID_AT_MOST) / 100n + 1n
    : (((quote * amount) / (base + amount)) * INSISTED) / 100n
  const accounts = [account, wrapped] as const
  const call = isBuy ? "buy" : "sell"
  return ammSwap({ pool, user: user.signer, accounts, call, amount, limit })
}

/** One of the newest tokens, of those with buyers, of the graduated, or any, by these weights. */
const pickToken = (market: Market, random: Random): CurveToken => {
  const { tokens } = market
  const sought = market.at("selling").filter(({ hasBuyers }) => hasBuyers)
  const lists: ReadonlyArray<readonly [weight: number, list: ReadonlyArray<CurveToken>]> = [
    [30, tokens.slice(-NEWEST)],
    [30, sought.slice(-NEWEST)],
    [25, market.at("graduated").slice(-NEWEST)],
    [15, tokens]
  ]
  const [, list] = random.weighted(
    lists.filter(([, { length }]) => length > 0),
    ([weight]) => weight
  )
  return random.pick(list)
}

/** A swap of a token that launched, on its curve or in the pool in which that ended. */
export const swapToken: Plan = (moment, user, random) =>
  Effect.gen(function* () {
    const { bank, market } = moment
    if (market.tokens.length === 0) return null
    const token = pickToken(market, random)
    const { account, opening } = yield* accountFor(bank, user, token.curve)
    const has = opening.length > 0 ? 0n : tokensOf(bank, account)
    const holding = { token, user, account, has }
    const { stage } = curveState(bank, token.curve)
    if (stage === "sold") return null
    const isInPool = stage === "graduated"
    const call = isInPool ? ammCall(moment, holding, random) : curveCall(holding, random)
    return call === null ? null : { user, instructions: [...opening, call] }
  })
