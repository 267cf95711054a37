/** What tokens cost at present: pools age, tokens move with their quote, dollars lose their peg. */
import { expect, it } from "vitest"
import {
  address,
  DAI,
  dollarChain,
  ETHER,
  type Fact,
  MEME,
  type PriceLane,
  pool,
  priceAfter,
  reserves,
  seen,
  swap,
  USDC,
  USDT,
  WETH,
  withPrices
} from "../../test/support/price-events.ts"

const HOUR = 3600
const START = 1_700_000_000
const [WETH_ID, MEME_ID] = [0, 2]
const dollars = (whole: number) => BigInt(Math.round(whole * 1e6))
const ether = (time: number, byte: string, weth: number, usd: number) =>
  reserves(time, byte, BigInt(weth) * ETHER, dollars(usd))

/** Two pools, 2,000,000 and 1,100,000 dollars deep; the second has its newest event at `later`. */
const deepAndNew = (later: number) => [
  ...[pool(0, "d1", [WETH, USDC]), pool(0, "d2", [WETH, USDC])],
  ether(0, "d1", 1000, 2_000_000),
  ether(later, "d2", 500, 1_100_000)
]
const meanOf = (deep: number) => (2000 * deep + 2200 * 1.1) / (deep + 1.1)

it("halves a silent pool's word on an anchor by the hour, and forgets it after a day", async () => {
  const at = (later: number) => priceAfter(deepAndNew(later), WETH_ID)
  expect(await at(HOUR - 1)).toBeCloseTo(meanOf(2), 9)
  expect(await at(HOUR)).toBeCloseTo(meanOf(1), 9)
  expect(await at(3 * HOUR)).toBeCloseTo(meanOf(0.25), 9)
  expect(await at(24 * HOUR - 1)).toBeCloseTo(meanOf(2 / 2 ** 23), 9)
  expect(await at(24 * HOUR)).toBe(2200)
})

it("lets a deep pool of two years ago not hold an anchor where it was, and says how old", async () => {
  const years = 2 * 365 * 24 * HOUR
  const old = [pool(0, "d1", [WETH, USDC]), ether(0, "d1", 10_000, 17_770_000)]
  const found = [pool(years, "d2", [WETH, USDC]), ether(years, "d2", 100, 350_000)]
  expect(await priceAfter([...old, ...found], WETH_ID)).toBe(3500)
  const ofMeme = [pool(0, "a1", [MEME, WETH]), reserves(years, "a1", dollars(5_000), 10n * ETHER)]
  await withPrices([...old, ...ofMeme], async ({ ask }) => {
    // with nothing newer the old word stands, and shows its age
    const weth = await ask("explainPrice", { token: WETH })
    expect(weth).toMatchObject({ priceUsd: 1777, priceTs: START })
    const meme = await ask("explainPrice", { token: MEME })
    expect(meme).toMatchObject({ priceUsd: 1777 * 0.002, priceTs: START, ts: START + years })
  })
  const sold = swap(years, "d2", ETHER, -dollars(3_500))
  await withPrices([...old, ...found, sold, ...ofMeme], async ({ ask }) => {
    const weth = await ask("explainPrice", { token: WETH })
    expect(weth).toMatchObject({ priceUsd: 3500, priceTs: START + years })
    // what stands behind it is of the pools that are heard
    const stats = await ask("tokenStats", { token: WETH })
    expect(stats["liquidityUsd"]).toBe(350_000)
    expect(weth["pools"]).toMatchObject([
      { pool: address("d1"), eligible: false, reason: "silent", weight: 0 },
      { pool: address("d2"), eligible: true, reason: null, weight: 1 }
    ])
    expect(await ask("explainPrice", { token: MEME })).toMatchObject({
      ...{ priceUsd: 7, priceTs: START + years }
    })
  })
})

/** What every route says a token costs. */
const told = async ({ ask }: PriceLane, token: string) => {
  const board = await ask("tokenBoard", {
    ...{ sort: "mcap", limit: 100, offset: 0, includeUnlisted: true, rules: null, asOf: null }
  })
  const row = (list: unknown) =>
    (list as ReadonlyArray<{ address: string; priceUsd: number; priceTs: number }>).find(
      one => one.address === token
    )
  const map = (await ask("priceMap", { limit: 100 }))["prices"] as {
    readonly [token: string]: { readonly priceUsd: number; readonly priceTs: number }
  }
  const page = await ask("tokenPage", { token })
  const list = await ask("tokenList", { limit: 100, includeUnlisted: true })
  const all = [
    row(board["tokens"]),
    row(list["tokens"]),
    map[token],
    page["token"] as { priceUsd: number; priceTs: number },
    await ask("tokenStats", { token }),
    await ask("explainPrice", { token })
  ]
  return all.map(one => [one?.["priceUsd"], one?.["priceTs"]])
}

it("moves a token with what it is quoted in, between its own trades and everywhere", async () => {
  const begin = [
    ...[pool(0, "d1", [WETH, USDC]), ether(0, "d1", 1000, 2_000_000)],
    ...[pool(0, "a1", [MEME, WETH]), reserves(0, "a1", dollars(4_000), 2n * ETHER)],
    swap(0, "a1", dollars(1), -(10n ** 15n) / 2n)
  ]
  await withPrices(begin, async lane => {
    expect(await told(lane, MEME)).toEqual(Array.from({ length: 6 }, () => [1, START]))
  })
  await withPrices([...begin, ether(60, "d1", 1000, 3_000_000)], async lane => {
    expect(await told(lane, MEME)).toEqual(Array.from({ length: 6 }, () => [1.5, START]))
    const explained = await lane.ask("explainPrice", { token: MEME })
    expect(explained).toMatchObject({
      ...{ priceUsd: 1.5, depthUsd: 6000 },
      pools: [{ quotePriceUsd: 3000, priceUsd: 1.5, depthUsd: 6000, quoteUsd: 6000, weight: 1 }],
      path: [
        { token: MEME, priceUsd: 1.5, priceTs: START },
        { token: WETH, priceUsd: 3000, priceTs: START + 60 },
        { token: USDC, priceUsd: 1, priceTs: null }
      ]
    })
    const { pools } = await lane.ask("tokenPools", {
      token: MEME,
      limit: 10,
      offset: 0,
      asOf: null
    })
    expect(pools).toMatchObject([{ pool: address("a1"), priceUsd: 1.5, depthUsd: 6000 }])
    // what was traded keeps the dollars of its time
    expect(await lane.rows("SELECT usd::DOUBLE AS usd, price0 FROM tape")).toEqual([
      { usd: 1_000_000, price0: 1 }
    ])
    // the recipe before had the pool's dollars of its own last event
    const before = await lane.ask("explainPrice", { token: MEME, recipe: "v4" })
    expect(before).toMatchObject({ priceUsd: 1, depthUsd: 4000, dollars: null })
    expect(before["recipe"]).toMatchObject({ version: 4, versions: [5, 4] })
  })
})

/** Of a pool of two dollars, what the first costs in the second, with a million in it. */
const peg = (time: number, byte: string, price: number, million = 1) =>
  reserves(time, byte, dollars((million * 1e6) / price), dollars(million * 1e6))
const dollarPools = [
  ...[seen(0, DAI), seen(0, USDT)],
  ...[pool(0, "b1", [DAI, USDC]), pool(0, "b2", [USDT, USDC]), pool(0, "d1", [WETH, USDC])],
  ether(0, "d1", 1000, 2_000_000)
]

/** Dollars of the three, of WETH, and what is said of the basket. */
const dollarsAfter = (list: ReadonlyArray<Fact>, chain = dollarChain) =>
  withPrices(
    [...dollarPools, ...list],
    async ({ ask }) => {
      const found: Array<unknown> = []
      for (const token of [USDC, DAI, USDT, WETH]) {
        found.push((await ask("explainPrice", { token }))["priceUsd"])
      }
      const { dollars: basket } = await ask("explainPrice", { token: DAI })
      return { found, basket: basket as { applies: boolean; because: string } }
    },
    chain
  )

it("shows a dollar that lost its peg, with three that tell", async () => {
  const { found, basket } = await dollarsAfter([peg(0, "b1", 0.9962), peg(0, "b2", 1)])
  expect(found).toEqual([1, expect.closeTo(0.9962, 9), 1, 2000])
  expect([basket.applies, basket.because]).toEqual([true, "the median of 3 dollars is $1"])
})

it("finds out which dollar it is, the one that most is quoted in too", async () => {
  // in March 2023 a USDC bought 0.88 of each other dollar
  const lost = [peg(0, "b1", 1 / 0.88), peg(0, "b2", 1 / 0.88)]
  const { found } = await dollarsAfter(lost)
  const near = (value: number) => expect.closeTo(value, 5)
  expect(found).toEqual([near(0.88), near(1), near(1), near(1760)])
  const trade = [
    ...[pool(0, "a1", [MEME, USDC]), reserves(0, "a1", dollars(10_000), dollars(20_000))],
    swap(0, "a1", dollars(50), -dollars(100))
  ]
  await withPrices(
    [...dollarPools, ...lost, ...trade],
    async ({ ask, rows }) => {
      expect(await ask("explainPrice", { token: MEME })).toMatchObject({ priceUsd: near(1.76) })
      expect(await rows("SELECT usd::DOUBLE AS usd FROM tape")).toEqual([{ usd: 88_000_000 }])
    },
    dollarChain
  )
})

it("says that two dollars cannot tell, nor thin pools, nor a few seconds", async () => {
  const two = await dollarsAfter([peg(0, "b1", 0.9), peg(0, "b2", 1, 0.05)])
  expect(two.found).toEqual([1, 1, 1, 2000])
  expect(two.basket).toMatchObject({
    applies: false,
    because:
      "each dollar is $1: 2 of them have pools of $100,000 between them, and it takes 3 to tell which has lost its peg"
  })
  const thin = await dollarsAfter([peg(0, "b1", 0.9, 0.0999), peg(0, "b2", 1)])
  expect([thin.found, thin.basket.applies]).toEqual([[1, 1, 1, 2000], false])
  const stood = [peg(0, "b1", 1), peg(0, "b2", 1)]
  const flash = await dollarsAfter([...stood, peg(60, "b1", 0.5), peg(359, "b1", 0.5)])
  expect(flash.found).toEqual([1, 1, 1, 2000])
  const lasting = await dollarsAfter([...stood, peg(60, "b1", 0.5), peg(360, "b1", 0.5)])
  expect(lasting.found).toEqual([1, 0.5, 1, 2000])
})

it("prices what a lost dollar quotes by that dollar", async () => {
  const list = [
    ...[peg(0, "b1", 0.5), peg(0, "b2", 1)],
    ...[pool(0, "a1", [MEME, DAI]), reserves(0, "a1", dollars(10_000), dollars(20_000))]
  ]
  expect(await priceAfter([...dollarPools, ...list], MEME_ID, dollarChain)).toBe(1)
  // and follows it
  const after = [...list, ...[0.49, 0.48, 0.47].map((price, i) => peg(200 * i, "b1", price))]
  expect(await priceAfter([...dollarPools, ...after], MEME_ID, dollarChain)).toBeCloseTo(0.94, 9)
})
