/** The scripted server's live socket: subscriptions, resuming, and things that go wrong. */
import { type WebSocket, WebSocketServer } from "ws"
import {
  bucketOf,
  candlesOf,
  headSeq,
  type LogEntry,
  type ScriptedChain,
  type ScriptedMarket
} from "./page-market.ts"

interface Subscription {
  readonly channel: string
  readonly chain: ScriptedChain
  readonly token: string
  readonly tf?: string
}
type Message = Subscription & {
  readonly op: string
  readonly id?: number
  readonly from?: number
}

const framesOf = (market: ScriptedMarket, entry: LogEntry, wanted: Subscription): object[] => {
  const { channel, chain, token, tf } = wanted
  const base = { channel, chain, token, seq: entry.seq, at: Date.now() }
  if ("toSeq" in entry) return [{ type: "undo", ...base, toSeq: entry.toSeq }]
  const { trade } = entry
  if (channel === "trades") return [{ type: "trade", ...base, trade }]
  if (channel === "prices") return [{ type: "price", ...base, priceUsd: trade.priceUsd }]
  const t = bucketOf(trade.ts, tf ?? "1m")
  const [candle] = candlesOf(market, tf ?? "1m", t, t + 1)
  return candle ? [{ type: "candle", ...base, tf, candle }] : []
}

export class PageHub {
  /** what clients sent, as they sent it */
  readonly messages: Message[] = []
  readonly server = new WebSocketServer({ noServer: true })
  private readonly markets: ReadonlyArray<ScriptedMarket>
  private readonly sockets = new Map<WebSocket, Subscription[]>()
  private readonly oldest = new Map<ScriptedMarket, number>()

  constructor(markets: ReadonlyArray<ScriptedMarket>) {
    this.markets = markets
    this.server.on("connection", socket => {
      this.sockets.set(socket, [])
      socket.send('{"type":"hello"}')
      socket.on("close", () => this.sockets.delete(socket))
      socket.on("message", data => this.receive(socket, JSON.parse(String(data))))
    })
  }

  publish(market: ScriptedMarket, entry: LogEntry): void {
    for (const [socket, wanted] of this.sockets) {
      for (const each of wanted) {
        if (each.chain === market.chain && each.token === market.address) {
          this.send(socket, framesOf(market, entry, each))
        }
      }
    }
  }

  /** The log so far can no longer be resumed from. */
  forget(market: ScriptedMarket): void {
    this.oldest.set(market, headSeq(market) + 1)
  }

  dropSockets(): void {
    for (const socket of this.sockets.keys()) socket.terminate()
  }

  private send(socket: WebSocket, frames: ReadonlyArray<object>): void {
    for (const frame of frames) socket.send(JSON.stringify(frame))
  }

  private receive(socket: WebSocket, message: Message): void {
    this.messages.push(message)
    const { op, id, channel, chain, token, tf, from } = message
    const topic: Subscription = { channel, chain, token, ...(tf === undefined ? {} : { tf }) }
    const wanted = this.sockets.get(socket) ?? []
    if (op === "ping") this.send(socket, [{ type: "pong", at: 0 }])
    if (op === "subscribe") this.subscribe(socket, wanted, topic, { id, from: from ?? null })
    if (op === "unsubscribe") {
      const at = wanted.findIndex(each => JSON.stringify(each) === JSON.stringify(topic))
      if (at >= 0) wanted.splice(at, 1)
    }
  }

  private subscribe(
    socket: WebSocket,
    wanted: Subscription[],
    topic: Subscription,
    { id, from }: { readonly id: number | undefined; readonly from: number | null }
  ): void {
    const market = this.markets.find(
      ({ chain, address }) => chain === topic.chain && address === topic.token
    )
    if (!market) return
    if (from !== null && from < (this.oldest.get(market) ?? 0)) {
      const message = `frames after ${from} are gone`
      this.send(socket, [{ type: "error", id, error: "RESUME_TOO_OLD", message, ...topic }])
      return
    }
    wanted.push(topic)
    const seq = from ?? headSeq(market)
    this.send(socket, [{ type: "subscribed", id, ...topic, seq }])
    for (const entry of market.log.filter(each => each.seq > seq)) {
      this.send(socket, framesOf(market, entry, topic))
    }
  }
}
