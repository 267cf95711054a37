/** The 24 hours that boards tell of. */
import { once } from "../../../engine/query.ts"
import { markets } from "../../../projections/markets/output.ts"
import { windowAt } from "../../../projections/markets/window.ts"

/** The window of the present position. */
export const windowOf = once(context => windowAt(context.output(markets), context.blockTime))
