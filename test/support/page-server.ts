/**
 * A small server with scripted data behind the page, for tests that need what a real one cannot
 * be made to do on command: a reorganisation, a lost connection, a refusal.
 */
import { readFile } from "node:fs/promises"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { pageHeaders, staticFiles } from "../../api/web/static-files.ts"
import { answer } from "./page-answers.ts"
import { PageHub } from "./page-hub.ts"
import { headSeq, makeMarkets, nextTrade, type ScriptedMarket, unixNow } from "./page-market.ts"
import { random } from "./seed.ts"

interface Refusal {
  readonly status: number
  readonly error: string
  readonly message: string
}

const sendJson = (response: ServerResponse, status: number, body: object, seq?: number) => {
  response.writeHead(status, {
    "content-type": "application/json",
    ...(seq === undefined ? {} : { "x-log-seq": String(seq) })
  })
  response.end(JSON.stringify(body))
}

export class PageServer {
  private readonly markets = makeMarkets()
  private readonly hub = new PageHub(this.markets)
  private readonly refusals = new Map<string, Refusal>()
  private readonly chance = random("page/live")
  private readonly server = createServer((request, response) => {
    this.handle(request, response).catch(error => response.destroy(error))
  })

  /** Listens on a free port of the loopback address. */
  async start(): Promise<void> {
    this.server.on("upgrade", (request, socket, head) => {
      const { server } = this.hub
      if (request.url !== "/v1/ws/live") socket.destroy()
      else server.handleUpgrade(request, socket, head, each => server.emit("connection", each))
    })
    await new Promise<void>(resolve => this.server.listen(0, "127.0.0.1", resolve))
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  /** What clients sent over the socket to subscribe, as they sent it. */
  get subscriptions() {
    return this.hub.messages.filter(({ op }) => op === "subscribe")
  }

  market(symbol: string): ScriptedMarket {
    return this.markets.find(each => each.symbol === symbol)!
  }

  /** A trade happens now. */
  trade(symbol: string): void {
    const market = this.market(symbol)
    const before = market.trades.at(-1)?.trade ?? { priceUsd: 1, block: 1 }
    const entry = {
      seq: headSeq(market) + 1,
      trade: nextTrade(this.chance, before, unixNow(), market.chain)
    }
    market.log.push(entry)
    market.trades.push(entry)
    this.hub.publish(market, entry)
  }

  /** The last `count` trades are undone. */
  undo(symbol: string, count: number): void {
    const market = this.market(symbol)
    market.trades = market.trades.slice(0, -count)
    const entry = { seq: headSeq(market) + 1, toSeq: market.trades.at(-1)?.seq ?? 0 }
    market.log.push(entry)
    this.hub.publish(market, entry)
  }

  /** The log so far can no longer be resumed from. */
  forget(symbol: string): void {
    this.hub.forget(this.market(symbol))
  }

  dropSockets(): void {
    this.hub.dropSockets()
  }

  /** Every path that begins with `prefix` is refused until `allow`. */
  refuse(prefix: string, refusal: Refusal): void {
    this.refusals.set(prefix, refusal)
  }

  allow(): void {
    this.refusals.clear()
  }

  async close(): Promise<void> {
    this.dropSockets()
    this.server.closeAllConnections()
    await new Promise(resolve => this.server.close(resolve))
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://localhost")
    const file = staticFiles.find(each => each.path === url.pathname)
    if (file) {
      response.writeHead(200, { ...pageHeaders, "content-type": file.contentType })
      response.end(await readFile(file.file))
      return
    }
    const refused = [...this.refusals].find(([prefix]) => url.pathname.startsWith(prefix))?.[1]
    if (refused) {
      sendJson(response, refused.status, { error: refused.error, message: refused.message })
      return
    }
    const found = answer(this.markets, url)
    if (found) sendJson(response, 200, found.body, found.seq)
    else sendJson(response, 404, { error: "UNKNOWN_TOKEN", message: "no indexed trades here" })
  }
}

export const startPageServer = async (): Promise<PageServer> => {
  const server = new PageServer()
  await server.start()
  return server
}
