/** How far back the rows reach that candles of a frame are made of. */
import type { MemoryContext } from "../../engine/query.ts"
import type { AnyFrame } from "./time-frame.ts"

/** From when on all is kept that buckets of a frame are made of, Unix seconds. */
export const keptOf = ({ keptFrom }: MemoryContext, { base }: Pick<AnyFrame, "base">): number => {
  if (base === null) return keptFrom.raw
  return base === "candles_1m" ? keptFrom.minutes : 0
}
