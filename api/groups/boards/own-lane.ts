/** Finds the lane of a chain with a route family of its own; refuses (503) where it is off. */
import { Effect } from "effect"
import type { Lane, Lanes } from "../../../engine/lane/lanes.ts"
import { Refusal } from "../../errors.ts"
import { withheldOr } from "../withheld-chain.ts"

export const ownLane = (
  lanes: Lanes["Service"],
  key: string,
  id: number
): Effect.Effect<Lane, Refusal> =>
  Effect.suspend(() => {
    const lane = lanes.find(String(id))
    if (lane !== undefined) return Effect.succeed(lane)
    const message = `chain ${id} (${key}) is off on this deployment; set RPC_${id} to turn it on`
    const refusal = new Refusal({ status: 503, code: "CHAIN_NOT_ENABLED", message })
    return Effect.fail(withheldOr(lanes, key, refusal))
  })
