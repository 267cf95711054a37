/** What somebody does to look traded, known or dear, and what every route makes of it. */
import { describe, expect, it } from "vitest"
import type { ChainConfig } from "../src/domain/chain.ts"
import {
  address,
  MEME,
  OTHER,
  pool,
  priceChain,
  reserves,
  rootOf,
  seen,
  swap,
  USDC
} from "./support/price-events.ts"
import { type Sent, serveFacts } from "./support/told-market.ts"

const ZERO = 1_700_000_000
const micro = (whole: number): bigint => BigInt(Math.round(whole * 1e6))
const wallet = (i: number): string => `0x${(0xc000 + i).toString(16).padStart(40, "0")}`
const MEME_POOL = address("d1")

/** Sells, or buys where the amount is negative, so many tokens at a price in dollars. */
const trade = (time: number, byte: string, from: string, tokens: number, price: number): Sent => ({
  ...swap(time, byte, micro(tokens), -micro(tokens * price)),
  from
})

const named = (token: string, symbol: string, name: string, decimals = 6): Sent =>
  ({ ...seen(0, token, decimals), symbol, name }) as Sent

/** MEME at a dollar, 50,000 deep, bought and sold by three. */
const honest: ReadonlyArray<Sent> = [
  named(MEME, "MEME", "Meme"),
  named(USDC, "USDC", "USD Coin"),
  pool(0, "d1", [MEME, USDC]),
  reserves(0, "d1", micro(50_000), micro(50_000)),
  trade(60, "d1", wallet(1), 10, 1),
  trade(61, "d1", wallet(2), -20, 1),
  trade(62, "d1", wallet(3), 30, 1)
]

/** Four who buy for a dollar each. */
const more = Array.from({ length: 4 }, (_, i) => trade(70 + i, "d1", wallet(50 + i), -1, 1))

interface Row {
  readonly address: string
  readonly wash?: true
  readonly impostor?: true
}

const flagsOf = (rows: ReadonlyArray<Row>) =>
  rows.map(({ address: of, wash, impostor }) => [of, wash ?? false, impostor ?? false])

describe("a wash loop", () => {
  const LOOPS = 520
  const LOOP_POOL = address("d2")
  const loop: ReadonlyArray<Sent> = [
    named(OTHER, "LOOP", "Loop"),
    pool(0, "d2", [OTHER, USDC]),
    reserves(0, "d2", micro(50_000), micro(50_000)),
    ...Array.from({ length: LOOPS }, (_, i) =>
      trade(100 + i, "d2", wallet(9), i % 2 === 0 ? 10 : -10, 1)
    )
  ]

  it("is last on the board, in no total, and told with its evidence", async () => {
    // the dollar has the loop's prints too: it takes other wallets to keep it clean
    const { get, close } = await serveFacts([...honest, ...more, ...loop])
    for (const sort of ["volume", "trades"]) {
      const board = await get(`/chains/base/tokens?includeUnlisted=1&sort=${sort}`)
      expect(flagsOf(board.tokens)).toEqual([
        [USDC, false, false],
        [MEME, false, false],
        [OTHER, true, false]
      ])
      expect(board.tokens[2]).toMatchObject({ volume24h: 5200, trades24h: LOOPS, traders: 1 })
    }
    const { last24h, venues24h, daily } = await get("/chains/base/overview")
    expect(last24h).toMatchObject({
      ...{ volUsd: 64, swaps: 7, tokens: 2 },
      excluded: { volUsd: 5200, swaps: LOOPS, markets: 1 }
    })
    expect(venues24h).toEqual([
      { dex: "uniswap_v2", volUsd: 64, trades: 7, tokens: 2, sharePct: 100 }
    ])
    expect(daily).toMatchObject([{ swaps: 7, volUsd: 64 }])
    expect((await get("/chains/base/venues")).totals).toEqual({ volUsd: 64, trades: 7 })
    const { pools } = await get(`/chains/base/token/${OTHER}/pools`)
    expect(pools).toMatchObject([{ pool: LOOP_POOL, suspect: true, txns24h: LOOPS }])
    expect("suspect" in (await get(`/chains/base/token/${MEME}/pools`)).pools[0]).toBe(false)
    const told = await get(`/flags/explain?chain=8453&token=${OTHER}`)
    for (const flag of ["wash", "suspect"]) {
      const found = told.flags.find((one: { flag: string }) => one.flag === flag)
      expect(found).toMatchObject({
        rule: { id: "wash-trades" },
        figures: { trades: LOOPS, wallets: 1, usd: 5200 },
        wallets: [{ wallet: wallet(9), trades: LOOPS }],
        prints: { count: LOOPS }
      })
      expect(found.prints.newest.length).toBe(200)
    }
    expect((await get(`/flags/explain?chain=8453&token=${MEME}`)).flags).toEqual([])
    const prints = await get("/chains/base/prints?limit=500")
    expect(prints.prints[0]).toMatchObject({ token: OTHER, wash: true })
    await close()
  })
})

describe("a look-alike symbol", () => {
  const FAKE = address("66")
  const FAKE_POOL = address("d3")
  /** The second and the fourth letter are Cyrillic. */
  const SYMBOL = "UЅDС"
  const fake: ReadonlyArray<Sent> = [
    named(FAKE, SYMBOL, "USD Coin"),
    pool(0, "d3", [FAKE, USDC]),
    reserves(0, "d3", micro(90_000), micro(90_000)),
    ...Array.from({ length: 9 }, (_, i) => trade(100 + i, "d3", wallet(20 + i), 100, 1))
  ]

  it("is flagged on boards, pools and prints, and found after the anchor", async () => {
    const { get, close } = await serveFacts([...honest, ...fake])
    const board = await get("/chains/base/tokens?includeUnlisted=1")
    expect(flagsOf(board.tokens)).toEqual([
      [USDC, false, false],
      [MEME, false, false],
      [FAKE, false, true]
    ])
    expect(board.tokens[2]).toMatchObject({ symbol: SYMBOL, listed: false, volume24h: 900 })
    const { pools } = await get(`/chains/base/token/${FAKE}/pools`)
    expect(pools).toMatchObject([
      { pool: FAKE_POOL, token0: { address: FAKE, impostor: true }, token1: { address: USDC } }
    ])
    expect("impostor" in pools[0].token1).toBe(false)
    const found = await get("/tokens/search?chain=8453&q=usdc")
    expect(
      found.tokens.map((row: Row & { verified: boolean }) => [row.address, row.verified])
    ).toEqual([
      [USDC, true],
      [FAKE, false]
    ])
    const told = await get(`/flags/explain?chain=8453&token=${FAKE}`)
    expect(told.flags).toMatchObject([{ flag: "impostor" }])
    expect(JSON.stringify(told.flags[0])).toContain(USDC)
    await close()
  })

  it("is on no board of the chain with one token a symbol, and in its search as not verified", async () => {
    const rh: ChainConfig = { ...priceChain, id: 4663, key: "rh", name: "Chain 4663" }
    const { get, close } = await serveFacts([...honest, ...fake], [], rh)
    const board = await get("/rh/tokens?includeUnlisted=1")
    expect(board.tokens.map((row: Row) => row.address)).toEqual([USDC, MEME])
    const found = await get("/rh/tokens/search?q=USDC")
    expect(
      found.tokens.map((row: Row & { verified: boolean }) => [row.address, row.verified])
    ).toEqual([
      [USDC, true],
      [FAKE, false]
    ])
    await close()
  })
})

describe("a pool of one side", () => {
  const ONE_SIDED = address("77")

  it("prices nothing, whatever it says its token costs", async () => {
    const v3 = { venue: "v3", source: "log" } as const
    const state = { root: rootOf(1000), liquidity: 10n ** 20n }
    const list: ReadonlyArray<Sent> = [
      ...honest,
      named(ONE_SIDED, "ONE", "One side"),
      // a thousand dollars a token by its reserves, and a single dollar in it
      pool(0, "d4", [ONE_SIDED, USDC]),
      reserves(100, "d4", 1000n, micro(1)),
      // a range above the price: liquidity without end, and no dollar behind it
      pool(0, "e1", [ONE_SIDED, USDC], v3),
      { ...{ time: 90, kind: "PoolInitialized", pool: address("e1") }, ...initial(1000) },
      {
        ...{ time: 91, kind: "LiquidityChanged", pool: address("e1"), venueKind: "uniswap-v3" },
        ...{ owner: null, sender: null, tickLower: 69_060, tickUpper: 887_220 },
        ...{ liquidity: 10n ** 20n, amount0: 10n ** 15n, amount1: 0n }
      } as Sent,
      { ...swap(400, "e1", 1n, -1000n, state), from: wallet(30) },
      { ...swap(401, "d4", 1n, -900n), from: wallet(31) }
    ]
    const { get, close } = await serveFacts(list)
    const board = await get("/chains/base/tokens?includeUnlisted=1")
    const row = board.tokens.find((one: Row) => one.address === ONE_SIDED)
    expect(row).toMatchObject({ priceUsd: null, marketCapUsd: null, listed: false, trades24h: 2 })
    const stats = await get(`/tokens/stats/${ONE_SIDED}?chain=8453`)
    // the one dollar that is there
    expect([stats.priceUsd, stats.liquidityUsd]).toEqual([null, 1])
    const told = await get(`/prices/explain?chain=8453&token=${ONE_SIDED}`)
    expect(told).toMatchObject({
      priceUsd: null,
      pools: [
        { pool: address("d4"), priceUsd: 1000, depthUsd: 1, eligible: false, reason: "thin" },
        { pool: address("e1"), depthUsd: 0, backedUsd: 0, eligible: false, reason: "one-sided" }
      ]
    })
    await close()
  })
})

const initial = (price: number) => ({ sqrtPriceX96: rootOf(price), tick: 69_081 })

describe("a print of 10^30 dollars", () => {
  it("is on the tape with its flag, and in nothing else unless raw is asked for", async () => {
    const huge = 10n ** 36n
    const list: ReadonlyArray<Sent> = [
      ...honest,
      { ...swap(120, "d1", micro(1), -huge), from: wallet(40) },
      // a price that nobody pays, of dollars that might be there
      { ...swap(180, "d1", 1000n, -micro(9000)), from: wallet(41) },
      trade(240, "d1", wallet(4), 5, 1)
    ]
    const { get, close } = await serveFacts(list)
    const tape = await get(`/tokens/trades/${MEME}?chain=8453`)
    expect(
      tape.trades.map((one: { usd: number | null; outlier?: true }) => [one.usd, one.outlier])
    ).toEqual([
      [5, undefined],
      [9000, true],
      [null, true],
      [30, undefined],
      [20, undefined],
      [10, undefined]
    ])
    expect(tape.total).toBe(6)
    expect(tape.stats24h).toEqual({ buys: 1, sells: 5, buyUsd: 20, sellUsd: 45 })
    const chainTape = await get(`/chains/base/token/${MEME}/trades`)
    expect(chainTape.trades.map((one: { outlier?: true }) => one.outlier ?? false)).toEqual([
      ...[false, true, true, false, false, false]
    ])
    const stats = await get(`/tokens/stats/${MEME}?chain=8453`)
    expect(stats).toMatchObject({
      priceUsd: 1,
      ath: { priceUsd: 1 },
      range24h: { high: 1, low: 1 }
    })
    expect(stats.windows.h24).toMatchObject({ txns: 6, buyVol: 20, sellVol: 45, makers: 6 })
    const candles = `/candles?chain=8453&token=${MEME}&tf=1h`
    const hour = ZERO - (ZERO % 3600)
    const flat = { o: 1, h: 1, l: 1, c: 1 }
    expect((await get(candles)).candles).toEqual([{ t: hour, ...flat, v: 65, n: 4 }])
    const [raw] = (await get(`${candles}&raw=1`)).candles
    expect(raw).toEqual({ t: hour, ...flat, h: 9_000_000, v: 9065, n: 5 })
    const board = await get("/chains/base/tokens?includeUnlisted=1")
    const row = board.tokens.find((one: Row) => one.address === MEME)
    expect(row).toMatchObject({ priceUsd: 1, volume24h: 65, trades24h: 6 })
    const { last24h } = await get("/chains/base/overview")
    expect([last24h.swaps, last24h.volUsd]).toEqual([6, 65])
    const { pools } = await get(`/chains/base/token/${MEME}/pools`)
    expect(pools).toMatchObject([{ pool: MEME_POOL, vol24h: 65, txns24h: 6 }])
    const page = await get(`/chains/base/token/${MEME}`)
    expect(page.ath.priceUsd).toBe(1)
    const { prints } = await get("/chains/base/prints?min=100")
    expect(prints).toMatchObject([{ token: MEME, usd: 9000, outlier: true }])
    // it sold what dollars nobody believes in
    expect(await get(`/chains/base/wallet/${wallet(41)}?days=1`)).toMatchObject({
      ...{ trades: 1, unpricedTrades: 1, volumeUsd: 0, soldUsd: 0, realizedPnlUsd: 0 },
      positions: [{ token: MEME, sells: 1, soldUsd: 0, realizedPnlUsd: null, unpriced: 1 }]
    })
    await close()
  })
})
