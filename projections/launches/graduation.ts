/**
 * When a launch is shown: the rule as a value, published with the other rules. It looks at what the
 * log holds up to the newest block, so a launch that loses its liquidity is shown no longer.
 */
import type { FoldsContext } from "../../engine/query.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { pricesOutput as prices } from "../prices/output.ts"
import { tapeOutput } from "../tape/output.ts"
import { launchesOutput } from "./tables.ts"

export const graduationRule = {
  version: 1,
  id: "graduated",
  text: "the log shows the making of the token's first pool (of a pool that an unlisted contract claims, once the pool itself was asked) and of a pool of a listed venue, which may be the same; the token has a price, with minDepthUsd behind it (`/v1/prices/explain`), and at least minTrades prints. A token with a pool of a listed venue from before the log is no launch, nor is an anchor",
  minTrades: 10,
  minDepthUsd: 1_000
} as const

/** Tells of each launch, by its slot, whether it is one, and whether it has graduated. */
export const graduationOf = (context: FoldsContext) => {
  const { launches } = context.output(launchesOutput)
  const { trades } = context.output(tapeOutput).activity()
  const { priceOf, depthOf } = context.output(prices)
  const { first, listed, token } = launches.columns
  const { minTrades, minDepthUsd } = graduationRule
  const isLaunch = (launch: number): boolean => first[launch] !== NONE
  return {
    isLaunch,
    isGraduated: (launch: number): boolean => {
      const of = token[launch] as number
      return (
        isLaunch(launch) &&
        listed[launch] !== NONE &&
        (trades[of] ?? 0) >= minTrades &&
        priceOf(of) > 0 &&
        depthOf(of) >= minDepthUsd
      )
    }
  }
}
