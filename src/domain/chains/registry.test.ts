import { Result } from "effect"
import { expect, it } from "vitest"
import { allChains, parseChainFile } from "./registry.ts"

const polygon = {
  id: 137,
  key: "polygon",
  name: "Polygon PoS",
  native: { symbol: "POL", decimals: 18 },
  nativeToken: "0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270",
  anchors: [
    {
      address: "0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174",
      symbol: "USDC.e",
      decimals: 6,
      kind: "usd"
    }
  ],
  venues: [
    {
      id: "uniswap_v3",
      kind: "uniswap-v3",
      factory: "0x1F98431c8aD98523631AE4a59f267346ea31F984"
    }
  ],
  routers: [],
  finalityDepth: 128,
  blockTimeMs: 2000
}

const problem = (file: unknown): string => {
  const result = parseChainFile(typeof file === "string" ? file : JSON.stringify(file))
  return Result.isFailure(result) ? result.failure.message : "none"
}

it("knows the eight chains by their keys", () => {
  expect(allChains.map(({ id, key }) => [id, key])).toEqual([
    [5042, "arc"],
    [4663, "rh"],
    [143, "monad"],
    [43114, "avalanche"],
    [8453, "base"],
    [56, "bnb"],
    [42161, "arbitrum"],
    [1, "ethereum"]
  ])
})

it("gives the zero address a token, and a floor to the three chains that declare one", () => {
  const natives = Object.fromEntries(
    allChains.map(({ key, nativeToken, anchors }) => {
      const anchor = anchors.find(({ address }) => address === nativeToken)
      return [key, `${anchor?.symbol} ${anchor?.decimals} ${anchor?.kind}`]
    })
  )
  expect(natives).toEqual({
    arc: "USDC 6 usd",
    rh: "WETH 18 native",
    monad: "WMON 18 native",
    avalanche: "WAVAX 18 native",
    base: "WETH 18 native",
    bnb: "WBNB 18 native",
    arbitrum: "WETH 18 native",
    ethereum: "WETH 18 native"
  })
  const floors = allChains.flatMap(c =>
    c.ingestFloorUsd === undefined ? [] : [[c.key, c.ingestFloorUsd]]
  )
  expect(floors).toEqual([
    ["avalanche", 0],
    ["base", 0],
    ["bnb", 100]
  ])
})

it("counts dollars in each chain's own decimals", () => {
  const dollars = (key: string) =>
    allChains
      .find(chain => chain.key === key)
      ?.anchors.filter(({ kind }) => kind === "usd")
      .map(({ symbol, decimals }) => `${symbol} ${decimals}`)
  expect(dollars("bnb")).toEqual(["USDC 18", "USDT 18", "DAI 18", "BUSD 18", "FDUSD 18", "USD1 18"])
  expect(dollars("arc")).toEqual(["USDC 6"])
  expect(dollars("rh")).toEqual(["USDG 6", "USDe 18"])
  expect(dollars("base")).toEqual(["USDC 6", "USDbC 6", "USDT 6", "DAI 18", "USDe 18"])
  for (const { anchors } of allChains) {
    const kinds = anchors.map(({ kind }) => kind)
    const order = ["usd", "native", "asset"]
    expect(kinds).toEqual(kinds.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)))
  }
})

it("reads a user's chain, addresses in any letter case", () => {
  const chain = Result.getOrThrow(parseChainFile(JSON.stringify(polygon)))
  expect(chain).toEqual(
    JSON.parse(JSON.stringify(polygon).replaceAll(/0x\w+/g, a => a.toLowerCase()))
  )
})

it("lets a file replace a chain whole, and says what is wrong with others", () => {
  expect(problem({ ...polygon, id: 1, key: "ethereum" })).toBe("none")
  expect(problem({ ...polygon, id: 1 })).toBe(
    "chain file: polygon mixes id and key of chain ethereum (1)"
  )
  expect(problem({ ...polygon, key: "base" })).toBe(
    "chain file: base mixes id and key of chain base (8453)"
  )
  expect(problem({ ...polygon, venues: [...polygon.venues, ...polygon.venues] })).toBe(
    "chain file: polygon lists factory 0x1f98431c8ad98523631ae4a59f267346ea31f984 twice"
  )
  expect(problem({ ...polygon, anchors: [...polygon.anchors, ...polygon.anchors] })).toBe(
    "chain file: polygon lists anchor 0x2791bca1f2de4661ed88a30c99a7a9449aa84174 twice"
  )
  expect(problem({ ...polygon, key: "solana" })).toMatch("another family")
  expect(problem({ ...polygon, nativeToken: "0x12" })).toMatch(/nativeToken/)
  expect(problem({ ...polygon, finalityDepth: undefined })).toMatch(/finalityDepth/)
  expect(problem("{")).toMatch("chain file is not JSON")
  expect(problem("[]")).toMatch("chain file")
})
