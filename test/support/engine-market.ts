/**
 * A market on a scripted chain as an engine of the registry sees it: the chain's own dollar and
 * wrapped native token, more tokens, V2 and V3 pools of its factories, and seeded swaps block by
 * block. Half of the pools are older than the chain and known by their contracts only; the others
 * are created while it runs.
 */
import { encodeAbiParameters, type Hex, parseAbiParameters, toFunctionSelector } from "viem"
import type { ChainConfig } from "../../src/domain/chain.ts"
import type { FakeChain, FakeTx } from "./fake-chain.ts"
import {
  type FakeLog,
  pairCreatedLog,
  poolCreatedLog,
  syncLog,
  v2SwapLog,
  v3SwapLog
} from "./fake-logs.ts"
import { type Random, random } from "./seed.ts"

interface MarketToken {
  readonly address: Hex
  readonly symbol: string
  /** null where the contract does not say */
  readonly decimals: number | null
  /** dollars of one raw unit, about */
  rawUsd: number
}

interface MarketPool {
  readonly address: Hex
  readonly tokens: readonly [MarketToken, MarketToken]
  readonly isV3: boolean
  readonly creation: FakeLog
}

export interface EngineMarket {
  readonly tokens: ReadonlyArray<MarketToken>
  readonly pools: ReadonlyArray<MarketPool>
  readonly wallets: ReadonlyArray<Hex>
  /** pools that trade, from the first; the rest is yet to be created */
  open: number
}

const selector = (signature: string): Hex => toFunctionSelector(signature)
const word = (type: string, value: unknown): Hex =>
  encodeAbiParameters(parseAbiParameters(type), [value] as never)
const randomAddress = (r: Random): Hex => `0x${r.bits(160).toString(16).padStart(40, "0")}`

const anchorToken = (chain: ChainConfig, kind: "usd" | "native", usd: number): MarketToken => {
  const anchor = chain.anchors.find(one => one.kind === kind)
  if (anchor === undefined) throw new Error(`${chain.key} has no ${kind} anchor`)
  const { address, symbol, decimals } = anchor
  return { address: address as Hex, symbol, decimals, rawUsd: usd / 10 ** decimals }
}

const newTokens = (chain: ChainConfig, r: Random, count: number): ReadonlyArray<MarketToken> => [
  anchorToken(chain, "usd", 1),
  anchorToken(chain, "native", 2000),
  ...Array.from({ length: count }, (_, i): MarketToken => {
    const decimals = r.pick([6, 8, 18])
    const rawUsd = 10 ** r.integer(-4, 2) / 10 ** decimals
    return { address: randomAddress(r), symbol: `T${i}`, decimals, rawUsd }
  }),
  { address: randomAddress(r), symbol: "ODD", decimals: null, rawUsd: 1e-18 }
]

const newPool = (
  chain: ChainConfig,
  r: Random,
  a: MarketToken,
  b: MarketToken,
  isV3: boolean
): MarketPool => {
  const kind = isV3 ? "uniswap-v3" : "uniswap-v2"
  const factory = chain.venues.find(venue => venue.kind === kind)?.factory as Hex
  const [token0, token1] = a.address < b.address ? [a, b] : [b, a]
  const address = randomAddress(r)
  const creation = isV3
    ? poolCreatedLog(factory, token0.address, token1.address, 3000, 60, address)
    : pairCreatedLog(factory, token0.address, token1.address, address)
  return { address, tokens: [token0, token1], isV3, creation }
}

/** A market of so many tokens besides the two anchors and one of unknown decimals. */
export const newEngineMarket = (chain: ChainConfig, label: string, tokens = 6): EngineMarket => {
  const r = random(`market ${label}`)
  const list = newTokens(chain, r, tokens)
  const [usd, native] = [list[0] as MarketToken, list[1] as MarketToken]
  const pools = [newPool(chain, r, usd, native, true), newPool(chain, r, usd, native, false)]
  for (const token of list.slice(2)) {
    pools.push(newPool(chain, r, r.pick([usd, native]), token, false))
    pools.push(newPool(chain, r, r.pick([usd, native]), token, true))
  }
  const wallets = Array.from({ length: 20 }, () => randomAddress(r))
  return { tokens: list, pools, wallets, open: Math.ceil(pools.length / 2) }
}

/** Puts the contracts on a chain, as they answer calls about themselves. */
export const deployEngineMarket = (chain: FakeChain, market: EngineMarket): void => {
  for (const { address, symbol, decimals } of market.tokens) {
    chain.contracts.set(address, {
      [selector("symbol()")]: word("string", symbol),
      [selector("name()")]: word("string", `Token ${symbol}`),
      [selector("decimals()")]: decimals === null ? null : word("uint8", decimals),
      [selector("totalSupply()")]: word("uint256", 10n ** 27n)
    })
  }
  for (const { address, tokens, isV3, creation } of market.pools) {
    chain.contracts.set(address, {
      [selector("token0()")]: word("address", tokens[0].address),
      [selector("token1()")]: word("address", tokens[1].address),
      [selector("factory()")]: word("address", creation.address),
      ...(isV3 && {
        [selector("fee()")]: word("uint24", 3000),
        [selector("tickSpacing()")]: word("int24", 60)
      })
    })
  }
}

const Q96 = 2n ** 96n
const raw = (usd: number, token: MarketToken): bigint => BigInt(Math.ceil(usd / token.rawUsd))

/** Logs of a swap of some dollars near the fair price, which wanders. */
const swapLogs = (r: Random, pool: MarketPool, wallet: Hex): ReadonlyArray<FakeLog> => {
  const [token0, token1] = pool.tokens
  const moved = token0.decimals === 6 && token0.symbol.startsWith("USD") ? token1 : token0
  moved.rawUsd *= 1 + (r.next() - 0.5) / 100
  const usd = 10 ** (1 + 3 * r.next())
  const amounts = [raw(usd, token0), raw(usd * (1 + r.next() / 500), token1)] as const
  const sold0 = r.boolean()
  const depth = 10 ** (5 + r.next())
  const reserves = [raw(depth, token0), raw(depth, token1)] as const
  if (!pool.isV3) {
    const [in0, in1] = sold0 ? [amounts[0], 0n] : [0n, amounts[1]]
    const [out0, out1] = sold0 ? [0n, amounts[1]] : [amounts[0], 0n]
    return [
      syncLog(pool.address, reserves[0], reserves[1]),
      v2SwapLog(pool.address, wallet, wallet, [in0, in1, out0, out1])
    ]
  }
  const root = Math.sqrt(token0.rawUsd / token1.rawUsd)
  const scaled = BigInt(Math.ceil(root * 2 ** 52))
  const [delta0, delta1] = sold0 ? [amounts[0], -amounts[1]] : [-amounts[0], amounts[1]]
  return [
    v3SwapLog(pool.address, wallet, wallet, delta0, delta1, [
      scaled > 2n ** 20n ? (scaled * Q96) / 2n ** 52n : BigInt(Math.ceil(root * 2 ** 96)),
      BigInt(Math.ceil(Math.sqrt(Number(reserves[0]) * Number(reserves[1])))),
      Math.floor(Math.log(root * root) / Math.log(1.0001))
    ])
  ]
}

/** Transactions of one block: so many swaps by seeded wallets, now and then a hop of two. */
export const marketTxs = (
  r: Random,
  market: EngineMarket,
  swaps: number
): ReadonlyArray<FakeTx> => {
  const anyPool = () => market.pools[r.integer(0, market.open - 1)] as MarketPool
  return Array.from({ length: swaps }, () => {
    const from = r.pick(market.wallets)
    const logs = swapLogs(r, anyPool(), from)
    const second = r.boolean(0.1) ? swapLogs(r, anyPool(), from) : []
    return { from, to: anyPool().address, logs: [...logs, ...second] }
  })
}

/** A transaction that creates the next pool, as its factory tells it; none when all are open. */
export const creationTxs = (market: EngineMarket): ReadonlyArray<FakeTx> => {
  const pool = market.pools[market.open]
  if (pool === undefined) return []
  market.open++
  return [{ from: market.wallets[0] as Hex, to: pool.creation.address, logs: [pool.creation] }]
}
