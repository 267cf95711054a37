/**
 * Readers who must not notice a pin: sockets that hear of trades, and requests at fixed times of
 * which some are of a past that is over.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { openSocket, type WsClient } from "../../test/support/ws-client.ts"
import { boardRoutes, type Market } from "../boards/routes.ts"
import { type HttpAnswer, KeepAliveClient } from "../http/keep-alive-client.ts"

const CONNECTIONS = 16

/** Tell how the engine is, which changes without a new position. */
const OF_THE_ENGINE: ReadonlySet<string> = new Set(["status"])

/** Sockets that subscribe to trades, one token after the other. */
export const openSockets = async (
  port: number,
  count: number,
  { chain, tokens }: Market
): Promise<ReadonlyArray<WsClient>> =>
  Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const upgrade = await openSocket(port)
      if (!upgrade.ok) throw new Error(`no live socket: ${upgrade.status} ${upgrade.body}`)
      const token = tokens[i % tokens.length]
      upgrade.client.send({ op: "subscribe", channel: "trades", chain, token })
      return upgrade.client
    })
  )

/** Requests that a load sends one after the other. */
export interface Page {
  readonly route: string
  readonly path: string
  /** what of the answer is of a past that is over, so that it may not change; absent: nothing */
  readonly past?: (body: Buffer) => unknown
}

const memberOf = (name: string) => (body: Buffer) =>
  (JSON.parse(body.toString()) as { readonly [name: string]: unknown })[name]

/** Every board and page by ever new URLs, and between them pages of blocks up to `time`. */
export const pageAt = (market: Market, time: number, i: number): Page => {
  const { chain, tokens } = market
  const turn = Math.floor(i / (boardRoutes.length + 1))
  const at = i % (boardRoutes.length + 1)
  const board = boardRoutes[at]
  if (board !== undefined) return { route: board.name, path: board.path(market, turn) }
  const token = tokens[turn % tokens.length]
  const path = `/v1/candles?chain=${chain}&token=${token}&tf=1m&from=1&to=${time}`
  return { route: "past_candles", path, past: memberOf("candles") }
}

const headerOf = ({ headers }: HttpAnswer, name: string): string | undefined =>
  headers.find(([own]) => own === name)?.[1]

/** What was answered, to be compared with what is answered later. */
export class Seen {
  private readonly atSeq = new Map<string, string>()
  private readonly pasts = new Map<string, string>()
  compared = 0
  readonly changed: Array<string> = []

  take({ route, path, past }: Page, answer: HttpAnswer): void {
    const seq = OF_THE_ENGINE.has(route) ? undefined : headerOf(answer, "x-log-seq")
    if (seq !== undefined) this.look(this.atSeq, `${path} at ${seq}`, answer.body.toString())
    if (past !== undefined) this.look(this.pasts, path, JSON.stringify(past(answer.body)))
  }

  private look(known: Map<string, string>, name: string, text: string): void {
    const before = known.get(name)
    if (before === undefined) known.set(name, text)
    else {
      this.compared++
      if (before !== text) this.changed.push(name)
    }
  }
}

export interface Timed {
  readonly route: string
  readonly ms: number
}

interface Due {
  readonly page: Page
  readonly at: number
}

/**
 * Asks so often a second until `isOver`, at fixed times; a request's latency runs from when it was
 * due, also where it waited for a free connection. Each fourth repeats the one before, so that
 * there is something to compare at one position.
 */
export const askSteadily = async (
  port: number,
  perSecond: number,
  pages: (i: number) => Page,
  seen: Seen,
  isOver: () => boolean
): Promise<ReadonlyArray<Timed>> => {
  const clients = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => KeepAliveClient.open(port))
  )
  const free = [...clients]
  const due: Array<Due> = []
  const times: Array<Timed> = []
  const serve = async (client: KeepAliveClient): Promise<void> => {
    for (let one = due.shift(); one !== undefined; one = due.shift()) {
      const { page, at } = one
      const answer = await client.get(page.path)
      times.push({ route: page.route, ms: performance.now() - at })
      if (answer.status !== 200) throw new Error(`${page.path}: ${answer.status} ${answer.body}`)
      seen.take(page, answer)
    }
    free.push(client)
  }
  const running: Array<Promise<void>> = []
  const began = performance.now()
  try {
    for (let i = 0; !isOver(); i++) {
      const wait = began + (i * 1000) / perSecond - performance.now()
      if (wait > 0) await sleep(wait)
      due.push({ page: pages(i - Math.floor((i + 1) / 4)), at: performance.now() })
      // in turns: the server closes a connection that is idle for long
      const client = free.shift()
      if (client !== undefined) running.push(serve(client))
    }
    await Promise.all(running)
  } finally {
    for (const client of clients) client.close()
  }
  return times
}
