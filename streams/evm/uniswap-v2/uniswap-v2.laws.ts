/** Uniswap V2 for the laws of venue kinds. */
import type { Event } from "../../event.ts"
import {
  type Chance,
  type EventArgs,
  type EventMeaning,
  eventOf,
  type LawPool,
  type LawSwap,
  type VenueLaws
} from "../../venue-laws.ts"

const POOL = `0x${"aa".repeat(20)}`
const TOKENS = [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`] as const

const address = (value: unknown): string => (value as string).toLowerCase()
const amount = (value: unknown): bigint => value as bigint

const swapMeaning = (args: EventArgs, pool: string): EventMeaning => ({
  kind: "SwapExecuted",
  pool,
  venueKind: "uniswap-v2",
  sender: address(args["sender"]),
  recipient: address(args["to"]),
  amount0In: amount(args["amount0In"]),
  amount0Out: amount(args["amount0Out"]),
  amount1In: amount(args["amount1In"]),
  amount1Out: amount(args["amount1Out"]),
  sqrtPriceX96: null,
  liquidity: null,
  tick: null,
  fee: null,
  token0: null,
  token1: null,
  index0: null,
  index1: null
})

const liquidity = {
  kind: "LiquidityChanged",
  venueKind: "uniswap-v2",
  tickLower: null,
  tickUpper: null,
  liquidity: null
} as const

const meanings: VenueLaws["meanings"] = {
  "event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)":
    swapMeaning,
  "event Sync(uint112 reserve0, uint112 reserve1)": (args, pool) => ({
    kind: "ReservesSynced",
    pool,
    reserve0: amount(args["reserve0"]),
    reserve1: amount(args["reserve1"])
  }),
  "event Mint(address indexed sender, uint256 amount0, uint256 amount1)": (args, pool) => ({
    ...liquidity,
    pool,
    owner: null,
    sender: address(args["sender"]),
    amount0: amount(args["amount0"]),
    amount1: amount(args["amount1"])
  }),
  "event Burn(address indexed sender, uint256 amount0, uint256 amount1, address indexed to)": (
    args,
    pool
  ) => ({
    ...liquidity,
    pool,
    owner: address(args["to"]),
    sender: address(args["sender"]),
    amount0: -amount(args["amount0"]),
    amount1: -amount(args["amount1"])
  }),
  "event PairCreated(address indexed token0, address indexed token1, address pair, uint256 pairCount)":
    (args, factory) => ({
      kind: "PoolCreated",
      pool: address(args["pair"]),
      venueKind: "uniswap-v2",
      factory,
      tokens: [address(args["token0"]), address(args["token1"])],
      fee: null,
      tickSpacing: null,
      source: "log"
    })
}

const synced = (reserve0: bigint, reserve1: bigint): Event =>
  eventOf({ kind: "ReservesSynced", pool: POOL, reserve0, reserve1 })

/** Reserves of any size that a pair can hold, with room for more. */
const pool = (chance: Chance): LawPool => ({
  facts: {
    pool: POOL,
    tokens: TOKENS,
    fee: chance.integer(0, 1) === 0 ? 3000 : chance.integer(0, 20_000),
    tickSpacing: null,
    decimals: [18, 18]
  },
  history: Array.from({ length: chance.integer(1, 3) }, () =>
    synced(chance.bits(chance.integer(10, 111)) + 1n, chance.bits(chance.integer(10, 111)) + 1n)
  )
})

const holdings = ({ history }: LawPool): readonly [bigint, bigint] => {
  const last = history.at(-1)
  return last?.kind === "ReservesSynced" ? [last.reserve0, last.reserve1] : [0n, 0n]
}

/** UniswapV2Pair logs Sync with its balances, then Swap. */
const swapEvents = (pool: LawPool, swap: LawSwap): ReadonlyArray<Event> => {
  const [reserve0, reserve1] = holdings(pool)
  const zeroForOne = swap.tokenIn === 0
  const amounts = {
    amount0In: zeroForOne ? swap.amountIn : 0n,
    amount1In: zeroForOne ? 0n : swap.amountIn,
    amount0Out: zeroForOne ? 0n : swap.amountOut,
    amount1Out: zeroForOne ? swap.amountOut : 0n
  }
  return [
    synced(
      reserve0 + amounts.amount0In - amounts.amount0Out,
      reserve1 + amounts.amount1In - amounts.amount1Out
    ),
    eventOf(swapMeaning({ ...amounts, sender: POOL, to: POOL }, POOL))
  ]
}

export const laws: VenueLaws = { kind: "uniswap-v2", meanings, pool, holdings, swapEvents }
