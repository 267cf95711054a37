import { expect, it } from "vitest"
import { solanaVenues } from "../../../streams/solana/venues.ts"
import { allChains } from "./registry.ts"

it("knows the nine chains by their keys", () => {
  expect(allChains.map(({ id, key }) => [id, key])).toEqual([
    [5042, "arc"],
    [4663, "rh"],
    [143, "monad"],
    [43114, "avalanche"],
    [8453, "base"],
    [56, "bnb"],
    [42161, "arbitrum"],
    [1, "ethereum"],
    [1399811149, "solana"]
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
    ethereum: "WETH 18 native",
    solana: "SOL 9 native"
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
  expect(dollars("solana")).toEqual(["USDC 6", "USDT 6"])
  for (const { anchors } of allChains) {
    const kinds = anchors.map(({ kind }) => kind)
    const order = ["usd", "native", "asset"]
    expect(kinds).toEqual(kinds.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)))
  }
})

it("lists as venues of Solana those that are decoded, in the order of their numbers", () => {
  const chain = allChains.find(({ key }) => key === "solana")
  expect(chain?.venues.map(({ id, kind, factory }) => ({ id, kind, factory }))).toEqual(
    solanaVenues.map(({ name, program }) => ({
      id: name.replaceAll("-", "_"),
      kind: name,
      factory: program
    }))
  )
})
