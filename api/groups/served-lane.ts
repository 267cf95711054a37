/** Which lane and token a request means. */
import { Effect } from "effect"
import type { Lane, Lanes } from "../../engine/lane/lanes.ts"
import { parseAddress, ZERO_ADDRESS } from "../../src/domain/address.ts"
import { Refusal } from "../errors.ts"

type LanesValue = Lanes["Service"]

/** The lane of a chain id; the refusal names the parameter and what is served. */
export const servedLane = (lanes: LanesValue, chain: number): Effect.Effect<Lane, Refusal> => {
  const lane = lanes.find(String(chain))
  if (lane !== undefined) return Effect.succeed(lane)
  const served = lanes.all.map(({ config }) => `${config.id} (${config.key})`).join(", ")
  const message = `chain ${chain} is not served here; served: ${served}`
  return Effect.fail(new Refusal({ status: 400, code: "INVALID_PARAMS", message }))
}

/**
 * A token's address on a lane: the zero address stands for the chain's native unit, where the
 * chain has a token for it. Callers have checked the text.
 */
export const tokenOn = (lane: Lane, text: string): string => {
  const address = parseAddress(text) ?? ZERO_ADDRESS
  return address === ZERO_ADDRESS ? (lane.config.nativeToken ?? address) : address
}
