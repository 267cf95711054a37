/** Curated lists and the rule of one token a symbol, on a lane of chain 4663. */
import { describe, expect, it } from "vitest"
import type { ChainConfig } from "../../../src/domain/chain.ts"
import { curationOf } from "../../../src/domain/curation.ts"
import type { ListedToken } from "../../../src/domain/token-list.ts"
import { keptOf } from "../../../src/rules/listing-rule.ts"
import {
  address,
  type Fact,
  pool,
  priceChain,
  reserves,
  seen,
  swap,
  UNIT,
  USDC,
  WETH,
  withPrices
} from "../../../test/support/price-events.ts"

const DAY = 86_400
const [AAPL, NVDA, FAKE_AAPL, FAKE_NVDA, FAKE_USDC, PEPE, PEPE_BUSY, UNIQUE, CAT] = [
  ...["c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9"]
].map(address) as [string, string, string, string, string, string, string, string, string]

const listed = (of: string, symbol: string, more: object = {}) => ({
  ...{ chainId: 4663, address: of, symbol, name: `${symbol} Inc.`, decimals: 18 },
  ...more
})

const list = {
  name: "Test",
  version: "1.2.3",
  tokens: [
    listed(AAPL.replaceAll("c", "C"), "AAPL"),
    listed(NVDA, "NVDA"),
    listed(CAT, "CATCOIN", { logoURI: "https://a.example/cat.png" })
  ] as ReadonlyArray<ListedToken>
}

const curation = curationOf(4663, [{ list, isOwn: false }])
if (curation === null) throw new Error("a list that covers the chain is no list")
const rh: ChainConfig = { ...priceChain, id: 4663, key: "rh", curation }
const unlisted: ChainConfig = { ...priceChain, id: 4663, key: "rh" }

/** A token with a deep pool of its own and so many swaps of ten dollars. */
const traded = (time: number, token: string, symbol: string, swaps: number): Array<Fact> => {
  const place = token.slice(-2).replace("c", "8")
  const told = { ...seen(time, token), symbol, name: `${symbol} on chain` } as Fact
  return [
    told,
    pool(time, place, [token, USDC]),
    reserves(time, place, 50_000n * UNIT, 50_000n * UNIT),
    ...Array.from({ length: swaps }, (_, i) => swap(time + 1 + i, place, -10n * UNIT, 10n * UNIT))
  ]
}

const anchors: ReadonlyArray<Fact> = [
  { ...seen(0, WETH, 18), symbol: "WETH" } as Fact,
  { ...seen(0, USDC), symbol: "USDC" } as Fact
]

const story: ReadonlyArray<Fact> = [
  ...anchors,
  ...traded(10, AAPL, "AAPL", 1),
  // Cyrillic A, and more of it
  ...traded(20, FAKE_AAPL, "аapl", 5),
  ...traded(30, FAKE_NVDA, "NVDA", 5),
  ...traded(40, FAKE_USDC, "ＵＳＤＣ", 5),
  ...traded(50, PEPE, "PEPE", 2),
  ...traded(60, PEPE_BUSY, "pepe", 3),
  ...traded(70, UNIQUE, "UNIQ", 1)
]

interface Row {
  readonly address: string
  readonly symbol: string | null
  readonly [field: string]: unknown
}
type Answer = { readonly tokens: ReadonlyArray<Row>; readonly total: number }

const answers = (facts: ReadonlyArray<Fact>, chain: ChainConfig, name: string, params: object) =>
  withPrices(facts, ({ ask }) => ask(name, params), chain) as unknown as Promise<Answer>

const board = async (chain: ChainConfig, includeUnlisted: boolean, facts = story) => {
  const params = { sort: "volume", limit: 100, offset: 0, includeUnlisted }
  const { tokens } = await answers(facts, chain, "tokenBoard", params)
  return tokens.map(row => row.address).sort()
}

const search = async (q: string, facts = story) => {
  const { tokens } = await answers(facts, rh, "tokenSearch", { q, limit: 100 })
  return Object.fromEntries(tokens.map(row => [row.address, row["verified"]]))
}

describe("the board of chain 4663", () => {
  it("shows one token a symbol: the anchor, the stock, the busiest meme", async () => {
    expect(await board(rh, true)).toEqual([USDC, AAPL, PEPE_BUSY, UNIQUE].sort())
  })

  it("shows what lists vouch for unless all is wanted", async () => {
    expect(await board(rh, false)).toEqual([USDC, AAPL].sort())
  })

  it("goes by the depth behind a price where no list covers the chain", async () => {
    const shown = [USDC, FAKE_AAPL, FAKE_NVDA, PEPE_BUSY, UNIQUE].sort()
    expect(await board(unlisted, false)).toEqual(shown)
  })

  it("is another's when the other token was busier in the last day", async () => {
    const later = [...story, ...traded(2 * DAY, PEPE, "PEPE", 1)]
    expect(await board(rh, true, later)).toEqual([USDC, PEPE].sort())
  })

  it("leaves other chains their look-alikes", async () => {
    const { id: _, key: __, curation: ___, ...base } = rh
    const other = { ...base, id: 8453, key: "base" } as ChainConfig
    expect((await board(other, true)).length).toBe(8)
  })
})

describe("the search of chain 4663", () => {
  it("tells look-alikes while they trade", async () => {
    expect(await search("aapl")).toEqual({ [AAPL]: true, [FAKE_AAPL]: false })
    expect(await search("pepe")).toEqual({ [PEPE_BUSY]: true, [PEPE]: false })
    expect(await search("usdc")).toEqual({ [USDC]: true, [FAKE_USDC]: false })
    expect(await search("nvda")).toEqual({ [FAKE_NVDA]: false })
    expect(await search(FAKE_USDC)).toEqual({ [FAKE_USDC]: false })
  })

  it("forgets those that did not trade for a day", async () => {
    const later = [...story, ...traded(2 * DAY, UNIQUE, "UNIQ", 1)]
    expect(await search("aapl", later)).toEqual({ [AAPL]: true })
    expect(await search("nvda", later)).toEqual({})
  })
})

describe("lists", () => {
  it("tell of stocks that never traded, with nulls", async () => {
    const params = { limit: 10, offset: 0 }
    const found = (await answers(story, rh, "stocks", params)) as unknown as {
      readonly stocks: ReadonlyArray<Row>
      readonly lists: unknown
    }
    expect(found.lists).toEqual([{ name: "Test", version: "1.2.3" }])
    expect(found.stocks.map(row => row.address)).toEqual([AAPL, NVDA])
    expect(found.stocks[0]).toMatchObject({
      ...{ symbol: "AAPL", name: "AAPL on chain", decimals: 6, tags: ["stock"], listed: true },
      ...{ priceUsd: 1, volume24h: 10, trades24h: 1, trades: 1, logoUriRaw: null },
      logoURI: `/v1/logo/4663/${AAPL}`
    })
    expect(found.stocks[1]).toMatchObject({
      ...{ symbol: "NVDA", name: "NVDA Inc.", decimals: 18, listed: true, priceUsd: null },
      ...{ change24hPct: null, marketCapUsd: null, lastTradeTs: null, trades: 0, volume24h: 0 }
    })
    const page = await answers(story, rh, "stocks", { limit: 1, offset: 1 })
    expect((page as unknown as typeof found).stocks).toEqual(found.stocks.slice(1))
  })

  it("are the chain's tokens, unless all that trade are wanted", async () => {
    const curated = await answers(story, rh, "tokenList", { limit: 100, includeUnlisted: false })
    expect(curated.tokens.map(row => row.symbol)).toEqual(["AAPL", "NVDA", "CATCOIN"])
    expect(curated.tokens[2]).toMatchObject({
      ...{ chainId: 4663, tags: [], logoUriRaw: "https://a.example/cat.png" }
    })
    const all = await answers(story, rh, "tokenList", { limit: 100, includeUnlisted: true })
    expect([all.total, all.tokens[0]?.address]).toEqual([8, USDC])
    const fallback = { limit: 100, includeUnlisted: false }
    expect((await answers(story, unlisted, "tokenList", fallback)).total).toBe(8)
  })
})

it("wash trading owns no symbol", () => {
  const one = { token: 1, reading: "X", isUsurper: false, isWash: true, volume24h: 9, trades24h: 9 }
  const other = { ...one, token: 2, isWash: false, volume24h: 1, trades24h: 1 }
  const equal = { ...other, token: 3 }
  expect([...keptOf([one, other, equal])]).toEqual([2])
  expect([...keptOf([one, { ...other, isUsurper: true }])]).toEqual([1])
  const nameless = { ...one, reading: "" }
  expect([...keptOf([nameless, { ...nameless, token: 2 }])]).toEqual([1, 2])
})
