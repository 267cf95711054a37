/** What the gas of a route's legs costs, which depends on the kinds of their pools. */
import type { TradePool } from "../pools/pool-market.ts"

/** Of a leg on a pool, in raw units of the token whose amount is open. */
export type LegGas = (pool: TradePool) => bigint

/** Of all legs. */
export const gasOfLegs = (legs: ReadonlyArray<{ readonly pool: TradePool }>, gas: LegGas): bigint =>
  legs.reduce((sum, { pool }) => sum + gas(pool), 0n)
