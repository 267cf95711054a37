/**
 * A small server with scripted data behind the page, for tests that need what a real one cannot
 * be made to do on command: a reorganisation, a lost connection, a refusal.
 */
import { readFile } from "node:fs/promises"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { type WebSocket, WebSocketServer } from "ws"
import { pageHeaders, staticFiles } from "../../api/web/static-files.ts"
import {
  bucketOf,
  candlesOf,
  historyOf,
  type LogEntry,
  nextTrade,
  type ScriptedMarket,
  TF_SECONDS
} from "./page-market.ts"
import { random } from "./seed.ts"

interface Subscription {
  readonly channel: string
  readonly chain: number
  readonly token: string
  readonly tf?: string
}

interface Refusal {
  readonly status: number
  readonly error: string
  readonly message: string
}

export interface PageServer {
  readonly url: string
  readonly market: (symbol: string) => ScriptedMarket
  /** a trade happens now */
  readonly trade: (symbol: string) => void
  /** undoes the last `count` trades */
  readonly undo: (symbol: string, count: number) => void
  readonly dropSockets: () => void
  /** every path that begins with `prefix` is refused until `allow` */
  readonly refuse: (prefix: string, refusal: Refusal) => void
  readonly allow: () => void
  /** what clients asked to subscribe, as sent */
  readonly subscriptions: ReadonlyArray<Record<string, unknown>>
  readonly close: () => Promise<void>
}

const CHAINS = [
  { id: 8453, key: "base", name: "Base" },
  { id: 5042, key: "arc", name: "Arc" },
  { id: 143, key: "monad", name: "Monad" }
]

const MARKETS: ReadonlyArray<readonly [number, string, string, number]> = [
  [8453, "WETH", "Wrapped Ether", 2613.4],
  [8453, "PEPR", "Pepper", 0.0000123],
  [8453, "<img src=x onerror=alert(1)>", "\u202eevil<script>alert(2)</script>", 0.42],
  [8453, "DUST", "Dust", 3.1e-11],
  [5042, "ARCX", "Arc Exchange", 1.84]
]

const unixNow = () => Math.floor(Date.now() / 1000)

const addressOf = (index: number) => `0x${(0xabc0 + index).toString(16).padStart(40, "5")}`

const makeMarkets = (): ScriptedMarket[] =>
  MARKETS.map(([chain, symbol, name, price], index) => {
    const history = historyOf(random(`page/${symbol}`), price, unixNow() - 5)
    const trades = history.map((trade, position) => ({ seq: position + 1, trade }))
    return { chain, address: addressOf(index), symbol, name, log: [...trades], trades }
  })

const headSeq = (market: ScriptedMarket) => market.log.at(-1)?.seq ?? 0

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

const statusOf = (markets: ReadonlyArray<ScriptedMarket>) => ({
  lanes: CHAINS.slice(0, 2).map(({ id, key }) => {
    const own = markets.filter(market => market.chain === id)
    const last = own[0]?.trades.at(-1)?.trade
    return {
      chain: key,
      state: "live",
      problem: null,
      seq: Math.max(...own.map(headSeq)),
      logSeq: Math.max(...own.map(headSeq)),
      block: last?.block ?? null,
      blockTime: last?.ts ?? null,
      gaps: [],
      quarantined: key === "arc" ? [{ reason: "bad-length", count: 3 }] : [],
      warnings: [],
      source: {
        kind: "devchain",
        description: "Anvil with the Uniswap V2 and V3 contracts and seeded traders",
        state: "live",
        problem: null,
        headBlock: last?.block ?? null
      }
    }
  })
})

/** Path and query to a body, or null where there is nothing at the path. */
const answer = (
  markets: ReadonlyArray<ScriptedMarket>,
  url: URL
): { readonly body: object; readonly seq?: number } | null => {
  const { pathname, searchParams: query } = url
  const number = (name: string, fallback: number) => Number(query.get(name) ?? fallback)
  const chain = number("chain", 8453)
  const find = (token: string | null, id = chain) =>
    markets.find(market => market.chain === id && market.address === token)

  if (pathname === "/v1/chains") return { body: { chains: CHAINS } }
  if (pathname === "/v1/status") return { body: statusOf(markets) }
  if (pathname === "/v1/tokens") {
    const rows = markets.filter(market => market.chain === chain)
    const priceUsd = (market: ScriptedMarket) => market.trades.at(-1)?.trade.priceUsd ?? null
    const tokens = rows.map(market => ({
      address: market.address,
      symbol: market.symbol,
      name: market.name,
      decimals: 18,
      priceUsd: priceUsd(market)
    }))
    return { body: { chain, tokens } }
  }
  if (pathname === "/v1/candles") {
    const market = find(query.get("token"))
    if (!market) return null
    const tf = query.get("tf") ?? "1h"
    const seconds = TF_SECONDS[tf] ?? 3600
    const to = bucketOf(number("to", unixNow() + seconds) - 1, tf) + seconds
    const from = to - number("limit", 300) * seconds
    const candles = candlesOf(market, tf, from, to)
    const body = { chain, token: market.address, tf, source: "index", from, to, candles }
    return { body, seq: headSeq(market) }
  }
  const keyed = /^\/v1\/chains\/base\/token\/(0x[0-9a-f]{40})\/trades$/.exec(pathname)
  const paged = /^\/v1\/tokens\/trades\/(0x[0-9a-f]{40})$/.exec(pathname)
  const market = find(keyed?.[1] ?? paged?.[1] ?? null, keyed ? 8453 : chain)
  if (!market) return null
  const newestFirst = market.trades.map(each => each.trade).reverse()
  const limit = number("limit", 50)
  if (paged) {
    const page = number("page", 1)
    const trades = newestFirst.slice((page - 1) * limit, page * limit)
    return { body: { trades, total: newestFirst.length, page }, seq: headSeq(market) }
  }
  const cursor = query.get("before")
  const isAt = ({ ts, block, logIndex }: (typeof newestFirst)[number]) =>
    `${ts}:${block}:${logIndex}` === cursor
  const start = cursor === null ? 0 : newestFirst.findIndex(isAt) + 1
  const trades = newestFirst.slice(start, start + limit)
  const last = trades.at(-1)
  const more = last !== undefined && start + limit < newestFirst.length
  const nextBefore = more ? `${last.ts}:${last.block}:${last.logIndex}` : null
  return { body: { chain, trades, nextBefore }, seq: headSeq(market) }
}

const sendJson = (response: ServerResponse, status: number, body: object, seq?: number) => {
  response.writeHead(status, {
    "content-type": "application/json",
    ...(seq === undefined ? {} : { "x-log-seq": String(seq) })
  })
  response.end(JSON.stringify(body))
}

/** Starts the server on a free port of the loopback address. */
export const startPageServer = async (): Promise<PageServer> => {
  const markets = makeMarkets()
  const market = (symbol: string) => markets.find(each => each.symbol === symbol)!
  const sockets = new Map<WebSocket, Subscription[]>()
  const subscriptions: Array<Record<string, unknown>> = []
  const refusals = new Map<string, Refusal>()
  const chance = random("page/live")

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", "http://localhost")
    const file = staticFiles.find(each => each.path === url.pathname)
    if (file) {
      response.writeHead(200, { ...pageHeaders, "content-type": file.contentType })
      response.end(await readFile(file.file))
      return
    }
    const refused = [...refusals].find(([prefix]) => url.pathname.startsWith(prefix))?.[1]
    if (refused) {
      sendJson(response, refused.status, { error: refused.error, message: refused.message })
      return
    }
    const found = answer(markets, url)
    if (found) sendJson(response, 200, found.body, found.seq)
    else sendJson(response, 404, { error: "UNKNOWN_TOKEN", message: "no indexed trades here" })
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(error => response.destroy(error))
  })
  const hub = new WebSocketServer({ server, path: "/v1/ws/live" })

  const publish = (changed: ScriptedMarket, entry: LogEntry) => {
    for (const [socket, wanted] of sockets) {
      for (const each of wanted) {
        if (each.chain !== changed.chain || each.token !== changed.address) continue
        for (const frame of framesOf(changed, entry, each)) socket.send(JSON.stringify(frame))
      }
    }
  }

  const subscribe = (socket: WebSocket, message: Subscription & { readonly from?: number }) => {
    const { channel, chain, token, tf, from } = message
    const wanted: Subscription = { channel, chain, token, ...(tf === undefined ? {} : { tf }) }
    sockets.get(socket)?.push(wanted)
    const found = markets.find(each => each.chain === chain && each.address === token)
    socket.send(JSON.stringify({ type: "subscribed", ...wanted }))
    if (!found || from === undefined) return
    for (const entry of found.log.filter(each => each.seq > from)) {
      for (const frame of framesOf(found, entry, wanted)) socket.send(JSON.stringify(frame))
    }
  }

  hub.on("connection", socket => {
    sockets.set(socket, [])
    socket.send(JSON.stringify({ type: "hello" }))
    socket.on("close", () => sockets.delete(socket))
    socket.on("message", data => {
      const message = JSON.parse(String(data))
      subscriptions.push(message)
      if (message.op === "subscribe") subscribe(socket, message)
      if (message.op === "unsubscribe") {
        const isSame = (each: Subscription) =>
          each.channel === message.channel && each.token === message.token && each.tf === message.tf
        sockets.set(
          socket,
          (sockets.get(socket) ?? []).filter(each => !isSame(each))
        )
      }
    })
  })

  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    market,
    subscriptions,
    trade: symbol => {
      const own = market(symbol)
      const before = own.trades.at(-1)?.trade ?? { priceUsd: 1, block: 1 }
      const entry = { seq: headSeq(own) + 1, trade: nextTrade(chance, before, unixNow()) }
      own.log.push(entry)
      own.trades.push(entry)
      publish(own, entry)
    },
    undo: (symbol, count) => {
      const own = market(symbol)
      own.trades = own.trades.slice(0, -count)
      const entry = { seq: headSeq(own) + 1, toSeq: own.trades.at(-1)?.seq ?? 0 }
      own.log.push(entry)
      publish(own, entry)
    },
    dropSockets: () => {
      for (const socket of sockets.keys()) socket.terminate()
    },
    refuse: (prefix, refusal) => refusals.set(prefix, refusal),
    allow: () => refusals.clear(),
    close: () =>
      new Promise(resolve => {
        for (const socket of sockets.keys()) socket.terminate()
        hub.close()
        server.closeAllConnections()
        server.close(() => resolve())
      })
  }
}
