/**
 * Laws of every declared route, whatever it tells: a lane that forked, restarted and committed as
 * it came answers what a lane that folds the same log in one go answers, byte for byte, and what a
 * lane that only ever saw the final chain answers, but for positions of the log. Answers are of the
 * form that their route declares, and each list in them has rows somewhere. And what a lane
 * answers of events that it has folded and not committed is what it answers of them at any time.
 * Of one family of chains; in the long run of all.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import type { Endpoint } from "../../api/endpoints.ts"
import { allPages } from "../../api/queries.ts"
import type { Lane } from "../../engine/lane/lanes.ts"
import type { QueryAnswer, QueryRequest } from "../../engine/question.ts"
import { allProjections } from "../../projections/all.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { startApi, type TestApi } from "../support/api-server.ts"
import { emptyLists, undeclared } from "../support/declared-answers.ts"
import { fakeTrade } from "../support/fake-trade.ts"
import { get } from "../support/get.ts"
import { MemoryLane } from "../support/memory-lane.ts"
import type { MemoryLog } from "../support/memory-log.ts"
import { type Asked, declaredRoutes, inBase58, isOf, urlsOf } from "../support/route-urls.ts"
import { forkedMarket, routeChains } from "../support/route-world.ts"
import { type Random, random, seed } from "../support/seed.ts"

const isLong = process.env["SWAPTAPE_LONG"] === "1"
const ROUNDS = isLong ? 4 : 1
/** Queries of a route besides the plain one; there are up to fifty. */
const FURTHER = isLong ? 100 : 3
let files = 0
const STEPS = 16
/** Segments between two times that a lane is asked, at most. */
const LARGEST_PART = isLong ? 8 : 16
/** Longer than a former answer may be given while a new one is made. */
const STALE_MS = 1100

const dir = mkdtempSync(join(tmpdir(), "routes-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

type World = ReturnType<typeof forkedMarket>

interface Served {
  readonly lane: MemoryLane
  readonly api: TestApi
}

const serve = async (chain: ChainConfig, log: MemoryLog, file?: string): Promise<Served> => {
  const lane = new MemoryLane(chain, log, file)
  await lane.start()
  return { lane, api: await startApi([lane], { trade: fakeTrade }) }
}

/** Folds all of a log in one go. */
const serveFolded = async (chain: ChainConfig, log: MemoryLog): Promise<Served> => {
  const served = await serve(chain, log)
  await served.lane.fold(log.segments.length)
  await served.lane.commit()
  return served
}

const stop = async ({ lane, api }: Served): Promise<void> => {
  await api.close()
  await lane.close()
}

interface Answer {
  readonly status: number
  readonly type: string | null
  readonly etag: string | null
  readonly seq: string | null
  readonly body: string
}

const read = async ({ api }: Served, url: string): Promise<Answer> => {
  const { status, headers, text } = await get(api.url + url)
  return {
    status,
    type: headers["content-type"] ?? null,
    etag: headers.etag ?? null,
    seq: headers["x-log-seq"]?.toString() ?? null,
    body: text
  }
}

/** Grows by parts of any size, with commits, compaction and restarts between, and readers. */
const live = async (
  served: Served,
  log: MemoryLog,
  r: Random,
  urls: ReadonlyArray<string>
): Promise<void> => {
  const { lane } = served
  while (lane.folded < log.segments.length) {
    await lane.fold(r.integer(1, 6))
    const isBehind = r.boolean(0.3)
    await lane.commit(isBehind)
    if (!isBehind && r.boolean(0.3)) await lane.compact(3)
    if (r.boolean(0.2)) {
      await lane.close()
      await lane.start()
    }
    for (const url of r.shuffle(urls).slice(0, 12)) await read(served, url)
  }
  await lane.commit()
}

/** What is worth asking about, as the final chain has it. */
const askedOf = async (served: Served, { market: { tokens } }: World): Promise<Asked> => {
  const { config } = served.lane
  const { id, key } = config
  const textOf = (address: string) => (config.family === "solana" ? inBase58(address) : address)
  const token = textOf(tokens[2]?.address ?? "")
  const { body } = await read(served, `/v1/tokens/trades/${token}?chain=${id}&limit=500`)
  const { trades } = JSON.parse(body) as {
    trades: ReadonlyArray<{
      readonly ts: number
      readonly block: number
      readonly logIndex: number
      readonly pool: string
      readonly wallet: string | null
    }>
  }
  const middle = trades[trades.length >> 1]
  const trader = trades.find(({ wallet }) => wallet !== null)?.wallet ?? ""
  if (middle === undefined) throw new Error("the market has no trades")
  return {
    chain: { id, key },
    tokens: [2, 3].map(place => textOf(tokens[place]?.address ?? "")),
    wallets: [trader, textOf(`0x${"77".repeat(20)}`)],
    pools: [...new Set(trades.map(({ pool }) => pool))],
    minutes: [...new Set(trades.map(({ ts }) => ts - (ts % 60)))].slice(0, 3),
    middle
  }
}

/** Fields that tell of the server beside the chain, and differ from process to process. */
const OF_THE_PROCESS: { readonly [field: string]: string } = {
  blockAgeS: "how long ago by the server's clock the newest block was",
  lag: "the same",
  startedAt: "when the server began",
  uptimeSeconds: "for how long it has run",
  rollbacks: "of this run: a restart begins anew",
  lastRollbackDepth: "the same"
}
const CLOCKED = declaredRoutes
  .filter(({ toldBy }) => toldBy === "server")
  .map(({ path }) => new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`))

/** Whether a URL's answers are by the server's clock, `updatedAt` among their fields. */
const isClocked = (url: string): boolean => CLOCKED.some(path => path.test(url))

/** Fields that tell a position of the log: what was undone has its positions too. */
const OF_THE_LOG: { readonly [field: string]: string } = {
  asOf: "the position that an answer is of",
  seq: "the committed position, or that of a print behind a flag",
  logSeq: "the newest position of the log"
}

const without =
  (...lists: ReadonlyArray<{ readonly [field: string]: string }>) =>
  (url: string, { status, type, body }: Answer): string => {
    const out = new Set(lists.flatMap(Object.keys))
    if (isClocked(url)) out.add("updatedAt")
    if (type !== "application/json") return `${status} ${type} ${body}`
    const kept = JSON.parse(body, (key, value) => (out.has(key) ? undefined : value))
    return `${status} ${JSON.stringify(kept)}`
  }

type Look = (url: string, answer: Answer) => string

/** The answers that differ, around the first difference. */
const differences = (
  one: ReadonlyMap<string, Answer>,
  other: ReadonlyMap<string, Answer>,
  look: Look
): ReadonlyArray<string> =>
  [...one].flatMap(([url, answer]) => {
    const [a, b] = [look(url, answer), look(url, other.get(url) as Answer)]
    if (a === b) return []
    let at = 0
    while (a[at] === b[at]) at++
    const part = (text: string) => text.slice(Math.max(0, at - 100), at + 100)
    return [`${url}\n  ${part(a)}\n  ${part(b)}`]
  })

const readAll = async (served: Served, urls: ReadonlyArray<string>) => {
  const answers = new Map<string, Answer>()
  for (const url of urls) answers.set(url, await read(served, url))
  return answers
}

const whole: Look = (url, answer) =>
  isClocked(url) ? without(OF_THE_PROCESS)(url, answer) : JSON.stringify([answer.body, answer])

/** Lists that may well be empty on a chain of these tests, by path and name. */
const MAY_BE_EMPTY: ReadonlyArray<readonly [RegExp, string]> = [
  [/\/(trending|attention) /, "tokens that were traded in the chain's last two hours"],
  [/\/token\/:address token\.tags$/, "of tokens that a curated list of the chain names"],
  [/\/tokens lists$/, "the chain's curated lists"],
  [/\/status uptime\.days$/, "what a prober finds, which measures nothing here"],
  [/\/status streams$/, "streams of the log's server, which has none here"],
  [/\/health(\/chains)? warnings$/, "what such a stream lost"],
  [/\/status gaps$/, "runs of blocks that are missing or not proven"],
  [/\/candles\/proof unknown$/, "swaps that have no price"],
  [/\/prices\/explain dollars\.known$/, "where the chain has several dollars"]
]

const mayBeEmpty = (list: string): boolean => MAY_BE_EMPTY.some(([lists]) => lists.test(list))

const SHOW_SOMETHING =
  "a route's answers must show something. Where the route is right, let the market hold it (test/support/route-world.ts), or ask for it (ownQueries of test/support/route-urls.ts)"
const DECLARE =
  "an answer is not what its route declares: mend the query, or the schema of its declaration"

/**
 * Routes that answer nothing with 200, and lists that no answer of their route has a row in: equal
 * answers would say nothing of them.
 */
const silent = (
  answers: ReadonlyMap<string, Answer>,
  urls: ReadonlyMap<Endpoint, ReadonlyArray<string>>
): ReadonlyArray<string> =>
  [...urls].flatMap(([route, list]) => {
    const told = list.flatMap(url => {
      const { status = 0, body = "" } = answers.get(url) ?? {}
      return status === 200 ? [body] : []
    })
    if (told.length === 0) return [`${route.path}: no answer with 200 among ${list.join(" ")}`]
    return emptyLists(route, told)
      .map(name => `${route.path} ${name}`)
      .filter(named => !mayBeEmpty(named))
      .map(named => `${named}: is empty in all of ${list.join(" ")}`)
  })

/** Answers that are not what their route declares. */
const otherThanDeclared = (
  answers: ReadonlyMap<string, Answer>,
  urls: ReadonlyMap<Endpoint, ReadonlyArray<string>>
): ReadonlyArray<string> =>
  [...urls].flatMap(([route, list]) =>
    list.flatMap(url => {
      const { status = 0, type = null, body = "" } = answers.get(url) ?? {}
      const issue =
        status === 200 && type === "application/json" ? undeclared(route, body) : undefined
      return issue === undefined ? [] : [`${url}\n  ${issue}`]
    })
  )

/** Drawn for each route by itself, so that a new one changes nothing of what the others are asked. */
const someUrls = (route: Endpoint, asked: Asked): ReadonlyArray<string> =>
  urlsOf(route, asked, queries => random(`routes${route.path}`).shuffle(queries).slice(0, FURTHER))

/** Boards that stand for minutes, as of when they were built. */
const KEPT = /^\/v1\/chains\/solana\/(smart-)?traders$/

const compare = async (chain: ChainConfig, world: World, r: Random): Promise<void> => {
  const straight = await serveFolded(chain, world.final)
  const asked = await askedOf(straight, world)
  // metrics are counters of the server
  const routes = declaredRoutes.filter(
    route => isOf(route, chain) && route.path !== "/metrics" && !KEPT.test(route.path)
  )
  const byRoute = new Map(routes.map(route => [route, someUrls(route, asked)]))
  const urls = [...byRoute.values()].flat()
  const grown = await serve(chain, world.log, join(dir, `${files++}.duckdb`))
  await live(grown, world.log, r, urls)
  // what may be a second out of date is not any more
  await sleep(STALE_MS)
  const rebuilt = await serveFolded(chain, world.log)
  const [answers, anew, expected] = [
    await readAll(grown, urls),
    await readAll(rebuilt, urls),
    await readAll(straight, urls)
  ]
  for (const served of [straight, grown, rebuilt]) await stop(served)
  expect(silent(answers, byRoute), SHOW_SOMETHING).toEqual([])
  expect(otherThanDeclared(answers, byRoute), DECLARE).toEqual([])
  expect(differences(answers, anew, whole)).toEqual([])
  expect(differences(answers, expected, without(OF_THE_PROCESS, OF_THE_LOG))).toEqual([])
}

/** All that a lane was asked while these pages were read. */
const requestsOf = async (served: Served, urls: ReadonlyArray<string>) => {
  const { lane } = served
  const { query } = lane
  const requests = new Map<string, QueryRequest>()
  const noted: Lane["query"] = request => {
    requests.set(JSON.stringify(request), request)
    return query(request)
  }
  Object.assign(lane, { query: noted })
  await readAll(served, urls)
  Object.assign(lane, { query })
  return [...requests.values()]
}

const isOnMemory = new Set(
  [...allProjections, ...allPages]
    .flatMap(({ queries }) => queries.flatMap(one => (one.on === "memory" ? [one] : [])))
    .map(({ name }) => name)
)

const textOf = (answer: QueryAnswer): string =>
  answer.ok ? new TextDecoder().decode(answer.body) : JSON.stringify(answer.refusal)

/** What the queries on memory answer while a part of a log is folded and not committed. */
const askFolded = async (lane: MemoryLane, requests: ReadonlyArray<QueryRequest>) => {
  const answers = new Map<string, QueryAnswer>()
  const asking = requests
    .filter(({ name }) => isOnMemory.has(name))
    .map(async request => {
      answers.set(JSON.stringify(request), await Effect.runPromise(lane.query(request)))
    })
  // those that need nothing of the tables have answered by then
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
  const early = answers.size
  await lane.commit()
  await Promise.all(asking)
  return { answers, early }
}

/** Asks a lane between commits; a fresh one that folds as much of the log must answer the same. */
const askBetween = async (chain: ChainConfig, world: World, r: Random): Promise<void> => {
  const straight = await serveFolded(chain, world.final)
  const asked = await askedOf(straight, world)
  const routes = declaredRoutes.filter(route => isOf(route, chain) && route.path !== "/metrics")
  const urls = routes.flatMap(route => someUrls(route, asked))
  const requests = await requestsOf(straight, urls)
  await stop(straight)
  const grown = new MemoryLane(chain, world.log)
  await grown.start()
  let early = 0
  while (grown.folded < world.log.segments.length) {
    await grown.fold(r.integer(1, LARGEST_PART))
    const fresh = new MemoryLane(chain, world.log)
    await fresh.start()
    await fresh.fold(grown.folded)
    const found = await askFolded(grown, requests)
    await fresh.commit()
    for (const [text, answer] of found.answers) {
      const expected = await Effect.runPromise(fresh.query(JSON.parse(text)))
      expect([text, answer.seq, textOf(answer)]).toEqual([text, expected.seq, textOf(expected)])
    }
    await fresh.close()
    early += found.early
  }
  await grown.close()
  expect(early).toBeGreaterThan(100)
}

describe("every route", () => {
  it("answers at what is folded what a fresh fold up to there answers", async () => {
    console.log(`routes: SEED=${seed}`)
    const r = random("routes/folded")
    const world = forkedMarket("routes/folded", r, STEPS)
    await askBetween(r.pick(routeChains(world.market)), world, r)
  }, 600_000)

  it("answers after forks what a rebuild and the final chain answer", async () => {
    console.log(`routes: SEED=${seed}`)
    for (let round = 0; round < ROUNDS; round++) {
      const r = random(`routes/${round}`)
      const world = forkedMarket(`routes/${round}`, r, STEPS)
      const chains = routeChains(world.market)
      const [drawn, ofSolana] = [r.pick(chains), chains.filter(({ key }) => key === "solana")]
      const some = isLong ? chains : new Set([drawn, ...ofSolana])
      for (const chain of some) await compare(chain, world, r)
    }
  }, 600_000)
})
