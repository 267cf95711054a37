import { Effect } from "effect"
import { expect, it } from "vitest"
import { PRESENT } from "../../../engine/frames.ts"
import { compact, compactionFloor } from "../../../engine/store/compaction.ts"
import {
  advance,
  ask,
  type MarketWorld,
  openMarketWorld
} from "../../../test/support/market-world.ts"
import { rounds } from "../../../test/support/rounds.ts"
import { seed } from "../../../test/support/seed.ts"
import {
  DOLLAR,
  opening,
  openSmallLane,
  other,
  otherSale,
  reserves,
  sale,
  sealed,
  TOKEN,
  undo
} from "../../../test/support/small-lane.ts"

const START = 1_700_000_000

interface Frame {
  readonly key: string
  readonly seq: number
  readonly body: string
}

/** Symbol, position, time, price and depth of each frame; a new token's supply. */
const told = (frames: ReadonlyArray<Frame> | null) =>
  (frames ?? []).map(({ key, seq, body }) => {
    const frame = JSON.parse(body)
    expect(frame).toMatchObject({ channel: "prices", chain: 8453, seq })
    if (key !== "*") expect(frame.token).toBe(key)
    const [symbol, at] = [frame.symbol, frame.at - START]
    if (frame.type === "new") return ["new", symbol, seq, at, frame.decimals, frame.totalSupply]
    expect(frame.type).toBe("price")
    return [symbol, seq, at, frame.priceUsd, frame.depthUsd]
  })

/** Three commits: the pair's first trade at $2, one at the same price, one that moves the price. */
const openWorld = Effect.gen(function* () {
  const lane = yield* openSmallLane
  const seqs = [
    yield* lane.commit([
      ...opening(START),
      ...[reserves(START, 10_000, 20_000), sale(START, 1, 2_000_000), sealed(START)]
    ]),
    yield* lane.commit([sale(START + 5, 1, 2_000_000), sealed(START + 5)]),
    yield* lane.commit([
      ...[reserves(START + 9, 10_000, 30_000), sale(START + 9, 1, 3_000_000), sealed(START + 9)]
    ])
  ] as const
  const live = (since: number, ...keys: ReadonlyArray<string>) =>
    Effect.map(lane.frames(since, new Map([["prices", new Set(keys)]])), told)
  const history = (key: string, fromSeq: number, limit = 1000) =>
    lane.history({ channel: "prices", key, fromSeq, limit })
  return { lane, seqs, live, history }
})

it("come with every print, also where the price stays, as a dollar's does", () =>
  Effect.gen(function* () {
    const { lane, seqs, live } = yield* openWorld
    const [first, second, third] = seqs
    yield* lane.commit([sealed(START + 10)])
    const seq = yield* lane.commit([sale(START + 12, 1, 3_000_000), sealed(START + 12)])
    // of the commits before: the newest of each
    expect(yield* live(first, DOLLAR)).toEqual([["USDC", seq, 12, 1, 0]])
    expect(yield* live(second, TOKEN, DOLLAR)).toEqual([
      ["TKN", seq, 12, 3, 30_000],
      ["USDC", seq, 12, 1, 0]
    ])
    expect(yield* live(third, "*")).toEqual([
      ["TKN", seq, 12, 3, 30_000],
      ["USDC", seq, 12, 1, 0]
    ])
    expect(yield* live(seq, "*", TOKEN)).toEqual([])
  }).pipe(Effect.scoped, Effect.runPromise))

it("begin with the present one, as of the event behind it", () =>
  Effect.gen(function* () {
    const { lane, seqs, history } = yield* openWorld
    const third = seqs[2]
    const newest = yield* lane.commit([sealed(START + 10)])
    for (const fromSeq of [PRESENT, seqs[0], third - 1]) {
      const { frames, complete, seq } = yield* history(DOLLAR, fromSeq)
      expect([told(frames), complete, seq]).toEqual([[["USDC", third, 9, 1, 0]], true, newest])
      expect(told((yield* history(TOKEN, fromSeq)).frames)).toEqual([["TKN", third, 9, 3, 30_000]])
    }
    expect((yield* history(TOKEN, third)).frames).toEqual([])
    expect((yield* history(`0x${"ee".repeat(20)}`, PRESENT)).frames).toEqual([])
    expect(told((yield* history("*", PRESENT)).frames)).toEqual([
      ["TKN", third, 9, 3, 30_000],
      ["USDC", third, 9, 1, 0]
    ])
  }).pipe(Effect.scoped, Effect.runPromise))

it("say null where the price can no longer be told, and where there never was one", () =>
  Effect.gen(function* () {
    const { lane, live, history } = yield* openWorld
    // too shallow to tell a price
    const shallow = [reserves(START + 20, 5, 10), sale(START + 20, 1, 2_000_000)]
    const seq = yield* lane.commit([...shallow, sealed(START + 20)])
    expect(yield* live(seq - 1, TOKEN)).toEqual([["TKN", seq, 20, null, 10]])
    expect(told((yield* history(TOKEN, PRESENT)).frames)).toEqual([["TKN", seq, 20, null, 10]])
    const other = yield* openSmallLane
    const only = [...opening(START), sale(START, 1, 2_000_000), sealed(START)]
    const at = yield* other.commit(only)
    const request = { channel: "prices", key: TOKEN, fromSeq: PRESENT, limit: 1000 }
    expect(told((yield* other.history(request)).frames)).toEqual([["TKN", at, 0, null, null]])
  }).pipe(Effect.scoped, Effect.runPromise))

it("of a chain's present are those that changed last, a thousand at most", () =>
  Effect.gen(function* () {
    const { lane, seqs, history } = yield* openWorld
    const rows = Array.from(
      { length: 1500 },
      (_, i) => `(${2 + i}, 1, 1, ${START}, ${START}, ${i % 5})`
    )
    yield* lane.store.writer.run(
      `INSERT INTO token_activity (token, trades, first_block, first_ts, last_ts, seq) VALUES ${rows.join(",")}`
    )
    const present = (yield* history("*", PRESENT)).frames ?? []
    expect(present.length).toBe(1000)
    expect(told(present.slice(-2))).toEqual([
      ["TKN", seqs[2], 9, 3, 30_000],
      ["USDC", seqs[2], 9, 1, 0]
    ])
    // 300 at each position: 998 are those of 4, 3 and 2, and some of 1
    const counts = [1, 2, 3, 4].map(seq => present.filter(frame => frame.seq === seq).length)
    expect(counts).toEqual([98, 300, 300, 300])
  }).pipe(Effect.scoped, Effect.runPromise))

it("announce a token with its first print, to whoever has not heard of it", () =>
  Effect.gen(function* () {
    const { lane, seqs, live, history } = yield* openWorld
    const [first, second, third] = seqs
    const told = [
      ["new", "TKN", third, 9, 6, "21000000"],
      ["TKN", third, 9, 3, 30_000],
      ["new", "USDC", third, 9, 6, null],
      ["USDC", third, 9, 1, 0]
    ]
    expect(yield* live(0, "*")).toEqual(told)
    expect(yield* live(0, TOKEN)).toEqual(told.slice(0, 2))
    expect((yield* live(first, "*")).map(([word]) => word)).toEqual(["TKN", "USDC"])
    // named by a pool's creation, the token of this block is new when it trades
    const named = yield* lane.commit([...other(START + 10), sealed(START + 10)])
    expect(yield* live(third, "*")).toEqual([])
    const seq = yield* lane.commit([otherSale(START + 11), sealed(START + 11)])
    expect(yield* live(named, "*")).toEqual([
      ["USDC", seq, 11, 1, 0],
      ["new", "OTH", seq, 11, 6, null],
      ["OTH", seq, 11, null, null]
    ])
    expect((yield* history("*", second)).frames?.length).toBe(4)
  }).pipe(Effect.scoped, Effect.runPromise))

it("tell the present anew to one who knew what a rollback undid", () =>
  Effect.gen(function* () {
    const { lane, seqs, history } = yield* openWorld
    const [, second, third] = seqs
    const forked = yield* lane.commit([undo(START + 5, second), ...other(START + 8)])
    const seq = yield* lane.commit([otherSale(START + 12), sealed(START + 12)])
    const { frames, complete } = yield* history("*", third)
    expect(JSON.parse(frames?.[0]?.body ?? "")).toMatchObject({ type: "undo", toSeq: second })
    expect([frames?.[0]?.undo, forked > third, complete]).toEqual([true, true, true])
    expect(told(frames?.slice(1) ?? null)).toEqual([
      ["TKN", second, 5, 2, 20_000],
      ["USDC", seq, 12, 1, 0],
      ["new", "OTH", seq, 12, 6, null],
      ["OTH", seq, 12, null, null]
    ])
    // who stood at the fork has lost nothing
    expect((yield* history("*", second)).frames?.length).toBe(3)
  }).pipe(Effect.scoped, Effect.runPromise))

/** The figures of a day. */
const day = ({ volume24h, buyVolume24h, sellVolume24h, trades24h, buys24h, sells24h }: Day) => ({
  ...{ volume24h, buyVolume24h, sellVolume24h, trades24h, buys24h, sells24h }
})

interface Day {
  readonly volume24h: number
  readonly buyVolume24h: number
  readonly sellVolume24h: number
  readonly trades24h: number
  readonly buys24h: number
  readonly sells24h: number
}

it("carry what the token traded in a day, until that is over", () =>
  Effect.gen(function* () {
    const { lane, seqs } = yield* openWorld
    const daysOf = (since: number) =>
      Effect.map(lane.frames(since, new Map([["prices", new Set(["*"])]])), frames =>
        frames.map(({ body }) => JSON.parse(body)).filter(({ type }) => type === "price")
      )
    const sold = { volume24h: 7, buyVolume24h: 0, sellVolume24h: 7 }
    const bought = { volume24h: 7, buyVolume24h: 7, sellVolume24h: 0 }
    const [first, second] = yield* daysOf(seqs[1])
    expect(first).toMatchObject({ ...sold, trades24h: 3, buys24h: 0, sells24h: 3 })
    expect(second).toMatchObject({ ...bought, trades24h: 3, buys24h: 3, sells24h: 0 })
    const next = START + 86_400
    const seq = yield* lane.commit([sale(next, 2, 5_000_000), sealed(next)])
    const [after] = yield* daysOf(seqs[2])
    const one = { volume24h: 5, sellVolume24h: 5, trades24h: 1, buys24h: 0, sells24h: 1 }
    expect(after).toMatchObject({ seq, ...one })
    yield* lane.commit([sealed(next + 86_400)])
    const present = yield* lane.history({
      channel: "prices",
      key: TOKEN,
      fromSeq: PRESENT,
      limit: 9
    })
    const [told] = (present.frames ?? []).map(({ body }) => JSON.parse(body))
    expect(told).toMatchObject({ seq, volume24h: 0, trades24h: 0, buys24h: 0, sells24h: 0 })
  }).pipe(Effect.scoped, Effect.runPromise))

/** Compares frames with the token's page at the same position; answers how many. */
const checkDays = (world: MarketWorld, frames: ReadonlyArray<Frame>) =>
  Effect.gen(function* () {
    const told = frames.map(({ body }) => JSON.parse(body)).filter(({ type }) => type === "price")
    for (const frame of told) {
      const page = yield* ask(world, "tokenPage", { token: frame.token })
      expect([day(frame), frame.priceUsd]).toEqual([day(page.token), page.token.priceUsd])
    }
    return told.length
  })

it("tell of each token what its page does at the same position", () =>
  Effect.gen(function* () {
    const world = yield* openMarketWorld(`${seed}/price frames`)
    const { core, queries } = world
    let [live, present] = [0, 0]
    for (let round = 0; round < rounds(16); round++) {
      const before = core.committed.seq
      yield* advance(world, round, r => r.integer(0, 6))
      const wanted = new Map([["prices", new Set(["*"])]])
      live += yield* checkDays(world, yield* queries.frames(before, wanted))
      const asked = { channel: "prices", key: "*", fromSeq: PRESENT, limit: 1000 }
      present += yield* checkDays(world, (yield* queries.history(asked)).frames ?? [])
      if (round % 3 !== 2) continue
      const floor = yield* compactionFloor(core.store, 3)
      if (floor !== null) yield* compact(core.store, floor, { minTailRows: 1, pieceRows: 40 })
    }
    expect(live).toBeGreaterThan(rounds(20))
    expect(present).toBeGreaterThan(rounds(40))
  }).pipe(Effect.scoped, Effect.runPromise))
