/** The live streams over fake lanes, and its clients, for tests. */
import type { LiveLimits } from "../../api/live/live.ts"
import { startApi, type TestApi } from "./api-server.ts"
import { chainConfig, FakeLane } from "./fake-lanes.ts"
import { openStream, type StreamAnswer, type StreamClient } from "./stream-client.ts"
import { openSocket, type WsClient } from "./ws-client.ts"

export const TOKEN = `0x${"ab".repeat(20)}`
export const OTHER = `0x${"cd".repeat(20)}`
/** Subscribes to the trades of `TOKEN`. */
export const TRADES = { op: "subscribe", channel: "trades", chain: 8453, token: TOKEN }

export class LiveApi {
  /** chain 8453 unless another is given; chain 5042 stays silent */
  readonly lane: FakeLane
  readonly api: TestApi
  private readonly clients: Array<WsClient | StreamClient> = []

  private constructor(lane: FakeLane, api: TestApi) {
    this.lane = lane
    this.api = api
  }

  static async start(
    limits: Partial<LiveLimits> = {},
    chain = chainConfig(8453, "base")
  ): Promise<LiveApi> {
    const lane = new FakeLane(chain)
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

  /** A stream of these topics, or why there is none. */
  async streamAnswer(topics: ReadonlyArray<string>, lastEventId = ""): Promise<StreamAnswer> {
    const answer = await openStream(this.api.url, topics, lastEventId)
    if (answer.ok) this.clients.push(answer.client)
    return answer
  }

  /** An open stream of these topics. */
  async stream(topics: ReadonlyArray<string>, lastEventId = ""): Promise<StreamClient> {
    const answer = await this.streamAnswer(topics, lastEventId)
    if (!answer.ok) throw new Error(`no stream: ${answer.status} ${answer.body}`)
    return answer.client
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
