/**
 * Which family of routes a chain's data has. Every chain is in the chain-keyed family, except the
 * few with routes of their own (spec, part 1).
 */
import { Effect } from "effect"
import type { Lane, Lanes } from "../../../engine/lane/lanes.ts"
import { Refusal } from "../../errors.ts"

/** Chains refused on `/chains/{chain}/*`, by key and id, with where their data is. */
const OWN_ROUTES: { readonly [chain: string]: string } = {
  arc: "/v1/arc/*, /v1/tokens/trades/{address}?chain=5042 and /v1/candles?chain=5042",
  rh: "/v1/rh/*, /v1/tokens/trades/{address}?chain=4663 and /v1/candles?chain=4663",
  monad: "/v1/tokens/trades/{address}?chain=143 and /v1/candles?chain=143"
}
const KEYS: { readonly [id: string]: string } = { 5042: "arc", 4663: "rh", 143: "monad" }

/** Whether a chain's data is under `/chains/{chain}/*`. */
export const isChainKeyed = (key: string): boolean => !Object.hasOwn(OWN_ROUTES, key)

/** The lane of a chain-keyed route's path segment, a key or id in any letter case. */
export const chainKeyedLane = (
  lanes: Lanes["Service"],
  chain: string
): Effect.Effect<Lane, Refusal> => {
  const word = chain.toLowerCase()
  const key = KEYS[word] ?? word
  const own = Object.hasOwn(OWN_ROUTES, key) ? OWN_ROUTES[key] : undefined
  const lane = own === undefined ? lanes.find(word) : undefined
  if (lane !== undefined) return Effect.succeed(lane)
  const served = lanes.all.map(({ config }) => config.key).filter(isChainKeyed)
  const message =
    own === undefined
      ? `chain ${word} is not served here; served: ${served.join(", ") || "none"}`
      : `chain ${key} has its own routes: ${own}`
  return Effect.fail(new Refusal({ status: 400, code: "UNSUPPORTED_CHAIN", message }))
}
