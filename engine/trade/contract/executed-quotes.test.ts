/**
 * Quotes by chance over Uniswap V2, V3 and V4, of whatever the search finds, beside what the router
 * contract gives for their legs: to the wei. Some are executed, and what follows is quoted on that.
 */
import { afterAll, beforeAll, expect, it } from "vitest"
import type { ChainConfig } from "../../../src/domain/chain.ts"
import { sqrtRatioAtTick } from "../../../src/math/concentrated/tick-math.ts"
import type { Event } from "../../../streams/event.ts"
import { batchOf } from "../../../streams/event-objects.ts"
import { chainDecoder } from "../../../streams/evm/chain-decoder.ts"
import { testChain } from "../../../test/support/chain-config.ts"
import { decodeAll } from "../../../test/support/decode-one.ts"
import { rawLogOf } from "../../../test/support/raw-logs.ts"
import { openRouterMarket, type RouterMarket } from "../../../test/support/router-market.ts"
import {
  deployPairFactory,
  deployRangeFactory,
  openPair,
  openRangePool
} from "../../../test/support/router-pools.ts"
import { type Random, random } from "../../../test/support/seed.ts"
import { PoolBook } from "../pools/pool-book.ts"
import { QuoteDesk, type QuoteOrder } from "../quote.ts"
import { NATIVE } from "./router-call.ts"

type Hex = `0x${string}`

const ONE = 10n ** 18n
const isLong = process.env["SWAPTAPE_LONG"] === "1"
/** Quotes of a round are of one state of the chain; its last one is executed. */
const ROUND = 25
const ROUNDS = isLong ? 40 : 2

let market: RouterMarket
let chain: ChainConfig

beforeAll(async () => {
  market = await openRouterMarket()
  const { a, b, c, six, weth, poolManager, initialize, addLiquidity } = market
  const pairs = await deployPairFactory(market)
  const ranges = await deployRangeFactory(market, "uniswap")
  const address = (of: Hex) => of as ChainConfig["venues"][number]["factory"]
  await openPair(market, pairs, [a, 1000n * ONE], [b, 3000n * ONE])
  await openPair(market, pairs, [b, 1000n * ONE], [six, 2_000_000n * 10n ** 6n])
  await openPair(market, pairs, [a, 2000n * ONE], [weth, 2000n * ONE])
  await openRangePool(market, ranges, [a, b], 3000, 10_900)
  await openRangePool(market, ranges, [b, c], 500, -5000)
  await openRangePool(market, ranges, [a, weth], 3000, 0)
  const v4 = async (currency0: Hex, currency1: Hex, fee: number, tick: number, value: bigint) => {
    const key = { currency0, currency1, fee, tickSpacing: 60, hooks: NATIVE }
    await initialize(key, sqrtRatioAtTick(tick))
    await addLiquidity(key, -60_000, 60_000, 10n ** 21n, value)
    await addLiquidity(key, tick - (tick % 60) - 600, tick - (tick % 60) + 600, 10n ** 21n, value)
  }
  await v4(NATIVE, b, 3000, 10_900, 1000n * ONE)
  await v4(a, b, 500, 10_980, 0n)
  await v4(b, c, 3000, -5040, 0n)
  chain = {
    ...testChain,
    nativeToken: address(weth),
    anchors: [
      { address: address(weth), symbol: "WETH", decimals: 18, kind: "native" },
      { address: address(b), symbol: "B", decimals: 18, kind: "usd" }
    ],
    venues: [
      { id: "uniswap_v2", kind: "uniswap-v2", factory: address(pairs), feeBps: 30 },
      { id: "uniswap_v3", kind: "uniswap-v3", factory: address(ranges) },
      { id: "uniswap_v4", kind: "uniswap-v4", factory: address(poolManager) }
    ]
  } as ChainConfig
})
afterAll(() => market?.close())

/** What quotes the chain as its logs tell it now. */
const deskNow = async (): Promise<QuoteDesk> => {
  const decoder = chainDecoder(chain)
  const events = (await market.logs()).flatMap((log): ReadonlyArray<Event> => {
    const raw = rawLogOf(log, Number(log.logIndex))
    if (!decoder.watches(raw)) return []
    const decoded = decodeAll(decoder.decode, raw)
    return typeof decoded === "string" ? [] : decoded
  })
  const last = events.at(-1) as Event
  const sealed = { kind: "BlockSealed", tx: null, logIndex: 0, logs: 0, grade: "file" } as const
  const book = new PoolBook(chain)
  book.take(batchOf([...events, { ...sealed, block: last.block }]), 1)
  return new QuoteDesk(chain, book)
}

/** The owner has only so many of the native unit and its wrapped token. */
const isAffordable = (token: string, amount: bigint, most: bigint): boolean =>
  (token !== market.weth && token !== NATIVE) || amount <= most

const orderBy = (chance: Random): QuoteOrder => {
  const { a, b, c, six, weth } = market
  const [tokenIn, tokenOut] = chance.shuffle([a, b, c, six, weth, NATIVE]) as [Hex, Hex]
  const amount = 1n + chance.bits(chance.integer(1, 72))
  const exact = chance.boolean(0.75) ? "in" : "out"
  return {
    tokenIn,
    tokenOut,
    amount,
    exact,
    maxHops: 2,
    onlyDex: null,
    gasPrice: null,
    suspects: [],
    taxed: []
  }
}

it(`${ROUND * ROUNDS} quotes are what the contract gives, to the wei`, async () => {
  const chance = random("executed quotes")
  const met = { quotes: 0, splits: 0, hops: 0 }
  const venues = new Set<string>()
  for (let round = 0; round < ROUNDS; round++) {
    const desk = await deskNow()
    for (let quoted = 0; quoted < ROUND; ) {
      const asked = orderBy(chance)
      const found = desk.quote(asked)
      if (!found.ok || !isAffordable(asked.tokenIn, found.amountIn, 100n * ONE)) continue
      quoted++
      const legs = found.calls
      const ends = { tokenIn: asked.tokenIn as Hex, tokenOut: asked.tokenOut as Hex, legs }
      const { amountIn, amountOut } = found
      const order = market.order({ ...ends, amountIn, minimumOut: amountOut })
      const told = await market.tried(order)
      expect(told, `round ${round}: ${JSON.stringify(asked, (_, v) => String(v))}`).toBe(amountOut)
      if (asked.exact === "out") expect(amountOut).toBeGreaterThanOrEqual(asked.amount)
      met.quotes++
      if (found.legs.length > 1) met.splits++
      if (found.legs.some(({ tokenOut }) => found.legs.some(leg => leg.tokenIn === tokenOut)))
        met.hops++
      for (const { dex } of found.legs) venues.add(dex)
      const isLast = quoted === ROUND
      if (isLast && isAffordable(asked.tokenIn, amountIn, ONE)) await market.execute(order)
    }
  }
  expect(met.quotes).toBe(ROUND * ROUNDS)
  expect(met.splits).toBeGreaterThan(ROUNDS)
  expect(met.hops).toBeGreaterThan(ROUNDS)
  expect([...venues]).toEqual(expect.arrayContaining(["uniswap_v2", "uniswap_v3", "uniswap_v4"]))
})
