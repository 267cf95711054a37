/** Boards of traders over a real lane, beside the pages of its wallets; and as the server gives them. */
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { solana } from "../../../src/domain/chains/solana.ts"
import { dayTraderRule } from "../../../src/rules/trader-rules.ts"
import { readerOf, startApi, type TestApi } from "../../../test/support/api-server.ts"
import { FakeLane } from "../../../test/support/fake-lanes.ts"
import { get } from "../../../test/support/get.ts"
import { advance, ask, openMarketWorld } from "../../../test/support/market-world.ts"

interface DayRow {
  readonly wallet: string
  readonly [figure: string]: number | string
}

it("shows of each wallet what its own page does", () =>
  Effect.gen(function* () {
    const world = yield* openMarketWorld("traders")
    for (let round = 0; round < 6; round++) yield* advance(world, round, r => r.integer(60, 150))
    const { traders } = yield* ask(world, "dayTraders", { days: 2 })
    const shown: ReadonlyArray<DayRow> = traders
    const since = world.core.committed.blockTime
    const first = since - (since % 86_400) - 86_400
    const known = yield* world.queries.rows(
      `SELECT wallet_lo, sum(usd) / 1e6 AS usd FROM tape WHERE ts >= ${first}
       AND wallet_lo IS NOT NULL AND flags = 0 GROUP BY ALL HAVING usd >= 1000`
    )
    expect(shown.length).toBe(known.length)
    expect(shown.length).toBeGreaterThan(1)
    for (const row of shown) {
      const page = yield* ask(world, "walletPnl", { wallet: row.wallet, days: 2 })
      expect([row["trades"], row["tokens"]]).toEqual([page.trades, page.tokens])
      for (const name of ["realizedPnlUsd", "volumeUsd", "winRate"]) {
        expect(row[name], `${row.wallet} ${name}`).toBeCloseTo(page[name], 6)
      }
    }
    const smart = yield* ask(world, "smartTraders", { days: 7 })
    expect(smart.checked).toMatchObject({ readErrors: 0 })
    expect(smart.checked.candidates).toBeGreaterThan(1)
    const { candidates, kept, ineligible, flags } = smart.checked
    const flagged = Object.values<number>(flags).reduce((sum, count) => sum + count, 0)
    expect(kept + ineligible + flagged).toBeGreaterThanOrEqual(candidates)
  }).pipe(Effect.scoped, Effect.runPromise))

describe("the server", () => {
  const row = (wallet: string, score: number, costSoldUsd: number) => ({
    ...{ wallet, score, realizedPnlUsd: 100 - score, roi: score, winRate: 0.5, costSoldUsd }
  })
  const board = {
    ...{ chain: "solana", windowDays: 7, from: 1, newestSwap: null, updatedAt: 5 },
    traders: [row("a", 3, 999), row("b", 2, 1_000), row("c", 1, 2_000)]
  }
  const lane = new FakeLane(solana, () => board)
  let api: TestApi
  beforeAll(async () => {
    api = await startApi([lane])
  })
  afterAll(() => api.close())

  it("gives the board that it built, in an order and cut", async () => {
    const read = readerOf(api)
    const path = "/chains/solana/smart-traders"
    await expect.poll(async () => (await get(`${api.url}/v1${path}`)).status).toBe(200)
    const wallets = async (query: string) =>
      (await read(`${path}?${query}`)).traders.map((one: { wallet: string }) => one.wallet)
    expect(await wallets("sort=score")).toEqual(["a", "b", "c"])
    expect(await wallets("sort=pnl&limit=2")).toEqual(["c", "b"])
    expect(await wallets("sort=roi")).toEqual(["b", "c"])
    const { headers } = await get(`${api.url}/v1${path}`)
    expect(headers["x-log-seq"]).toBe("1")
    const asked = lane.requests.length
    await wallets("sort=winrate")
    expect(lane.requests.length).toBe(asked)
  })

  it.each([
    ["smart-traders?days=2", "BAD_DAYS"],
    ["smart-traders?sort=volume", "BAD_SORT"],
    ["smart-traders?limit=251", "BAD_LIMIT"],
    ["traders?days=3", "BAD_DAYS"],
    ["traders?sort=score", "BAD_SORT"],
    ["traders?limit=101", "BAD_LIMIT"]
  ])("refuses %s", async (query, code) => {
    const { status, text } = await get(`${api.url}/v1/chains/solana/${query}`)
    expect([status, JSON.parse(text).error]).toEqual([400, code])
  })

  it("says that a board is not built while its lane is behind", async () => {
    const behind = new FakeLane(solana)
    behind.state = { ...behind.state, state: "catching-up" }
    const other = await startApi([behind])
    for (const name of ["smart-traders", "traders"]) {
      const { status, text } = await get(`${other.url}/v1/chains/solana/${name}`)
      expect([status, JSON.parse(text).error]).toEqual([503, "CHAIN_DATA_UNAVAILABLE"])
    }
    expect(behind.requests).toEqual([])
    behind.state = { ...behind.state, state: "rebuilding" }
    for (const name of ["overview", "tokens"]) {
      const { status, text } = await get(`${other.url}/v1/chains/solana/${name}`)
      expect([status, JSON.parse(text).error]).toEqual([503, "CHAIN_DATA_UNAVAILABLE"])
    }
    await other.close()
  })

  it("builds a day's board when it is asked for, once", async () => {
    const [one, two] = await Promise.all(
      ["pnl", "volume"].map(sort => get(`${api.url}/v1/chains/solana/traders?sort=${sort}`))
    )
    expect([one?.status, two?.status]).toEqual([200, 200])
    expect(JSON.parse(one?.text ?? "").botRule).toBe(dayTraderRule.text)
    expect(lane.requests.filter(({ name }) => name === "dayTraders")).toHaveLength(1)
  })
})
