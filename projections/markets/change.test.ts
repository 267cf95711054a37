/** Changes of prices: prints against prints, of young tokens since their first. */
import { expect, it } from "vitest"
import {
  address,
  DAI,
  dollarChain,
  type Fact,
  MEME,
  OTHER,
  type PriceLane,
  pool,
  reserves,
  seen,
  swap,
  USDC,
  withPrices
} from "../../test/support/price-events.ts"
import { NEWEST } from "../tape/cursor.ts"

type Row = { readonly [field: string]: unknown }

const START = 1_700_000_000
const HOUR = 3600
const dollars = (whole: number) => BigInt(Math.round(whole * 1e6))

/** A token in a pool that says $1 all along, with one print for each price. */
const traded = (byte: string, token: string, prints: ReadonlyArray<readonly [number, number]>) => [
  pool(0, byte, [token, USDC]),
  reserves(0, byte, dollars(50_000), dollars(50_000)),
  ...prints.map(([time, price]) => swap(time, byte, dollars(1), -dollars(price)))
]

const inOrder = (list: ReadonlyArray<Fact>) => list.toSorted((a, b) => a.time - b.time)
const board = {
  sort: "change",
  limit: 10,
  offset: 0,
  includeUnlisted: true,
  rules: null,
  asOf: null
}

it("are told of a chain that is minutes old, and sort its board", async () => {
  const list = inOrder([
    ...traded("a1", MEME, [
      [10, 1],
      [20, 2],
      [30, 1.5]
    ]),
    ...traded("a2", OTHER, [
      [15, 1],
      [40, 1.75]
    ])
  ])
  await withPrices(list, async ({ ask }) => {
    const { tokens } = await ask("tokenBoard", board)
    const rows = tokens as ReadonlyArray<{ [field: string]: unknown }>
    expect(rows.map(row => [row["address"], row["change24hPct"], row["changeSince"]])).toEqual([
      [OTHER, 75, START + 15],
      [MEME, 50, START + 10],
      // of a dollar: the price of its prints is what it costs
      [USDC, 0, START + 10]
    ])
    const { windows } = await ask("tokenStats", { token: MEME })
    const young = { change: 50, changeSince: START + 10 }
    expect(windows).toMatchObject({ m5: young, h1: young, h6: young, h24: young })
    expect((await ask("priceMap", { limit: 10 }))["prices"]).toMatchObject({
      [MEME]: { change24hPct: 50, changeSince: START + 10 }
    })
  })
})

it("compare prints with prints, from the window's first second on", async () => {
  const now = 30 * HOUR
  // the pool says $1, and its prints 1.2 and 1.5
  const list = traded("a1", MEME, [
    [0, 1.2],
    [now - 60, 1.5],
    [now, 1.5]
  ])
  await withPrices(list, async ({ ask }) => {
    const { windows, priceUsd } = await ask("tokenStats", { token: MEME })
    expect(priceUsd).toBe(1)
    const change = (1.5 / 1.2 - 1) * 100
    expect(windows).toMatchObject({
      m5: { change, changeSince: START + now - 299 },
      h24: { change, changeSince: START + now - 24 * HOUR + 1 }
    })
    const { tokens, sinceHour } = await ask("tokenBoard", board)
    expect((tokens as ReadonlyArray<object>)[0]).toMatchObject({
      ...{ address: MEME, change24hPct: change, changeSince: sinceHour }
    })
  })
})

const FIELDS_OF_DAY = ["m5", "h1", "h6", "h24"] as const

it("are unknown where nobody has told a price for a day before the window", async () => {
  const silent = (hours: number) => [
    ...traded("a1", MEME, [
      [0, 1.2],
      [60, 1.5]
    ]),
    // blocks go on, and of a token nothing is told
    reserves(hours * HOUR, "a1", dollars(50_000), dollars(50_000))
  ]
  const changes = (hours: number) =>
    withPrices(silent(hours), async ({ ask }) => {
      const { windows } = await ask("tokenStats", { token: MEME })
      const told = windows as { readonly [name: string]: { readonly change: number | null } }
      return FIELDS_OF_DAY.map(name => told[name]?.change ?? null)
    })
  // an hour later no trade is no change; what two days and more did nobody knows
  expect(await changes(2)).toEqual([0, 0, 25, 25].map(pct => expect.closeTo(pct, 9)))
  expect(await changes(100)).toEqual([null, null, null, null])
})

it("of a token that no pool may price yet are null on every board, and trend on none", async () => {
  const bought = Array.from({ length: 12 }, (_, i) => {
    const wallet = address(`7${i % 4}`)
    const fact = swap(410 + i, "a1", dollars(100), -dollars(100 + i))
    return { ...fact, recipient: wallet, by: wallet }
  })
  const pools = (time: number) => [
    pool(time, "a1", [MEME, USDC], { source: "log" }),
    reserves(time, "a1", dollars(50_000), dollars(50_000))
  ]
  const boards = (made: number) =>
    withPrices([pool(0, "d1", [OTHER, USDC]), ...pools(made), ...bought], async ({ ask }) => {
      const trending = (await ask("trending", { limit: 10 }))["tokens"] as ReadonlyArray<object>
      const all = (await ask("tokenBoard", board))["tokens"] as ReadonlyArray<Row>
      const row = all.find(({ address }) => address === MEME)
      return [row?.["priceUsd"] === null, row?.["change24hPct"] === null, trending]
    })
  const one = [expect.objectContaining({ address: MEME })]
  expect(await boards(0)).toEqual([false, false, expect.arrayContaining(one)])
  expect(await boards(400)).toEqual([true, true, expect.not.arrayContaining(one)])
})

it("of trades without senders tell no wallets, and say so", async () => {
  const list = traded("a1", MEME, [
    [10, 1],
    [20, 2]
  ])
  await withPrices(list, async ({ ask }) => {
    const { tokens } = await ask("tokenBoard", board)
    expect((tokens as ReadonlyArray<object>)[0]).toMatchObject({ address: MEME, traders: null })
    const warnings = [expect.stringContaining("tells no sender of any trade")]
    const none = { makers: 0, buyers: 0, sellers: 0 }
    expect(await ask("tokenStats", { token: MEME })).toMatchObject({
      ...{ windows: { m5: none, h24: none }, markets: [{ txns24h: 2, makers24h: null }], warnings }
    })
    expect(await ask("trending", { limit: 10 })).toMatchObject({ tokens: [], warnings })
    expect(await ask("attention", { limit: 10 })).toMatchObject({ tokens: [], warnings })
    const { daily, wallets, ...totals } = await ask("overview", { days: 14 })
    expect([daily, wallets, totals]).toMatchObject([
      ...[[{ swaps: 2, wallets: null }], { today: null }, { warnings }]
    ])
    const { hourly24, ...page } = await ask("tokenPage", { token: MEME })
    expect(page).toMatchObject({ warnings })
    const hours = hourly24 as ReadonlyArray<Row>
    expect(hours.slice(-2).map(({ trades, makers }) => [trades, makers])).toEqual([
      [0, 0],
      [2, null]
    ])
    const pages = { token: MEME, limit: 10, offset: 0, asOf: null }
    expect(await ask("tokenPools", pages)).toMatchObject({
      ...{ total: 1, pools: [{ txns24h: 2, makers24h: null }], warnings }
    })
    const wallet = OTHER
    expect(await ask("walletPnl", { wallet, days: 7 })).toMatchObject({ trades: 0, warnings })
    const newest = { wallet, limit: 10, ...NEWEST }
    expect(await ask("walletTrades", newest)).toMatchObject({ trades: [], warnings })
  })
})

it("say of which windows of a token no wallet is known, where others tell some", async () => {
  const list = [
    ...traded("a1", MEME, []),
    { ...swap(0, "a1", dollars(1), -dollars(1)), recipient: OTHER, by: OTHER },
    swap(2 * HOUR, "a1", dollars(1), -dollars(1))
  ]
  await withPrices(list, async ({ ask }) => {
    const { windows, warnings } = await ask("tokenStats", { token: MEME })
    const [none, one] = [0, 1].map(makers => ({ makers, sellers: makers, buyers: 0 }))
    expect(windows).toMatchObject({ m5: none, h1: none, h6: one, h24: one })
    expect(warnings).toEqual([
      "the log tells no sender of any trade of m5, h1: its wallets are not known"
    ])
  })
})

it("of a dollar that costs $1 by rule are none, whatever its prints said", async () => {
  const list = [
    seen(0, DAI),
    pool(0, "a1", [DAI, USDC]),
    reserves(0, "a1", dollars(50_000), dollars(50_000)),
    swap(10, "a1", dollars(1), -dollars(1)),
    swap(20, "a1", dollars(1), -dollars(0.998))
  ]
  const use = async ({ ask }: PriceLane) => {
    const { tokens } = await ask("tokenBoard", board)
    const rows = tokens as ReadonlyArray<{ [field: string]: unknown }>
    const dai = rows.find(row => row["address"] === DAI)
    expect(dai).toMatchObject({ priceUsd: 1, change24hPct: 0, changeSince: START + 10 })
    const { windows } = await ask("tokenStats", { token: DAI })
    expect(windows).toMatchObject({ h24: { change: 0, changeSince: START + 10 } })
  }
  await withPrices(list, use, dollarChain)
})
