/** Factors that bring a crypto pool's coins to 18 decimals. */
import type { PoolFacts } from "../../venue.ts"

/** `10^(18 - decimals)` by place; null where a coin's decimals are not known, or above 18. */
export const precisionsOf = ({ decimals, tokens }: PoolFacts): ReadonlyArray<bigint> | null => {
  const known = decimals.filter(
    (one): one is number => one !== null && Number.isInteger(one) && one >= 0 && one <= 18
  )
  return known.length === 0 || known.length !== tokens.length
    ? null
    : known.map(one => 10n ** BigInt(18 - one))
}
