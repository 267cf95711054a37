/** Which adapter of the router contract trades with a pool, and what it is told. */
import { Predicate } from "effect"
import type { ChainConfig } from "../../../src/domain/chain.ts"
import type { TradePool } from "../pools/pool-market.ts"
import { type Adapter, NATIVE } from "./router-call.ts"

type Hex = `0x${string}`

/** The contract that a leg calls, and its adapter. */
export interface AdaptedPool {
  readonly contract: Hex
  readonly adapter: Adapter
}

const ADDRESS_TEXT = 42

/**
 * Gas of a whole transaction with one leg of the adapter, as the contract's tests measure it, and
 * about what each further leg and each conversion of the native unit add (README.md beside this).
 */
const GAS: { readonly [K in Adapter["kind"]]: number } = {
  wrap: 22_000,
  unwrap: 22_000,
  "uniswap-v2": 138_000,
  solidly: 129_000,
  "uniswap-v3": 142_000,
  "pancakeswap-v3": 142_000,
  "solidly-cl": 163_000,
  algebra: 162_000,
  "uniswap-v4": 145_000,
  "curve-stable": 145_000,
  "curve-crypto": 145_000,
  "balancer-v2": 147_000,
  "balancer-v3": 188_000,
  "liquidity-book": 122_000,
  dodo: 122_000,
  "maverick-v2": 126_000
}

/** Adapters that let the pool count what arrived (`PaidFirst.sol`). */
const ARRIVAL_KINDS: ReadonlySet<string> = new Set<Adapter["kind"]>([
  "uniswap-v2",
  "solidly",
  "liquidity-book",
  "dodo",
  "maverick-v2"
])

/** The name of the adapter that trades with a pool, where the contract has one. */
const adapterName = ({ kind }: TradePool): string => kind.tradedAs ?? kind.kind

/** Whether the contract sells to a pool what arrives there, be it less than was sent. */
export const countsArrival = (pool: TradePool): boolean => ARRIVAL_KINDS.has(adapterName(pool))

/** What a transaction costs before its first leg; the rest of the figures above is the leg's. */
const BASE_GAS = 50_000

/** About what a route's first leg and each further one cost, before its pools are known. */
export const LEG_GAS = { first: 145_000, further: 90_000 } as const

/** About the gas of a transaction with these legs, conversions among them. */
export const gasOf = (legs: ReadonlyArray<Adapter>): number =>
  legs.reduce((sum, { kind }) => {
    const isConversion = kind === "wrap" || kind === "unwrap"
    return sum + (isConversion ? GAS[kind] : GAS[kind] - BASE_GAS)
  }, BASE_GAS)

/** Whether a state says that its pool has hooks, as a number. */
const hooksIn = (state: unknown): bigint | null => {
  const hooks = Predicate.hasProperty(state, "hooks") ? state.hooks : null
  return typeof hooks === "bigint" ? hooks : null
}

const rangeAdapter = (
  kind: "uniswap-v3" | "pancakeswap-v3" | "solidly-cl" | "algebra",
  { facts }: TradePool,
  factory: Hex | null
): Adapter | null => {
  if (kind === "algebra") return { kind, factory }
  if (kind === "solidly-cl") {
    return facts.tickSpacing === null ? null : { kind, tickSpacing: facts.tickSpacing, factory }
  }
  return facts.fee === null ? null : { kind, fee: facts.fee, factory }
}

const v4Adapter = ({ facts, state }: TradePool): Adapter | null => {
  const hooks = hooksIn(state)
  const { fee, tickSpacing } = facts
  if (hooks === null || fee === null || tickSpacing === null) return null
  const address = `0x${hooks.toString(16).padStart(40, "0")}` as const
  return { kind: "uniswap-v4", fee, tickSpacing, hooks: address, hookData: "0x" }
}

const adapterOf = (
  pool: TradePool,
  [from, to]: readonly [number, number],
  factory: Hex | null
): Adapter | null => {
  const kind = adapterName(pool)
  switch (kind) {
    case "uniswap-v2":
      return pool.facts.fee === null ? null : { kind, fee: pool.facts.fee }
    case "solidly":
      return { kind }
    case "uniswap-v3":
    case "pancakeswap-v3":
    case "solidly-cl":
    case "algebra":
      return rangeAdapter(kind, pool, factory)
    case "uniswap-v4":
      return v4Adapter(pool)
    case "curve-stable":
    case "curve-crypto":
      return { kind, from, to }
    case "balancer-v2":
      return { kind, poolId: pool.pool as Hex }
    case "balancer-v3":
      return { kind, vaultPool: pool.pool as Hex }
    case "liquidity-book":
    case "dodo":
    case "maverick-v2":
      return { kind, sellsFirst: from === 0 }
    default:
      return null
  }
}

/** The one contract of a chain through which all pools of a kind are traded; null for others. */
const oneContractOf = ({ venues }: ChainConfig, { kind }: TradePool): Hex | null => {
  const isShared = kind.oneContract !== undefined
  const venue = isShared ? venues.find(one => one.kind === kind.kind) : undefined
  return (venue?.factory as Hex | undefined) ?? null
}

/** The contract that holds a pool's tokens, which a leg calls; null where it is not known. */
export const contractOf = (chain: ChainConfig, pool: TradePool): Hex | null =>
  oneContractOf(chain, pool) ?? (pool.pool.length === ADDRESS_TEXT ? (pool.pool as Hex) : null)

/**
 * The adapter for selling one token of a pool for another; null where the contract has none, or
 * what it would have to be told is not known.
 */
export const adaptedPool = (
  chain: ChainConfig,
  pool: TradePool,
  tokenIn: string,
  tokenOut: string
): AdaptedPool | null => {
  const { tokens } = pool.facts
  const places = [tokens.indexOf(tokenIn), tokens.indexOf(tokenOut)] as const
  const factory = pool.factory === NATIVE ? null : (pool.factory as Hex | null)
  const adapter = adapterOf(pool, places, factory)
  const contract = contractOf(chain, pool)
  return adapter === null || contract === null ? null : { contract, adapter }
}
