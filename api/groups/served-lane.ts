/** Which lane and token a request means. */
import { Effect } from "effect"
import type { Lane, Lanes } from "../../engine/lane/lanes.ts"
import { parseAddress, ZERO_ADDRESS } from "../../src/domain/address.ts"
import { Refusal } from "../errors.ts"
import { DEFAULT_CHAIN } from "./chain-parameter.ts"

type LanesValue = Lanes["Service"]

/**
 * The lane of a chain's id or key, of the default chain where none was named; the refusal names
 * the parameter and what is served.
 */
export const servedLane = (
  lanes: LanesValue,
  chain: string | undefined
): Effect.Effect<Lane, Refusal> => {
  const lane = lanes.find(chain ?? DEFAULT_CHAIN)
  if (lane !== undefined) return Effect.succeed(lane)
  const served = lanes.all.map(({ config }) => `${config.id} (${config.key})`).join(", ")
  const what =
    chain === undefined
      ? `chain is missing, and the default, ${DEFAULT_CHAIN} (monad),`
      : `chain ${chain}`
  const message = `${what} is not served here; served: ${served}`
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
