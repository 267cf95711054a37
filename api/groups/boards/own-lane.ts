/** Finds the lane of a chain with a route family of its own; refuses (503) where it is off. */
import { Effect } from "effect"
import type { Lane, Lanes } from "../../../engine/lane/lanes.ts"
import { Refusal } from "../../errors.ts"
import { withheldOr } from "../withheld-chain.ts"

/** @param name what people call the chain; @param setting what names its endpoints */
const laneOr = (
  lanes: Lanes["Service"],
  key: string,
  name: string,
  setting: string
): Effect.Effect<Lane, Refusal> =>
  Effect.suspend(() => {
    const lane = lanes.find(key)
    if (lane !== undefined) return Effect.succeed(lane)
    const message = `${name} is off on this deployment; set ${setting} to turn it on`
    const refusal = new Refusal({ status: 503, code: "CHAIN_NOT_ENABLED", message })
    return Effect.fail(withheldOr(lanes, key, refusal))
  })

export const ownLane = (
  lanes: Lanes["Service"],
  key: string,
  id: number
): Effect.Effect<Lane, Refusal> => laneOr(lanes, key, `chain ${id} (${key})`, `RPC_${id}`)

/** Returns the lane of Solana, whose routes stand below `/chains/solana`. */
export const solanaLane = (lanes: Lanes["Service"]): Effect.Effect<Lane, Refusal> =>
  laneOr(lanes, "solana", "solana", "RPC_SOLANA")
