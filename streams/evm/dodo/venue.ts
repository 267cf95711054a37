/** DODO: pools of two tokens around a price, V1 by an oracle, V2 by their own curve. */
import type { VenueKind } from "../../venue.ts"
import { dodoEvents } from "./decode.ts"
import { type MarketState, marketModel } from "./pool.ts"
import { marketStateRead } from "./read.ts"

export const dodo: VenueKind<MarketState> = {
  kind: "dodo",
  registryName: "dodo_v2",
  shape: "other",
  events: dodoEvents,
  pool: marketModel,
  stateRead: marketStateRead,
  poolCalls: [
    { fact: "token0", abi: "function _BASE_TOKEN_() view returns (address)" },
    { fact: "token1", abi: "function _QUOTE_TOKEN_() view returns (address)" },
    // First, for it makes the others unknown. They change with an event or never.
    { fact: "parameter", abi: "function _LP_FEE_RATE_() view returns (uint256)", name: "lpFee" },
    { fact: "parameter", abi: "function _I_() view returns (uint256)", name: "i" },
    { fact: "parameter", abi: "function _K_() view returns (uint256)", name: "k" }
  ],
  derivePools: () => []
}
