/** Which adapter of the router contract trades with a pool, and what it is told. */
import { Predicate } from "effect"
import type { ChainConfig } from "../../../src/domain/chain.ts"
import type { TradePool } from "../pools/pool-market.ts"
import { isAdapter, legGasOf } from "./leg-gas.ts"
import { type Adapter, NATIVE } from "./router-call.ts"

type Hex = `0x${string}`

/** The contract that a leg calls, and its adapter. */
export interface AdaptedPool {
  readonly contract: Hex
  readonly adapter: Adapter
}

const ADDRESS_TEXT = 42

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

/** What a leg on the pool adds to the gas of a transaction; 0 where it can have none. */
export const gasOfPool = (pool: TradePool): number => {
  const kind = adapterName(pool)
  return isAdapter(kind) ? legGasOf(kind) : 0
}

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
