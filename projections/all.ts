/** The projections of a lane, each after those whose output it reads. */
import type { Projection } from "../engine/projection.ts"
import { candles } from "./candles/projection.ts"
import { coverage } from "./coverage/projection.ts"
import { pools } from "./pools/projection.ts"
import { prices } from "./prices/projection.ts"
import { tape } from "./tape/projection.ts"
import { tokens } from "./tokens/projection.ts"

export const allProjections = [
  tokens,
  pools,
  prices,
  tape,
  candles,
  coverage
] as ReadonlyArray<Projection>
