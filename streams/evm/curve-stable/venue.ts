/** Curve's StableSwap pools, old, of the factories, and stable-ng. */
import type { PoolCall, VenueKind } from "../../venue.ts"
import { curveStableEvents } from "./decode.ts"
import { curveStableModel } from "./pool.ts"
import { curveStableStateRead } from "./read.ts"
import type { CurveStableState } from "./state.ts"

/** A coin by its place; the first pools number them by int128. */
const coinCalls = Array.from({ length: 8 }, (_, index) =>
  ["uint256", "int128"].map(
    (type): PoolCall => ({
      fact: "token",
      index,
      abi: `function coins(${type}) view returns (address)`,
      args: [BigInt(index)]
    })
  )
).flat()

const parameter = (name: string, method: string): PoolCall => ({
  fact: "parameter",
  name,
  abi: `function ${method}() view returns (uint256)`
})

export const curveStable: VenueKind<CurveStableState> = {
  kind: "curve-stable",
  shape: "other",
  poolsByCalls: true,
  events: curveStableEvents,
  pool: curveStableModel,
  stateRead: curveStableStateRead,
  poolCalls: [
    ...coinCalls,
    { fact: "factory", abi: "function factory() view returns (address)" },
    parameter("A_precise", "A_precise"),
    parameter("A", "A"),
    parameter("fee", "fee"),
    parameter("adminFee", "admin_fee"),
    parameter("offpegFeeMultiplier", "offpeg_fee_multiplier")
  ],
  factoryCalls: [
    {
      // Of a pool of its own a factory knows the coins; of others it has none. All of them count:
      // one alone may be a number of the answer's own form.
      abi: "function get_coins(address) view returns (address[])",
      asks: "pool",
      args: () => [],
      expects: ({ tokens }) => tokens.map(BigInt)
    }
  ],
  // Pools are clones or hand-deployed; their addresses do not follow from their coins.
  derivePools: () => []
}
