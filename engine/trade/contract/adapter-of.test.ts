import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { uniswapV2 } from "../../../streams/evm/uniswap-v2/venue.ts"
import { testChain } from "../../../test/support/chain-config.ts"
import type { TradePool } from "../pools/pool-market.ts"
import { adaptedPool, countsArrival } from "./adapter-of.ts"
import { ADAPTER_NAMES, factsOfAdapter } from "./adapters.ts"

const [token0, token1] = [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`] as const
const POOL = `0x${"aa".repeat(20)}`

const pair = (tradedAs?: string): TradePool => ({
  pool: POOL,
  dex: "mine_v1",
  kind: { ...uniswapV2, kind: "mine", ...(tradedAs === undefined ? {} : { tradedAs }) },
  factory: null,
  facts: {
    pool: POOL,
    tokens: [token0, token1],
    fee: 2500,
    tickSpacing: null,
    decimals: [18, 18]
  },
  isNative: false,
  state: null
})

it("trades with pools of a kind by the adapter of the one that it names", () => {
  expect(adaptedPool(testChain, pair("uniswap-v2"), token0, token1)).toEqual({
    contract: POOL,
    adapter: { kind: "uniswap-v2", fee: 2500 }
  })
  expect(countsArrival(pair("uniswap-v2"))).toBe(true)
  expect(adaptedPool(testChain, pair("solidly"), token0, token1)?.adapter).toEqual({
    kind: "solidly"
  })
})

it("trades with no pool of a kind that has no adapter", () => {
  expect(adaptedPool(testChain, pair(), token0, token1)).toBeNull()
  expect(countsArrival(pair())).toBe(false)
})

const textOf = (file: string): string => readFileSync(new URL(file, import.meta.url), "utf8")

it("numbers adapters as the contract does", () => {
  const numbers = [...textOf("solidity/RouterTypes.sol").matchAll(/^uint8 constant \w+ = (\d+);/gm)]
  const own = new Set(ADAPTER_NAMES.map(name => factsOfAdapter(name).number))
  expect(numbers.map(([, number]) => Number(number))).toEqual([...own])
})

it("has every adapter and its gas in the README's table", () => {
  const rows = textOf("README.md")
    .split("\n")
    .filter(line => /^\| [\d, ]+ +\| /.test(line))
  for (const name of ADAPTER_NAMES) {
    const { number, gas } = factsOfAdapter(name)
    const row = rows.find(line => new RegExp(`\\b${name}\\b`).test(line)) ?? ""
    const [, numbers = ""] = row.split("|")
    expect(numbers.split(",").map(Number), name).toContain(number)
    expect(row, name).toMatch(new RegExp(`\\b${gas.toLocaleString("en")}[, ]`))
  }
})
