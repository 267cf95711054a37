import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import type { ConnectionState, FrameOf, Refused, Socket } from "./live.d.ts"
import { LiveSocket } from "./live.js"

/** A WebSocket that the test speaks for. */
class FakeSocket implements Socket {
  readyState = 0
  sent: unknown[] = []
  onopen: ((event: never) => void) | null = null
  onmessage: ((event: { readonly data: unknown }) => void) | null = null
  onclose: ((event: { readonly reason: string }) => void) | null = null
  onerror: ((event: never) => void) | null = null
  opens() {
    this.readyState = 1
    this.onopen?.(undefined as never)
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
const prices = { channel: "prices", chain: 8453, token } as const
const frame = (seq: number, more = {}) => ({ type: "trade", ...trades, seq, ...more })
const at = (seq: number, log: string | null = null) => ({ seq, log })

let sockets: FakeSocket[]
let states: ConnectionState[]
let live: LiveSocket
let frames: Array<FrameOf<"trades" | "prices">>
let restarts: Refused[]
let refused: Refused[]
const last = () => sockets.at(-1)!
const handlers = {
  frame: (each: FrameOf<"trades" | "prices">) => frames.push(each),
  restart: (why: Refused) => restarts.push(why),
  refused: (why: Refused) => refused.push(why)
}
const heard = () => frames.map(each => [each.type, each.seq])

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, "random").mockReturnValue(1)
  sockets = []
  states = []
  frames = []
  restarts = []
  refused = []
  const open = () => {
    sockets.push(new FakeSocket())
    return last()
  }
  live = new LiveSocket({ url: "http://test/", onState: state => states.push(state), open })
})
afterEach(() => {
  live.close()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe("the live socket's place", () => {
  it("is below the engine's address, with or without TLS", () => {
    const asked: string[] = []
    const open = (url: string) => {
      asked.push(url)
      return new FakeSocket()
    }
    for (const url of ["http://127.0.0.1:8080", "https://swaps.example/"]) {
      new LiveSocket({ url, open }).close()
    }
    expect(asked).toEqual(["ws://127.0.0.1:8080/v1/ws/live", "wss://swaps.example/v1/ws/live"])
  })
})

describe("resuming", () => {
  it("subscribes once open, from the position it was given", () => {
    live.subscribe(trades, handlers, at(41))
    expect(last().sent).toEqual([])
    last().opens()
    expect(last().sent).toEqual([{ op: "subscribe", id: 1, ...trades, from: 41 }])
  })

  it("asks from one before the last position it heard, and drops what comes twice of it", () => {
    last().opens()
    live.subscribe(trades, handlers, at(41))
    last().says({ type: "subscribed", id: 1, ...trades, seq: 41, log: null })
    for (const seq of [45, 50]) last().says(frame(seq))
    last().close("deploy")
    expect(states.at(-1)).toEqual({ kind: "waiting", delayMs: 1000, reason: "deploy" })
    vi.advanceTimersByTime(1000)
    last().opens()
    expect(last().sent).toEqual([{ op: "subscribe", id: 1, ...trades, from: 49 }])
    last().says({ type: "subscribed", id: 1, ...trades, seq: 49, log: null })
    last().says(frame(50))
    last().says(frame(50, { at: 7 }))
    last().says(frame(51))
    expect(heard()).toEqual([45, 50, 50, 51].map(seq => ["trade", seq]))
  })

  it("takes the position of its confirmation where it had none", () => {
    last().opens()
    live.subscribe(trades, handlers)
    expect(last().sent).toEqual([{ op: "subscribe", id: 1, ...trades }])
    last().says({ type: "subscribed", id: 1, ...trades, seq: 7 })
    live.retryNow()
    last().opens()
    expect(last().sent).toEqual([{ op: "subscribe", id: 1, ...trades, from: 7 }])
    expect(frames).toEqual([])
  })

  it("names the log of its position, as its page or its confirmation told it", () => {
    last().opens()
    live.subscribe(trades, handlers, at(41, "a1"))
    live.subscribe(prices, handlers)
    last().says({ type: "subscribed", id: 2, ...prices, seq: 43, log: "a1" })
    live.retryNow()
    last().opens()
    expect(last().sent).toEqual([
      { op: "subscribe", id: 1, ...trades, from: 41, log: "a1" },
      { op: "subscribe", id: 2, ...prices, from: 43, log: "a1" }
    ])
    // prices start with the present of another log, trades are read afresh
    last().says({ type: "subscribed", id: 2, ...prices, seq: 7, log: "b2" })
    const message = "another log"
    last().says({ type: "error", id: 1, error: "RESUME_TOO_OLD", message, oldestSeq: 3, log: "b2" })
    vi.advanceTimersByTime(1000)
    expect(restarts).toEqual([{ code: "RESUME_TOO_OLD", message, oldestSeq: 3, log: "b2" }])
    live.retryNow()
    last().opens()
    expect(last().sent).toEqual([{ op: "subscribe", id: 2, ...prices, from: 7, log: "b2" }])
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

  it("connects no more once it is closed", () => {
    last().opens()
    live.close()
    vi.advanceTimersByTime(60_000)
    expect(sockets).toHaveLength(1)
  })
})

describe("frames", () => {
  it("go to the topic that they are about, however it was named", () => {
    last().opens()
    const upper = token.toUpperCase().replace("0X", "0x")
    live.subscribe({ channel: "trades", chain: "base", token: upper }, handlers, at(1))
    last().says(frame(2))
    last().says({ type: "subscribed", id: 1, ...trades, seq: 1, log: null })
    const strangers = [
      frame(3, { token: `0x${"cd".repeat(20)}` }),
      frame(4, { chain: 5042 }),
      frame(5, { channel: "prices" })
    ]
    for (const each of strangers) last().says(each)
    last().onmessage?.({ data: "not json" })
    last().says(frame(6))
    last().says({ type: "undo", channel: "trades", chain: 8453, seq: 7, toSeq: 4 })
    expect(heard()).toEqual([
      ["trade", 6],
      ["undo", 7]
    ])
  })

  it("of a whole chain go to its topic, and of a token to its own where there is one", () => {
    last().opens()
    const wide: number[] = []
    const ofToken: number[] = []
    const into = (list: number[]) => ({
      ...handlers,
      frame: (f: { seq: number }) => list.push(f.seq)
    })
    live.subscribe({ channel: "prices", chain: 8453 }, into(wide))
    live.subscribe(prices, into(ofToken))
    const named = { type: "subscribed", channel: "prices", chain: 8453, seq: 1, log: null }
    last().says({ ...named, id: 1, token: null })
    last().says({ ...named, id: 2, token })
    last().says({ type: "prices", channel: "prices", chain: 8453, token: null, seq: 2 })
    last().says({ type: "price", ...prices, seq: 3 })
    last().says({ type: "new", ...prices, token: `0x${"cd".repeat(20)}`, seq: 4 })
    expect([wide, ofToken]).toEqual([[2, 4], [3]])
  })

  it("stop with a topic, and not with one of the same name taken since", () => {
    last().opens()
    const stopFirst = live.subscribe(trades, handlers, at(1))
    live.subscribe(trades, handlers, at(2))
    stopFirst()
    live.subscribe(prices, handlers)()
    expect(last().sent).toEqual([
      { op: "subscribe", id: 1, ...trades, from: 1 },
      { op: "unsubscribe", id: 1, ...trades },
      { op: "subscribe", id: 2, ...trades, from: 2 },
      { op: "subscribe", id: 3, ...prices },
      { op: "unsubscribe", id: 3, ...prices }
    ])
    last().says({ type: "error", id: 3, error: "NOT_SUBSCRIBED", message: "", ...prices })
    expect(refused).toEqual([])
  })
})

describe("refusals", () => {
  it("of a position let go of the topic, and tell why", () => {
    last().opens()
    live.subscribe(trades, handlers, at(1))
    last().says({ type: "error", id: 1, error: "RESUME_TOO_OLD", message: "gone", oldestSeq: 9 })
    expect(restarts).toEqual([])
    vi.advanceTimersByTime(1000)
    expect(restarts).toEqual([{ code: "RESUME_TOO_OLD", message: "gone", oldestSeq: 9, log: null }])
    live.retryNow()
    last().opens()
    expect(last().sent).toEqual([])
  })

  it("of what was asked for are told at once", () => {
    last().opens()
    live.subscribe(trades, handlers)
    last().says({ type: "error", id: 1, error: "UNSUPPORTED_CHAIN", message: "no such chain" })
    expect(refused).toEqual([
      { code: "UNSUPPORTED_CHAIN", message: "no such chain", oldestSeq: null, log: null }
    ])
  })

  it("while a lane is not ready are tried again, each time later", () => {
    last().opens()
    live.subscribe(trades, handlers, at(9))
    const refusal = { type: "error", id: 1, error: "NOT_READY", message: "", ...trades }
    last().says(refusal)
    vi.advanceTimersByTime(1000)
    expect(last().sent).toHaveLength(2)
    last().says(refusal)
    vi.advanceTimersByTime(1000)
    expect(last().sent).toHaveLength(2)
    vi.advanceTimersByTime(1000)
    expect(last().sent).toHaveLength(3)
    expect([restarts, refused]).toEqual([[], []])
  })

  it("of a log that became another are told to whoever follows it", () => {
    last().opens()
    live.subscribe(trades, handlers, at(9, "a1"))
    last().says({ type: "subscribed", id: 1, ...trades, seq: 9, log: "a1" })
    last().says({ type: "error", error: "RESUME_TOO_OLD", message: "", ...trades, log: "b2" })
    vi.advanceTimersByTime(1000)
    expect(restarts.map(({ log }) => log)).toEqual(["b2"])
  })
})
