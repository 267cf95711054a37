/** Traders of a token by values written by hand, over HTTP, and against plain SQL on a market. */
import { Effect } from "effect"
import { afterEach, describe, expect, it } from "vitest"
import { tokens } from "../../../projections/tokens/output.ts"
import { solana } from "../../../src/domain/chains/solana.ts"
import { base58Ids, hexIds } from "../../../src/domain/ids.ts"
import type { Event } from "../../../streams/event.ts"
import { type Body, startApi, type TestApi } from "../../../test/support/api-server.ts"
import { get } from "../../../test/support/get.ts"
import { advance, ask, openMarketWorld, rows } from "../../../test/support/market-world.ts"
import { MemoryLane } from "../../../test/support/memory-lane.ts"
import { MemoryLog } from "../../../test/support/memory-log.ts"
import { declaredRoutes, urlsOf } from "../../../test/support/route-urls.ts"
import {
  accountOf,
  blocksOf,
  created,
  liquidity,
  MINT,
  opening,
  reserves,
  sealed,
  seen,
  swap,
  USDC
} from "../../../test/support/small-solana.ts"

const HOUR = 3600
/** Start of an hour, and the newest block half an hour later. */
const AT = 500_000 * HOUR
const NOW = AT + 1800
const [ANN, BEN, EVE] = [accountOf(1), accountOf(2), accountOf(3)]

let [api, lane]: [TestApi | null, MemoryLane | null] = [null, null]
afterEach(async () => {
  await api?.close()
  await lane?.close()
  ;[api, lane] = [null, null]
})

/** Serves a log of Solana, in order of time, and asks it. */
const served = async (events: ReadonlyArray<Event>) => {
  const log = new MemoryLog()
  for (const block of blocksOf(events)) log.append(block)
  lane = new MemoryLane(solana, log)
  await lane.start()
  await lane.fold(log.segments.length)
  await lane.commit()
  api = await startApi([lane])
  const { url } = api
  return async (query = "", mint = MINT): Promise<Body> => {
    const { text } = await get(`${url}/v1/chains/solana/token/${mint}/traders${query}`)
    return JSON.parse(text)
  }
}

/** Routes that name a token of Solana, in the path or the query; in a search it is a word. */
const routesOfTokens = declaredRoutes.filter(
  ({ method, path, parameters }) =>
    method === "GET" &&
    (/\/(tokens?|logo)\/.*:address/.test(path) || "token" in parameters) &&
    !/\/(arc|rh)\//.test(path)
)
const START = AT - 100 * HOUR
/** A log that begins long before, in which a token costs ten dollars now. */
const market = (...events: ReadonlyArray<Event>): ReadonlyArray<Event> => [
  ...opening(START),
  reserves(START, 10_000, 100_000),
  ...events,
  sealed(NOW)
]
const buy = (time: number, by: string | null, amount: number, dollars: number, logIndex = 2) =>
  swap({ time, by, tokens: amount, dollars, logIndex })
const sell = (time: number, by: string, amount: number, dollars: number, logIndex = 2) =>
  swap({ time, by, tokens: -amount, dollars, logIndex })

describe("traders of a token", () => {
  it("have what they bought, sold and hold at average cost", async () => {
    const asked = await served(
      market(buy(AT, ANN, 20, 180), sell(AT + 60, ANN, 5, 60), buy(AT + 90, BEN, 10, 100))
    )
    expect(await asked()).toEqual({
      ...{ chain: "solana", token: MINT, windowHours: 24, since: AT - 24 * HOUR, priceUsd: 10 },
      traders: [
        {
          ...{ wallet: ANN, boughtUsd: 180, soldUsd: 60, netUsd: 120, trades: 2 },
          ...{ lastTrade: AT + 60, heldAmount: 15, heldValueUsd: 150 },
          ...{ realizedPnlUsd: 15, unrealizedPnlUsd: 15, partial: false, unpriced: 0 }
        },
        {
          ...{ wallet: BEN, boughtUsd: 100, soldUsd: 0, netUsd: 100, trades: 1 },
          ...{ lastTrade: AT + 90, heldAmount: 10, heldValueUsd: 100 },
          ...{ realizedPnlUsd: 0, unrealizedPnlUsd: 0, partial: false, unpriced: 0 }
        }
      ],
      unattributedTrades: 0,
      asOf: 8,
      unknown: [],
      updatedAt: NOW
    })
    expect((await asked("?limit=1")).traders).toMatchObject([{ wallet: ANN }])
  })

  it("count from the first second of the first whole hour on", async () => {
    const since = AT - 2 * HOUR
    const asked = await served(
      market(buy(since - 1, ANN, 1, 10), buy(since, BEN, 1, 10), buy(AT - HOUR - 1, EVE, 1, 10))
    )
    const names = (body: Body) => body.traders.map(({ wallet }: Body) => wallet).sort()
    expect(names(await asked("?hours=2"))).toEqual([BEN, EVE].sort())
    expect((await asked("?hours=2")).since).toBe(since)
    expect(names(await asked("?hours=1"))).toEqual([])
    expect(names(await asked("?hours=3"))).toEqual([ANN, BEN, EVE].sort())
  })

  it("are partial where they sold more, and even where they sold the same", async () => {
    const asked = await served(
      market(
        ...[buy(AT, ANN, 1, 10), sell(AT + 1, ANN, 3, 30)],
        ...[buy(AT + 2, BEN, 0.1, 1), buy(AT + 3, BEN, 0.2, 2), sell(AT + 4, BEN, 0.3, 4)],
        sell(AT + 5, EVE, 1, 10)
      )
    )
    const { traders } = await asked()
    expect(traders).toMatchObject([
      { wallet: ANN, partial: true, heldAmount: -2, heldValueUsd: 0, realizedPnlUsd: null },
      { wallet: EVE, partial: true, heldAmount: -1, heldValueUsd: 0, realizedPnlUsd: null },
      { wallet: BEN, partial: false, heldAmount: 0, heldValueUsd: 0, realizedPnlUsd: 1 }
    ])
    expect(traders[0]).toMatchObject({ unrealizedPnlUsd: 0, netUsd: -20, soldUsd: 30 })
  })

  it("leave out what has no dollars or is not believed, and say how much", async () => {
    const [other, pool] = [accountOf(0xa2), accountOf(0xb2)]
    const asked = await served([
      ...[seen(START, other), created(START, pool, [MINT, other])],
      ...market(
        buy(AT, ANN, 10, 100),
        swap({ time: AT + 1, by: ANN, tokens: 4, dollars: 7, pool }),
        // nine times its price
        buy(AT + 2, BEN, 1, 90),
        sell(AT + 3, BEN, 1, 10),
        buy(AT + 4, null, 50, 500)
      )
    ])
    const body = await asked()
    expect(body.unattributedTrades).toBe(1)
    expect(body.traders).toMatchObject([
      { wallet: ANN, boughtUsd: 100, trades: 2, unpriced: 1, heldAmount: 14, heldValueUsd: 140 },
      { wallet: BEN, boughtUsd: 0, soldUsd: 10, trades: 2, unpriced: 1, heldAmount: 0 }
    ])
    expect(body.traders[0]).toMatchObject({ realizedPnlUsd: 0, unrealizedPnlUsd: null })
    expect(body.traders[1]).toMatchObject({ realizedPnlUsd: null, unrealizedPnlUsd: 0 })
  })

  it("have no amounts while nobody knows a whole token", async () => {
    const asked = await served(
      [seen(START, MINT, null), seen(START, USDC), ...market().slice(2)].concat(
        buy(AT, ANN, 10, 100)
      )
    )
    const { traders, priceUsd } = await asked()
    expect(priceUsd).toBeNull()
    expect(traders).toMatchObject([
      { wallet: ANN, boughtUsd: 100, heldAmount: null, heldValueUsd: null, partial: false }
    ])
  })

  it("say what the log does not know of the window", async () => {
    const asked = await served([
      ...[...opening(AT - HOUR), reserves(AT - HOUR, 10_000, 100_000)],
      ...[buy(AT, ANN, 1, 10), sealed(NOW)]
    ])
    expect((await asked("?hours=3")).unknown).toEqual([{ from: AT - 3 * HOUR, to: AT - HOUR }])
    expect((await asked("?hours=1")).unknown).toEqual([])
  })

  it("are those of wrapped SOL for the account of zeros, as on all routes of a token", async () => {
    const [sol, pool] = [solana.nativeToken ?? "", accountOf(0xb2)]
    await served([
      ...[seen(START, sol, 9), seen(START, USDC), created(START, pool, [sol, USDC])],
      swap({ time: AT, by: ANN, tokens: 4, dollars: 7, pool }),
      ...[liquidity(AT + 1, ANN, 1, 2, pool), sealed(NOW)]
    ])
    const answerOf = async (url: string) => {
      const { status, text } = await get(`${api?.url}${url}`)
      return { status, body: text }
    }
    const asked = (token: string) => ({
      ...{ chain: { id: solana.id, key: solana.key }, tokens: [token], wallets: [], pools: [] },
      ...{ minutes: [AT], middle: { ts: AT, block: AT, logIndex: 2 } }
    })
    const refused: Array<string> = []
    for (const route of routesOfTokens) {
      const [native = "", wrapped = ""] = [base58Ids.zero, sol].flatMap(token =>
        urlsOf(route, asked(token), () => [])
      )
      const answer = await answerOf(wrapped)
      if (answer.status !== 200) refused.push(`${answer.status} ${route.path}`)
      expect(native).not.toBe(wrapped)
      expect([native, await answerOf(native)]).toEqual([native, answer])
    }
    // transfers are not read there
    expect(refused).toEqual(["400 /v1/chains/:chain/token/:address/holders"])
    const find = async (q: string) =>
      JSON.parse((await answerOf(`/v1/chains/solana/search?q=${q}`)).body).tokens
    expect(await find(base58Ids.zero)).toMatchObject([{ address: sol }])
    expect(await find(sol)).toEqual(await find(base58Ids.zero))
    const events = await answerOf(`/v1/chains/solana/liquidity/events?token=${base58Ids.zero}`)
    expect(JSON.parse(events.body).events).toMatchObject([{ pool, owner: ANN, change: "add" }])
  })

  it("are refused by what is wrong with the question", async () => {
    const asked = await served(market(buy(AT, ANN, 1, 10)))
    const code = async (query: string, mint?: string) => (await asked(query, mint)).error
    expect([await code("?hours=0"), await code("?hours=49")]).toEqual(["BAD_HOURS", "BAD_HOURS"])
    expect([await code("?limit=0"), await code("?limit=101")]).toEqual(["BAD_LIMIT", "BAD_LIMIT"])
    expect(await code("", "0x12")).toBe("BAD_ADDRESS")
    // 32 digits that are 24 bytes
    expect(await code("", "z".repeat(32))).toBe("BAD_ADDRESS")
    expect(await code("", ANN)).toBe("TOKEN_NOT_FOUND")
    await api?.close()
    api = await startApi([])
    const { status, text } = await get(`${api.url}/v1/chains/solana/token/${MINT}/traders`)
    expect([status, JSON.parse(text).error]).toEqual([503, "CHAIN_NOT_ENABLED"])
  })
})

/** The sums of a token's prints by wallet, from the tape side by side. */
const SUMS = (token: number, since: number, scale: number): string => `
  SELECT wallet_hi, wallet_lo, count(*) AS trades, max(ts) AS last,
    coalesce(sum(CASE WHEN buy AND sure THEN usd END), 0) AS bought,
    coalesce(sum(CASE WHEN NOT buy AND sure THEN usd END), 0) AS sold,
    coalesce(sum(CASE WHEN buy THEN amount ELSE -amount END), 0) AS net,
    count(*) FILTER (NOT sure) AS unsure
  FROM (${[0, 1]
    .map(
      side => `SELECT wallet_hi, wallet_lo, ts, bought0 = ${1 - side} AS buy, usd,
        coalesce(usd IS NOT NULL AND (flags & ${1 << side}) = 0, false) AS sure,
        amount${side} / CASE WHEN (unscaled & ${1 << side}) = 0 THEN 1 ELSE ${scale} END AS amount
      FROM tape WHERE token${side} = ${token} AND ts >= ${since} AND wallet_lo IS NOT NULL`
    )
    .join(" UNION ALL ")})
  GROUP BY ALL ORDER BY bought + sold DESC, trades DESC, wallet_hi, wallet_lo`

it("are what plain SQL on the tape makes of a market, whichever hours are asked for", () =>
  Effect.gen(function* () {
    const world = yield* openMarketWorld("traders")
    let seenRows = 0
    for (let round = 0; round < 4; round++) {
      yield* advance(world, round, r => r.pick([9, 40]))
      const { blockTime } = world.core.committed
      const known = world.folds.output(tokens)
      for (const [token, hours] of [1, 2, 3].flatMap(one => [
        [one, 1] as const,
        [one, 48] as const
      ])) {
        const address = hexIds.account(known.columns().address, token * 32)
        const since = Math.floor(blockTime / HOUR) * HOUR - hours * HOUR
        const body = yield* ask(world, "tokenTraders", { token: address, hours, limit: 100 })
        const expected = yield* rows(world, SUMS(token, since, known.scale(token)))
        expect(body.traders.length).toBe(Math.min(100, expected.length))
        for (const [i, row] of body.traders.entries()) {
          const { trades, last, bought = 0, sold = 0, net = 0, unsure } = expected[i] ?? {}
          expect(row).toMatchObject({ trades, lastTrade: last, unpriced: unsure })
          expect([row.boughtUsd, row.soldUsd]).toEqual([bought / 1e6, sold / 1e6])
          expect(Math.abs(row.heldAmount - net)).toBeLessThan(1e-6 * (1 + Math.abs(net)))
          seenRows++
        }
      }
    }
    expect(seenRows).toBeGreaterThan(30)
  }).pipe(Effect.scoped, Effect.runPromise))
