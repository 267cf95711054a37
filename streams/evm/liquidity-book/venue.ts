/** Liquidity Book of Trader Joe / LFJ, and its forks. */
import type { VenueKind } from "../../venue.ts"
import { liquidityBookEvents } from "./decode.ts"
import { liquidityBookModel } from "./pool.ts"
import { liquidityBookStateRead } from "./read.ts"
import type { LiquidityBookState } from "./state.ts"

/** Bin step, pair, and two flags (ILBFactory.LBPairInformation). */
const pairInformation =
  "function getLBPairInformation(address,address,uint256) view returns (uint16,address,bool,bool)"

export const liquidityBook: VenueKind<LiquidityBookState> = {
  kind: "liquidity-book",
  registryName: "lb",
  shape: "bins",
  swapsInParts: true,
  events: liquidityBookEvents,
  pool: liquidityBookModel,
  stateRead: liquidityBookStateRead,
  poolCalls: [
    { fact: "token0", abi: "function getTokenX() view returns (address)" },
    { fact: "token1", abi: "function getTokenY() view returns (address)" },
    { fact: "factory", abi: "function getFactory() view returns (address)" },
    { fact: "parameter", name: "binStep", abi: "function getBinStep() view returns (uint16)" }
  ],
  factoryCalls: [
    {
      abi: pairInformation,
      asks: "tokens",
      args: ({ parameters }) => {
        const binStep = parameters?.find(({ name }) => name === "binStep")
        return binStep === undefined ? "foreign" : [binStep.value]
      }
    }
  ],
  // A pair is a clone with its tokens in its code, which the registry's hashes do not cover.
  derivePools: () => []
}
