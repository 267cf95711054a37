/** Trades at the very seconds at which days, weeks, months, hours and windows end. */
import { describe, expect, it } from "vitest"
import { address, MEME, pool, priceChain, reserves, swap, USDC } from "./support/price-events.ts"
import { type Sent, serveFacts } from "./support/told-market.ts"

const HOUR = 3600
const DAY = 86_400
const ZERO = 1_700_000_000
/** Seconds after the first fact. */
const at = (iso: string): number => Date.parse(iso) / 1000 - ZERO
const [ALICE, BOB, CAROL] = ["c1", "c2", "c3"].map(address) as [string, string, string]
const micro = (whole: number): bigint => BigInt(Math.round(whole * 1e6))

/** Sells so many MEME for so many dollars each. */
const sell = (time: number, from: string, meme: number, price: number): Sent => ({
  ...swap(time, "d1", micro(meme), -micro(meme * price)),
  from
})

/** A pool 10,000 deep at a dollar. */
const market = (time: number): ReadonlyArray<Sent> => [
  pool(0, "d1", [MEME, USDC]),
  reserves(time, "d1", micro(10_000), micro(10_000))
]

/** A month ends in a Friday, and the week after it in a Monday. */
const [MONTH, WEEK] = [at("2023-12-01T00:00:00Z"), at("2023-12-04T00:00:00Z")]

const candle = (time: number, o: number, h: number, c: number, v: number, n: number) => ({
  ...{ t: ZERO + time, o, h, l: o, c, v, n }
})

const atEdges: ReadonlyArray<Sent> = [
  ...market(MONTH - HOUR),
  sell(MONTH - 1, ALICE, 1, 1),
  sell(MONTH, ALICE, 2, 1.01),
  sell(MONTH, BOB, 1, 1.02),
  sell(WEEK - 1, BOB, 1, 1.03),
  sell(WEEK, CAROL, 1, 1.04)
]

describe("the last second of a day and the first of the next", () => {
  it("belong to two days of totals", async () => {
    const { get, close } = await serveFacts(atEdges)
    const found = await get("/chains/base/overview")
    const day = (time: number, swaps: number, volUsd: number, wallets: number) => ({
      ...{ day: ZERO + time, swaps, volUsd, tokens: 2, wallets, venues: 1 }
    })
    expect(found.daily).toEqual([
      day(MONTH - DAY, 1, 1, 1),
      day(MONTH, 2, 3.04, 2),
      day(WEEK - DAY, 1, 1.03, 1),
      day(WEEK, 1, 1.04, 1)
    ])
    expect(found.wallets).toEqual({ day: ZERO + WEEK, today: 1, yesterday: 1 })
    expect(found.last24h).toMatchObject({
      ...{ sinceHour: ZERO + WEEK - 23 * HOUR, swaps: 2, volUsd: 2.07, tokens: 2, venues: 1 }
    })
    const seen = found.hourly24.filter((row: { swaps: number }) => row.swaps > 0)
    expect(seen).toEqual([
      { hour: ZERO + WEEK - HOUR, swaps: 1, volUsd: 1.03 },
      { hour: ZERO + WEEK, swaps: 1, volUsd: 1.04 }
    ])
    await close()
  })

  it("belong to two days of venues, of which only those asked for count", async () => {
    const { get, close } = await serveFacts(atEdges)
    const series = [
      { day: ZERO + MONTH, volUsd: 3.04, trades: 2, tokens: 2 },
      { day: ZERO + WEEK - DAY, volUsd: 1.03, trades: 1, tokens: 2 },
      { day: ZERO + WEEK, volUsd: 1.04, trades: 1, tokens: 2 }
    ]
    const four = await get("/chains/base/venues?days=4")
    expect([four.since, four.venues[0].series]).toEqual([ZERO + MONTH, series])
    expect(four.totals.trades).toBe(4)
    const three = await get("/chains/base/venues?days=3")
    expect([three.since, three.venues[0].series]).toEqual([
      ...[ZERO + MONTH + DAY, series.slice(1)]
    ])
    expect((await get("/chains/base/venues?days=1")).totals).toEqual({ volUsd: 1.04, trades: 1 })
    await close()
  })

  it("belong to two candles of every frame that ends there", async () => {
    const { get, close } = await serveFacts(atEdges)
    const candles = async (tf: string) =>
      (await get(`/candles?chain=8453&token=${MEME}&tf=${tf}&limit=5000`)).candles
    const first = (frame: number) => candle(MONTH - frame, 1, 1, 1, 1, 1)
    const second = candle(MONTH, 1.01, 1.02, 1.02, 3.04, 2)
    const third = (frame: number) => candle(WEEK - frame, 1.03, 1.03, 1.03, 1.03, 1)
    const last = candle(WEEK, 1.04, 1.04, 1.04, 1.04, 1)
    for (const [tf, frame] of [
      ["1m", 60],
      ["5m", 300],
      ["15m", 900],
      ["1h", HOUR],
      ["4h", 4 * HOUR],
      ["1d", DAY]
    ] as const) {
      const all = [first(frame), second, third(frame), last]
      const limit = 5000 * frame
      const from = ZERO + WEEK + frame - limit
      expect([tf, await candles(tf)]).toEqual([tf, all.filter(({ t }) => t >= from)])
    }
    // a week begins on Monday; the month's end is in the middle of one
    expect(await candles("1w")).toEqual([candle(WEEK - 7 * DAY, 1, 1.03, 1.03, 5.07, 4), last])
    await close()
  })

  it("belong to two days of a wallet", async () => {
    const { get, close } = await serveFacts(atEdges)
    const wallet = async (of: string, days: number) => {
      const found = await get(`/chains/base/wallet/${of}?days=${days}`)
      return [found.trades, found.volumeUsd, found.positions[0]?.lastDay ?? null]
    }
    expect(await wallet(BOB, 1)).toEqual([0, 0, null])
    expect(await wallet(BOB, 2)).toEqual([1, 1.03, ZERO + WEEK - DAY])
    expect(await wallet(BOB, 4)).toEqual([2, 2.05, ZERO + WEEK - DAY])
    expect(await wallet(ALICE, 4)).toEqual([1, 2.02, ZERO + MONTH])
    expect(await wallet(ALICE, 5)).toEqual([2, 3.02, ZERO + MONTH])
    await close()
  })
})

describe("a day of 24 hours of the clock", () => {
  const NOON = at("2023-12-04T12:30:00Z")
  const SINCE = at("2023-12-03T13:00:00Z")

  it("begins with its first second, and leaves with it who traded in no other hour", async () => {
    const day = [
      ...market(SINCE - HOUR),
      sell(SINCE - 1, ALICE, 1, 1),
      sell(SINCE, BOB, 2, 1),
      sell(SINCE + HOUR - 1, CAROL, 4, 1),
      sell(SINCE + HOUR, BOB, 8, 1),
      sell(NOON, BOB, 16, 1)
    ]
    const nextHour = NOON + HOUR / 2
    const later = [[sell(nextHour - 1, BOB, 32, 1)], [sell(nextHour, BOB, 64, 1)]]
    const { get, next, close } = await serveFacts(day, later)
    const board = async () => {
      const { tokens, sinceHour } = await get("/chains/base/tokens?includeUnlisted=1")
      const row = tokens.find((one: { address: string }) => one.address === MEME)
      const page = await get(`/chains/base/token/${MEME}`)
      const { hour, trades } = page.hourly24[0]
      return {
        ...{ sinceHour, first: [hour, trades], trades: row.trades24h, volume: row.volume24h },
        ...{ traders: row.traders, sells: row.sellVolume24h, buys: row.buys24h }
      }
    }
    const one = { sinceHour: ZERO + SINCE, first: [ZERO + SINCE, 2], buys: 0, traders: 2 }
    expect(await board()).toEqual({ ...one, trades: 4, volume: 30, sells: 30 })
    await next()
    expect(await board()).toEqual({ ...one, trades: 5, volume: 62, sells: 62 })
    await next()
    const hour = ZERO + SINCE + HOUR
    const gone = { sinceHour: hour, first: [hour, 1], buys: 0, traders: 1 }
    expect(await board()).toEqual({ ...gone, trades: 4, volume: 120, sells: 120 })
    await close()
  })
})

describe("windows of a token", () => {
  const NOW = at("2023-12-04T12:34:56Z")
  const WIDTHS = { m5: 300, h1: HOUR, h6: 6 * HOUR, h24: 24 * HOUR }
  const wallet = (i: number): string => address((0xc1 + i).toString(16))

  it("leave out the second at which they begin, and hold the next and the newest", async () => {
    // sums of powers of two tell which are in; each costs a cent more than the one before
    const times = [...Object.values(WIDTHS)].reverse().flatMap(width => [-width, 1 - width])
    const trades = [...times, 0].map((time, i) => sell(NOW + time, wallet(i), 2 ** i, 1 + i / 100))
    const { get, close } = await serveFacts([...market(NOW - 2 * DAY), ...trades])
    const stats = await get(`/tokens/stats/${MEME}?chain=8453`)
    expect([stats.priceUsd, stats.totalTxns]).toEqual([1, 9])
    const widths = Object.keys(WIDTHS).reverse()
    for (const [k, name] of widths.entries()) {
      const first = 2 * k + 1
      const inside = Array.from({ length: 9 - first }, (_, i) => first + i)
      const sellVol = inside.reduce((sum, i) => sum + 2 ** i * (100 + i), 0) / 100
      const count = inside.length
      expect({ [name]: stats.windows[name] }).toEqual({
        [name]: {
          // of prints: the newest against the newest before the window
          change: (1.08 / (1 + (first - 1) / 100) - 1) * 100,
          changeSince: 1_700_000_000 + NOW - WIDTHS[name as keyof typeof WIDTHS] + 1,
          ...{ txns: count, buys: 0, sells: count, buyVol: 0, sellVol },
          ...{ makers: count, buyers: 0, sellers: count }
        }
      })
    }
    expect(stats.range24h).toEqual({ high: 1.08, low: 1.01 })
    expect(stats.markets).toMatchObject([{ txns24h: 8, makers24h: 8 }])
    await close()
  })

  it("lose a trade with the second that a new block moves them on", async () => {
    const old = sell(NOW, ALICE, 1, 1)
    const seal = (time: number): ReadonlyArray<Sent> => [
      { time, kind: "BlockSealed", ...{ logs: 0, grade: "file" } }
    ]
    const later = Object.values(WIDTHS).flatMap(width => [seal(NOW + width - 1), seal(NOW + width)])
    const { get, next, close } = await serveFacts([...market(NOW - 60), old], later)
    for (const name of Object.keys(WIDTHS)) {
      // an answer may be a second out of date, once
      const told = async () => {
        const { txns, makers, change } = (await get(`/tokens/stats/${MEME}?chain=8453`)).windows[
          name
        ]
        return { name, txns, makers, change }
      }
      await next()
      await told()
      await expect.poll(told).toMatchObject({ name, txns: 1, makers: 1 })
      await next()
      await expect.poll(told).toMatchObject({ name, txns: 0, change: 0 })
    }
    await close()
  })
})

describe("days of a chain", () => {
  const LAST = at("2023-12-31T12:00:00Z")
  const days = Array.from({ length: 32 }, (_, i) => LAST - (31 - i) * DAY)
  const list = [...market((days[0] ?? 0) - HOUR), ...days.map(time => sell(time, ALICE, 1, 1))]
  const starts = days.map(time => ZERO + time - DAY / 2)

  it("are fourteen on a chain-keyed chain, and thirty on a chain with a family of its own", async () => {
    const keyed = await serveFacts(list)
    const { daily, coverage } = await keyed.get("/chains/base/overview")
    expect(daily.map(({ day }: { day: number }) => day)).toEqual(starts.slice(-14))
    expect(coverage).toEqual({ recentAt: ZERO + LAST, stale: true })
    await keyed.close()
    const arc = await serveFacts(list, [], { ...priceChain, id: 5042, key: "arc", name: "Arc" })
    const own = await arc.get("/arc/overview")
    expect(own.daily.map(({ day }: { day: number }) => day)).toEqual(starts.slice(-30))
    expect(own.coverage).toEqual({
      ...{ recentAt: ZERO + LAST, stale: true, floorHour: ZERO + (days[0] ?? 0) },
      // nothing reads the chain here, so nobody knows what was before
      ...{ genesisHour: null, backfillComplete: false }
    })
    expect("wallets" in own).toBe(false)
    const month = await arc.get("/arc/venues?days=30")
    expect(month.venues[0].series.map(({ day }: { day: number }) => day)).toEqual(starts.slice(-30))
    expect(month.totals.trades).toBe(30)
    await arc.close()
  })
})
