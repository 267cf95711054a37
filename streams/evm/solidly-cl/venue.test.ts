import { expect, it } from "vitest"
import type { ChainVenue } from "../../../src/domain/chain.ts"
import { base } from "../../../src/domain/chains/base.ts"
import { solidlyCl } from "./venue.ts"

it("finds Aerodrome's pools of WETH and USDC by their spacings", () => {
  const venue = base.venues.find(({ id }) => id === "aerodrome_slipstream_v3") as ChainVenue
  const pools = solidlyCl.derivePools(
    venue,
    "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
    "0x4200000000000000000000000000000000000006"
  )
  expect(pools.map(({ tickSpacing }) => tickSpacing)).toEqual([1, 10, 50, 100, 200, 2000])
  expect(pools.find(({ tickSpacing }) => tickSpacing === 100)).toEqual({
    pool: "0xb2cc224c1c9fee385f8ad6a55b4d94e92359dc59",
    tokens: [
      "0x4200000000000000000000000000000000000006",
      "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"
    ],
    fee: null,
    tickSpacing: 100
  })
})
