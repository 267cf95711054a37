/**
 * Scripted markets for the page's tests: trades made up from the run's seed, a log of what
 * happened to them, and candles computed from what stands. It answers like the real service; it is
 * no model of it.
 */
import { fromHex } from "../../src/domain/address.ts"
import { toBase58 } from "../../src/domain/base58.ts"
import { type Random, random } from "./seed.ts"

export interface ScriptedTrade {
  readonly tx: string
  readonly logIndex: number
  readonly block: number
  readonly pool: string
  readonly dex: string
  readonly side: "buy" | "sell"
  readonly tokenAmt: number
  readonly quoteAmount: number
  readonly usd: number
  readonly priceUsd: number
  readonly ts: number
  readonly wallet: string | null
}

export interface ScriptedCandle {
  readonly t: number
  readonly o: number
  readonly h: number
  readonly l: number
  readonly c: number
  readonly v: number
  readonly n: number
}

/** What the log holds of a market: a trade, or the undoing of every entry after `toSeq`. */
export type LogEntry =
  | { readonly seq: number; readonly trade: ScriptedTrade }
  | { readonly seq: number; readonly toSeq: number }

/** What answers call a chain. */
export type ScriptedChain = number | "solana"

export interface ScriptedMarket {
  readonly chain: ScriptedChain
  readonly address: string
  readonly symbol: string
  readonly name: string
  readonly log: LogEntry[]
  /** trades that stand, oldest first */
  trades: Array<{ readonly seq: number; readonly trade: ScriptedTrade }>
}

export const TF_SECONDS: Readonly<Record<string, number>> = {
  "1m": 60,
  "5m": 300,
  "15m": 900,
  "1h": 3600,
  "4h": 14_400,
  "1d": 86_400,
  "1w": 604_800
}

/** 1970-01-05 was a Monday; weeks start there, and every shorter bucket divides it. */
const FIRST_MONDAY = 345_600

export const bucketOf = (ts: number, tf: string): number => {
  const seconds = TF_SECONDS[tf] ?? 60
  return Math.floor((ts - FIRST_MONDAY) / seconds) * seconds + FIRST_MONDAY
}

const hex = (random: Random, digits: number): string =>
  `0x${random
    .bits(digits * 4)
    .toString(16)
    .padStart(digits, "0")}`

const base58 = (random: Random, bytes: number): string => toBase58(fromHex(hex(random, bytes * 2)))

/** How a chain writes transactions and accounts. */
const writtenOn = (chain: ScriptedChain, random: Random) =>
  chain === "solana"
    ? { tx: () => base58(random, 64), account: () => base58(random, 32) }
    : { tx: () => hex(random, 64), account: () => hex(random, 40) }

/** The next trade of a market whose price wanders a percent at a time. */
export const nextTrade = (
  random: Random,
  before: Pick<ScriptedTrade, "priceUsd" | "block">,
  ts: number,
  chain: ScriptedChain
): ScriptedTrade => {
  const written = writtenOn(chain, random)
  const side = random.boolean(0.52) ? "buy" : "sell"
  const step = 1 + (random.next() - 0.5) * 0.008
  const priceUsd = before.priceUsd * step
  const usd = Math.exp(random.next() * 7)
  return {
    tx: written.tx(),
    logIndex: random.integer(0, 200),
    block: before.block + 1,
    pool: written.account(),
    dex: random.pick(["uniswap_v2", "uniswap_v3"]),
    side,
    tokenAmt: usd / priceUsd,
    quoteAmount: usd,
    usd,
    priceUsd,
    ts,
    wallet: random.boolean(0.9) ? written.account() : null
  }
}

/** Candles of the trades that stand in [from, to), oldest first, empty buckets absent. */
export const candlesOf = (
  market: ScriptedMarket,
  tf: string,
  from: number,
  to: number
): ReadonlyArray<ScriptedCandle> => {
  const buckets = new Map<number, ScriptedCandle>()
  for (const { trade } of market.trades) {
    const t = bucketOf(trade.ts, tf)
    if (t < from || t >= to) continue
    const { priceUsd: price, usd } = trade
    const known = buckets.get(t) ?? { t, o: price, h: price, l: price, c: price, v: 0, n: 0 }
    buckets.set(t, {
      ...known,
      h: Math.max(known.h, price),
      l: Math.min(known.l, price),
      c: price,
      v: known.v + usd,
      n: known.n + 1
    })
  }
  return [...buckets.values()].sort((a, b) => a.t - b.t)
}

/** The history a market starts with: a busy stretch to now, a quiet week, and a day before it. */
export const historyOf = (
  random: Random,
  priceUsd: number,
  now: number,
  chain: ScriptedChain
): ScriptedTrade[] => {
  const trades: ScriptedTrade[] = []
  const stretch = (start: number, end: number, gapMax: number) => {
    for (let ts = start; ts < end; ts += random.integer(1, gapMax)) {
      trades.push(nextTrade(random, trades.at(-1) ?? { priceUsd, block: 1_000_000 }, ts, chain))
    }
  }
  stretch(now - 9 * 86_400, now - 8 * 86_400, 900)
  stretch(now - 8 * 3600, now, 40)
  return trades
}

export const unixNow = () => Math.floor(Date.now() / 1000)

/** The newest log position of a market. */
export const headSeq = (market: ScriptedMarket) => market.log.at(-1)?.seq ?? 0

const MARKETS: ReadonlyArray<readonly [ScriptedChain, string, string, number]> = [
  [8453, "WETH", "Wrapped Ether", 2613.4],
  [8453, "PEPR", "Pepper", 0.0000123],
  [8453, "<img src=x onerror=alert(1)>", "\u202eevil<script>alert(2)</script>", 0.42],
  [8453, "DUST", "Dust", 3.1e-11],
  [5042, "ARCX", "Arc Exchange", 1.84],
  ["solana", "SOLX", "Solar Exchange", 0.31]
]

const addressOf = (chain: ScriptedChain, index: number): string =>
  chain === "solana"
    ? `So1XExchangeMint${"1".repeat(27)}`
    : `0x${(0xabc0 + index).toString(16).padStart(40, "5")}`

/** The markets of the scripted chains, with their history up to now. */
export const makeMarkets = (): ScriptedMarket[] =>
  MARKETS.map(([chain, symbol, name, price], index) => {
    const history = historyOf(random(`page/${symbol}`), price, unixNow() - 5, chain)
    const trades = history.map((trade, position) => ({ seq: position + 1, trade }))
    return { chain, address: addressOf(chain, index), symbol, name, log: [...trades], trades }
  })
