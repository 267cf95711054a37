/** Refuses a chain that is served to callers with a key alone (spec, parts 4.12 and 7). */
import { type Lanes, laneIn } from "../../engine/lane/lanes.ts"
import { Refusal } from "../errors.ts"

/** What somebody without a key is told of a chain; null of one that is not withheld. */
export const withheldMessage = ({ withheld }: Lanes["Service"], chain: string): string | null => {
  const lane = laneIn(withheld, chain)
  return lane === undefined
    ? null
    : `chain ${lane.config.key} is not public on this deployment: send an X-API-Key`
}

/** Returns the refusal of a chain; `otherwise` of one that is not withheld. */
export const withheldOr = (lanes: Lanes["Service"], chain: string, otherwise: Refusal): Refusal => {
  const message = withheldMessage(lanes, chain)
  return message === null
    ? otherwise
    : new Refusal({ status: 400, code: "UNSUPPORTED_CHAIN", message })
}
