/** Solidly for the laws of venue kinds. */
import type { Event } from "../../event.ts"
import {
  address,
  amount,
  createdPool,
  factAnswers,
  parameter,
  plainAnswers,
  poolFor,
  told
} from "../../law-meanings.ts"
import {
  type Chance,
  type EventArgs,
  type EventMeaning,
  eventOf,
  type LawPool,
  type LawSwap,
  type VenueLaws
} from "../../venue-laws.ts"
import { burnMeaning, holdings, swapAmounts, swapMeaning, syncMeaning } from "../pair-laws.ts"

const POOL = `0x${"aa".repeat(20)}`
const TOKENS = [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`] as const

const KIND = "solidly"

const createdMeaning = (
  args: EventArgs,
  factory: string,
  pool: string,
  version: bigint
): ReadonlyArray<EventMeaning> => [
  createdPool(KIND, factory, pool, [args["token0"], args["token1"]]),
  parameter(pool, "stable", args["stable"] === true ? 1n : 0n),
  parameter(pool, "version", version)
]

const feeMeaning = (args: EventArgs, pool: string, index: number, paid: bigint): EventMeaning => ({
  kind: "ReserveChanged",
  pool,
  venueKind: KIND,
  owner: address(args["sender"]),
  token: null,
  index,
  amount: -paid,
  reason: "fee"
})

const feesMeaning = (args: EventArgs, pool: string): ReadonlyArray<EventMeaning> => {
  const [paid0, paid1] = [amount(args["amount0"]), amount(args["amount1"])]
  return [
    ...(paid0 > 0n || paid1 === 0n ? [feeMeaning(args, pool, 0, paid0)] : []),
    ...(paid1 > 0n ? [feeMeaning(args, pool, 1, paid1)] : [])
  ]
}

const meanings: VenueLaws["meanings"] = {
  "event Swap(address indexed sender, address indexed to, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out)":
    swapMeaning(KIND),
  "event Sync(uint256 reserve0, uint256 reserve1)": syncMeaning,
  "event Fees(address indexed sender, uint256 amount0, uint256 amount1)": feesMeaning,
  "event Burn(address indexed sender, address indexed to, uint256 amount0, uint256 amount1)":
    burnMeaning(KIND),
  "event Claim(address indexed sender, address indexed recipient, uint256 amount0, uint256 amount1)":
    (args, pool) => ({
      kind: "FeesCollected",
      pool,
      owner: address(args["sender"]),
      recipient: address(args["recipient"]),
      tickLower: null,
      tickUpper: null,
      amount0: amount(args["amount0"]),
      amount1: amount(args["amount1"])
    }),
  "event PoolCreated(address indexed token0, address indexed token1, bool indexed stable, address pool, uint256 count)":
    (args, factory) => createdMeaning(args, factory, address(args["pool"]), 2n),
  "event PairCreated(address indexed token0, address indexed token1, bool stable, address pair, uint256 count)":
    (args, factory) => createdMeaning(args, factory, address(args["pair"]), 1n)
}

/** Volatile pairs of both generations, stable ones of the second; of any size they can hold. */
const pool = (chance: Chance): LawPool => {
  const isStable = chance.integer(0, 1) === 1
  const decimals = isStable
    ? [chance.integer(0, 1) * 12 + 6, chance.integer(0, 1) * 12 + 6]
    : [18, 18]
  const whole = chance.bits(chance.integer(6, 24)) + 100n
  const reserve = (place: number): bigint => {
    if (!isStable) return chance.bits(chance.integer(10, 111)) + 1n
    const near = (whole * BigInt(chance.integer(20, 500))) / 100n
    return near * 10n ** BigInt(decimals[place] as number) + chance.bits(16)
  }
  return {
    facts: {
      pool: POOL,
      tokens: TOKENS,
      fee: chance.integer(0, 100) * 100,
      tickSpacing: null,
      decimals
    },
    history: [
      eventOf(parameter(POOL, "stable", isStable ? 1n : 0n)),
      eventOf(parameter(POOL, "version", isStable ? 2n : BigInt(chance.integer(1, 2)))),
      ...Array.from({ length: chance.integer(1, 3) }, () =>
        eventOf(syncMeaning({ reserve0: reserve(0), reserve1: reserve(1) }, POOL))
      )
    ]
  }
}

/** The pair moves the fee away, then logs Sync with what is left and Swap. */
const swapEvents = (pool: LawPool, swap: LawSwap): ReadonlyArray<Event> => {
  const before = holdings(pool)
  const fee = (swap.amountIn * BigInt(pool.facts.fee ?? 0)) / 1_000_000n
  const on = (token: number, value: bigint): bigint => (swap.tokenIn === token ? value : 0n)
  const sender = POOL
  const amounts = swapAmounts(swap)
  return [
    ...feesMeaning({ sender, amount0: on(0, fee), amount1: on(1, fee) }, POOL).map(eventOf),
    eventOf(
      syncMeaning(
        {
          reserve0: before[0] + amounts.amount0In - amounts.amount0Out - on(0, fee),
          reserve1: before[1] + amounts.amount1In - amounts.amount1Out - on(1, fee)
        },
        POOL
      )
    ),
    eventOf(swapMeaning(KIND)({ ...amounts, sender, to: POOL }, POOL))
  ]
}

/** Pools of stable tokens end their iteration a unit beside the root, at either side. */
const ROUNDING = 2n

export const laws: VenueLaws = {
  kind: KIND,
  meanings,
  sharedEvents: [
    "Swap(address,uint256,uint256,uint256,uint256,address)",
    "Sync(uint112,uint112)",
    "Mint(address,uint256,uint256)",
    "Burn(address,uint256,uint256,address)"
  ],
  factAnswers: factAnswers(
    { ...plainAnswers, "stable()": pool => [told(pool, "stable")] },
    { "getPair(address,address,bool)": poolFor(pool => [told(pool, "stable")]) }
  ),
  pool,
  holdings,
  swapEvents,
  rounding: ROUNDING
}
