/**
 * Trades and creations as pools of other kinds than Uniswap V2 and V3 log them. Their states move
 * like a V2 pair's or a V3 pool's; only what is logged differs. Curve, DODO, Liquidity Book and
 * Maverick keep states of other shapes and are left out.
 */

import { venueKinds } from "../../streams/evm/venue-kinds.ts"
import type { Random } from "../../streams/sources/devchain/random.ts"
import type { GeneratedLog } from "./log-lines.ts"
import { type Pool, type Trade, tickOf, type V2Pool, type V3Pool } from "./pool-state.ts"

/** Kinds with the state of a pair, and how many of a hundred pools are one, about as on Base. */
const pairKinds = { "uniswap-v2": 58, solidly: 38, "balancer-v2": 4 } as const
const rangeKinds = {
  ...{ "uniswap-v3": 38, "uniswap-v4": 24, "solidly-cl": 24, "pancakeswap-v3": 11, algebra: 3 }
} as const

export type OtherKind = Exclude<
  keyof typeof pairKinds | keyof typeof rangeKinds,
  "uniswap-v2" | "uniswap-v3"
>

/** The contracts of Base that make pools of these kinds, or hold them all. */
const FACTORY: { readonly [K in OtherKind]: string } = {
  solidly: "0x420dd381b31aef6683db6b902084cb0ffece40da",
  "balancer-v2": "0xba12222222228d8ba445958a75a0704d566bf2c8",
  "uniswap-v4": "0x498581ff718922c3f8e6a244956af099b2652b2b",
  "solidly-cl": "0x5e7bb104d84c7cb9b682aac2f3d509f5f406809a",
  "pancakeswap-v3": "0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865",
  algebra: "0xc5396866754799b9720125b104ae01d935ab9c7b"
}

/** topic0 of a kind's event. */
const topicOf = (kind: string, name: string): string => {
  const events = venueKinds.find(one => one.kind === kind)?.events ?? []
  const found = events.find(({ abi }) => abi.startsWith(`event ${name}(`))
  if (found === undefined) throw new Error(`${kind} has no event ${name}`)
  return found.topic0
}

const TOPIC = {
  v3Created: topicOf("uniswap-v3", "PoolCreated"),
  v3Initialize: topicOf("uniswap-v3", "Initialize"),
  v3Mint: topicOf("uniswap-v3", "Mint"),
  v3Swap: topicOf("uniswap-v3", "Swap"),
  pancakeSwap: topicOf("pancakeswap-v3", "Swap"),
  algebraSwap: topicOf("algebra", "Swap"),
  algebraPool: topicOf("algebra", "Pool"),
  slipstreamCreated: topicOf("solidly-cl", "PoolCreated"),
  v4Swap: topicOf("uniswap-v4", "Swap"),
  v4Initialize: topicOf("uniswap-v4", "Initialize"),
  v4Modify: topicOf("uniswap-v4", "ModifyLiquidity"),
  solidlySwap: topicOf("solidly", "Swap"),
  solidlySync: topicOf("solidly", "Sync"),
  solidlyFees: topicOf("solidly", "Fees"),
  solidlyCreated: topicOf("solidly", "PoolCreated"),
  vaultSwap: topicOf("balancer-v2", "Swap"),
  vaultTokens: topicOf("balancer-v2", "TokensRegistered")
} as const

const word = (value: bigint | number): string =>
  BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, "0")
const topic = (value: bigint | number): string => `0x${word(value)}`

/** A log; an empty topic stands for the router. */
const log = (
  address: string,
  topics: ReadonlyArray<string>,
  data: ReadonlyArray<string>,
  isSwap = false
): GeneratedLog => ({ address, topics, data: data.join(""), isSwap })

/** A pool's 32-byte id: its address and more. */
const idOf = (pool: Pool): string => `${pool.address}${"0".repeat(23)}1`

const fullRange = ({ tickSpacing }: V3Pool): number =>
  Math.floor(887272 / tickSpacing) * tickSpacing
const tokensOf = ({ tokens }: Pool): ReadonlyArray<string> => tokens.map(token => `0x${token.word}`)

/** What the pool received of token 0 and 1; below zero what it paid. */
const netOf = ({ zeroForOne, amountIn, amountOut }: Trade): readonly [bigint, bigint] =>
  zeroForOne ? [amountIn, -amountOut] : [-amountOut, amountIn]

const pairTrade = (kind: OtherKind, pool: V2Pool, trade: Trade, recipient: string) => {
  const { zeroForOne, amountIn, amountOut } = trade
  const [paid, got, zero] = [word(amountIn), word(amountOut), word(0)]
  if (kind === "balancer-v2") {
    const [sold, bought] = zeroForOne ? tokensOf(pool) : tokensOf(pool).toReversed()
    const topics = [TOPIC.vaultSwap, idOf(pool), sold as string, bought as string]
    return [log(FACTORY["balancer-v2"], topics, [paid, got], true)]
  }
  const fee = word((amountIn * 3n) / 1000n)
  return [
    log(pool.address, [TOPIC.solidlyFees, ""], zeroForOne ? [fee, zero] : [zero, fee]),
    log(pool.address, [TOPIC.solidlySync], [word(pool.reserve0), word(pool.reserve1)]),
    log(
      pool.address,
      [TOPIC.solidlySwap, "", recipient],
      zeroForOne ? [paid, zero, zero, got] : [zero, paid, got, zero],
      true
    )
  ]
}

const rangeTrade = (kind: OtherKind, pool: V3Pool, trade: Trade, recipient: string) => {
  const [net0, net1] = netOf(trade)
  const state = [word(pool.sqrtPriceX96), word(pool.liquidity), word(tickOf(pool.sqrtPriceX96))]
  if (kind === "uniswap-v4") {
    // amounts as the swapper sees them
    const data = [word(-net0), word(-net1), ...state, word(pool.fee)]
    return [log(FACTORY["uniswap-v4"], [TOPIC.v4Swap, idOf(pool), ""], data, true)]
  }
  const swap =
    kind === "pancakeswap-v3"
      ? TOPIC.pancakeSwap
      : kind === "algebra"
        ? TOPIC.algebraSwap
        : TOPIC.v3Swap
  const more = swap === TOPIC.v3Swap ? [] : [word(0), word(0)]
  const data = [word(net0), word(net1), ...state, ...more]
  return [log(pool.address, [swap, "", recipient], data, true)]
}

/** The logs of a trade after it changed the pool. */
export const otherTradeLogs = (
  kind: OtherKind,
  pool: Pool,
  trade: Trade,
  recipient: string
): ReadonlyArray<GeneratedLog> =>
  pool.kind === "v2"
    ? pairTrade(kind, pool, trade, recipient)
    : rangeTrade(kind, pool, trade, recipient)

const pairCreation = (kind: OtherKind, pool: V2Pool): ReadonlyArray<GeneratedLog> => {
  const own = tokensOf(pool)
  if (kind === "balancer-v2") {
    const tokens = own.map(one => one.slice(2))
    const data = [word(64), word(160), word(2), ...tokens, word(2), word(0), word(0)]
    return [log(FACTORY["balancer-v2"], [TOPIC.vaultTokens, idOf(pool)], data)]
  }
  const made = [word(BigInt(pool.address)), word(1)]
  return [
    log(FACTORY.solidly, [TOPIC.solidlyCreated, ...own, topic(0)], made),
    log(pool.address, [TOPIC.solidlySync], [word(pool.reserve0), word(pool.reserve1)])
  ]
}

/** What the factory logs of a new pool that is a contract. */
const createdLog = (kind: OtherKind, pool: V3Pool): GeneratedLog => {
  const { address, tickSpacing, fee } = pool
  const own = tokensOf(pool)
  const made = word(BigInt(address))
  if (kind === "algebra") return log(FACTORY.algebra, [TOPIC.algebraPool, ...own], [made])
  if (kind === "solidly-cl") {
    const topics = [TOPIC.slipstreamCreated, ...own, topic(tickSpacing)]
    return log(FACTORY["solidly-cl"], topics, [made])
  }
  const topics = [TOPIC.v3Created, ...own, topic(fee)]
  return log(FACTORY["pancakeswap-v3"], topics, [word(tickSpacing), made])
}

const rangeCreation = (kind: OtherKind, pool: V3Pool): ReadonlyArray<GeneratedLog> => {
  const { address, liquidity, sqrtPriceX96, tickSpacing, fee } = pool
  const price = [word(sqrtPriceX96), word(tickOf(sqrtPriceX96))]
  const range = fullRange(pool)
  if (kind === "uniswap-v4") {
    const key = [word(fee), word(tickSpacing), word(0)]
    const topics = [TOPIC.v4Initialize, idOf(pool), ...tokensOf(pool)]
    return [
      log(FACTORY["uniswap-v4"], topics, [...key, ...price]),
      log(
        FACTORY["uniswap-v4"],
        [TOPIC.v4Modify, idOf(pool), ""],
        [word(-range), word(range), word(liquidity), word(0)]
      )
    ]
  }
  const mint = [word(0), word(liquidity), word(0), word(0)]
  return [
    createdLog(kind, pool),
    log(address, [TOPIC.v3Initialize], price),
    log(address, [TOPIC.v3Mint, "", topic(-range), topic(range)], mint)
  ]
}

/** The logs that make a pool and give it its first price. */
export const otherCreationLogs = (kind: OtherKind, pool: Pool): ReadonlyArray<GeneratedLog> =>
  pool.kind === "v2" ? pairCreation(kind, pool) : rangeCreation(kind, pool)

/** The pool with a kind drawn for it. */
export const ofSomeKind = (pool: Pool, random: Random): Pool => {
  const shares = Object.entries(pool.kind === "v2" ? pairKinds : rangeKinds)
  const [kind] = random.weighted(shares, ([, share]) => share)
  return kind === "uniswap-v2" || kind === "uniswap-v3"
    ? pool
    : { ...pool, other: kind as OtherKind }
}
