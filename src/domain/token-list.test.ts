import { Result } from "effect"
import { expect, it } from "vitest"
import { curationOf } from "./curation.ts"
import { isStock } from "./stock-rule.ts"
import { parseTokenList } from "./token-list.ts"

const token = {
  chainId: 1,
  address: `0x${"Ab".repeat(20)}`,
  name: "Token",
  symbol: "TKN",
  decimals: 18
}
const list = { name: "Mine", version: { major: 1, minor: 2, patch: 3 }, tokens: [token] }

const parse = (file: unknown) =>
  parseTokenList(
    typeof file === "string" ? file : JSON.stringify(file),
    "mine.json",
    new Set([1, 4663])
  )
const parsed = (file: unknown) => Result.getOrThrow(parse(file))
const problem = (file: unknown): string => {
  const result = parse(file)
  return Result.isFailure(result) ? result.failure.message : "none"
}

it("reads the tokens of the chains that are asked for", () => {
  const other = {
    ...token,
    chainId: 501000101,
    address: "So11111111111111111111111111111111111111"
  }
  expect(parsed({ ...list, tokens: [token, other] })).toEqual({
    name: "Mine",
    version: "1.2.3",
    tokens: [token]
  })
})

it.each([
  ["{", "mine.json: is not JSON"],
  [[], "is no object"],
  [3, "is no object"],
  [{ ...list, name: "" }, "name: is no text"],
  [{ ...list, version: "1" }, "version: has no major, minor and patch"],
  [{ ...list, tokens: {} }, "tokens: is no list"],
  [{ ...list, tokens: [{ ...token, chainId: "1" }] }, "tokens[0].chainId: is no chain id"],
  [{ ...list, tokens: [token, { ...token, address: "0x1" }] }, "tokens[1].address: "],
  [{ ...list, tokens: [{ ...token, decimals: 256 }] }, "tokens[0].decimals: "],
  [{ ...list, tokens: [{ ...token, symbol: 7 }] }, "tokens[0].symbol: "]
])("refuses %j", (file, words) => {
  expect(problem(file)).toContain(words)
  expect(problem(file)).not.toContain("\n")
})

it("puts lists together: the later counts, in the place of the first", () => {
  const first = { name: "A", version: "1.0.0", tokens: [{ ...token, logoURI: "a" }] }
  const own = { ...token, address: token.address.toLowerCase(), symbol: "NEW", tags: ["stock"] }
  const second = { name: "B", version: "2.0.0", tokens: [own, { ...own, chainId: 4663 }] }
  const sources = [
    { list: first, isOwn: false },
    { list: second, isOwn: true }
  ]
  expect(curationOf(1, sources)).toEqual({
    lists: [
      { name: "A", version: "1.0.0" },
      { name: "B", version: "2.0.0" }
    ],
    tokens: [
      {
        ...{ address: `0x${"ab".repeat(20)}`, symbol: "NEW", name: "Token", decimals: 18 },
        ...{ logoURI: "a", tags: ["stock"], isStock: true }
      }
    ]
  })
  expect(curationOf(5042, sources)).toBeNull()
})

it("calls a stock what the rule says", () => {
  const stock = { ...token, chainId: 4663 }
  expect(isStock(stock, false)).toBe(true)
  expect(isStock({ ...stock, logoURI: "a" }, false)).toBe(false)
  expect(isStock({ ...stock, symbol: "CASHCAT" }, false)).toBe(false)
  expect(isStock({ ...stock, chainId: 1 }, false)).toBe(false)
  expect(isStock(stock, true)).toBe(false)
  expect(isStock({ ...token, tags: ["stock"] }, true)).toBe(true)
})
