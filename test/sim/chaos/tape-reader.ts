/**
 * A client of the live socket as one should be: it comes back whenever it is cut off, asks for what
 * came after what it has, and drops what is undone. In the end it has what the routes tell.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { type Frame, openSocket, type WsClient } from "../../support/ws-client.ts"
import { Watch } from "./watch.ts"

interface TradeFrame extends Frame {
  readonly toSeq?: number
  readonly trade?: { readonly tx: string; readonly logIndex: number }
}

interface Held {
  readonly seq: number
  readonly trade: NonNullable<TradeFrame["trade"]>
}

interface Tape {
  /** position up to which it has everything */
  seq: number
  trades: ReadonlyArray<Held>
}

const PAUSE_MS = 100
/** Codes with which a lane that has not everything yet asks to come again. */
const LATER = /^(NOT_READY|CHAIN_DATA_UNAVAILABLE|LIVE_UNAVAILABLE)$/

export class TapeReader extends Watch {
  readonly faults: Array<string> = []
  /** connections that were made, and trades that were taken back */
  connections = 0
  undone = 0
  private readonly port: number
  private readonly chain: string
  private readonly tapes: ReadonlyMap<string, Tape>
  private client: WsClient | null = null

  constructor(port: number, chain: string, tokens: ReadonlyArray<string>) {
    super()
    this.port = port
    this.chain = chain
    this.tapes = new Map(tokens.map(token => [token, { seq: 0, trades: [] }]))
  }

  /** Stops taking bytes, and goes on: what came meanwhile comes late, or it was cut off. */
  pause(): void {
    this.client?.pause()
  }

  resume(): void {
    this.client?.resume()
  }

  /** Forgets all, as one who loads the page again. */
  anew(): void {
    for (const tape of this.tapes.values()) Object.assign(tape, { seq: 0, trades: [] })
    this.client?.close()
  }

  /** Trades held of a token, newest first. */
  trades(token: string): ReadonlyArray<object> {
    return (this.tapes.get(token)?.trades ?? []).map(({ trade }) => trade).toReversed()
  }

  protected override async run(): Promise<void> {
    while (!this.isStopped) {
      const upgrade = await openSocket(this.port).catch(() => null)
      if (upgrade?.ok) await this.read(upgrade.client)
      else await sleep(PAUSE_MS)
    }
  }

  private async read(client: WsClient): Promise<void> {
    this.client = client
    this.connections++
    for (const [token, { seq }] of this.tapes) {
      client.send({ op: "subscribe", channel: "trades", chain: this.chain, token, from: seq })
    }
    let isWanted = true
    while (isWanted && client.closed === null && !this.isStopped) {
      isWanted = this.taken(client)
      await sleep(PAUSE_MS / 2)
    }
    if (isWanted) this.taken(client)
    client.close()
    await sleep(PAUSE_MS)
  }

  /** Takes what has come; whether to stay. */
  private taken(client: WsClient): boolean {
    for (const frame of client.frames.splice(
      0
    ) as ReadonlyArray<Frame> as ReadonlyArray<TradeFrame>) {
      if (frame.type === "hello") continue
      const tape = this.tapes.get(frame.token ?? "")
      if (frame.type === "error" || tape === undefined) {
        if (!LATER.test(frame.error ?? "")) this.faults.push(JSON.stringify(frame))
        return false
      }
      this.accept(tape, frame)
    }
    return true
  }

  private accept(tape: Tape, frame: TradeFrame): void {
    const { trade, seq, toSeq = 0 } = frame
    if (frame.type === "undo") {
      this.undone += tape.trades.filter(held => held.seq > toSeq).length
      tape.trades = tape.trades.filter(held => held.seq <= toSeq)
      // what it has is whole up to where it went back to
      tape.seq = seq
    } else if (trade !== undefined) {
      const isHeld = tape.trades.some(
        held => held.trade.tx === trade.tx && held.trade.logIndex === trade.logIndex
      )
      if (isHeld) this.faults.push(`trade ${trade.tx}:${trade.logIndex} came twice`)
      if (seq < tape.seq) this.faults.push(`trade at ${seq} after ${tape.seq}`)
      tape.trades = [...tape.trades, { seq, trade }]
      tape.seq = seq
    } else if (frame.type === "subscribed") tape.seq = Math.max(tape.seq, 0)
  }
}
