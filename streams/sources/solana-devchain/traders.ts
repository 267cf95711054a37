/**
 * What the simulated chain's wallets do in a slot: a function of seed, age, time and the bank.
 * In pools they lean to a fair price that moves; on curves they buy, and sell parts of it.
 */
import type { Address, Instruction } from "@solana/kit"
import { cpmmOutput } from "../../solana/raydium-cpmm/quote.ts"
import { fairPrice } from "../devchain/fair-price.ts"
import { type Random, seededRandom } from "../devchain/random.ts"
import { USDC, WSOL } from "./addresses.ts"
import type { Bank } from "./bank.ts"
import { type Genesis, TRADE_FEE, type User } from "./genesis.ts"
import type { CpmmPool, Curve } from "./market-addresses.ts"
import { curveState, poolReserves, tokensOf } from "./states.ts"
import { cpmmSwap, curveSwap } from "./swap-instructions.ts"

/** A swap that a wallet sends. */
export interface Planned {
  readonly user: User
  readonly instruction: Instruction
}

const SOL_USD = 150
/** Bands of fair prices around their levels. */
const CALM = 0.03
const WILD = 0.25
/** Swaps of a slot: as many as draws in a row succeed, up to some. */
const CHANCE_OF_ANOTHER = 0.55
const MOST_SWAPS = 8
const CHANCE_OF_CURVE = 0.25
/** How often a swap goes where the price leads to. */
const LEANING = 0.75
/** Millionths of the reserve that a swap sends. */
const LEAST_SHARE = 100
const MOST_SHARE = 4_000
const MILLION = 1_000_000n
/** Of a quote, in percent, that a swap insists on. */
const INSISTED = 95n

/** Dollars of a token's unit, by mint, as a function of Unix seconds. */
export type FairPrices = ReadonlyMap<Address, (timeSeconds: number) => number>

/** Fair prices of pooled tokens: what their first pools begin with, moving in a band. */
export const fairPricesOf = (seed: string, { pools }: Genesis, bank: Bank): FairPrices => {
  const prices = new Map<Address, (timeSeconds: number) => number>([
    [USDC, () => 1e-6],
    [WSOL, fairPrice(seed, "SOL", SOL_USD / 1e9, CALM)]
  ])
  for (const pool of pools) {
    const [quote, token] = pool.mints
    if (prices.has(token) || quote !== WSOL) continue
    const [sol, units] = poolReserves(bank, pool)
    const level = (Number(sol) / Number(units)) * (SOL_USD / 1e9)
    prices.set(token, fairPrice(seed, token, level, WILD))
  }
  return prices
}

const poolSwap = (
  { bank, prices, timeSeconds }: Moment,
  pool: CpmmPool,
  user: User,
  random: Random
): Planned => {
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
  const swap = { pool, user: user.signer, accounts, isFirstIn, amount, limit, exact: "in" } as const
  return { user, instruction: cpmmSwap(swap) }
}

const LAMPORTS = 1_000_000_000

const onCurve = ({ bank }: Moment, curve: Curve, user: User, random: Random): Planned | null => {
  if (curveState(bank, curve).isComplete) return null
  const account = user.accounts.get(curve.mint)
  if (account === undefined) return null
  const has = tokensOf(bank, account)
  const common = { curve, user: user.signer, account, limit: 1n }
  if (has === 0n || random.chance(0.6)) {
    const amount = BigInt(random.between(LAMPORTS / 50, LAMPORTS))
    return { user, instruction: curveSwap({ ...common, call: "buy_exact_sol_in", amount }) }
  }
  const part = has / BigInt(random.between(1, 4)) + 1n
  const amount = part > has ? has : part
  return { user, instruction: curveSwap({ ...common, call: "sell", amount }) }
}

/** When swaps are planned, and of what. */
export interface Moment {
  readonly bank: Bank
  readonly genesis: Genesis
  readonly prices: FairPrices
  readonly seed: string
  /** slots since the first */
  readonly age: number
  readonly timeSeconds: number
}

/** Returns the swaps of a slot, each of another wallet. */
export const planSwaps = (moment: Moment): ReadonlyArray<Planned> => {
  const { genesis, seed, age } = moment
  const random = seededRandom(seed, "slot", age)
  const planned: Array<Planned> = []
  const users = [...genesis.users]
  while (planned.length < MOST_SWAPS && users.length > 0 && random.chance(CHANCE_OF_ANOTHER)) {
    const [user] = users.splice(random.between(0, users.length - 1), 1)
    if (user === undefined) break
    const isOnCurve = genesis.curves.length > 0 && random.chance(CHANCE_OF_CURVE)
    const one = isOnCurve
      ? onCurve(moment, random.pick(genesis.curves), user, random)
      : poolSwap(moment, random.pick(genesis.pools), user, random)
    if (one !== null) planned.push(one)
  }
  return planned
}
