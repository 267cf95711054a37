/** Which prints are believed, and how a new level is. */
import { expect, it } from "vitest"
import {
  type Fact,
  flagsAfter,
  initialized,
  liquidity,
  MEME,
  pool,
  priceAfter,
  reserves,
  rootOf,
  seen,
  swap,
  USDC,
  withPrices
} from "../../test/support/price-events.ts"
import { presentPrices } from "../../test/support/tape-oracle.ts"
import { NEWEST } from "../tape/cursor.ts"

const MEME_ID = 2
const dollars = (whole: number) => BigInt(Math.round(whole * 1e6))
/** Sells so many MEME for so many dollars. */
const sale = (time: number, byte: string, meme: number, usd: number) =>
  swap(time, byte, dollars(meme), -dollars(usd))
const PAIR = pool(0, "d1", [MEME, USDC])
/** MEME at one dollar, 10,000 deep. */
const deep = (time = 0) => reserves(time, "d1", dollars(10_000), dollars(10_000))
const FORK = pool(0, "f1", [MEME, USDC], { listed: false })
const FORK_2 = pool(0, "f2", [MEME, USDC], { listed: false })
/** Too thin to price it. */
const THIN = pool(0, "d2", [MEME, USDC])
const THIN_2 = pool(0, "d3", [MEME, USDC])
const market: ReadonlyArray<Fact> = [PAIR, deep(), FORK, FORK_2, THIN, THIN_2]
const times = (count: number, make: (i: number) => Fact) =>
  Array.from({ length: count }, (_, i) => make(i))
/** MEME is token 0 of its pools: only its side is judged. */
const FLAGGED = 1

it("flags prints further than five times away from what the token costs", async () => {
  const at = (price: number) => sale(1, "d2", 10, 10 * price)
  expect(await flagsAfter([...market, at(5), at(5.01), at(0.2), at(0.199)])).toEqual([
    0,
    FLAGGED,
    0,
    FLAGGED
  ])
})

it("keeps a print of 10^30 dollars out of everything but the tape", async () => {
  const huge = 10n ** 36n
  const list = [
    ...market,
    sale(1, "d1", 1, 1),
    // dollars that nobody has, and a price that nobody pays
    swap(2, "f1", dollars(1), -huge),
    reserves(2, "f1", 1_000n, huge),
    swap(2, "f1", dollars(1), -huge),
    swap(3, "f1", 1_000n, -dollars(9_000)),
    sale(4, "d1", 2, 2)
  ]
  await withPrices(list, async ({ rows, ask }) => {
    expect(await rows("SELECT flags, usd::DOUBLE AS usd FROM tape ORDER BY seq")).toEqual([
      { flags: 0, usd: 1e6 },
      { flags: 3, usd: null },
      { flags: 3, usd: null },
      { flags: FLAGGED, usd: 9e9 },
      { flags: 0, usd: 2e6 }
    ])
    const prints = await rows(
      `SELECT token, price, amount, other_amount AS other, flags, unscaled FROM prints_tail ORDER BY seq, token DESC`
    )
    expect(prints.slice(6)).toEqual([
      { token: 2, price: 9_000_000, amount: 0.001, other: 9_000, flags: 1, unscaled: 0 },
      { token: 1, price: 1, amount: 9_000, other: 0.001, flags: 0, unscaled: 0 },
      { token: 2, price: 1, amount: 2, other: 2, flags: 0, unscaled: 0 },
      { token: 1, price: 1, amount: 2, other: 2, flags: 0, unscaled: 0 }
    ])
    const candles = await rows(`SELECT h, v::DOUBLE AS v, n FROM candles_1h_tail WHERE token = 2`)
    expect(candles).toEqual([{ h: 1, v: 3e6, n: 2 }])
    const answer = await ask("tokenTrades", {
      ...{ token: MEME, side: null, dex: null, min: null, wallet: null, limit: 10, page: 1 },
      asOf: null
    })
    expect(answer["stats24h"]).toEqual({ buys: 0, sells: 5, buyUsd: 0, sellUsd: 3 })
    const told = answer["trades"] as ReadonlyArray<{ outlier?: boolean; priceUsd: number | null }>
    expect(told.map(trade => trade.outlier)).toEqual([undefined, true, true, true, undefined])
    expect("outlier" in (told[0] ?? {})).toBe(false)
    const page = await ask("chainTrades", {
      ...{ token: MEME, limit: 10, ...NEWEST }
    })
    expect((page["trades"] as typeof told).map(trade => trade.outlier)).toEqual([
      ...[undefined, true, true, true, undefined]
    ])
  })
  expect(await priceAfter(list, MEME_ID)).toBe(1)
})

it("flags more dollars than ten times the pool's quote side, before or after", async () => {
  const fork = reserves(0, "f1", dollars(100), dollars(100))
  const at = (usd: number) => [fork, sale(1, "f1", usd, usd)]
  expect(await flagsAfter([...market, ...at(1_000), ...at(1_001)])).toEqual([0, 3])
  // what it held before counts too
  const drained = reserves(1, "f1", dollars(10_000), dollars(1))
  const filled = reserves(0, "f1", dollars(100), dollars(1_000))
  expect(await flagsAfter([...market, filled, drained, sale(1, "f1", 1_000, 999)])).toEqual([0])
  // but not for later ones
  const later = [filled, drained, sale(2, "f1", 1_000, 999)]
  expect(await flagsAfter([...market, ...later])).toEqual([3])
  // without known reserves there is nothing to compare the print with
  expect(await flagsAfter([...market, sale(1, "d2", 1e6, 1e6)])).toEqual([0])
})

it("believes a fast move in the pool that prices the token, either way", async () => {
  // a hundred times up and down again, by one swap each: prices before and after bracket it
  const up = [reserves(1, "d1", dollars(1_000), dollars(100_000)), sale(1, "d1", 9_000, 90_000)]
  const down = [reserves(2, "d1", dollars(10_000), dollars(10_000)), sale(2, "d1", 9_000, 90_000)]
  expect(await flagsAfter([...market, ...up, ...down])).toEqual([0, 0])
  // that move in a pool of ranges
  const v3 = { venue: "v3", source: "log" } as const
  const wide = liquidity(0, "e1", [-887_220, 887_220], dollars(10_000), [
    dollars(10_000),
    dollars(10_000)
  ])
  const made = [pool(0, "e1", [MEME, USDC], v3), initialized(0, "e1", rootOf(1)), wide]
  const state = { root: rootOf(100), liquidity: dollars(10_000) }
  const bought = swap(1, "e1", -dollars(9_000), dollars(90_000), state)
  expect(await flagsAfter([...made, bought])).toEqual([0])
})

/** Two pools that might price MEME, at a hundred dollars, if the first were not deeper. */
const second: ReadonlyArray<Fact> = [
  reserves(0, "d2", dollars(50), dollars(5_000)),
  reserves(0, "d3", dollars(50), dollars(5_000))
]

it("recovers where pools that might set the price stand at a new level", async () => {
  const start = [...market, ...second]
  // one pool: five prints and a minute
  const one = (count: number, step: number) => times(count, i => sale(1 + i * step, "d2", 1, 100))
  expect(await flagsAfter([...start, ...one(5, 15)])).toEqual([1, 1, 1, 1, 0])
  expect(await flagsAfter([...start, ...one(6, 14)])).toEqual([1, 1, 1, 1, 1, 0])
  // two pools: five prints
  const two = times(6, i => sale(1, i % 2 === 0 ? "d2" : "d3", 1, 100))
  expect(await flagsAfter([...start, ...two])).toEqual([1, 1, 1, 1, 0, 0])
  // and back at what the pool in front says, with the next print there
  const back = [...two, sale(2, "d1", 1, 1), sale(3, "d2", 1, 100)]
  expect(await flagsAfter([...start, ...back])).toEqual([1, 1, 1, 1, 0, 0, 0, 1])
})

it("is not outvoted by thin pools or contracts of its own", async () => {
  for (const [one, other] of [
    ["f1", "f2"],
    ["d4", "d5"]
  ] as const) {
    const own = [pool(0, "d4", [MEME, USDC]), pool(0, "d5", [MEME, USDC])]
    const start = [...market, ...second, ...own]
    const spam = times(40, i => sale(1 + i * 60, i % 2 === 0 ? one : other, 1, 100))
    expect(await flagsAfter([...start, ...spam])).toEqual(Array(40).fill(FLAGGED))
    // nor kept from recovering by them: weak votes against strong ones are not counted
    const honest = times(5, i => sale(2400 + i * 15, "d2", 1, 100))
    const between = honest.flatMap((fact, i) => [
      fact,
      sale(fact.time, i % 2 ? one : other, 1, 9e3)
    ])
    const flags = await flagsAfter([...start, ...spam, ...between])
    expect(flags.slice(40)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 0, 1])
  }
})

it("is stuck for ever nowhere: any pool is believed after a day", async () => {
  for (const byte of ["f1", "d2"]) {
    const hours = times(26, i => sale(1 + i * 3600, byte, 1, 100))
    const flags = await flagsAfter([...market, ...hours])
    expect(flags).toEqual([...Array(24).fill(FLAGGED), 0, 0])
  }
})

it("goes by the last accepted print where no pool prices a token", async () => {
  const thin = [PAIR, FORK, sale(1, "d1", 1, 1)]
  const at = (price: number, byte = "d1") => sale(2, byte, 1, price)
  expect(await flagsAfter([...thin, at(4), at(16), at(81), at(1)])).toEqual([0, 0, 0, 1, 1])
  // a contract of its own does not move what listed pools say
  const walk = [at(4, "f1"), at(16, "f1"), at(5)]
  expect(await flagsAfter([...thin, ...walk])).toEqual([0, 0, 1, 0])
  // after junk of its own, the first print of a listed pool counts, and only such from then on
  const junk = [PAIR, FORK, sale(1, "f1", 1, 1e6), sale(2, "d1", 1, 1), sale(3, "f1", 1, 1e6)]
  expect(await flagsAfter(junk)).toEqual([0, 0, 1])
  // among equals a minute of five prints counts
  const forks = [PAIR, FORK, sale(1, "f1", 1, 1e6), ...times(6, i => sale(2 + i * 20, "f1", 1, 1))]
  expect(await flagsAfter(forks)).toEqual([0, 1, 1, 1, 1, 0, 0])
})

it("judges prints of a token without decimals as it does with them", async () => {
  const list = [
    ...market.filter(fact => fact !== PAIR && fact.kind !== "ReservesSynced"),
    pool(0, "d9", ["0x9999999999999999999999999999999999999999", USDC]),
    reserves(0, "d9", 10n ** 22n, dollars(10_000)),
    pool(0, "d8", ["0x9999999999999999999999999999999999999999", USDC]),
    swap(1, "d8", 10n ** 18n, -dollars(5)),
    swap(2, "d8", 10n ** 18n, -dollars(6)),
    swap(3, "d9", 10n ** 18n, -dollars(1))
  ]
  const told = seen(4, "0x9999999999999999999999999999999999999999", 18)
  await withPrices([...list, told, swap(5, "d8", 10n ** 18n, -dollars(6))], async ({ rows }) => {
    const flags = await rows("SELECT flags, unscaled FROM tape ORDER BY seq")
    expect(flags).toEqual([
      { flags: 0, unscaled: 1 },
      { flags: 1, unscaled: 1 },
      { flags: 0, unscaled: 1 },
      { flags: 1, unscaled: 0 }
    ])
    const candles = await rows("SELECT o, h, l, c, n FROM candles_1h_tail WHERE token = 4")
    expect(candles).toEqual([{ o: 5, h: 5, l: 1, c: 1, n: 2 }])
    expect(await rows(`SELECT price FROM ${presentPrices} WHERE token = 4`)).toEqual([{ price: 1 }])
  })
})
