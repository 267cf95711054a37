/** Uniswap V2 for the laws of venue kinds. */
import type { Event } from "../../event.ts"
import { createdPool, factAnswers, plainAnswers, poolFor } from "../../law-meanings.ts"
import {
  type Chance,
  eventOf,
  type LawPool,
  type LawSwap,
  type VenueLaws
} from "../../venue-laws.ts"
import {
  burnMeaning,
  holdings,
  mintMeaning,
  swapAmounts,
  swapMeaning,
  syncMeaning
} from "../pair-laws.ts"

const POOL = `0x${"aa".repeat(20)}`
const TOKENS = [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`] as const

const KIND = "uniswap-v2"

const meanings: VenueLaws["meanings"] = {
  "event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)":
    swapMeaning(KIND),
  "event Sync(uint112 reserve0, uint112 reserve1)": syncMeaning,
  "event Mint(address indexed sender, uint256 amount0, uint256 amount1)": mintMeaning(KIND),
  "event Burn(address indexed sender, uint256 amount0, uint256 amount1, address indexed to)":
    burnMeaning(KIND),
  "event PairCreated(address indexed token0, address indexed token1, address pair, uint256 pairCount)":
    (args, factory) => createdPool(KIND, factory, args["pair"], [args["token0"], args["token1"]])
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

/** UniswapV2Pair logs Sync with its balances, then Swap. */
const swapEvents = (pool: LawPool, swap: LawSwap): ReadonlyArray<Event> => {
  const [reserve0, reserve1] = holdings(pool)
  const amounts = swapAmounts(swap)
  return [
    synced(
      reserve0 + amounts.amount0In - amounts.amount0Out,
      reserve1 + amounts.amount1In - amounts.amount1Out
    ),
    eventOf(swapMeaning(KIND)({ ...amounts, sender: POOL, to: POOL }, POOL))
  ]
}

/** A pair answers with its reserves. */
const stateAnswers: VenueLaws["stateAnswers"] = (pool, { to, abi }) =>
  to === POOL && abi.startsWith("function getReserves()") ? holdings(pool) : null

export const laws: VenueLaws = {
  kind: KIND,
  meanings,
  factAnswers: factAnswers(plainAnswers, { "getPair(address,address)": poolFor() }),
  pool,
  holdings,
  holdingBits: 112,
  stateAnswers,
  swapEvents
}
