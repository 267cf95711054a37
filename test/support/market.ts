/**
 * A small market for tests: tokens, V2 and V3 pools and seeded swaps as events, block by block.
 * Forks are other blocks at the same heights, made from another branch name.
 */
import type { BlockRef, Event, TxRef } from "../../streams/event.ts"
import { random } from "./random.ts"

type Random = ReturnType<typeof random>

const hex = (r: Random, bytes: number): string =>
  `0x${Array.from({ length: bytes }, () => r.int(256).toString(16).padStart(2, "0")).join("")}`

export interface Market {
  readonly tokens: ReadonlyArray<{ readonly address: string; readonly decimals: number }>
  readonly pools: ReadonlyArray<{
    readonly address: string
    readonly tokens: readonly [number, number]
    readonly kind: "uniswap-v2" | "uniswap-v3"
  }>
  readonly wallets: ReadonlyArray<string>
}

/** Token 0 is the dollar, token 1 the wrapped native one; addresses as in the chain's config. */
export const newMarket = (
  seed: string,
  usd: string,
  native: string,
  tokens = 8,
  wallets = 12
): Market => {
  const r = random(`${seed}/market`)
  const list = [
    { address: usd, decimals: 6 },
    { address: native, decimals: 18 },
    ...Array.from({ length: tokens }, () => ({
      address: hex(r, 20),
      decimals: r.pick([6, 8, 9, 18])
    }))
  ]
  const pools: Array<Market["pools"][number]> = [
    { address: hex(r, 20), tokens: [0, 1], kind: "uniswap-v3" },
    { address: hex(r, 20), tokens: [1, 0], kind: "uniswap-v2" }
  ]
  for (let token = 2; token < list.length; token++) {
    pools.push({ address: hex(r, 20), tokens: [r.int(2), token], kind: "uniswap-v2" })
    pools.push({ address: hex(r, 20), tokens: [token, r.int(2)], kind: "uniswap-v3" })
  }
  return { tokens: list, pools, wallets: Array.from({ length: wallets }, () => hex(r, 20)) }
}

const Q96 = 2n ** 96n

const at = (block: BlockRef, tx: TxRef | null, logIndex: number) => ({ block, tx, logIndex })

const poolFacts = (
  market: Market,
  pool: Market["pools"][number],
  block: BlockRef
): Array<Event> => [
  ...pool.tokens.map(
    (token): Event => ({
      kind: "TokenSeen",
      ...at(block, null, 0),
      token: market.tokens[token]?.address ?? "",
      symbol: `T${token}`,
      name: null,
      decimals: market.tokens[token]?.decimals ?? null,
      totalSupply: 10n ** 24n,
      source: "call"
    })
  ),
  {
    kind: "PoolCreated",
    ...at(block, null, 0),
    pool: pool.address,
    venueKind: pool.kind,
    factory: null,
    tokens: pool.tokens.map(token => market.tokens[token]?.address ?? ""),
    fee: 3000,
    tickSpacing: pool.kind === "uniswap-v3" ? 60 : null,
    source: "log"
  }
]

/** A whole token 0 costs one to four whole tokens 1. */
const sqrtPriceOf = (r: Random, d0: number, d1: number): bigint => {
  const root = (10 ** 6 + r.int(10 ** 6)) * 10 ** ((d1 - d0) / 2 + 6)
  return (Q96 * BigInt(Math.round(root))) / 10n ** 12n
}

const swapOf = (
  r: Random,
  market: Market,
  pool: Market["pools"][number],
  block: BlockRef,
  tx: TxRef,
  logIndex: number
): Array<Event> => {
  const [d0, d1] = pool.tokens.map(token => market.tokens[token]?.decimals ?? 18) as [
    number,
    number
  ]
  const whole = 1 + r.int(1_000_000)
  // one in sixteen at any price
  const other = r.int(16) === 0 ? r.int(1_000_000) : (whole * (500 + r.int(1500))) / 1000
  const amount0 = BigInt(whole) * 10n ** BigInt(Math.max(0, d0 - 4))
  const amount1 = BigInt(1 + Math.floor(other)) * 10n ** BigInt(Math.max(0, d1 - 4))
  const zeroForOne = r.int(2) === 0
  const v3 = pool.kind === "uniswap-v3"
  const swap: Event = {
    kind: "SwapExecuted",
    ...at(block, tx, logIndex + 1),
    pool: pool.address,
    venueKind: pool.kind,
    sender: r.pick(market.wallets),
    recipient: r.pick([tx.from, ...market.wallets]),
    amount0In: zeroForOne ? amount0 : 0n,
    amount0Out: zeroForOne ? 0n : amount0,
    amount1In: zeroForOne ? 0n : amount1,
    amount1Out: zeroForOne ? amount1 : 0n,
    sqrtPriceX96: v3 ? sqrtPriceOf(r, d0, d1) : null,
    liquidity: v3 ? 10n ** 19n + BigInt(r.int(2 ** 31)) : null,
    tick: v3 ? r.int(2000) - 1000 : null,
    fee: null,
    token0: null,
    token1: null,
    index0: null,
    index1: null
  }
  if (v3) return [swap]
  const reserves = [amount0, amount1].map(amount => amount * BigInt(1000 + r.int(5000)))
  return [
    {
      kind: "ReservesSynced",
      ...at(block, tx, logIndex),
      pool: pool.address,
      reserve0: reserves[0] ?? 0n,
      reserve1: reserves[1] ?? 0n
    },
    swap
  ]
}

const liquidityOf = (
  r: Random,
  market: Market,
  block: BlockRef,
  tx: TxRef,
  logIndex: number
): Event => ({
  kind: "LiquidityChanged",
  ...at(block, tx, logIndex),
  pool: r.pick(market.pools.filter(pool => pool.kind === "uniswap-v3")).address,
  venueKind: "uniswap-v3",
  owner: r.pick(market.wallets),
  sender: null,
  tickLower: -60 * (1 + r.int(100)),
  tickUpper: 60 * (1 + r.int(100)),
  liquidity: BigInt(r.int(2 ** 31)) * r.pick([1n, 1n, -1n]),
  amount0: 5n,
  amount1: 6n
})

/** The events of one block of a branch. The pool facts come in front of a pool's first event. */
export const marketBlock = (
  seed: string,
  market: Market,
  branch: string,
  number: number,
  parentHash: string | null,
  swaps: number,
  known: Set<string>
): ReadonlyArray<Event> => {
  const r = random(`${seed}/${branch}/${number}`)
  const block: BlockRef = {
    number,
    time: 1_700_000_000 + number * 7 + (number % 3),
    hash: hex(r, 32),
    parentHash
  }
  const events: Array<Event> = []
  let logIndex = 0
  for (let i = 0; i < swaps; i++) {
    const tx: TxRef = {
      hash: hex(r, 32),
      index: i,
      from: r.pick(market.wallets),
      to: r.pick([...market.wallets, null])
    }
    const pool = r.pick(market.pools)
    if (!known.has(pool.address)) {
      known.add(pool.address)
      events.push(...poolFacts(market, pool, block))
    }
    events.push(...swapOf(r, market, pool, block, tx, logIndex))
    logIndex += 2
    if (r.int(8) === 0) events.push(liquidityOf(r, market, block, tx, logIndex++))
    if (r.int(40) === 0) {
      events.push({
        kind: "LogQuarantined",
        ...at(block, tx, logIndex++),
        address: r.pick(market.wallets),
        topics: Uint8Array.of(1, 2, 3),
        data: Uint8Array.of(),
        reason: r.pick(["wrong data length", "wrong topic count"])
      })
    }
  }
  events.push({ kind: "BlockSealed", ...at(block, null, 0), logs: logIndex, grade: "bloom" })
  return events
}
