import { Effect } from "effect"
import { expect, it } from "vitest"
import type { Event } from "../../streams/event.ts"
import {
  DOLLAR,
  opening,
  openSmallLane,
  other,
  reserves,
  sale,
  sealed,
  TOKEN,
  undo
} from "../../test/support/small-lane.ts"
import { CANDLE_FIELDS } from "./candle.ts"

/** 03:00:00 of a Tuesday. A block's number is its time, so the log does not begin with the chain. */
const START = 1_699_930_800
const POOL = `0x${"b1".repeat(20)}`
const OTHER = `0x${"a2".repeat(20)}`

const asked = {
  ...{ token: TOKEN, pool: null, tf: "1m", from: START, to: null, limit: 300, fill: false },
  ...{ closed: false, raw: false, quote: "usd", fields: "" }
}

type Ask = { readonly [name: string]: string | number | boolean | null }

/** Answers of a lane with these events. */
const read = (commits: ReadonlyArray<ReadonlyArray<Event>>, asks: ReadonlyArray<Ask>) =>
  Effect.gen(function* () {
    const lane = yield* openSmallLane
    for (const events of commits) yield* lane.commit(events)
    return yield* Effect.forEach(asks, ask => {
      const { name = "candles", ...params } = ask
      return lane.ask(String(name), { ...asked, ...params })
    })
  }).pipe(Effect.scoped, Effect.runPromise)

/** Blocks that could not be read. */
const gap = (time: number, fromBlock: number, toBlock: number): Event =>
  ({
    ...sealed(time),
    ...({ kind: "GapFound", fromBlock, toBlock, reason: "unproven" } as object)
  }) as Event

const filled = (time: number, fromBlock: number, toBlock: number): Event =>
  ({
    ...sealed(time),
    ...({ kind: "GapFilled", fromBlock, toBlock } as object)
  }) as Event

const trade = (second: number, dollars: number) => sale(START + second, 1, dollars * 1_000_000)

/** Trades in minutes 0 and 5; blocks 130 to 140 of minute 2 are missing; minute 6 is open. */
const story = (missing: ReadonlyArray<Event>): ReadonlyArray<Event> => [
  ...[...opening(START), reserves(START, 10_000, 20_000), trade(0, 2)],
  ...[sealed(START), sealed(START + 125), sealed(START + 150), ...missing],
  ...[sealed(START + 200), trade(310, 3), sealed(START + 310), sealed(START + 400)]
]

const GAP = [gap(START + 200, START + 130, START + 140)]

const minute = (place: number, price: number, n: number, more: object = {}) => ({
  ...{ t: START + place * 60, o: price, h: price, l: price, c: price, v: n * price, n },
  ...more
})

it("fills what is proven to be empty, and nothing into or across missing blocks", async () => {
  const [gapped, plain, whole, mended] = await Promise.all([
    read([story(GAP)], [{ fill: true, fields: "state" }]),
    read([story(GAP)], [{ fill: true, name: "candles" }]),
    read([story([])], [{ fill: true, fields: "state" }]),
    read(
      [story([...GAP, filled(START + 200, START + 130, START + 140)])],
      [{ fill: true, fields: "state" }]
    )
  ])
  const [traded, empty] = [{ state: "traded" }, { state: "empty" }]
  expect(gapped?.[0].candles).toEqual([
    ...[minute(0, 2, 1, traded), minute(1, 2, 0, { ...empty, v: 0 })],
    ...[minute(5, 3, 1, traded), minute(6, 3, 0, { ...empty, v: 0 })]
  ])
  // between the blocks that are known before and after
  expect(gapped?.[0].unknown).toEqual([{ from: START + 126, to: START + 150 }])
  const { candles, unknown } = plain?.[0] ?? {}
  expect(unknown).toEqual(gapped?.[0].unknown)
  expect(candles).toEqual(
    gapped?.[0].candles.map(({ state: _, ...candle }: { state: string }) => candle)
  )
  for (const answer of [whole?.[0], mended?.[0]]) {
    expect(answer.unknown).toEqual([])
    expect(answer.candles.map(({ t, c }: { t: number; c: number }) => [t, c])).toEqual(
      [2, 2, 2, 2, 2, 3, 3].map((c, i) => [START + i * 60, c])
    )
  }
})

it("carries no close from before missing blocks into a window, nor to before the log", async () => {
  const [across, after, before] = await read(
    [story(GAP)],
    [
      { fill: true, from: START + 180 },
      { fill: true, from: START + 360 },
      { fill: true, from: START - 120, to: START + 60 }
    ]
  )
  expect(across.candles.map(({ t }: { t: number }) => t - START)).toEqual([300, 360])
  expect(after.candles).toEqual([minute(6, 3, 0, { v: 0 })])
  expect(before.candles).toEqual([minute(0, 2, 1)])
  expect(before.unknown).toEqual([{ from: START - 120, to: START }])
})

it("tells final buckets from others, and leaves out the open one where asked", async () => {
  const fields = "final"
  const [all, closed, page, inGap] = await read(
    [story([])],
    [
      { fields, fill: true },
      { fields, fill: true, closed: true },
      { fields, closed: true, from: null, limit: 2 },
      { fields, closed: true, from: START + 360 }
    ]
  )
  const finals = (answer: { candles: ReadonlyArray<{ t: number; final: boolean }> }) =>
    answer.candles.map(({ t, final }) => [(t - START) / 60, final])
  // 64 blocks below the head is second 336; the newest block before is of second 310
  const [yes, no] = [[0, 1, 2, 3, 4].map(i => [i, true]), [5, 6].map(i => [i, false])]
  expect(finals(all)).toEqual([...yes, ...no])
  expect([all.forming, closed.forming]).toEqual([true, false])
  expect(finals(closed)).toEqual([...yes, [5, false]])
  expect([page.from, page.to]).toEqual([START + 240, START + 360])
  expect(finals(page)).toEqual([[5, false]])
  expect([inGap.candles, inGap.from, inGap.to]).toEqual([[], START + 360, START + 360])
  const [gapped] = await read([story([gap(START + 200, START, START + 140)])], [{ fields }])
  expect(finals(gapped)).toEqual([
    [0, false],
    [5, false]
  ])
})

it("begins buckets at midnight, with the month and on Mondays", async () => {
  const times = ["2023-11-30T23:59:59Z", "2023-12-01T00:00:00Z", "2023-12-03T23:59:59Z"].concat(
    "2023-12-04T00:00:00Z"
  )
  const seconds = times.map(text => Date.parse(text) / 1000)
  const events = [
    ...[...opening(START), reserves(START, 10_000, 20_000), sealed(START)],
    ...seconds.flatMap(ts => [sale(ts, 1, 2_000_000), sealed(ts)])
  ]
  const frames = ["1d", "1w", "1m", "1s"]
  const answers = await read(
    [events],
    frames.map(tf => ({ tf, limit: 5_000_000 }))
  )
  const starts = answers.map(answer =>
    answer.candles.map(({ t, n }: { t: number; n: number }) => [
      new Date(t * 1000).toISOString(),
      n
    ])
  )
  expect(starts).toEqual([
    [
      ["2023-11-30T00:00:00.000Z", 1],
      ["2023-12-01T00:00:00.000Z", 1],
      ["2023-12-03T00:00:00.000Z", 1],
      ["2023-12-04T00:00:00.000Z", 1]
    ],
    [
      ["2023-11-27T00:00:00.000Z", 3],
      ["2023-12-04T00:00:00.000Z", 1]
    ],
    [
      ["2023-11-30T23:59:00.000Z", 1],
      ["2023-12-01T00:00:00.000Z", 1],
      ["2023-12-03T23:59:00.000Z", 1],
      ["2023-12-04T00:00:00.000Z", 1]
    ],
    times.map(text => [text.replace("Z", ".000Z"), 1])
  ])
})

it("tells market worth, a pool's own prices, and what cannot be told", async () => {
  const answers = await read(
    [[...story([]), ...other(START + 401), sealed(START + 401)]],
    [
      { quote: "mcap", to: START + 60 },
      { token: null, pool: POOL, quote: "token", to: START + 60 },
      { pool: POOL, to: START + 60 },
      { token: DOLLAR, quote: "mcap" },
      { token: DOLLAR, pool: POOL },
      { token: null, pool: `0x${"77".repeat(32)}` },
      { token: OTHER, tf: "1s" },
      { token: OTHER, name: "candleProof", t: START, afterBlock: null, afterLogIndex: null },
      { from: START + 60, to: START }
    ]
  )
  const [worth, ratio, dollars, ...refusals] = answers
  expect(worth).toMatchObject({ quote: "mcap", supply: 21, candles: [minute(0, 42, 1, { v: 2 })] })
  const named = { token: TOKEN, pool: POOL, quoteToken: DOLLAR }
  expect(ratio).toMatchObject({ ...named, quote: "token", candles: [minute(0, 2, 1)] })
  expect(dollars).toMatchObject({ ...named, quote: "usd", candles: [minute(0, 2, 1)] })
  expect(refusals.map(({ status, code }) => `${status} ${code}`)).toEqual([
    "404 NOT_FOUND",
    "400 INVALID_PARAMS",
    "404 NOT_FOUND",
    "404 UNKNOWN_TOKEN",
    "404 UNKNOWN_TOKEN",
    "400 INVALID_PARAMS"
  ])
  expect(refusals[1]?.message).toBe(`token must be what pool ${POOL} prices: ${TOKEN}`)
})

it("counts trades before their token's decimals are known, and prices them afterwards", async () => {
  const events = story([])
  const told = events[0] as Event
  const silent = [{ ...told, decimals: null } as Event, ...events.slice(1, -1)]
  const late = [...silent, { ...told, block: sealed(START + 400).block }, sealed(START + 400)]
  const asks = ["1m", "1h", "5s"].map(tf => ({ tf, fields: CANDLE_FIELDS.join(",") }))
  const [known, found] = [await read([events], asks), await read([late as Array<Event>], asks)]
  expect(found).toEqual(known)
  expect(found[0].candles[0]).toMatchObject({ trades: 1, sells: 1, n: 1, state: "traded" })
  const proof = { name: "candleProof", t: START, afterBlock: null, afterLogIndex: null }
  const [before] = await read([[...silent, sealed(START + 400)]], [proof])
  expect(before).toMatchObject({ candle: null, trades: 1, sells: 1 })
  expect(before.swaps).toMatchObject([{ counted: false, reason: "too_little", priceUsd: null }])
  expect(before.hash).toBe((await read([events], [proof]))[0].hash)
})

it("counts in n the trades that prices are made of, and in trades all of them", async () => {
  const dust = (second: number) => sale(START + second, 1, 500)
  const first = [...opening(START), reserves(START, 10_000, 20_000), trade(0, 2), dust(1)]
  const events = [...first, sealed(START + 1), dust(61), sealed(START + 61), sealed(START + 120)]
  const fields = "trades,state"
  const [some, filled] = await read([events], [{ fields }, { fields, fill: true }])
  const bucket = minute(0, 2, 1, { trades: 2, state: "traded" })
  expect(some.candles).toEqual([bucket])
  expect(filled.candles.slice(0, 2)).toEqual([
    bucket,
    minute(1, 2, 0, { v: 0, trades: 1, state: "unpriced" })
  ])
})

it("says the same after a reorg as of the branch alone", async () => {
  const asks = [
    ...["1s", "1m", "1h"].map(tf => ({ tf, fields: CANDLE_FIELDS.join(","), fill: true })),
    ...["1m", "1h"].map(tf => ({ tf, token: null, pool: POOL, quote: "token", fields: "hash" })),
    { name: "candleProof", t: START + 310, afterBlock: null, afterLogIndex: null }
  ]
  const first = [...opening(START), reserves(START, 10_000, 20_000), trade(0, 2), sealed(START)]
  const [wrong, right] = [
    [gap(START + 305, START + 290, START + 300), trade(306, 9), sealed(START + 306)],
    [trade(308, 4), trade(310, 3), sealed(START + 310), sealed(START + 500)]
  ]
  const forked = await read([first, wrong, [undo(START, first.length), ...right]], asks)
  expect(forked).toEqual(await read([first, right], asks))
})
