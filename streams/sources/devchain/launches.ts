/**
 * Tokens that traders launch while the devchain runs. The n-th launch is the same whenever it
 * happens: its address, names, supply and price follow from its number, so the launcher's counter
 * is all that has to be read from the chain.
 */
import { getContractAddress } from "viem"
import type { Hex } from "../../../src/platform/anvil-rpc.ts"
import { type Market, makePool, makeToken, type Pool, type Token } from "./market.ts"
import { seededRandom } from "./random.ts"

export interface Launch {
  readonly index: number
  readonly token: Token
  readonly pool: Pool
  /** raw units, all of them the creator's at first */
  readonly supply: bigint
}

/** Percent of the supply that the creator puts into the pool. */
export const POOLED_PERCENT = 80n

/** Only the newest launches still find traders. */
const TRADED = 24

/**
 * Chance that a block sees a new token: often in the first hours, rarely after, since every token
 * stays in the chain's state and Anvil hashes all of it in every block.
 */
export const launchChance = (launched: number): number => (launched < 60 ? 1 / 120 : 1 / 1800)

const HEADS = ["Bo", "Chi", "Do", "Fro", "Gi", "Ka", "Lu", "Mo", "Nu", "Pe", "Ri", "To", "Wi", "Zu"]
const TAILS = ["bby", "gga", "kko", "lly", "mmi", "nda", "ppo", "rra", "shi", "tto", "vva", "zzi"]

const drawLaunch = (market: Market, index: number): Launch => {
  const random = seededRandom(market.seed, market.network.key, "launch", index)
  const name = random.pick(HEADS) + random.pick(TAILS)
  const decimals = random.pick([18, 18, 18, 9, 6])
  const units = 10 ** random.between(6, 10)
  const depthUsd = Math.round(random.logNormal(14_000, 0.6))
  const token = makeToken(`${market.seed}/${market.network.key}/launch ${index}`, {
    symbol: name.toUpperCase(),
    name: `${name} ${index}`,
    decimals,
    contract: "token",
    bridged: false,
    priceUsd: depthUsd / 2 / ((Number(POOLED_PERCENT) / 100) * units),
    volatility: 0.4 + 0.7 * random.next(),
    address: getContractAddress({
      from: market.network.contracts.launcher,
      nonce: BigInt(index + 1)
    }).toLowerCase() as Hex
  })
  const kind = random.chance(0.75) ? "v2" : "v3"
  const spec = { kind, fee: kind === "v2" ? 3000 : 10000, depthUsd } as const
  return {
    index,
    token,
    pool: makePool(market.network, spec, token, random.pick(market.quotes)),
    supply: BigInt(units) * 10n ** BigInt(decimals)
  }
}

/** Launches by number, each made once. */
export const makeLaunches = (market: Market) => {
  const made = new Map<number, Launch>()
  const at = (index: number): Launch => {
    const launch = made.get(index) ?? drawLaunch(market, index)
    made.set(index, launch)
    made.delete(index - 4 * TRADED)
    return launch
  }
  /** the pools still traded when `count` tokens have been launched, oldest first */
  const traded = (count: number): ReadonlyArray<Pool> => {
    const first = Math.max(0, count - TRADED)
    return Array.from({ length: count - first }, (_, i) => at(first + i).pool)
  }
  return { at, traded }
}

export type Launches = ReturnType<typeof makeLaunches>
