import { expect, it } from "vitest"
import { FactBook, type PoolFact, type TokenFact } from "./facts.ts"

const pool = (name: string): PoolFact => ({
  ...{ pool: name, venueKind: "uniswap-v2", factory: null, tokens: [], fee: null },
  ...{ tickSpacing: null, source: "call" }
})
const token = (name: string): TokenFact => ({
  ...{ token: name, symbol: null, name: null, decimals: 18, totalSupply: null, source: "call" }
})

it("keeps the newest pools and tokens, and only when it is told to", () => {
  const book = new FactBook()
  const names = ["a", "b", "c", "d", "e"]
  const known = () => ({
    pools: names.filter(name => book.pool(name) !== null),
    tokens: names.filter(name => book.token(name) !== null)
  })
  for (const name of names) book.addPool(pool(name))
  for (const name of names.slice(0, 3)) book.addToken(token(name))
  expect(known()).toEqual({ pools: names, tokens: ["a", "b", "c"] })
  book.trim(5)
  expect(known()).toEqual({ pools: names, tokens: ["a", "b", "c"] })
  book.trim(2)
  expect(known()).toEqual({ pools: ["d", "e"], tokens: ["b", "c"] })
  book.addPool(pool("a"))
  book.trim(2)
  expect(known()).toEqual({ pools: ["a", "e"], tokens: ["b", "c"] })
  book.trim(0)
  expect(known()).toEqual({ pools: [], tokens: [] })
})
