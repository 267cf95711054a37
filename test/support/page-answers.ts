/** What the scripted server answers on `/v1`. */
import {
  bucketOf,
  candlesOf,
  headSeq,
  type ScriptedChain,
  type ScriptedMarket,
  TF_SECONDS,
  unixNow
} from "./page-market.ts"

/** A token that only the search knows. */
export const RARE_TOKEN = `0x${"0a".repeat(20)}`
const RARE = {
  ...{ address: RARE_TOKEN, symbol: "RARE", name: "Rarely traded", decimals: null },
  ...{ priceUsd: 0.5, change24hPct: null, changeSince: null }
}

const CHAINS = [
  {
    id: 8453,
    key: "base",
    name: "Base",
    explorer: "https://explorer.example",
    native: { symbol: "ETH", decimals: 18 },
    anchors: [{ address: "0x4200000000000000000000000000000000000006", kind: "native" }],
    routes: { trades: "/v1/chains/base/token/{address}/trades" }
  },
  {
    id: 5042,
    key: "arc",
    name: "Arc",
    explorer: null,
    native: { symbol: "USDC", decimals: 18 },
    anchors: [{ address: "0x3600000000000000000000000000000000000000", kind: "usd" }],
    routes: { trades: "/v1/tokens/trades/{address}?chain=5042" }
  },
  {
    id: "solana",
    key: "solana",
    name: "Solana",
    explorer: null,
    native: { symbol: "SOL", decimals: 9 },
    anchors: [{ address: "So11111111111111111111111111111111111111112", kind: "native" }],
    routes: { trades: "/v1/chains/solana/token/{address}/trades" }
  }
]

/** The directory: of each chain the first market is that of its native unit. */
const chainsOf = (markets: ReadonlyArray<ScriptedMarket>) =>
  CHAINS.map(row => {
    const nativeToken = markets.find(({ chain }) => chain === row.id)?.address ?? null
    return { ...row, nativeToken }
  })

const statusOf = (markets: ReadonlyArray<ScriptedMarket>) => ({
  lanes: CHAINS.map(({ id, key, name }) => {
    const own = markets.filter(market => market.chain === id)
    const last = own[0]?.trades.at(-1)?.trade
    return {
      chain: key,
      name,
      ok: true,
      state: "live",
      simulated: true,
      problem: null,
      seq: Math.max(...own.map(headSeq)),
      logSeq: Math.max(...own.map(headSeq)),
      block: last?.block ?? null,
      lag: { events: 0, blocks: 0, seconds: last ? unixNow() - last.ts : null },
      gaps: [],
      quarantined: key === "arc" ? [{ reason: "bad-length", count: 3 }] : [],
      warnings: [],
      source: {
        kind: "devchain",
        description: "Anvil with the Uniswap V2 and V3 contracts and seeded traders",
        state: "live",
        problem: null,
        headBlock: last?.block ?? null
      }
    }
  })
})

const DAY = 86_400

/** Of the one young market the time of a trade of today, else a day ago. */
export const changeSince = ({ symbol, trades }: ScriptedMarket): number => {
  const dayAgo = unixNow() - DAY
  const first = trades.find(({ trade }) => trade.ts > dayAgo)?.trade.ts
  return symbol === "PEPR" ? (first ?? dayAgo) : dayAgo
}

/** A quote of one leg that pays two for one, with a warning of a stranger's. */
const quoteOf = (query: URLSearchParams) => {
  const [inputMint, outputMint] = [query.get("inputMint"), query.get("outputMint")]
  const inputAmount = query.get("amount") ?? "0"
  const outputAmount = String(BigInt(inputAmount) * 2n)
  const ends = { inputMint, outputMint, inputAmount, outputAmount }
  const swapInfo = { ...ends, dex: "fake_v2", pool: `0x${"77".repeat(20)}` }
  return {
    ...{ chain: 8453, ...ends, otherAmountThreshold: outputAmount, slippageBps: 50 },
    ...{ priceImpactPct: "0.5", routePlan: [{ percent: 100, swapInfo }], routerLegs: "0x" },
    ...{ gasEstimate: "100000", gasCostUSD: null, blockNumber: 1, seq: 1 },
    ...{ warnings: ["<b>bold</b>\u202e warning"], expiresAt: unixNow() + 30 }
  }
}

/** The present price: that of the newest trade. Nobody knows one on Solana. */
const priceOf = ({ chain, trades }: ScriptedMarket): number | null =>
  chain === "solana" ? null : (trades.at(-1)?.trade.priceUsd ?? null)

/** A chain's board: the markets as they are listed above. */
const boardOf = (markets: ReadonlyArray<ScriptedMarket>, pathname: string) => {
  const [, , family, key] = pathname.split("/")
  const chain = family === "arc" ? 5042 : key === "solana" ? "solana" : 8453
  const tokens = markets
    .filter(market => market.chain === chain)
    .map(market => {
      const { address, symbol, name, trades } = market
      const last = trades.at(-1)?.trade
      const figures = { change24hPct: 12.5, changeSince: 0, volume24h: 1, trades24h: trades.length }
      const names = { address, symbol, name, listed: true, traders: null, marketCapUsd: null }
      return { ...names, ...figures, priceUsd: priceOf(market), lastTradeTs: last?.ts ?? 0 }
    })
  return { chain, tokens, total: tokens.length, sinceHour: 0, unknown: [] }
}

/** A token's last day: its price moved from the first trade in it, or from the one before. */
export const statsOf = (market: ScriptedMarket) => {
  const dayAgo = unixNow() - DAY
  const all = market.trades.map(({ trade }) => trade)
  const day = all.filter(({ ts }) => ts > dayAgo)
  const prices = day.map(each => each.priceUsd)
  const usdOf = (side: "buy" | "sell") =>
    day.reduce((sum, each) => sum + (each.side === side ? each.usd : 0), 0)
  const price = priceOf(market)
  const change = price === null ? null : (price / (prices[0] ?? price) - 1) * 100
  const sums = { txns: day.length, buyVol: usdOf("buy"), sellVol: usdOf("sell") }
  return {
    ...{ priceUsd: price, firstTradeTs: all[0]?.ts ?? 0 },
    windows: { h24: { change, changeSince: changeSince(market), ...sums } },
    range24h: { high: Math.max(...prices), low: Math.min(...prices) },
    updatedAt: unixNow() * (market.chain === "solana" ? 1 : 1000)
  }
}

/** A chain's tokens: the markets as they are listed above. */
const listOf = (markets: ReadonlyArray<ScriptedMarket>, chain: ScriptedChain) => ({
  chain,
  tokens: markets
    .filter(market => market.chain === chain)
    .map(market => ({
      address: market.address,
      symbol: market.symbol,
      name: market.name,
      decimals: 18,
      priceUsd: priceOf(market),
      change24hPct: 12.5,
      changeSince: changeSince(market)
    }))
})

/** Path and query to a body, or null where there is nothing at the path. */
export const answer = (
  markets: ReadonlyArray<ScriptedMarket>,
  url: URL
): { readonly body: object; readonly seq?: number } | null => {
  const { pathname, searchParams: query } = url
  const number = (name: string, fallback: number) => Number(query.get(name) ?? fallback)
  const chain = query.get("chain") === "solana" ? "solana" : number("chain", 8453)
  const find = (token: string | null, id: ScriptedChain = chain) =>
    markets.find(market => market.chain === id && market.address === token)

  if (pathname === "/v1/chains") return { body: { chains: chainsOf(markets) } }
  if (pathname === "/v1/quote") return { body: quoteOf(query) }
  if (pathname === "/v1/status") return { body: statusOf(markets) }
  if (pathname === "/v1/tokens") return { body: listOf(markets, chain) }
  if (/^\/v1\/(chains\/\w+|arc)\/tokens$/.test(pathname))
    return { body: boardOf(markets, pathname) }
  if (/^\/v1\/(chains\/\w+|arc)\/token\/\w+\/pools$/.test(pathname)) {
    return { body: { chain, pools: [], total: 0, unknown: [] } }
  }
  if (pathname === "/v1/tokens/search") {
    const isAsked = "rarely traded".startsWith((query.get("q") ?? "").toLowerCase())
    return { body: { chain, tokens: isAsked ? [RARE] : [] } }
  }
  if (pathname === "/v1/candles") {
    const market = find(query.get("token"))
    if (!market) return null
    const tf = query.get("tf") ?? "1h"
    const seconds = TF_SECONDS[tf] ?? 3600
    const to = bucketOf(number("to", unixNow() + seconds) - 1, tf) + seconds
    const from = to - number("limit", 300) * seconds
    const candles = candlesOf(market, tf, from, to)
    const body = { chain, token: market.address, tf, source: "index", from, to, candles }
    return { body, seq: headSeq(market) }
  }
  const stats = /^\/v1\/tokens\/stats\/(\w+)$/.exec(pathname)
  if (stats !== null) {
    const market = find(stats[1] ?? null)
    return market ? { body: statsOf(market), seq: headSeq(market) } : null
  }
  const keyed = /^\/v1\/chains\/(base|solana)\/token\/(\w+)\/trades$/.exec(pathname)
  const paged = /^\/v1\/tokens\/trades\/(\w+)$/.exec(pathname)
  const on = keyed?.[1] === "solana" ? "solana" : keyed ? 8453 : chain
  const market = find(keyed?.[2] ?? paged?.[1] ?? null, on)
  if (!market) return null
  const newestFirst = market.trades.map(each => each.trade).reverse()
  const limit = number("limit", 50)
  if (paged) {
    const page = number("page", 1)
    const trades = newestFirst.slice((page - 1) * limit, page * limit)
    return { body: { trades, total: newestFirst.length, page }, seq: headSeq(market) }
  }
  const cursor = query.get("before")
  const isAt = ({ ts, block, logIndex }: (typeof newestFirst)[number]) =>
    `${ts}:${block}:${logIndex}` === cursor
  const start = cursor === null ? 0 : newestFirst.findIndex(isAt) + 1
  const trades = newestFirst.slice(start, start + limit)
  const last = trades.at(-1)
  const more = last !== undefined && start + limit < newestFirst.length
  const nextBefore = more ? `${last.ts}:${last.block}:${last.logIndex}` : null
  return { body: { chain, trades, nextBefore }, seq: headSeq(market) }
}
