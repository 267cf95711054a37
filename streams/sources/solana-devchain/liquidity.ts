/** Liquidity that the simulated chain's wallets bring and take. */
import type { Address } from "@solana/kit"
import { Effect } from "effect"
import { TOKEN, tokenAccountOf } from "./addresses.ts"
import type { User } from "./genesis.ts"
import { computeLimit } from "./launch-instructions.ts"
import { cpmmInitialize, cpmmLiquidity } from "./liquidity-instructions.ts"
import type { CpmmPool } from "./market-addresses.ts"
import { accountFor, type Plan } from "./moment.ts"
import { poolLiquidity, poolReserves, tokensOf } from "./states.ts"

/** Millionths of a pool's liquidity that a wallet brings. */
const LEAST_SHARE = 500
const MOST_SHARE = 10_000
const MILLION = 1_000_000n
/** How often a wallet that has liquidity takes some of it. */
const CHANCE_OF_LESS = 0.5
/** Beyond what opening a pool uses, which differs by how long its addresses are looked for. */
const OPENING_UNITS = 400_000
/** Of what a wallet has, what it brings at most, as a divisor. */
const PART = 4n

/** A wallet's accounts of a pool's two tokens. */
const accountsOf = (user: User, pool: CpmmPool): readonly [Address, Address] | null => {
  const [first, second] = pool.mints.map(mint => user.accounts.get(mint))
  return first === undefined || second === undefined ? null : [first, second]
}

/** Both amounts, changed one by one. */
const both = (
  amounts: readonly [bigint, bigint],
  change: (amount: bigint, i: 0 | 1) => bigint
): readonly [bigint, bigint] => [change(amounts[0], 0), change(amounts[1], 1)]

/** Brings liquidity into a pool, or takes some out. */
export const moveLiquidity: Plan = ({ bank, market }, user, random) =>
  Effect.gen(function* () {
    const pool = random.pick(market.pools)
    const accounts = accountsOf(user, pool)
    if (accounts === null) return null
    const token = { mint: pool.lpMint, program: TOKEN }
    const { account: lpTokens, opening } = yield* accountFor(bank, user, token)
    const holding = { pool, user: user.signer, accounts, lpTokens }
    const has = opening.length > 0 ? 0n : tokensOf(bank, lpTokens)
    const { liquidity: all } = poolLiquidity(bank, pool)
    const reserves = poolReserves(bank, pool)
    if (has > 0n && random.chance(CHANCE_OF_LESS)) {
      const liquidity = has / BigInt(random.between(1, 3))
      // prices may have moved a little when it lands
      const limits = both(reserves, reserve => (reserve * liquidity * 90n) / all / 100n)
      return {
        user,
        instructions: [cpmmLiquidity({ ...holding, call: "withdraw", liquidity, limits })]
      }
    }
    const liquidity = (all * BigInt(random.between(LEAST_SHARE, MOST_SHARE))) / MILLION
    const limits = both(reserves, reserve => (reserve * liquidity * 110n) / all / 100n + 1n)
    if (limits.some((most, i) => most > tokensOf(bank, accounts[i as 0 | 1]) / PART)) return null
    const call = cpmmLiquidity({ ...holding, call: "deposit", liquidity, limits })
    return { user, instructions: [...opening, call] }
  })

/** Opens the next pool at the fair price, with a part of what the wallet has. */
export const openPool: Plan = ({ bank, market, prices, timeSeconds }, user) =>
  Effect.gen(function* () {
    const pool = market.nextOpening
    const accounts = pool === undefined ? null : accountsOf(user, pool)
    if (pool === undefined || accounts === null) return null
    const [first, second] = pool.mints.map(mint => prices.get(mint)?.(timeSeconds) ?? 0)
    const amount = tokensOf(bank, accounts[0]) / PART
    const other = BigInt(Math.floor((Number(amount) * (first ?? 0)) / (second ?? 1)))
    if (amount === 0n || other > tokensOf(bank, accounts[1]) / 2n) return null
    const lpTokens = yield* tokenAccountOf(user.signer.address, pool.lpMint)
    const holding = { pool, user: user.signer, accounts, lpTokens }
    const call = cpmmInitialize(holding, [amount, other])
    return { user, instructions: [computeLimit(OPENING_UNITS), call] }
  })
