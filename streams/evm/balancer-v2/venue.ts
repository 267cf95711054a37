/** Balancer V2: one Vault, and pools of many shapes that it holds the tokens of. */
import type { VenueKind } from "../../venue.ts"
import { poolEvents } from "./decode-pool.ts"
import { vaultEvents } from "./decode-vault.ts"
import { type VaultPoolState, vaultPoolModel } from "./pool.ts"
import { vaultPoolStateRead } from "./read.ts"

export const balancerV2: VenueKind<VaultPoolState> = {
  kind: "balancer-v2",
  shape: "other",
  oneContract: "swaps",
  callerUntold: true,
  events: [...vaultEvents, ...poolEvents],
  pool: vaultPoolModel,
  stateRead: vaultPoolStateRead,
  poolCalls: [
    {
      fact: "tokens",
      abi: "function getPoolTokens(bytes32) view returns (address[], uint256[], uint256)"
    }
  ],
  derivePools: () => []
}
