import { Effect } from "effect"
import { expect, it } from "vitest"
import { PRESENT } from "../../engine/projection.ts"
import {
  DOLLAR,
  opening,
  openSmallLane,
  reserves,
  sale,
  sealed,
  TOKEN
} from "../../test/support/small-lane.ts"

const START = 1_700_000_000

interface Frame {
  readonly key: string
  readonly seq: number
  readonly body: string
}

/** Symbol, position, time, price and depth of each frame. */
const told = (frames: ReadonlyArray<Frame> | null) =>
  (frames ?? []).map(({ key, seq, body }) => {
    const frame = JSON.parse(body)
    expect(frame).toMatchObject({ type: "price", channel: "prices", chain: 8453, seq })
    if (key !== "*") expect(frame.token).toBe(key)
    return [frame.symbol, seq, frame.at - START, frame.priceUsd, frame.depthUsd]
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
    for (const fromSeq of [PRESENT, 0, third - 1]) {
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
      (_, i) => `(${2 + i}, 1, ${START}, ${START}, ${i % 5})`
    )
    yield* lane.store.writer.run(
      `INSERT INTO token_activity (token, trades, first_ts, last_ts, seq) VALUES ${rows.join(",")}`
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
