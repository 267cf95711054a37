/** Which adapter of the router contract trades with a pool, and what it is told. */
import type { ChainConfig } from "../../../src/domain/chain.ts"
import type { TradePool } from "../pools/pool-market.ts"
import {
  type Adapter,
  type AdapterName,
  adapterFor,
  factsOfAdapter,
  isAdapter
} from "./adapters.ts"
import { NATIVE } from "./router-call.ts"

type Hex = `0x${string}`

/** The contract that a leg calls, and its adapter. */
export interface AdaptedPool {
  readonly contract: Hex
  readonly adapter: Adapter
}

const ADDRESS_TEXT = 42

/** The name of the adapter that trades with a pool; null where the contract has none. */
const adapterName = ({ kind: { kind, tradedAs = kind } }: TradePool): AdapterName | null =>
  isAdapter(tradedAs) ? tradedAs : null

/** Whether the contract sells to a pool what arrives there, be it less than was sent. */
export const countsArrival = (pool: TradePool): boolean => {
  const name = adapterName(pool)
  return name !== null && factsOfAdapter(name).countsArrival === true
}

/** What a leg on the pool adds to the gas of a transaction; 0 where it can have none. */
export const gasOfPool = (pool: TradePool): number => {
  const name = adapterName(pool)
  return name === null ? 0 : factsOfAdapter(name).gas
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
  const [from, to] = [tokens.indexOf(tokenIn), tokens.indexOf(tokenOut)]
  const factory = pool.factory === NATIVE ? null : (pool.factory as Hex | null)
  const name = adapterName(pool)
  const adapter = name === null ? null : adapterFor(name, { ...pool, from, to, factory })
  const contract = contractOf(chain, pool)
  return adapter === null || contract === null ? null : { contract, adapter }
}
