/** Which tokens of a lane are launches, and which of these have graduated. */
import type { FoldsView } from "../../../engine/query.ts"
import { launchesOutput } from "../../../projections/launches/tables.ts"
import { pricesOutput as prices } from "../../../projections/prices/output.ts"
import { tapeOutput } from "../../../projections/tape/output.ts"
import { isGraduate } from "../../../src/rules/graduation.ts"
import { NONE } from "../../../streams/batch/id-table.ts"

/** Returns two tests of a row of `launches`: is it a launch at all, and has it graduated? */
export const graduationOf = (view: FoldsView) => {
  const { launches } = view.output(launchesOutput)
  const { trades } = view.output(tapeOutput).activity()
  const { priceOf, depthOf } = view.output(prices)
  const { first, listed, token } = launches.columns
  const isLaunch = (launch: number): boolean => first[launch] !== NONE
  return {
    isLaunch,
    isGraduated: (launch: number): boolean => {
      const tokenId = token[launch] as number
      return (
        isLaunch(launch) &&
        listed[launch] !== NONE &&
        isGraduate(trades[tokenId] ?? 0, priceOf(tokenId), depthOf(tokenId))
      )
    }
  }
}
