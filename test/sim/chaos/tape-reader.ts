/**
 * A client of the live socket as one should be: it comes back whenever it is cut off, asks for what
 * came after what it has, drops what is undone, and begins anew where its positions are of another
 * log. In the end it has what the routes tell.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { type Frame, openSocket, type WsClient } from "../../support/ws-client.ts"
import { Watch } from "./watch.ts"

interface TradeFrame extends Frame {
  readonly log?: string | null
  readonly toSeq?: number
  readonly trade?: { readonly tx: string; readonly logIndex: number }
}

interface Held {
  readonly seq: number
  readonly trade: NonNullable<TradeFrame["trade"]>
}

interface Tape {
  /** position up to which it has everything, and the log that it is of; null before the first */
  seq: number
  log: string | null
  trades: ReadonlyArray<Held>
}

const PAUSE_MS = 100
/** Frames that are named before the first fault. */
const HEARD = 60
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
  /** what came last, for who looks for the cause of a fault */
  private readonly heard: Array<string> = []

  constructor(port: number, chain: string, tokens: ReadonlyArray<string>) {
    super()
    this.port = port
    this.chain = chain
    this.tapes = new Map(tokens.map(token => [token, { seq: 0, log: null, trades: [] }]))
  }

  /** Stops taking bytes, and goes on: what came meanwhile comes late, or it was cut off. */
  pause(): void {
    this.client?.pause()
  }

  resume(): void {
    this.client?.resume()
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
    for (const [token, { seq, log }] of this.tapes) {
      this.hear(`connection ${this.connections}: ${token} from ${seq} of ${log}`)
      const of = log === null ? {} : { log }
      client.send({
        op: "subscribe",
        channel: "trades",
        chain: this.chain,
        token,
        from: seq,
        ...of
      })
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
      const isOfAnother = tape !== undefined && tape.log !== null && frame.log !== tape.log
      if (frame.error === "RESUME_TOO_OLD" && isOfAnother) {
        this.hear(`${frame.token} begins anew: its log was ${tape.log}, and is ${frame.log}`)
        Object.assign(tape, { seq: 0, log: null, trades: [] })
        return false
      }
      if (frame.type === "error" || tape === undefined) {
        if (!LATER.test(frame.error ?? "")) this.faults.push(JSON.stringify(frame))
        return false
      }
      this.accept(tape, frame)
    }
    return true
  }

  private hear(what: string): void {
    this.heard.push(`${Math.round(performance.now() / 1000)} s ${what}`)
    if (this.heard.length > HEARD) this.heard.shift()
  }

  private fault(what: string): void {
    const before = this.faults.length === 0 ? `, after\n${this.heard.join("\n")}` : ""
    this.faults.push(`${Math.round(performance.now() / 1000)} s: ${what}${before}`)
  }

  private accept(tape: Tape, frame: TradeFrame): void {
    const { trade, seq, toSeq = 0 } = frame
    this.hear(`${frame.type} ${frame.token} ${seq} ${frame.type === "undo" ? `to ${toSeq}` : ""}`)
    if (frame.type === "undo") {
      this.undone += tape.trades.filter(held => held.seq > toSeq).length
      tape.trades = tape.trades.filter(held => held.seq <= toSeq)
      // what it has is whole up to where it went back to
      tape.seq = seq
    } else if (trade !== undefined) {
      const held = tape.trades.find(
        one => one.trade.tx === trade.tx && one.trade.logIndex === trade.logIndex
      )
      if (held !== undefined) {
        this.fault(`trade ${trade.tx}:${trade.logIndex} came at ${held.seq} and at ${seq}`)
      }
      if (seq < tape.seq) this.fault(`trade at ${seq} after ${tape.seq}`)
      tape.trades = [...tape.trades, { seq, trade }]
      tape.seq = seq
    } else if (frame.type === "subscribed") tape.log = frame.log ?? null
  }
}
