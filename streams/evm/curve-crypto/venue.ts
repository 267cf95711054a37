/** Curve's crypto pools, the first ones, twocrypto-ng and tricrypto-ng. */
import type { PoolCall, VenueKind } from "../../venue.ts"
import { curveCryptoEvents } from "./decode.ts"
import { curveCryptoModel } from "./pool.ts"
import { cryptoStateRead } from "./read.ts"
import type { CurveCryptoState } from "./state.ts"

const coin = (index: number): PoolCall => ({
  fact: "token",
  index,
  abi: "function coins(uint256) view returns (address)",
  args: [BigInt(index)]
})

const parameter = (name: string, method: string): PoolCall => ({
  fact: "parameter",
  name,
  abi: `function ${method}() view returns (uint256)`
})

export const curveCrypto: VenueKind<CurveCryptoState> = {
  kind: "curve-crypto",
  shape: "other",
  poolsByCalls: true,
  events: curveCryptoEvents,
  pool: curveCryptoModel,
  stateRead: cryptoStateRead,
  poolCalls: [
    coin(0),
    coin(1),
    coin(2),
    { fact: "factory", abi: "function factory() view returns (address)" },
    parameter("A", "A"),
    parameter("gamma", "gamma"),
    parameter("midFee", "mid_fee"),
    parameter("outFee", "out_fee"),
    parameter("feeGamma", "fee_gamma"),
    parameter("priceScale", "price_scale")
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
  // Pools are clones; their addresses do not follow from their coins.
  derivePools: () => []
}
