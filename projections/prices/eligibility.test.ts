/** Which pools may set a price: deep, old enough, with quote tokens in them. */
import { expect, it } from "vitest"
import {
  collected,
  ETHER,
  initialized,
  liquidity,
  MEME,
  OTHER,
  parameter,
  pool,
  priceAfter,
  reserves,
  rootOf,
  swap,
  UNIT,
  USDC,
  WETH
} from "../../test/support/price-events.ts"

const [MEME_ID, WETH_ID] = [2, 0]
const SOLIDLY_CLAIM = { venueKind: "solidly", source: "log" } as const
const dollars = (whole: number) => BigInt(whole) * UNIT
/** So much WETH and so many dollars. */
const ether = (time: number, byte: string, weth: number, usd: number) =>
  reserves(time, byte, BigInt(weth) * ETHER, dollars(usd))

it("hears no thin pool, to the dollar", async () => {
  const made = pool(0, "d2", [MEME, USDC])
  expect(await priceAfter([made, reserves(0, "d2", dollars(500), dollars(1000))], MEME_ID)).toBe(2)
  const thin = reserves(0, "d2", dollars(500), dollars(1000) - 1n)
  expect(await priceAfter([made, thin], MEME_ID)).toBeNull()
  // drained: the next deepest says it, at once
  const other = [pool(0, "d3", [MEME, USDC]), reserves(0, "d3", dollars(1000), dollars(5000))]
  const deep = reserves(0, "d2", dollars(5000), dollars(10_000))
  expect(await priceAfter([made, deep, ...other], MEME_ID)).toBe(2)
  expect(await priceAfter([made, deep, ...other, thin], MEME_ID)).toBe(5)
  // and nothing says it once that is drained too
  const both = [thin, reserves(0, "d3", dollars(10), dollars(50))]
  expect(await priceAfter([made, deep, ...other, ...both], MEME_ID)).toBeNull()
})

it("waits for a pool to be there a while, unless it is as old as the log", async () => {
  const first = pool(0, "d1", [OTHER, USDC])
  const born = (time: number, form: object = { source: "log" }) => [
    first,
    pool(time, "d2", [MEME, USDC], form)
  ]
  const state = (time: number) => reserves(time, "d2", dollars(500), dollars(1000))
  // in the log's first minutes nothing is new
  expect(await priceAfter([...born(299), state(299)], MEME_ID)).toBe(2)
  expect(await priceAfter([...born(300), state(300)], MEME_ID)).toBeNull()
  expect(await priceAfter([...born(300), state(300), state(599)], MEME_ID)).toBeNull()
  expect(await priceAfter([...born(300), state(300), state(600)], MEME_ID)).toBe(2)
  // of a listed venue, whose making the log does not hold: made before it
  expect(await priceAfter([...born(300, { source: "call" }), state(300)], MEME_ID)).toBe(2)
  // of an unlisted one the first event counts
  const unlisted = { listed: false, source: "call" }
  expect(await priceAfter([...born(300, unlisted), state(599)], MEME_ID)).toBeNull()
  expect(await priceAfter([...born(300, unlisted), state(600)], MEME_ID)).toBe(2)
  // what it claims of its own making counts for nothing
  const claim = { listed: false, source: "log" }
  expect(await priceAfter([...born(300, claim), state(600)], MEME_ID)).toBe(2)
})

const V3 = { venue: "v3", source: "log" } as const
/** One to one, both sides in range: 10,000 of each virtual. */
const ONE = rootOf(1)
const LIQUIDITY = dollars(10_000)
const WIDE = [-887_220, 887_220] as const

it("hears no pool whose quote side is not in it", async () => {
  const made = [pool(0, "e1", [MEME, USDC], V3), initialized(0, "e1", ONE)]
  // the price lies on the lower edge: only MEME, and a quote side of 10^9 dollars that is none
  const edge = liquidity(0, "e1", [0, 60], 10n ** 15n, [dollars(3_000_000), 0n])
  expect(await priceAfter([...made, edge], MEME_ID)).toBeNull()
  const whole = liquidity(0, "e1", WIDE, LIQUIDITY, [LIQUIDITY, LIQUIDITY])
  expect(await priceAfter([...made, whole], MEME_ID)).toBe(1)
  // 999 dollars back it, then 1,000
  const some = (usd: number) => liquidity(0, "e1", [-60, 60], 10n ** 12n, [0n, dollars(usd)])
  expect(await priceAfter([...made, some(999)], MEME_ID)).toBeNull()
  expect(await priceAfter([...made, some(1000)], MEME_ID)).toBe(1)
  // swapped out again
  const state = { root: ONE, liquidity: LIQUIDITY }
  const sold = swap(1, "e1", dollars(9_001), -dollars(9_001), state)
  expect(await priceAfter([...made, whole, sold], MEME_ID)).toBeNull()
  const less = swap(1, "e1", dollars(9_000), -dollars(9_000), state)
  expect(await priceAfter([...made, whole, less], MEME_ID)).toBe(1)
})

it("takes what is paid out of positions for gone, and unknown for unknown", async () => {
  const made = [pool(0, "e1", [MEME, USDC], V3), initialized(0, "e1", ONE)]
  const whole = liquidity(0, "e1", WIDE, LIQUIDITY, [LIQUIDITY, LIQUIDITY])
  const state = { root: ONE, liquidity: LIQUIDITY }
  const touch = swap(2, "e1", 0n, 0n, state)
  const burnt = liquidity(1, "e1", [-60, 60], -1n, [0n, -dollars(5_000)])
  const paid = (usd: number) => collected(1, "e1", [0n, dollars(usd)])
  // of 10,000 dollars 5,000 are burnt and paid out, and up to 4,000 of fees besides
  expect(await priceAfter([...made, whole, burnt, paid(9_000), touch], MEME_ID)).toBe(1)
  expect(await priceAfter([...made, whole, burnt, paid(9_001), touch], MEME_ID)).toBeNull()
  // a log that begins in the middle of its life: more goes out than ever came in
  const old = pool(0, "e1", [MEME, USDC], { venue: "v3" })
  const out = swap(0, "e1", dollars(500), -dollars(500), state)
  expect(await priceAfter([old, out], MEME_ID)).toBe(1)
  expect(await priceAfter([...made, out], MEME_ID)).toBe(1)
})

it("counts a pool of ranges for twenty times what is in it at most", async () => {
  const made = [pool(0, "e1", [MEME, USDC], V3), initialized(0, "e1", ONE)]
  const narrow = liquidity(0, "e1", [-60, 60], 10n ** 13n, [0n, dollars(2_000)])
  const pair = (usd: number) => [
    pool(0, "d2", [MEME, USDC]),
    reserves(0, "d2", dollars(usd) / 3n, dollars(usd))
  ]
  expect(await priceAfter([...made, narrow, ...pair(39_999)], MEME_ID)).toBe(1)
  expect(await priceAfter([...made, narrow, ...pair(40_002)], MEME_ID)).toBe(3)
})

it("computes the amounts of liquidity where the event does not tell them", async () => {
  const made = [pool(0, "e1", [MEME, USDC], V3), initialized(0, "e1", ONE)]
  // from a quarter up to the price: L * (1 - 1/2) dollars
  const half = (usd: number) => liquidity(0, "e1", [-13_863, 60], dollars(usd) * 2n)
  expect(await priceAfter([...made, half(998)], MEME_ID)).toBeNull()
  expect(await priceAfter([...made, half(1_001)], MEME_ID)).toBe(1)
})

it("reads no price of a flat curve's reserves", async () => {
  const pair = [pool(0, "d2", [MEME, USDC]), parameter(0, "d2", "stable", 1n)]
  const state = reserves(0, "d2", dollars(500), dollars(1000))
  expect(await priceAfter([...pair, state], MEME_ID)).toBeNull()
  const usual = [...pair, parameter(0, "d2", "stable", 0n), parameter(0, "d2", "fee", 1n)]
  expect(await priceAfter([...usual, state], MEME_ID)).toBe(2)
})

it("reads no price of reserves while only somebody unknown says which curve they are on", async () => {
  const solidly = { ...pool(0, "d2", [MEME, USDC]), venueKind: "solidly" }
  const claim = { ...pool(0, "d2", [MEME, USDC], { listed: false }), ...SOLIDLY_CLAIM }
  const state = reserves(0, "d2", dollars(500), dollars(1000))
  expect(await priceAfter([claim, state], MEME_ID)).toBeNull()
  expect(await priceAfter([claim, state, solidly, state], MEME_ID)).toBe(2)
  const stable = parameter(0, "d2", "stable", 1n)
  expect(await priceAfter([claim, solidly, stable, state], MEME_ID)).toBeNull()
  // nor does he take the price of a pool that is known
  expect(await priceAfter([solidly, claim, state], MEME_ID)).toBe(2)
})

it("lets one poisoned pool not move an anchor, however often it tries", async () => {
  const honest = [
    pool(0, "d1", [WETH, USDC]),
    ether(0, "d1", 1000, 2_000_000),
    pool(0, "d2", [WETH, USDC]),
    ether(0, "d2", 500, 1_010_000)
  ]
  // the depth-weighted mean of 2,000 and 2,020
  const mean = (2000 * 2_000_000 + 2020 * 1_010_000) / 3_010_000
  expect(await priceAfter(honest, WETH_ID)).toBeCloseTo(mean, 9)
  const poison = (time: number, usd: number) => [
    pool(0, "d3", [WETH, USDC]),
    reserves(time, "d3", 10n ** 6n, dollars(usd))
  ]
  expect(await priceAfter([...honest, ...poison(0, 2_900_000)], WETH_ID)).toBeCloseTo(mean, 9)
  // even the deepest of all waits; what it says must last
  const deepest = poison(1, 10_000_000_000)
  const again = (time: number) => ether(time, "d2", 500, 1_010_000)
  expect(await priceAfter([...honest, ...deepest, again(300)], WETH_ID)).toBeCloseTo(mean, 9)
  // and is forgotten when it goes
  const gone = ether(200, "d3", 1, 2_000)
  const after = [...honest, ...deepest, gone, ...poison(299, 10_000_000_000), again(400)]
  expect(await priceAfter(after, WETH_ID)).toBeCloseTo(
    (mean * 3_010_000 + 2e3 * 2e3) / 3_012_000,
    6
  )
})

it("follows an anchor's jump that lasts", async () => {
  const before = [pool(0, "d1", [WETH, USDC]), ether(0, "d1", 1000, 2_000_000)]
  const crash = (time: number) => ether(time, "d1", 2000, 1_000_000)
  expect(await priceAfter([...before, crash(10), crash(309)], WETH_ID)).toBe(2000)
  expect(await priceAfter([...before, crash(10), crash(310)], WETH_ID)).toBe(500)
  // no pool has set another price for a day
  expect(await priceAfter([...before, crash(86_399)], WETH_ID)).toBe(2000)
  expect(await priceAfter([...before, crash(86_400)], WETH_ID)).toBe(500)
  // half of it is no jump
  expect(await priceAfter([...before, ether(10, "d1", 1500, 1_500_000)], WETH_ID)).toBe(1000)
})
