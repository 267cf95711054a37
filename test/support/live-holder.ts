/**
 * What a reader of the live socket holds: it takes what frames bring and drops what they undo. A
 * repeat, a step back or a frame after a hole shows as a fault.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { type Engine, eventually } from "./engine.ts"
import { HeldCandles } from "./held-candles.ts"
import { openStream, type StreamClient } from "./stream-client.ts"
import { type Frame, openSocket, type WsClient } from "./ws-client.ts"

/** Between two looks at what has come, and before one who was cut off comes back. */
const PAUSE_MS = 50
/** What a lane that is not there yet says: to be asked again. */
const LATER = /^(NOT_READY|CHAIN_DATA_UNAVAILABLE|LIVE_UNAVAILABLE)$/

interface LiveFrame extends Frame {
  readonly channel: string
  readonly token: string
  readonly tf?: string
  readonly toSeq?: number
  readonly trade?: { readonly tx: string; readonly logIndex: number }
  readonly candle?: { readonly t: number }
}

interface Topic {
  readonly channel: string
  readonly token: string
  readonly tf?: string
}

const nameOf = ({ channel, token, tf }: Topic): string => [channel, token, tf ?? ""].join(" ")

interface Held<A> {
  readonly seq: number
  readonly value: A
}

class TopicState {
  readonly topic: Topic
  /** position up to which everything has come; null before the subscription was confirmed */
  seq: number | null = null
  trades: Array<Held<NonNullable<LiveFrame["trade"]>>> = []
  readonly candles = new HeldCandles<NonNullable<LiveFrame["candle"]>>()
  undos = 0

  constructor(topic: Topic) {
    this.topic = topic
  }

  undo(toSeq: number): void {
    this.undos++
    this.trades = this.trades.filter(({ seq }) => seq <= toSeq)
    this.candles.undo(toSeq)
  }
}

export class LiveHolder {
  readonly faults: Array<string> = []
  /** streams that were opened */
  connections = 0
  private readonly topics = new Map<string, TopicState>()
  private readonly chain: string
  private client: WsClient | null = null
  private taken = 0

  constructor(chain: string, topics: ReadonlyArray<Topic>) {
    this.chain = chain
    for (const topic of topics) this.topics.set(nameOf(topic), new TopicState(topic))
  }

  /** Connects, and asks for what came after what it holds: everything, the first time. */
  async connect(port: number): Promise<void> {
    const upgrade = await openSocket(port)
    if (!upgrade.ok) throw new Error(`refused: ${upgrade.body}`)
    this.client = upgrade.client
    this.taken = 0
    for (const { topic, seq } of this.topics.values()) {
      this.client.send({ op: "subscribe", chain: this.chain, ...topic, from: seq ?? 0 })
    }
    await eventually("every subscription", () => {
      this.take()
      return [...this.topics.values()].every(({ seq }) => seq !== null)
    })
  }

  /**
   * Reads the same as a stream of events until it is over, and comes back as browsers do whenever
   * it is cut off, with the id of the last event.
   */
  async followEvents(port: number, isOver: () => boolean): Promise<void> {
    const asked = [...this.topics.values()].map(({ topic: { channel, token, tf } }) => {
      const of = tf === undefined ? "" : `,tf=${tf}`
      return `${channel},chain=${this.chain},token=${token}${of},from=0`
    })
    let lastEventId = ""
    while (!isOver()) {
      const url = `http://127.0.0.1:${port}`
      const answer = await openStream(url, asked, lastEventId).catch(() => null)
      if (answer?.ok === true) lastEventId = await this.readEvents(answer.client, isOver)
      else if (answer !== null && answer.status !== 503) this.faults.push(answer.body)
      await sleep(PAUSE_MS)
    }
  }

  /** Reads a stream to its end; answers the id of its last event. */
  private async readEvents(client: StreamClient, isOver: () => boolean): Promise<string> {
    this.connections++
    // each begins with where it goes on from
    for (const state of this.topics.values()) state.seq = null
    let isWell = true
    const takeAll = (): void => {
      for (const frame of client.frames.splice(0) as ReadonlyArray<Frame> as Array<LiveFrame>) {
        const isLater = frame.type === "error" && LATER.test(frame.error ?? "")
        if (isLater) isWell = false
        else this.accept(frame)
      }
    }
    while (isWell && !isOver() && !client.closed) {
      takeAll()
      await sleep(PAUSE_MS)
    }
    client.close()
    takeAll()
    return client.lastEventId
  }

  disconnect(): void {
    this.take()
    this.client?.close()
    this.client = null
  }

  /** Trades held of a token, newest first; candles, oldest first. */
  trades(token: string): ReadonlyArray<NonNullable<LiveFrame["trade"]>> {
    const held = this.of({ channel: "trades", token }).trades
    return held.map(({ value }) => value).toReversed()
  }

  candles(token: string, tf: string): ReadonlyArray<NonNullable<LiveFrame["candle"]>> {
    return this.of({ channel: "candles", token, tf }).candles.newest
  }

  /** Undo frames that came for a topic. */
  undos(topic: Topic): number {
    return this.of(topic).undos
  }

  /** Takes what has come in the meantime. */
  take(): void {
    const frames = (this.client?.frames ?? []) as ReadonlyArray<Frame> as ReadonlyArray<LiveFrame>
    for (; this.taken < frames.length; this.taken++) this.accept(frames[this.taken] as LiveFrame)
    if (this.client?.closed) this.faults.push(`closed: ${JSON.stringify(this.client.closed)}`)
  }

  private of(topic: Topic): TopicState {
    this.take()
    const state = this.topics.get(nameOf(topic))
    if (state === undefined) throw new Error(`not subscribed to ${nameOf(topic)}`)
    return state
  }

  private accept(frame: LiveFrame): void {
    if (frame.type === "hello") return
    const state = this.topics.get(nameOf(frame))
    if (state === undefined || frame.type === "error") {
      this.faults.push(JSON.stringify(frame))
      return
    }
    if (state.seq !== null && frame.seq < state.seq) {
      this.faults.push(`${frame.type} at ${frame.seq} after ${state.seq}`)
    }
    state.seq = frame.seq
    if (frame.type === "undo") state.undo(frame.toSeq ?? 0)
    else if (frame.trade !== undefined) this.acceptTrade(state, frame.seq, frame.trade)
    else if (frame.candle !== undefined) state.candles.put(frame.seq, frame.candle)
  }

  private acceptTrade(state: TopicState, seq: number, trade: NonNullable<LiveFrame["trade"]>) {
    const repeated = state.trades.some(
      ({ value }) => value.tx === trade.tx && value.logIndex === trade.logIndex
    )
    if (repeated) this.faults.push(`trade ${trade.tx}:${trade.logIndex} came twice`)
    state.trades.push({ seq, value: trade })
  }
}

/** What HTTP answers of a token that a reader of its trades and candles of a minute holds. */
export const toldOf = async (engine: Engine, token: string) => {
  const trades: Array<object> = []
  for (let before = ""; ; ) {
    const path = `/chains/base/token/${token}/trades?limit=500${before}`
    const { body } = await engine.get(path)
    trades.push(...body.trades)
    if (body.nextBefore === null) break
    before = `&before=${body.nextBefore}`
  }
  const { body } = await engine.get(`/candles?chain=8453&token=${token}&tf=1m&limit=300`)
  return { token, trades, candles: body.candles as ReadonlyArray<object> }
}
