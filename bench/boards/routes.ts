/** Every board and page of a chain, each time with another URL, so that no cache answers it. */

export interface Market {
  readonly chain: number
  readonly key: string
  /** addresses, the most traded first */
  readonly tokens: ReadonlyArray<string>
}

export interface BoardRoute {
  readonly name: string
  /** the URL of request `i` */
  readonly path: (market: Market, i: number) => string
}

const SORTS = ["volume", "trades", "traders", "change", "mcap"] as const
const FRAMES = ["1m", "5m", "15m", "1h", "4h", "1d", "1w"] as const
const NARROW_FRAMES = ["1m", "5m", "15m", "1h"] as const
const WIDE_FRAMES = ["4h", "1d", "1w"] as const
const FAST_FRAMES = ["1s", "5s", "15s", "30s"] as const

const ALL_FIELDS = "buys,sells,buyers,sellers"

const pick = <A>(list: ReadonlyArray<A>, i: number): A => list[i % list.length] as A

/** Means nothing to a route, and makes the URL one that was not asked for before. */
const another = (i: number): string => "&".repeat(i + 1)

/** A page of the whole chain. */
const ofChain =
  (route: string, query: (i: number) => string = () => "") =>
  ({ key }: Market, i: number): string =>
    `/v1/chains/${key}/${route}?${query(i)}${another(i)}`

const ofToken =
  (route: string, query: (i: number) => string = () => "") =>
  ({ key, tokens }: Market, i: number): string =>
    `/v1/chains/${key}/token/${pick(tokens, i)}${route}?${query(i)}${another(i)}`

const byChainId =
  (route: string, query: (i: number) => string = () => "") =>
  ({ chain, tokens }: Market, i: number): string =>
    `/v1/${route}/${pick(tokens, i)}?chain=${chain}&${query(i)}${another(i)}`

const candles =
  (query: (i: number) => string) =>
  ({ chain, tokens }: Market, i: number): string =>
    `/v1/candles?chain=${chain}&token=${pick(tokens, i)}&${query(i)}${another(i)}`

export const boardRoutes: ReadonlyArray<BoardRoute> = [
  { name: "overview", path: ofChain("overview") },
  { name: "venues", path: ofChain("venues", i => `days=${1 + (i % 30)}`) },
  { name: "status", path: ofChain("status") },
  {
    name: "board",
    path: ofChain("tokens", i => `sort=${pick(SORTS, i)}&limit=100&offset=${(i % 40) * 100}`)
  },
  { name: "board_all", path: ofChain("tokens", i => `limit=1000&includeUnlisted=1&offset=${i}`) },
  { name: "search", path: ofChain("tokens/search", i => `q=${pick(["T1", "t2", "tok", "9"], i)}`) },
  { name: "trending", path: ofChain("trending") },
  { name: "attention", path: ofChain("attention") },
  { name: "token", path: ofToken("") },
  { name: "pools", path: ofToken("/pools") },
  { name: "trades", path: ofToken("/trades", i => `limit=${1 + (i % 100)}`) },
  { name: "token_trades", path: byChainId("tokens/trades", i => `limit=${1 + (i % 100)}`) },
  { name: "stats", path: byChainId("tokens/stats") },
  { name: "chart", path: byChainId("tokens/chart", i => `tf=${pick(FRAMES, i)}`) },
  { name: "candles", path: candles(i => `tf=${pick(FRAMES, i)}&limit=300`) },
  { name: "candles_fast", path: candles(i => `tf=${pick(FAST_FRAMES, i)}&limit=300`) },
  {
    name: "candles_fields",
    path: candles(i => `tf=${pick(NARROW_FRAMES, i)}&fields=${ALL_FIELDS}&limit=100`)
  },
  {
    name: "candles_fields_wide",
    path: candles(i => `tf=${pick(WIDE_FRAMES, i)}&fields=${ALL_FIELDS}&limit=100`)
  },
  {
    name: "explain",
    path: ({ chain, tokens }, i) =>
      `/v1/prices/explain?chain=${chain}&token=${pick(tokens, i)}${another(i)}`
  },
  {
    name: "market",
    path: ({ chain }, i) => `/v1/tokens/market?chain=${chain}${another(i)}`
  }
]
