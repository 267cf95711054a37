/**
 * Decides which routes serve a chain. Every chain is in the chain-keyed family
 * `/v1/chains/{chain}/*`, except the few with routes of their own (spec, part 1).
 */
import { Effect } from "effect"
import type { Lane, Lanes } from "../../../engine/lane/lanes.ts"
import { isNamed } from "../../../src/domain/chain.ts"
import { allChains } from "../../../src/domain/chains/registry.ts"
import { Refusal } from "../../errors.ts"
import { ownLane } from "../boards/own-lane.ts"
import { withheldOr } from "../withheld-chain.ts"

/** Routes of the chains that are refused on `/chains/{chain}/*`, by key. */
const OWN_ROUTES: { readonly [chain: string]: string } = {
  arc: "/v1/arc/*, /v1/tokens/trades/{address}?chain=5042 and /v1/candles?chain=5042",
  rh: "/v1/rh/*, /v1/tokens/trades/{address}?chain=4663 and /v1/candles?chain=4663",
  monad: "/v1/tokens/trades/{address}?chain=143 and /v1/candles?chain=143"
}

/** Returns true for a chain's key that `/chains/{chain}/*` serves. */
export const isChainKeyed = (key: string): boolean => !Object.hasOwn(OWN_ROUTES, key)

/** Returns the lane of a chain's key or id, in any letter case; refuses (400) with what to use. */
export const chainKeyedLane = (
  lanes: Lanes["Service"],
  chain: string
): Effect.Effect<Lane, Refusal> => {
  const word = chain.toLowerCase()
  const key = allChains.find(known => isNamed(known, word))?.key ?? word
  const own = Object.hasOwn(OWN_ROUTES, key) ? OWN_ROUTES[key] : undefined
  const lane = own === undefined ? lanes.find(word) : undefined
  if (lane !== undefined) return Effect.succeed(lane)
  if (key === "solana") return ownLane(lanes, "solana")
  const keys = lanes.all.map(({ config }) => config.key)
  const served = keys.filter(isChainKeyed).join(", ") || "none"
  const others = keys.filter(one => !isChainKeyed(one)).map(one => `; ${one} has its own routes`)
  const message =
    own === undefined
      ? `chain ${word} is not served here; served: ${served}${others.join("")}`
      : `chain ${key} has its own routes: ${own}`
  const refusal = new Refusal({ status: 400, code: "UNSUPPORTED_CHAIN", message })
  return Effect.fail(own === undefined ? withheldOr(lanes, word, refusal) : refusal)
}
