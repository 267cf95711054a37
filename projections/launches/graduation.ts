/**
 * The rule by which a launch has graduated, as a value that is published with the other rules. It
 * is applied to the state at the newest block, so a launch that loses its liquidity is not shown.
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

/** Returns two tests of a row of `launches`: is it a launch at all, and has it graduated? */
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
      const tokenId = token[launch] as number
      return (
        isLaunch(launch) &&
        listed[launch] !== NONE &&
        (trades[tokenId] ?? 0) >= minTrades &&
        priceOf(tokenId) > 0 &&
        depthOf(tokenId) >= minDepthUsd
      )
    }
  }
}
