import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { LiveSocket } from "./live.js"
import type { ConnectionState, Frame } from "./types.d.ts"

/** A WebSocket that the test speaks for. */
class FakeSocket {
  readyState = 0
  sent: unknown[] = []
  onopen: (() => void) | null = null
  onmessage: ((event: { data: string }) => void) | null = null
  onclose: ((event: { reason: string }) => void) | null = null
  opens() {
    this.readyState = 1
    this.onopen?.()
  }
  says(frame: object) {
    this.onmessage?.({ data: JSON.stringify(frame) })
  }
  send(message: string) {
    this.sent.push(JSON.parse(message))
  }
  close(reason = "") {
    if (this.readyState === 3) return
    this.readyState = 3
    this.onclose?.({ reason })
  }
}

const token = `0x${"ab".repeat(20)}`
const trades = { channel: "trades", chain: 8453, token } as const
const frame = (seq: number, more = {}) => ({ type: "trade", ...trades, seq, ...more })

describe("the live socket", () => {
  let sockets: FakeSocket[]
  let states: ConnectionState[]
  let live: LiveSocket
  let frames: Frame[]
  let restarts: number
  const last = () => sockets.at(-1)!
  const handlers = { frame: (each: Frame) => frames.push(each), restart: () => restarts++ }

  beforeEach(() => {
    vi.useFakeTimers()
    vi.spyOn(Math, "random").mockReturnValue(1)
    sockets = []
    states = []
    frames = []
    restarts = 0
    const open = () => {
      sockets.push(new FakeSocket())
      return last() as unknown as WebSocket
    }
    live = new LiveSocket({ url: "ws://test", onState: state => states.push(state), open })
  })
  afterEach(() => {
    live.close()
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  it("subscribes once open, from the position it was given", () => {
    live.subscribe(trades, 41, handlers)
    expect(last().sent).toEqual([])
    last().opens()
    expect(last().sent).toEqual([{ op: "subscribe", ...trades, from: 41 }])
  })

  it("resumes from one before the last position it heard", () => {
    last().opens()
    live.subscribe(trades, 41, handlers)
    last().says(frame(50))
    last().close("deploy")
    expect(states.at(-1)).toEqual({ kind: "waiting", delayMs: 1000, reason: "deploy" })
    vi.advanceTimersByTime(1000)
    last().opens()
    expect(last().sent).toEqual([{ op: "subscribe", ...trades, from: 49 }])
  })

  it("takes the position of its confirmation where it had none", () => {
    last().opens()
    live.subscribe(trades, null, handlers)
    expect(last().sent).toEqual([{ op: "subscribe", ...trades }])
    last().says({ type: "subscribed", ...trades, seq: 7 })
    live.retryNow()
    last().opens()
    expect(last().sent).toEqual([{ op: "subscribe", ...trades, from: 7 }])
    expect(frames).toEqual([])
  })

  it("names the log of its position, as its page or its confirmation told it", () => {
    last().opens()
    live.subscribe(trades, 41, handlers, "a1")
    live.subscribe({ ...trades, channel: "prices" }, null, handlers)
    last().says({ type: "subscribed", ...trades, channel: "prices", seq: 43, log: "a1" })
    live.retryNow()
    last().opens()
    const prices = { op: "subscribe", ...trades, channel: "prices" }
    expect(last().sent).toEqual([
      { op: "subscribe", ...trades, from: 41, log: "a1" },
      { ...prices, from: 43, log: "a1" }
    ])
    // prices start with the present of another log, trades are read afresh
    last().says({ type: "subscribed", ...trades, channel: "prices", seq: 7, log: "b2" })
    last().says({ type: "error", error: "RESUME_TOO_OLD", message: "", ...trades, log: "b2" })
    vi.advanceTimersByTime(1000)
    expect(restarts).toBe(1)
    live.retryNow()
    last().opens()
    expect(last().sent.at(-1)).toEqual({ ...prices, from: 7, log: "b2" })
  })

  it("hands each frame to the topic it is about", () => {
    last().opens()
    live.subscribe(trades, 1, handlers)
    const strangers = [
      frame(2, { token: `0x${"cd".repeat(20)}` }),
      frame(3, { chain: 5042 }),
      frame(4, { channel: "prices" })
    ]
    for (const each of strangers) last().says(each)
    last().onmessage?.({ data: "not json" })
    last().says(frame(5, { token: token.toUpperCase().replace("0X", "0x") }))
    last().says({ type: "undo", channel: "trades", chain: 8453, seq: 6, toSeq: 4 })
    expect(frames.map(each => [each.type, each.seq])).toEqual([
      ["trade", 5],
      ["undo", 6]
    ])
  })

  it("says goodbye to a topic, and to no topic of the same name taken since", () => {
    last().opens()
    const stopFirst = live.subscribe(trades, 1, handlers)
    live.subscribe(trades, 2, handlers)
    stopFirst()
    expect(last().sent).toHaveLength(2)
    live.subscribe({ ...trades, channel: "prices" }, null, handlers)()
    expect(last().sent.at(-1)).toEqual({ op: "unsubscribe", ...trades, channel: "prices" })
  })

  it("waits longer after each failure, and briefly again after a frame", () => {
    const delays = () => states.filter(each => each.kind === "waiting").map(each => each.delayMs)
    for (let tries = 0; tries < 6; tries++) {
      last().opens()
      last().close()
      vi.advanceTimersByTime(delays().at(-1) ?? 0)
    }
    expect(delays()).toEqual([1000, 2000, 4000, 8000, 16_000, 20_000])
    last().opens()
    last().says({ type: "hello" })
    last().close()
    expect(delays().at(-1)).toBe(1000)
  })

  it("starts a topic anew where its position is of no use", () => {
    last().opens()
    live.subscribe(trades, 1, handlers)
    last().says({ type: "error", error: "RESUME_TOO_OLD", message: "", ...trades })
    vi.advanceTimersByTime(1000)
    expect(restarts).toBe(1)
    last().says({ type: "error", error: "NOT_SUBSCRIBED", message: "", ...trades })
    vi.advanceTimersByTime(60_000)
    expect(restarts).toBe(1)
  })

  it("asks again, each time later, while a lane is not ready", () => {
    last().opens()
    live.subscribe(trades, 9, handlers)
    const refusal = { type: "error", error: "NOT_READY", message: "", ...trades }
    const asked = () => last().sent.filter(each => JSON.stringify(each).includes("subscribe"))
    last().says(refusal)
    vi.advanceTimersByTime(1000)
    expect(asked()).toHaveLength(2)
    last().says(refusal)
    vi.advanceTimersByTime(1000)
    expect(asked()).toHaveLength(2)
    vi.advanceTimersByTime(1000)
    expect(asked()).toHaveLength(3)
    expect(restarts).toBe(0)
  })

  it("drops a connection that gives no sign of life", () => {
    last().opens()
    vi.advanceTimersByTime(15_000)
    expect(last().sent).toEqual([{ op: "ping" }])
    last().says({ type: "pong", at: 1 })
    vi.advanceTimersByTime(15_000)
    expect(sockets).toHaveLength(1)
    vi.advanceTimersByTime(15_000)
    expect(states.at(-1)).toMatchObject({ kind: "waiting", reason: "the server fell silent" })
    vi.advanceTimersByTime(1000)
    expect(sockets).toHaveLength(2)
  })
})
