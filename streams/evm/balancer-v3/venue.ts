/** Balancer V3: one Vault that keeps balances and fees, and pools of many shapes. */
import type { VenueKind } from "../../venue.ts"
import { balancerV3Events } from "./decode.ts"
import { type RegisteredPoolState, registeredPoolModel } from "./pool.ts"
import { registeredPoolStateRead } from "./read.ts"

export const balancerV3: VenueKind<RegisteredPoolState> = {
  kind: "balancer-v3",
  shape: "other",
  oneContract: "swaps",
  events: balancerV3Events,
  pool: registeredPoolModel,
  stateRead: registeredPoolStateRead,
  poolCalls: [{ fact: "tokens", abi: "function getPoolTokens(address) view returns (address[])" }],
  derivePools: () => []
}
