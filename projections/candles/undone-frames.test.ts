/** What a reader of live candles holds after reorganisations, however commits were told of. */
import { Effect } from "effect"
import { expect, it } from "vitest"
import type { LiveFrame } from "../../engine/frames.ts"
import { undoFrame } from "../../engine/runner/frames.ts"
import { testChain } from "../../test/support/chain-config.ts"
import { HeldCandles } from "../../test/support/held-candles.ts"
import { candlePages, candlesOf } from "../../test/support/lane-candles.ts"
import { rounds } from "../../test/support/rounds.ts"
import { type Random, randoms } from "../../test/support/seed.ts"
import {
  opening,
  openSmallLane,
  reserves,
  sale,
  sealed,
  TOKEN,
  undo
} from "../../test/support/small-lane.ts"
import { candleFrames } from "./frames.ts"

type Lane = Effect.Success<typeof openSmallLane>

const START = 1_699_833_600
const FRAMES = ["1m", "5m", "1h"]

/** A reader of one interval, to whom positions only grow. */
class Holder {
  seq: number
  private readonly held = new HeldCandles<{ readonly t: number }>()

  constructor(seq: number) {
    this.seq = seq
  }

  take(frames: ReadonlyArray<LiveFrame>): void {
    for (const { body } of frames) {
      const { type, seq, toSeq, candle } = JSON.parse(body)
      expect(seq).toBeGreaterThanOrEqual(this.seq)
      this.seq = seq
      if (type === "undo") this.held.undo(toSeq)
      else this.held.put(seq, candle)
    }
  }

  get candles() {
    return this.held.newest
  }
}

/** A block that stands, with the position of its last event. */
interface Block {
  readonly time: number
  readonly last: number
}

/** A chain with a lane behind it; what was rolled back is told to live readers by hand. */
class World {
  readonly lane: Lane
  private readonly r: Random
  private blocks: Array<Block>
  private end: number
  private undone: Array<{ readonly seq: number; readonly toSeq: number }> = []
  told: number

  constructor(lane: Lane, r: Random, first: Block) {
    this.lane = lane
    this.r = r
    this.blocks = [first]
    this.end = first.last
    this.told = first.last
  }

  private blocksAfter(time: number, first: number) {
    const events = []
    let [now, seq] = [time, first]
    for (let i = this.r.integer(1, 3); i > 0; i--) {
      now += this.r.integer(5, 40)
      const trades = this.r.pick([0, 0, 1, 2])
      for (let one = 0; one < trades; one++) {
        events.push(sale(now, 1, this.r.integer(1_900_000, 2_100_000), 2 + one))
      }
      events.push(sealed(now))
      seq += trades + 1
      this.blocks.push({ time: now, last: seq })
    }
    this.end = seq
    return events
  }

  /** Commits some blocks, or takes some back and commits others. */
  step() {
    const depth = Math.min(this.r.pick([0, 0, 1, 2, 3, 8]), this.blocks.length - 1)
    if (depth > 0) this.blocks = this.blocks.slice(0, -depth)
    const { time, last } = this.blocks.at(-1) as Block
    if (depth === 0) return this.lane.commit(this.blocksAfter(time, this.end))
    const seq = this.end + 1
    this.undone.push({ seq, toSeq: last })
    return this.lane.commit([undo(time, last), ...this.blocksAfter(time, seq)])
  }

  /** All frames since they were asked for last, as a lane tells of commits. */
  announce() {
    const keys = new Set(FRAMES.map(tf => `${TOKEN}:${tf}`))
    const voided = this.undone.flatMap(({ seq, toSeq }) =>
      [...keys].map(key => undoFrame(testChain.id, candleFrames, key, seq, toSeq))
    )
    const since = this.told
    this.told = this.end
    this.undone = []
    return Effect.map(this.lane.frames(since, new Map([["candles", keys]])), made =>
      [...voided, ...made].sort((a, b) => a.seq - b.seq)
    )
  }
}

const openWorld = (r: Random) =>
  Effect.gen(function* () {
    const lane = yield* openSmallLane
    const pair = [...opening(START), reserves(START, 10_000, 20_000)]
    const last = yield* lane.commit([...pair, sale(START, 1, 2_000_000), sealed(START)])
    return new World(lane, r, { time: START, last })
  })

it("tells a candle again that stands as at a commit before the fork of which nothing was told", () =>
  Effect.gen(function* () {
    const lane = yield* openSmallLane
    const first = [...opening(START), reserves(START, 10_000, 20_000), sealed(START)]
    const since = yield* lane.commit(first)
    const fork = yield* lane.commit([sale(START + 61, 1, 2_000_000), sealed(START + 61)])
    const [before] = yield* candlesOf(lane, "1m")
    yield* lane.commit([sale(START + 62, 1, 2_000_001), sealed(START + 62)])
    const keys = new Map([["candles", new Set([`${TOKEN}:1m`])]])
    const holder = new Holder(since)
    holder.take(yield* lane.frames(since, keys))
    expect(holder.candles).toMatchObject([{ n: 2 }])
    const told = holder.seq
    const seq = yield* lane.commit([undo(START + 61, fork), sealed(START + 63)])
    const frames = yield* lane.frames(told, keys)
    expect(frames.map(one => [one.seq, JSON.parse(one.body).candle])).toEqual([[seq, before]])
  }).pipe(Effect.scoped, Effect.runPromise))

it("is what HTTP answers, for who was told of all commits, and for who resumes now and then", () =>
  Effect.gen(function* () {
    for (const r of randoms("undone candles")) {
      const world = yield* openWorld(r)
      const { lane } = world
      const live = new Map(FRAMES.map(tf => [tf, new Holder(0)]))
      const resuming = new Map(FRAMES.map(tf => [tf, new Holder(0)]))
      world.told = 0
      for (let round = 0; round < rounds(14); round++) {
        for (let commits = r.integer(1, 3); commits > 0; commits--) yield* world.step()
        const frames = yield* world.announce()
        const returns = r.boolean(0.4)
        for (const tf of FRAMES) {
          const truth = yield* candlesOf(lane, tf)
          const own = live.get(tf) as Holder
          own.take(frames.filter(({ key }) => key === `${TOKEN}:${tf}`))
          expect(own.candles, `${tf} in round ${round}`).toEqual(truth)
          if (!returns) continue
          const other = resuming.get(tf) as Holder
          other.take((yield* candlePages(lane, tf, other.seq, r.pick([1, 3, 1000]))).flat())
          expect(other.candles, `${tf} resumed in round ${round}`).toEqual(truth)
        }
      }
    }
  }).pipe(Effect.scoped, Effect.runPromise))
