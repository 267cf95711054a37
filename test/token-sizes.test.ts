/**
 * Tokens of no, of one and of very many trades: what the routes say against plain SQL over the tape,
 * past the bounds of what memory and single reads hold.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startApi, type TestApi } from "./support/api-server.ts"
import {
  type Balances,
  BEGINNING,
  BLOCKS,
  BUSY,
  BUSY_WALLET,
  busyLog,
  DOLLAR,
  FORK,
  LISTED,
  NEVER,
  ONCE,
  ONCE_POOL,
  ONE_WALLET,
  priceAtBlock
} from "./support/busy-token.ts"
import { testChain } from "./support/chain-config.ts"
import { get } from "./support/get.ts"
import { MemoryLane } from "./support/memory-lane.ts"
import {
  type Checked,
  checkBoard,
  checkCandles,
  checkMovers,
  checkPage,
  checkStats,
  checkTape,
  checkTotals,
  type Served,
  tradedTokens
} from "./support/token-checks.ts"

const isLong = process.env["SWAPTAPE_LONG"] === "1"
/** More than a wallet's page reads, a chunk holds and a slice folds; all bounds in the long run. */
const TRADES = isLong ? 1_000_000 : 20_000
const HOUR = 3600

let tables: MemoryLane
let api: TestApi
let balances: Balances
let served: Served
let busy: Checked
let now = 0

const read = async (path: string) => {
  const { status, text } = await get(`${api.url}/v1${path}`)
  return { status, body: JSON.parse(text) }
}
const good = async (path: string) => {
  const { status, body } = await read(path)
  expect([path, status]).toEqual([path, 200])
  return body
}
const rows = (sql: string) => tables.rows(sql)

beforeAll(async () => {
  const made = busyLog(TRADES)
  balances = made.balances
  tables = new MemoryLane(testChain, made.log)
  await tables.start()
  while (tables.folded < made.log.segments.length) {
    await tables.fold(40)
    await tables.commit()
  }
  api = await startApi([tables])
  now = tables.status().blockTime ?? 0
  served = { get: good, rows, chain: 8453, key: "base", now }
  busy = (await tradedTokens(rows)).find(({ address }) => address === BUSY) as Checked
}, 900_000)

afterAll(async () => {
  await api.close()
  await tables.close()
})

describe(`a token of ${TRADES} trades`, () => {
  it("stands on the board with the sums of its day", async () => {
    expect(await checkBoard(served)).toBe(3)
    await checkTotals(served)
    await checkMovers(served)
    const { tokens } = await good("/chains/base/tokens?includeUnlisted=1")
    const row = tokens.find((one: { address: string }) => one.address === BUSY)
    expect(row.trades24h).toBeGreaterThan(TRADES / 12)
    expect(row.priceUsd).toBeCloseTo(priceAtBlock(BLOCKS), 9)
  })

  it("has the sums of its windows to the second", async () => {
    await checkStats(served, busy)
    const stats = await good(`/tokens/stats/${BUSY}?chain=8453`)
    expect([stats.totalTxns, stats.firstTradeTs]).toEqual([TRADES, BEGINNING + 86])
    expect(
      stats.markets.map(({ dex, pool }: { dex: string; pool: string }) => [dex, pool])
    ).toEqual([
      ["uniswap_v2", LISTED],
      ["v2fork_ffffffff", FORK]
    ])
  })

  it("has pages of trades, the first, the middle and the last", async () => {
    const pages = await checkPage(served, busy, { number: 1 })
    expect(pages).toBe(TRADES / 500)
    for (const number of [2, pages >> 1, pages, pages + 1]) {
      await checkPage(served, busy, { number })
    }
    for (const number of [1, 3]) {
      await checkPage(served, busy, { number, query: "&side=sell", where: "NOT buy" })
    }
    await checkPage(served, busy, { number: 2, query: "&min=900", where: "told >= 900000000" })
  })

  it("has its whole tape by cursors, once each and newest first", async () => {
    await checkTape(served, busy)
  }, 600_000)

  it("has candles and charts of every frame", async () => {
    const frames = { "1s": 1, "1m": 60, "5m": 300, "1h": HOUR, "4h": 4 * HOUR }
    for (const [tf, width] of Object.entries(frames)) await checkCandles(served, busy, tf, width)
    await checkCandles(served, busy, "1d", 86_400)
    await checkCandles(served, busy, "1w", 604_800)
    const days = await good(`/candles?chain=8453&token=${BUSY}&tf=1d`)
    expect(days.candles.length).toBe(11)
  })

  it("has its prints among those of the chain", async () => {
    const first = await good("/chains/base/prints?limit=500")
    const expected = await rows("SELECT block, log_index FROM tape ORDER BY seq DESC LIMIT 1000")
    const names = (list: ReadonlyArray<{ block: number; logIndex: number }>) =>
      list.map(({ block, logIndex }) => ({ block, log_index: logIndex }))
    expect(names(first.prints)).toEqual(expected.slice(0, 500))
    const next = await good(`/chains/base/prints?limit=500&before=${first.nextBefore}`)
    expect(names(next.prints)).toEqual(expected.slice(500))
  })

  it("has the holders that its transfers leave", async () => {
    const found = await good(`/chains/base/token/${BUSY}/holders?limit=1000`)
    const held = [...balances].filter(([, balance]) => balance > 0n)
    expect([found.holders, found.complete]).toEqual([held.length, false])
    // the world tells a supply that nobody transferred, before all transfers, and transfers of who
    // never got any; how its blocks are known proves nothing
    expect(found.incompleteBecause).toEqual([
      expect.stringContaining("1 run of blocks is the word of one node or file since block 1: "),
      expect.stringContaining("the token's is read again, since what was read is older"),
      "242 addresses sent more than the ledger saw them get"
    ])
    const balancesOf = (list: ReadonlyArray<bigint>) =>
      list.toSorted((a, b) => (a > b ? -1 : a < b ? 1 : 0)).map(String)
    expect(found.top.map(({ balance }: { balance: string }) => balance)).toEqual(
      balancesOf(held.map(([, balance]) => balance)).slice(0, 1000)
    )
    for (const { holder, balance } of found.top) {
      expect([holder, balance]).toEqual([holder, String(balances.get(holder))])
    }
  })

  it("has a wallet of more trades than are read for its profit, and says so", async () => {
    const own = `wallet_hi = (SELECT wallet_hi FROM tape GROUP BY wallet_hi, wallet_lo
      HAVING wallet_hi IS NOT NULL ORDER BY count(*) DESC LIMIT 1)`
    const days = now - (now % 86_400) - 29 * 86_400
    const [{ n = 0 } = {}] = await rows(
      `SELECT count(*) AS n FROM tape WHERE ${own} AND ts >= ${days}`
    )
    const found = await good(`/chains/base/wallet/${BUSY_WALLET}?days=30`)
    expect([found.trades, found.truncated ?? false]).toEqual([Math.min(n, 10_000), n > 10_000])
    const { trades } = await good(`/chains/base/wallet/${BUSY_WALLET}/trades?limit=500`)
    const expected = await rows(`SELECT ts FROM tape WHERE ${own} ORDER BY seq DESC LIMIT 500`)
    expect(trades.map(({ ts }: { ts: number }) => ts)).toEqual(expected.map(row => row["ts"]))
  })
})

const NOTHING = {
  ...{ change: 0, changeSince: 0, txns: 0, buys: 0, sells: 0, buyVol: 0, sellVol: 0 },
  ...{ makers: 0, buyers: 0, sellers: 0 }
}

describe("a token of one trade, three bought for twelve dollars by who did nothing else", () => {
  /** Twenty blocks before the last. */
  const TS = BEGINNING + ((BLOCKS - 20) * 864_000) / BLOCKS

  it("has it in the windows that hold it, and a price of before in none", async () => {
    const begun = (width: number) => ({ ...NOTHING, changeSince: now - width + 1 })
    const one = { ...NOTHING, changeSince: TS, txns: 1, buys: 1, buyVol: 12, makers: 1, buyers: 1 }
    expect(await good(`/tokens/stats/${ONCE}?chain=8453`)).toEqual({
      ...{ chain: 8453, token: ONCE, priceUsd: 4, priceTs: TS },
      windows: { m5: begun(300), h1: one, h6: one, h24: one },
      ...{ liquidityUsd: 200_000, ath: { priceUsd: 4, ts: TS }, range24h: { high: 4, low: 4 } },
      ...{ firstTradeTs: TS, totalTxns: 1, unknown: [], updatedAt: now * 1000 },
      markets: [{ dex: "uniswap_v2", pool: ONCE_POOL, txns24h: 1, vol24h: 12, makers24h: 1 }]
    })
  })

  it("has a page, a board row and a candle of it", async () => {
    const found = await good(`/chains/base/token/${ONCE}`)
    expect(found.token).toMatchObject({
      ...{
        priceUsd: 4,
        change24hPct: 0,
        changeSince: TS,
        volume24h: 12,
        buyVolume24h: 12,
        sellVolume24h: 0
      },
      ...{ trades24h: 1, buys24h: 1, sells24h: 0, traders: 1, lastTradeTs: TS },
      ...{ totalSupply: "1000000000000000", marketCapUsd: 4e9, routable: true }
    })
    const { tokens } = await good("/chains/base/tokens?includeUnlisted=1")
    const row = tokens.find((one: { address: string }) => one.address === ONCE)
    expect(row).toEqual(found.token)
    const hours = found.hourly24.filter((hour: { trades: number }) => hour.trades > 0)
    const hour = TS - (TS % HOUR)
    expect(hours).toEqual([
      { hour, trades: 1, buys: 1, sells: 0, buyUsd: 12, sellUsd: 0, makers: 1, close: 4 }
    ])
    for (const [tf, width] of [
      ["1s", 1],
      ["1m", 60],
      ["1h", HOUR],
      ["1d", 86_400]
    ] as const) {
      const { candles } = await good(`/candles?chain=8453&token=${ONCE}&tf=${tf}&limit=5000`)
      expect([tf, candles]).toEqual([
        tf,
        [{ t: TS - (TS % width), o: 4, h: 4, l: 4, c: 4, v: 12, n: 1 }]
      ])
    }
  })

  it("has one print, on one page", async () => {
    const tape = await good(`/tokens/trades/${ONCE}?chain=8453`)
    expect(tape).toMatchObject({ total: 1, dexes: ["uniswap_v2"] })
    expect(tape.stats24h).toEqual({ buys: 1, sells: 0, buyUsd: 12, sellUsd: 0 })
    const amounts = { tokenAmt: 3, quoteAmount: 12, usd: 12, priceUsd: 4 }
    const print = { side: "buy", ...amounts, ts: TS, wallet: ONE_WALLET }
    expect(tape.trades).toMatchObject([print])
    expect((await good(`/tokens/trades/${ONCE}?chain=8453&page=2`)).trades).toEqual([])
    const page = await good(`/chains/base/token/${ONCE}/trades?limit=1`)
    expect(page).toMatchObject({ trades: [print], nextBefore: null })
    const { block, logIndex } = page.trades[0]
    const none = await good(`/chains/base/token/${ONCE}/trades?before=${TS}:${block}:${logIndex}`)
    expect([none.trades, none.nextBefore]).toEqual([[], null])
  })

  it("is all that its wallet did", async () => {
    const found = await good(`/chains/base/wallet/${ONE_WALLET}?days=2`)
    expect(found).toMatchObject({
      ...{ windowDays: 2, truncated: false, tokens: 1, trades: 1, unpricedTrades: 0 },
      ...{ volumeUsd: 12, boughtUsd: 12, soldUsd: 0, realizedPnlUsd: 0, unrealizedPnlUsd: 0 },
      ...{ heldValueUsd: 12, winRate: 0, partialTokens: 0, likelyBot: false }
    })
    expect(found.positions).toMatchObject([
      {
        ...{ token: ONCE, priceUsd: 4, boughtUsd: 12, soldUsd: 0, boughtAmount: 3, soldAmount: 0 },
        ...{ buys: 1, sells: 0, heldAmount: 3, heldValueUsd: 12, realizedPnlUsd: 0 },
        ...{ unrealizedPnlUsd: 0, partial: false, lastDay: TS - (TS % 86_400) }
      }
    ])
    const { trades, nextBefore } = await good(`/chains/base/wallet/${ONE_WALLET}/trades`)
    expect(trades).toMatchObject([{ token: ONCE, quoteToken: DOLLAR, usd: 12, side: "buy" }])
    expect(nextBefore).toBeNull()
    const own = await good(`/tokens/trades/${ONCE}?chain=8453&wallet=${ONE_WALLET}`)
    expect([own.total, own.trades.length]).toEqual([1, 1])
    const others = await good(`/tokens/trades/${BUSY}?chain=8453&wallet=${ONE_WALLET}`)
    expect([others.total, others.trades]).toEqual([0, []])
  })
})

describe("a token of no trades", () => {
  it("is unknown to what is about trades, and is found by what is about pools", async () => {
    for (const path of [
      `/tokens/stats/${NEVER}?chain=8453`,
      `/tokens/trades/${NEVER}?chain=8453`,
      `/tokens/chart/${NEVER}?chain=8453`,
      `/candles?chain=8453&token=${NEVER}`,
      `/candles?chain=8453&token=${NEVER}&tf=1s`,
      `/chains/base/token/${NEVER}`,
      `/flags/explain?chain=8453&token=${NEVER}`
    ]) {
      const { status, body } = await read(path)
      expect([path, status, body.error]).toEqual([path, 404, "UNKNOWN_TOKEN"])
    }
    const page = await good(`/chains/base/token/${NEVER}/trades`)
    expect([page.trades, page.nextBefore]).toEqual([[], null])
    const { pools, total } = await good(`/chains/base/token/${NEVER}/pools`)
    expect(total).toBe(1)
    expect(pools).toMatchObject([
      { priceUsd: null, depthUsd: null, txns24h: 0, vol24h: 0, makers24h: 0 }
    ])
    const told = await good(`/prices/explain?chain=8453&token=${NEVER}`)
    expect([told.priceUsd, told.pools[0].reason]).toEqual([null, "no-price"])
    for (const path of ["/chains/base/tokens?includeUnlisted=1", "/tokens/market?chain=8453"]) {
      expect(JSON.stringify(await good(path))).not.toContain(NEVER)
    }
    expect((await good("/chains/base/tokens/search?q=NEVER")).tokens).toEqual([])
  })
})
