import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { testChain } from "../../test/support/chain-config.ts"
import { allChains } from "../domain/chains/registry.ts"
import { tablesText, withTables } from "./registry-tables.ts"

it("stands in docs/chains.md as the registry is now (else: npm run tables)", () => {
  const page = readFileSync(new URL("../../docs/chains.md", import.meta.url), "utf8")
  expect(withTables(page, allChains)).toBe(page)
})

it("names each venue once, and marks where it has to be proven", () => {
  const [venue] = testChain.venues
  if (venue === undefined) throw new Error("no venue")
  const other = { ...testChain, key: "other", venues: [], candidates: [venue], ingestFloorUsd: 0 }
  const lines = tablesText([testChain, other]).replace(/ +/g, " ").split("\n")
  expect(lines[2]).toBe("| Base | 8453 | `base` | ETH | USDC, WETH | 1 | 0 | 0 | 64 | - |")
  expect(lines[3]).toBe("| Base | 8453 | `other` | ETH | USDC, WETH | 0 | 1 | 0 | 64 | $0 |")
  expect(lines).toContain("| `uniswap_v2` | uniswap-v2 | base, other? |")
  expect(withTables("no marks", [testChain])).toBeNull()
})
