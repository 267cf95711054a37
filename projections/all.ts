/** The projections of a lane, each after those whose output it reads. */
import type { Projection } from "../engine/projection.ts"
import type { OutputKey } from "../engine/query.ts"
import { candles } from "./candles/projection.ts"
import { coverage } from "./coverage/projection.ts"
import { holdersProjection } from "./holders/projection.ts"
import { launchesProjection } from "./launches/projection.ts"
import { liquidityProjection } from "./liquidity/projection.ts"
import { marketsProjection } from "./markets/projection.ts"
import { poolsProjection } from "./pools/projection.ts"
import { prices } from "./prices/projection.ts"
import { tape } from "./tape/projection.ts"
import { tokensProjection } from "./tokens/projection.ts"
import { walletSwapsProjection } from "./wallet-swaps/projection.ts"
import { walletsProjection } from "./wallets/projection.ts"

export const allProjections = [
  coverage,
  tokensProjection,
  poolsProjection,
  prices,
  tape,
  walletSwapsProjection,
  walletsProjection,
  marketsProjection,
  candles,
  launchesProjection,
  liquidityProjection,
  holdersProjection
] as ReadonlyArray<Projection>

/** Projections with all that they use, in the order of the registry: a lane of them alone. */
export const withUses = (
  ...wanted: ReadonlyArray<OutputKey<unknown>>
): ReadonlyArray<Projection> => {
  const names = new Set<string>()
  const add = ({ name }: OutputKey<unknown>): void => {
    if (names.has(name)) return
    names.add(name)
    for (const used of allProjections.find(one => one.name === name)?.uses ?? []) add(used)
  }
  for (const one of wanted) add(one)
  return allProjections.filter(({ name }) => names.has(name))
}
