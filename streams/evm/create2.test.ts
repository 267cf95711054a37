import { expect, it } from "vitest"
import { allChains } from "../../src/domain/chains/registry.ts"
import { venueKinds } from "./venue-kinds.ts"

const derive = (chainId: number, venueId: string) => {
  const chain = allChains.find(({ id }) => id === chainId)
  const venue = chain?.venues.find(({ id }) => id === venueId)
  const kind = venueKinds.find(k => k.kind === venue?.kind)
  if (chain === undefined || venue === undefined || kind === undefined) throw new Error(venueId)
  const anchors = chain.anchors.map(({ address }) => address)
  return anchors.flatMap(a =>
    anchors.filter(b => a < b).flatMap(b => kind.derivePools(venue, b, a))
  )
}

/** Pools that public sources name as the venue's. */
const pools = [
  [1, "uniswap_v2", "0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc"],
  [1, "uniswap_v3", "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640"],
  [1, "uniswap_v3", "0xcbcdf9626bc03e24f779434178a73a0b4bad62ed"],
  [8453, "uniswap_v3", "0xd0b53d9277642d899df5c87a3966a349a798f224"],
  [42161, "uniswap_v3", "0xc6962004f452be9203591991d15f6b388e09e8d0"],
  [143, "uniswap_v3", "0x659bd0bc4167ba25c62e05656f78043e7ed4a9da"],
  [143, "pancakeswap_v2", "0x27aa322b3f8ba9d0041df99c33fe4f3cc135e054"],
  [4663, "uniswap_v3", "0x69bfaf19c9f377bb306a89aed9f6b07e2c1a8d9a"],
  [5042, "uniswap_v3", "0x7578d9136940c4e0d2551fb053aea5f7de030cfd"],
  [56, "pancakeswap_v2", "0x58f876857a02d6762e0101bb5c46a8c1ed44dc16"],
  [43114, "traderjoe_v1", "0xf4003f4efbe8691b60249e6afbd307abe7758adb"],
  [43114, "pangolin_v2", "0x0e0100ab771e9288e0aa97e11557e6654c3a9665"]
] as const

for (const [chain, venue, pool] of pools) {
  it(`finds ${venue}'s pool ${pool} on chain ${chain} among those of its anchors`, () => {
    expect(derive(chain, venue).map(derived => derived.pool)).toContain(pool)
  })
}

it("tells tokens in the pool's order, fee and spacing, whatever order they are asked in", () => {
  const usdc = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"
  const weth = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
  const tokens = [usdc, weth]
  expect(derive(1, "uniswap_v3")).toContainEqual({
    pool: "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640",
    tokens,
    fee: 500,
    tickSpacing: 10
  })
  expect(derive(1, "uniswap_v2")).toContainEqual({
    pool: "0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc",
    tokens,
    fee: 3000,
    tickSpacing: null
  })
})

it("derives nothing where the init code hash is unknown", () => {
  expect(derive(143, "octoswap_v2")).toEqual([])
  expect(derive(143, "octoswap_v3")).toEqual([])
})
