/** The live socket over fake lanes, and its clients, for tests. */
import type { LiveLimits } from "../../api/live/live-socket.ts"
import { startApi, type TestApi } from "./api-server.ts"
import { chainConfig, FakeLane } from "./fake-lanes.ts"
import { openSocket, type WsClient } from "./ws-client.ts"

export const TOKEN = `0x${"ab".repeat(20)}`
export const OTHER = `0x${"cd".repeat(20)}`
/** Subscribes to the trades of `TOKEN`. */
export const TRADES = { op: "subscribe", channel: "trades", chain: 8453, token: TOKEN }

export class LiveApi {
  /** chain 8453; the other chain, 5042, stays silent */
  readonly lane: FakeLane
  readonly api: TestApi
  private readonly clients: Array<WsClient> = []

  private constructor(lane: FakeLane, api: TestApi) {
    this.lane = lane
    this.api = api
  }

  static async start(limits: Partial<LiveLimits> = {}): Promise<LiveApi> {
    const lane = new FakeLane(chainConfig(8453, "base"))
    const lanes = [lane, new FakeLane(chainConfig(5042, "arc"))]
    return new LiveApi(lane, await startApi(lanes, { live: limits }))
  }

  async open(): Promise<WsClient> {
    const upgrade = await openSocket(this.api.port)
    if (!upgrade.ok) throw new Error(`no upgrade: ${upgrade.status} ${upgrade.body}`)
    this.clients.push(upgrade.client)
    return upgrade.client
  }

  /** An open socket past its hello. */
  async greeted(): Promise<WsClient> {
    const client = await this.open()
    await client.next()
    return client
  }

  /** A trade at `seq`, committed. */
  trade(seq: number, token = TOKEN): void {
    this.lane.commit(seq, [tradeFrame(seq, token)])
  }

  async stop(): Promise<void> {
    for (const client of this.clients) client.close()
    await this.api.close()
  }
}

/** A frame as a lane makes it; `extra` is JSON text of further fields. */
export const tradeFrame = (seq: number, token = TOKEN, extra = "") => ({
  channel: "trades",
  key: token,
  body: `{"type":"trade","channel":"trades","chain":8453,"token":"${token}","seq":${seq}${extra}}`
})
