/** Live prices of a token that is priced in another one, of which only that other one moved. */
import { Effect } from "effect"
import { expect, it } from "vitest"
import { tokens } from "../../../projections/tokens/output.ts"
import { hexIds } from "../../../src/domain/ids.ts"
import { advance, ask, openMarketWorld } from "../../../test/support/market-world.ts"
import {
  ETHER,
  eventsOf,
  type Fact,
  facts,
  MEME,
  OTHER,
  pool,
  reserves,
  swap,
  UNIT,
  USDC,
  WETH
} from "../../../test/support/price-events.ts"
import { rounds } from "../../../test/support/rounds.ts"
import { seed } from "../../../test/support/seed.ts"
import { openSmallLane } from "../../../test/support/small-lane.ts"

const START = 1_700_000_000

interface Told {
  readonly key: string
  readonly seq: number
  readonly body: string
}

/** Key, token, position, time and price of each frame that is no announcement. */
const told = (frames: ReadonlyArray<Told> | null) =>
  (frames ?? []).flatMap(({ key, seq, body }) => {
    const { type, token, at, priceUsd, depthUsd } = JSON.parse(body)
    return type === "price" ? [[key, token, seq, at - START, priceUsd, depthUsd]] : []
  })

/** WETH at so many dollars. */
const weth = (time: number, dollars: number) =>
  reserves(time, "a1", 1000n * ETHER, BigInt(dollars) * 1000n * UNIT)

/** One MEME is 1/100 WETH, one OTHER a dollar. */
const opening: ReadonlyArray<Fact> = [
  pool(0, "a1", [WETH, USDC]),
  weth(0, 2000),
  pool(0, "a2", [MEME, WETH]),
  reserves(0, "a2", 10_000n * UNIT, 100n * ETHER),
  pool(0, "a3", [OTHER, USDC]),
  reserves(0, "a3", 100_000n * UNIT, 100_000n * UNIT),
  swap(0, "a2", UNIT, -ETHER / 100n),
  swap(0, "a3", UNIT, -UNIT)
]

it("come once a commit in which the quote moved, and of nobody else", () =>
  Effect.gen(function* () {
    const lane = yield* openSmallLane
    const commit = (list: ReadonlyArray<Fact>) => lane.commit(eventsOf(list))
    const live = (since: number, ...keys: ReadonlyArray<string>) =>
      Effect.map(lane.frames(since, new Map([["prices", new Set(keys)]])), told)
    const history = (fromSeq: number, limit = 1000) =>
      Effect.map(lane.history({ channel: "prices", key: MEME, fromSeq, limit }), ({ frames }) =>
        told(frames)
      )
    const first = yield* commit([...facts, ...opening])
    expect(yield* live(0, MEME)).toEqual([[MEME, MEME, first, 0, 20, 200_000]])
    const second = yield* commit([weth(10, 2010), weth(11, 2020)])
    const moved = [MEME, MEME, second, 11, 20.2, 202_000]
    expect(yield* live(first, MEME, OTHER)).toEqual([moved])
    expect(yield* live(first, "*")).toEqual([["*", WETH, second, 11, 2020, 2_020_000]])
    expect(yield* live(first, MEME, "*")).toEqual([["*", WETH, second, 11, 2020, 2_020_000], moved])
    expect(yield* history(first)).toEqual([moved])
    // the pool is touched, and tells the same
    const third = yield* commit([weth(20, 2020)])
    expect(yield* live(second, MEME)).toEqual([])
    expect(yield* history(first)).toEqual([moved])
    // both moved: the token's own frame has it all
    const fourth = yield* commit([weth(30, 2000), reserves(30, "a2", 10_000n * UNIT, 110n * ETHER)])
    const both = [MEME, MEME, fourth, 30, 22, 220_000]
    expect(yield* live(third, MEME)).toEqual([both])
    expect(yield* history(first)).toEqual([both])
    expect(yield* history(fourth)).toEqual([])
    const price = yield* lane.ask("priceMap", { limit: 10 })
    expect(price.prices[MEME].priceUsd).toBe(22)
  }).pipe(Effect.scoped, Effect.runPromise))

it("leave whoever follows a token with the price that its page tells", () =>
  Effect.gen(function* () {
    const world = yield* openMarketWorld(`${seed}/quoted moves`)
    const { core, queries } = world
    const readers = new Map<string, { seq: number; price: number | null }>()
    let compared = 0
    for (let round = 0; round < rounds(15); round++) {
      yield* advance(world, round, r => r.integer(0, 4))
      const { address } = core.folds.output(tokens).columns()
      const { prices } = yield* ask(world, "priceMap", { limit: 1000 })
      for (let id = 0; id < core.folds.output(tokens).count(); id++) {
        const key = hexIds.account(address, id * 32)
        const reader = readers.get(key) ?? { seq: 0, price: null }
        const limit = 1 + (round % 3)
        for (let complete = false; !complete; ) {
          const request = { channel: "prices", key, fromSeq: reader.seq, limit }
          const answer = yield* queries.history(request)
          for (const frame of answer.frames ?? []) {
            const { type, priceUsd } = JSON.parse(frame.body)
            if (type === "price") reader.price = priceUsd
            if (frame.undo !== true) reader.seq = frame.seq
          }
          complete = answer.complete
          if (complete) reader.seq = answer.seq
        }
        readers.set(key, reader)
        const page = prices[key]
        if (page === undefined) continue
        expect([round, key, reader.price]).toEqual([round, key, page.priceUsd])
        compared++
      }
    }
    expect(compared).toBeGreaterThan(rounds(40))
  }).pipe(Effect.scoped, Effect.runPromise))
