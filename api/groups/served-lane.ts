/** Finds the lane and the token that a request names. */
import { Effect } from "effect"
import type { Lane, Lanes } from "../../engine/lane/lanes.ts"
import { idsOf } from "../../src/domain/ids.ts"
import { Refusal } from "../errors.ts"
import { DEFAULT_CHAIN } from "./chain-parameter.ts"
import { withheldOr } from "./withheld-chain.ts"

type LanesValue = Lanes["Service"]

/**
 * Returns the lane of a chain's id or key, or of the default chain where `chain` is undefined. The
 * refusal (400) names the parameter and the served chains, or that the chain needs a key.
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
  const refusal = new Refusal({ status: 400, code: "INVALID_PARAMS", message })
  return Effect.fail(withheldOr(lanes, chain ?? DEFAULT_CHAIN, refusal))
}

/**
 * Returns a token's account on a lane. The account of zeros becomes the token of the chain's native
 * unit, where there is one. The caller has checked the text.
 */
export const tokenOn = (lane: Lane, text: string): string => {
  const { zero, parseAccount } = idsOf(lane.config)
  const account = parseAccount(text) ?? zero
  return account === zero ? (lane.config.nativeToken ?? account) : account
}
