import { expect, it } from "vitest"
import type { Address } from "../../src/domain/address.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { testChain } from "../../test/support/chain-config.ts"
import { random } from "../../test/support/seed.ts"
import { kindsUnderLaw, meaningOf } from "../../test/support/venue-laws.ts"
import type { Event } from "../event.ts"
import { batchOf } from "../event-objects.ts"
import type { EventMeaning } from "../venue-laws.ts"
import { VenueReport } from "./venue-report.ts"

const address = (byte: string) => `0x${byte.repeat(20)}`
const FACTORY = address("33")
const MANAGER = address("44")
const TOKENS = [address("11"), address("22")]
const PAIR = address("a1")
const FORK_POOL = address("a2")
const STRANGE = address("a3")

const chain = {
  ...testChain,
  venues: [
    { id: "uniswap_v2", kind: "uniswap-v2", factory: FACTORY as Address, feeBps: 30 },
    {
      id: "uniswap_v3",
      kind: "uniswap-v3",
      factory: address("55") as Address,
      positionManager: MANAGER as Address
    }
  ]
}

const sold = {
  ...{ sender: null, recipient: null, sqrtPriceX96: null, liquidity: null },
  ...{ tick: null, fee: null, token0: null, token1: null, index0: null, index1: null },
  ...{ amount0Out: 0n, amount1In: 0n }
} as const

const swapOf = (
  pool: string,
  venueKind: string,
  amount0In: bigint,
  amount1Out: bigint
): EventMeaning => ({ kind: "SwapExecuted", ...sold, pool, venueKind, amount0In, amount1Out })

const synced = (reserve0: bigint, reserve1: bigint): EventMeaning => ({
  ...{ kind: "ReservesSynced", pool: PAIR, reserve0, reserve1 }
})

const created = (pool: string, venueKind: string, factory: string): EventMeaning => ({
  ...{ kind: "PoolCreated", pool, venueKind, factory, tokens: TOKENS, fee: null },
  ...{ tickSpacing: null, source: "log" }
})

/** Each meaning in a log of its own, each list in a transaction of its own. */
const eventsOf = (txs: ReadonlyArray<ReadonlyArray<EventMeaning>>): ReadonlyArray<Event> => {
  let logIndex = 0
  return txs.flatMap((tx, index) =>
    tx.map(
      meaning =>
        ({
          ...meaning,
          block: { number: 7, time: 1_700_000_000, hash: null, parentHash: null },
          tx: { hash: `0x${String(index).padStart(64, "0")}`, index, from: null, to: null },
          logIndex: logIndex++
        }) as Event
    )
  )
}

const rowsOf = (txs: ReadonlyArray<ReadonlyArray<EventMeaning>>, of: ChainConfig = chain) => {
  const report = new VenueReport(of)
  const batch = batchOf(eventsOf(txs))
  report.take(batch, 0, batch.count)
  return report.rows()
}

it("counts by venue, and compares each swap with the quote from the state before it", () => {
  const rows = rowsOf([
    [created(PAIR, "uniswap-v2", FACTORY)],
    [synced(1_000_000n, 2_000_000n)],
    // 1000 * 0.997 of 1,000,000 in; 1,992 out
    [synced(1_001_000n, 1_998_008n), swapOf(PAIR, "uniswap-v2", 1000n, 1992n)],
    // the pair would have paid 1,988
    [synced(1_002_000n, 1_996_508n), swapOf(PAIR, "uniswap-v2", 1000n, 1500n)],
    // the reserves before are not those that the swap found
    [synced(9_000_000n, 9_000_000n), swapOf(PAIR, "uniswap-v2", 1000n, 900n)],
    [swapOf(STRANGE, "uniswap-v2", 5n, 5n)]
  ])
  expect(rows).toEqual([
    {
      ...{ venue: "uniswap_v2", kind: "uniswap-v2", logs: 8, swaps: 3, liquidity: 0, pools: 1 },
      quarantined: {},
      quotes: {
        ...{ checked: 2, exact: 1, exactAs: { input: 1, output: 0, limit: 0 } },
        other: { "asked for less than the pair would have paid": 1 },
        unknown: { "the log lacks what happened to the pool before": 1 }
      }
    },
    {
      ...{ venue: null, kind: "uniswap-v2", logs: 1, swaps: 1, liquidity: 0, pools: 1 },
      quarantined: {},
      quotes: {
        ...{ checked: 0, exact: 0, exactAs: { input: 0, output: 0, limit: 0 }, other: {} },
        unknown: { "the pool's tokens and factory are not known": 1 }
      }
    }
  ])
})

it("takes reserves and swaps together by their tokens where the swap tells which they are", () => {
  // 1000 * 0.997 of 1,000,000 of the first token in; 1,992 of 2,000,000 of the second out
  const sale = swapOf(PAIR, "uniswap-v2", 1000n, 1992n)
  const turned = { ...sale, amount0In: 0n, amount0Out: 1992n, amount1In: 1000n, amount1Out: 0n }
  const [first = "", second = ""] = TOKENS
  const quotesOf = (swap: object) => {
    const [row] = rowsOf([
      [created(PAIR, "uniswap-v2", FACTORY)],
      [synced(1_000_000n, 2_000_000n)],
      [synced(1_001_000n, 1_998_008n), { ...sale, ...swap } as EventMeaning]
    ])
    return { exact: row?.quotes.exact, unknown: row?.quotes.unknown }
  }
  const exact = { exact: 1, unknown: {} }
  expect(quotesOf({ token0: first, token1: second })).toEqual(exact)
  expect(quotesOf({ ...turned, token0: second, token1: first })).toEqual(exact)
  expect(quotesOf({ ...turned, index0: 1, index1: 0 })).toEqual(exact)
  const skipped = { exact: 0, unknown: { "the log lacks what happened to the pool before": 1 } }
  expect(quotesOf({ ...turned, index0: 0, index1: 1 })).toEqual(skipped)
  const strange = { ...turned, token0: STRANGE, token1: first }
  const unknown = { "the pool's tokens and factory are not known": 1 }
  expect(quotesOf(strange)).toEqual({ exact: 0, unknown })
})

it("counts a pool by what its first swap tells, where its reserves came first", () => {
  const solidly = swapOf(PAIR, "solidly", 1000n, 900n)
  const rows = rowsOf([
    [synced(1_000_000n, 2_000_000n)],
    [synced(1_001_000n, 1_999_100n), solidly],
    [{ ...synced(5n, 5n), pool: STRANGE } as EventMeaning]
  ])
  expect(
    rows.map(({ venue, kind, logs, swaps, pools }) => [venue, kind, logs, swaps, pools])
  ).toEqual([
    [null, "solidly", 3, 1, 1],
    [null, "uniswap-v2", 1, 0, 1]
  ])
})

it("names forks by their factories, and finds the venue of a contract that is no pool", () => {
  const position: EventMeaning = {
    ...{ kind: "PositionChanged", manager: MANAGER, tokenId: 1n, change: "increase", pool: null },
    ...{ owner: null, recipient: null, tickLower: null, tickUpper: null, liquidity: 1n },
    ...{ amount0: 1n, amount1: 1n }
  }
  const refused = (from: string): EventMeaning => ({
    ...{ kind: "LogQuarantined", address: from, topics: new Uint8Array(32) },
    ...{ data: new Uint8Array(0), reason: "too short" }
  })
  const rows = rowsOf([
    [created(FORK_POOL, "uniswap-v3", address("9f")), refused(FORK_POOL)],
    [position, refused(address("77"))]
  ])
  const told = rows.map(({ quotes: _, ...row }) => row)
  const none = { swaps: 0, liquidity: 0, pools: 0, quarantined: {} }
  expect(told).toEqual([
    {
      ...{ ...none, venue: "v3fork_9f9f9f9f", kind: "uniswap-v3", logs: 2, pools: 1 },
      quarantined: { "too short": 1 }
    },
    {
      ...{ ...none, venue: null, kind: null, logs: 1 },
      quarantined: { "too short": 1 }
    },
    { ...none, venue: "uniswap_v3", kind: "uniswap-v3", logs: 1, liquidity: 1 }
  ])
})

it("takes no pool for empty because somebody unlisted says he made it", async () => {
  const under = (await kindsUnderLaw()).find(({ kind }) => kind.kind === "liquidity-book")
  if (under === undefined) throw new Error("no laws of Liquidity Book")
  const { kind, laws } = under
  const chance = random("claimed midway")
  const listed = { id: "lb", kind: kind.kind, factory: FACTORY as Address }
  let swaps = 0
  for (let run = 0; run < 20; run++) {
    const one = laws.pool(chance)
    const fold = (state: unknown, event: Event) => kind.pool.fold(state, event)
    const whole = one.history.reduce(fold, kind.pool.initial(one.facts))
    const sold = kind.pool.quote(whole, one.facts, 0, 1, 1_000n)
    if (!sold.ok) continue
    swaps++
    const swap = laws.swapEvents(one, { tokenIn: 0, tokenOut: 1, ...sold }).map(meaningOf)
    const parts = swap.filter(({ kind }) => kind === "SwapExecuted").length
    const claim = (factory: string): EventMeaning => ({
      ...{ kind: "PoolCreated", pool: one.facts.pool, venueKind: kind.kind, factory },
      ...{ tokens: one.facts.tokens, fee: null, tickSpacing: null, source: "log" }
    })
    const history = one.history.map(meaningOf).filter(event => event.kind !== "PoolCreated")
    const quotesOf = (factory: string, place: number) => {
      const txs = [...history.slice(0, place), claim(factory), ...history.slice(place)]
      const [row] = rowsOf([...txs.map(event => [event]), swap], {
        ...chain,
        venues: [...chain.venues, listed]
      })
      const { checked, unknown } = row?.quotes ?? {}
      return { checked, unknown }
    }
    expect(quotesOf(FACTORY, 0)).toEqual({ checked: parts, unknown: {} })
    for (const place of [0, chance.integer(1, history.length), history.length]) {
      const { checked, unknown } = quotesOf(address("ff"), place)
      expect(checked).toBe(0)
      expect(Object.values(unknown ?? {})).toEqual([parts])
    }
  }
  expect(swaps).toBeGreaterThan(5)
})

it("leaves a pool with its venue whoever claims it", () => {
  const [mine] = chain.venues.filter(({ kind }) => kind === "uniswap-v2")
  const factory = mine?.factory ?? ""
  const trades = [synced(10n ** 9n, 10n ** 9n), swapOf(PAIR, "uniswap-v2", 1_000n, 996n)]
  const told = rowsOf([[created(PAIR, "uniswap-v2", factory), ...trades]])
  const claim = created(PAIR, "uniswap-v2", `0x${"ff".repeat(20)}`)
  const claimed = rowsOf([[created(PAIR, "uniswap-v2", factory), claim, ...trades]])
  expect(claimed.map(row => ({ ...row, logs: row.logs - 1 }))).toEqual(told)
  expect(told).toMatchObject([{ venue: mine?.id, pools: 1 }])
})
