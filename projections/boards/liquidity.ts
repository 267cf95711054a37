/** What stands behind a token's price. */
import type { QueryContext } from "../../engine/projection.ts"
import { pricesOutput } from "../prices/output.ts"

/** Dollars on the quote side of the pools that price the token, thin ones too; null for none. */
export const liquidityOf = (
  context: Pick<QueryContext, "output">,
  token: number
): number | null => {
  const { poolsOf, poolDepthOf } = context.output(pricesOutput)
  const depths = poolsOf(token, 1000).map(poolDepthOf)
  return depths.length === 0 ? null : depths.reduce((sum, depth) => sum + depth, 0)
}
