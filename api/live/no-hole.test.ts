/** The law of the live streams: whatever the lane does, a reader has no hole and no repeat. */
import { Effect } from "effect"
import { afterEach, beforeEach, expect, it } from "vitest"
import type { FramesNotice } from "../../engine/frames.ts"
import type { FakeLane } from "../../test/support/fake-lanes.ts"
import { LiveApi, TOKEN, TRADES, tradeFrame } from "../../test/support/live-api.ts"
import { random } from "../../test/support/seed.ts"
import { StreamClient } from "../../test/support/stream-client.ts"
import type { Frame, WsClient } from "../../test/support/ws-client.ts"

const LOG = "a1a1a1a1a1a1a1a1"
const isLong = process.env["SWAPTAPE_LONG"] === "1"

let live: LiveApi
let lane: FakeLane

beforeEach(async () => {
  live = await LiveApi.start({ maxMessagesPerSecond: 1000 })
  lane = live.lane
})
afterEach(() => live.stop())

const store = (seq: number): FramesNotice => lane.store(seq, [tradeFrame(seq)])
const commit = (seq: number): void => lane.tell(store(seq))
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

const subscribed = async (from?: number): Promise<WsClient> => {
  const client = await live.greeted()
  client.send(from === undefined ? TRADES : { ...TRADES, from })
  return client
}

const seqsOf = (client: WsClient) =>
  client.frames.filter(({ type }) => type === "trade").map(({ seq }) => seq)

const range = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, i) => from + 1 + i)

it("holds where an answer is ahead of the notices", async () => {
  commit(2)
  const late = [store(3), store(4)]
  const client = await subscribed(1)
  await expect.poll(() => seqsOf(client)).toEqual([2, 3, 4])
  for (const notice of late) lane.tell(notice)
  commit(5)
  await expect.poll(() => seqsOf(client)).toEqual([2, 3, 4, 5])
})

it("holds where a notice is lost with its worker", async () => {
  commit(2)
  const client = await subscribed()
  await client.next()
  commit(3)
  store(4)
  commit(5)
  await expect.poll(() => seqsOf(client)).toEqual([3, 4, 5])
  commit(6)
  await expect.poll(() => seqsOf(client)).toEqual([3, 4, 5, 6])
})

it("holds where a lane makes no frames while it catches up", async () => {
  commit(2)
  const client = await subscribed()
  await client.next()
  commit(3)
  for (const seq of [4, 5, 6]) lane.tell({ ...store(seq), frames: null })
  const late = await subscribed(2)
  await expect.poll(() => seqsOf(late)).toEqual([3, 4, 5, 6])
  expect(seqsOf(client)).toEqual([3])
  commit(7)
  await expect.poll(() => seqsOf(client)).toEqual([3, 4, 5, 6, 7])
  await expect.poll(() => seqsOf(late)).toEqual([3, 4, 5, 6, 7])
})

it("holds where restored tables are filled again", async () => {
  for (const seq of [2, 3, 4]) commit(seq)
  const client = await subscribed(1)
  await expect.poll(() => seqsOf(client)).toEqual([2, 3, 4])
  lane.state = { ...lane.state, seq: 2 }
  lane.past = lane.past.filter(({ seq }) => seq <= 2)
  lane.tell({ ...store(3), frames: null })
  lane.tell(store(4))
  lane.tell(store(5))
  await expect.poll(() => seqsOf(client)).toEqual([2, 3, 4, 5])
})

it("holds for one who comes while restored tables are filled again", async () => {
  for (const seq of [2, 3, 4]) commit(seq)
  lane.state = { ...lane.state, seq: 2 }
  lane.past = lane.past.filter(({ seq }) => seq <= 2)
  const client = await subscribed(1)
  await expect.poll(() => seqsOf(client)).toEqual([2])
  lane.tell({ ...store(3), frames: null })
  lane.tell(store(4))
  await expect.poll(() => seqsOf(client)).toEqual([2, 3, 4])
  commit(5)
  await expect.poll(() => seqsOf(client)).toEqual([2, 3, 4, 5])
})

it("holds where frames go out before their commit", async () => {
  commit(2)
  const early = await subscribed()
  await early.next()
  const commitThird = lane.tellEarly(3, [tradeFrame(3)])
  await expect.poll(() => seqsOf(early)).toEqual([3])
  const [late, again] = [await subscribed(1), await subscribed(3)]
  await pause(20)
  expect([seqsOf(late), seqsOf(again)]).toEqual([[], []])
  commitThird()
  await expect.poll(() => seqsOf(late)).toEqual([2, 3])
  lane.tellEarly(4, [tradeFrame(4)])()
  for (const client of [early, late, again]) {
    await expect.poll(() => seqsOf(client).at(-1)).toBe(4)
  }
  expect([seqsOf(early), seqsOf(late), seqsOf(again)]).toEqual([[3, 4], [2, 3, 4], [4]])
})

it("says that a lane which is filled again is not ready", async () => {
  for (const seq of [2, 3, 4]) commit(seq)
  lane.state = { ...lane.state, seq: 2, state: "catching-up" }
  const client = await subscribed(4)
  expect(await client.next()).toMatchObject({ type: "error", error: "NOT_READY" })
})

it("holds under any order of commits, notices, losses and readers", async () => {
  const dice = random("live socket")
  let newest = 1
  const unsaid: Array<FramesNotice> = []
  const readers: Array<{ readonly client: WsClient; readonly from: number }> = []
  lane.beforeHistory = () => Effect.sleep(dice.integer(0, 8))
  const say = () => {
    const notice = unsaid.shift()
    if (notice !== undefined) lane.tell(notice)
  }
  let commitEarly: (() => void) | null = null
  const keep = () => {
    commitEarly?.()
    commitEarly = null
  }
  const storeNext = () => {
    keep()
    unsaid.push(store(++newest))
  }
  const events: ReadonlyArray<() => void> = [
    storeNext,
    storeNext,
    () => {
      storeNext()
      while (unsaid.length > 0) say()
      commitEarly = lane.tellEarly(++newest, [tradeFrame(newest)])
    },
    keep,
    say,
    say,
    () => void unsaid.shift(),
    () => {
      const notice = unsaid.shift()
      if (notice !== undefined) lane.tell({ ...notice, frames: null })
    }
  ]
  for (let step = 0; step < 600; step++) {
    dice.pick(events)()
    if (dice.boolean(0.05)) {
      const from = dice.integer(1, newest)
      readers.push({ client: await subscribed(from), from })
    }
    if (dice.boolean(0.1)) await pause(dice.integer(0, 5))
  }
  keep()
  while (unsaid.length > 0) say()
  commit(++newest)
  for (const { client, from } of readers) {
    await expect.poll(() => seqsOf(client).at(-1)).toBe(newest)
    expect(seqsOf(client)).toEqual(range(from, newest))
  }
})

/** A reader that is cut at any time, and goes on from what it had; an undo voids what it held. */
class Resumer {
  held: Array<number> = []
  private client: WsClient | StreamClient | null = null
  private readonly isStream: boolean
  private seen = 0
  private position = 1
  private eventId = ""

  constructor(isStream: boolean) {
    this.isStream = isStream
  }

  async begin(): Promise<void> {
    this.seen = 0
    if (this.isStream) {
      const topic = `trades,chain=base,token=${TOKEN},from=1`
      this.client = await live.stream([topic], this.eventId)
      return
    }
    const client = await live.open()
    client.send({ ...TRADES, from: this.position, log: LOG })
    this.client = client
  }

  /** Takes in what has come. */
  take(): void {
    const frames = this.client?.frames ?? []
    for (; this.seen < frames.length; this.seen++) {
      const { type, seq, toSeq = 0 } = frames[this.seen] as Frame
      if (type === "trade") this.held.push(seq)
      if (type === "undo") this.held = this.held.filter(one => one <= toSeq)
      if (type === "trade" || type === "undo") this.position = seq
    }
    if (this.client instanceof StreamClient) this.eventId = this.client.lastEventId
  }

  cut(): void {
    this.take()
    this.client?.close()
  }
}

/** What takes back all after a position; the lane's past is then without it, but tells of it. */
const undoTo = (toSeq: number, seq: number): void => {
  lane.past = lane.past.filter(frame => frame.seq <= toSeq || frame.undo === true)
  const undo = { type: "undo", channel: "trades", chain: 8453, token: TOKEN, seq, toSeq }
  const { key } = tradeFrame(seq)
  lane.commit(seq, [{ channel: "trades", key, body: JSON.stringify(undo), undo: true }])
}

it("holds for sockets and streams that are cut at random, over reorgs", async () => {
  const dice = random("cut readers")
  const readers = Array.from({ length: isLong ? 1000 : 300 }, (_, i) => new Resumer(i % 2 === 0))
  await Promise.all(readers.map(reader => reader.begin()))
  let [newest, standing] = [1, [] as Array<number>]
  for (let step = 0; step < 200; step++) {
    newest++
    if (dice.boolean(0.05)) {
      const toSeq = dice.integer(Math.max(1, newest - 20), newest - 1)
      undoTo(toSeq, newest)
      standing = standing.filter(seq => seq <= toSeq)
    } else {
      commit(newest)
      standing.push(newest)
    }
    const cut = readers.filter(() => dice.boolean(0.01))
    for (const reader of cut) reader.cut()
    await Promise.all(cut.map(reader => reader.begin()))
    if (dice.boolean(0.1)) await pause(dice.integer(0, 5))
  }
  for (const reader of readers) {
    const held = () => {
      reader.take()
      return reader.held
    }
    await expect.poll(() => held().at(-1)).toBe(standing.at(-1))
    expect(held()).toEqual(standing)
  }
  expect(live.api.counters).toMatchObject({ slowClosed: 0 })
})
