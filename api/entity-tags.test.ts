/**
 * Every declared GET route: 304 for the same state, a fresh answer after a commit, and what was
 * kept is what was made, to the byte and the header.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { solana } from "../src/domain/chains/solana.ts"
import { readerOf, startApi, type TestApi } from "../test/support/api-server.ts"
import { exampleValues } from "../test/support/example-values.ts"
import { chainConfig, FakeLane } from "../test/support/fake-lanes.ts"
import { fakeTrade } from "../test/support/fake-trade.ts"
import { type Got, get } from "../test/support/get.ts"
import { TestKeys } from "../test/support/test-keys.ts"
import { type Endpoint, endpoints } from "./endpoints.ts"

/**
 * Made at every request, and told apart by their bytes: they name the server, or the lanes now. No
 * commit changes them.
 */
const BY_THEIR_BYTES = /^\/v1\/(chains|mcp\/.+)$/

/** Made at every request, since they tell ages by the clock, or end by it. */
const isNeverKept = ({ path, toldBy }: Endpoint): boolean =>
  (toldBy === "server" || toldBy === "others") && !BY_THEIR_BYTES.test(path)

/** The URL of the declaration's examples, but for an id that is given. */
const urlOf = (endpoint: Endpoint, quoteId: string): string => {
  const values = { ...exampleValues(endpoint), quoteId }
  const given = new Map<string, string>(Object.entries(values))
  const path = endpoint.path.replace(/:(\w+)/g, (_, name) => {
    const value = encodeURIComponent(given.get(name) ?? "")
    given.delete(name)
    return value
  })
  if (!("quoteId" in endpoint.parameters)) given.delete("quoteId")
  return `${path}?${new URLSearchParams([...given])}`
}

/** Boards of traders are built by a fiber of the server, and refused until then. */
const IS_BUILT_BESIDE = /^\/v1\/chains\/solana\/(smart-)?traders$/

const routes = endpoints().filter(
  ({ method, path }) => method === "GET" && !IS_BUILT_BESIDE.test(path)
)

const chains = [chainConfig(8453, "base"), chainConfig(5042, "arc"), chainConfig(4663, "rh")]
const lanes = [...chains, solana].map(config => new FakeLane(config))
const keys = new TestKeys()
const key = keys.create("some key")
let api: TestApi
/** of a quote that was given */
let quoteId = ""
beforeAll(async () => {
  api = await startApi(lanes, { trade: fakeTrade, keys: keys.book })
  const order = new URLSearchParams(
    exampleValues(routes.find(({ path }) => path === "/v1/meta/quote") as Endpoint)
  )
  quoteId = (await readerOf(api)(`/meta/quote?${order}`)).quoteId
})
afterAll(() => api.close())

const commit = (): void => {
  for (const lane of lanes) {
    const seq = lane.seq() + 1
    lane.respond = () => ({ seq })
    lane.commit(seq)
  }
}
beforeEach(commit)

const read = (url: string, etag?: string): Promise<Got> =>
  get(api.url + url, { "x-api-key": key, ...(etag ? { "if-none-match": etag } : {}) })

/** Without what differs by nature: the clock, the caller's count, the connection. */
const lasting = ({ status, headers, text }: Got) => {
  const own = /^(date|connection|keep-alive|x-ratelimit-(remaining|reset))$/
  return { status, text, headers: Object.entries(headers).filter(([name]) => !own.test(name)) }
}

describe("GET", () => {
  it.each(routes)("$path tells whether it has changed", async endpoint => {
    const url = urlOf(endpoint, quoteId)
    const first = await read(url)
    expect([url, first.status]).toEqual([url, 200])
    const { text: body } = first
    const etag = first.headers.etag
    if (isNeverKept(endpoint)) {
      expect([first.headers["cache-control"], etag]).toEqual(["no-store", undefined])
      return
    }
    const isByBytes = BY_THEIR_BYTES.test(endpoint.path)
    const { cacheHits } = api.counters
    const kept = await read(url)
    expect(api.counters.cacheHits).toBe(cacheHits + (isByBytes ? 0 : 1))
    expect(lasting(kept)).toEqual(lasting(first))
    for (const _ of ["kept", "kept"]) {
      const again = await read(url, etag)
      expect([again.status, again.text, again.headers.etag]).toEqual([304, "", etag])
    }
    expect((await read(url, '"another"')).status).toBe(200)
    commit()
    if (isByBytes || endpoint.toldBy === "code") {
      expect((await read(url, etag)).status).toBe(304)
      return
    }
    if (first.headers["cache-control"]?.includes("stale-while-revalidate")) {
      await expect.poll(async () => (await read(url, etag)).status).toBe(200)
    }
    const fresh = await read(url, etag)
    expect(fresh.status).toBe(200)
    expect(fresh.headers.etag).not.toBe(etag)
    expect(fresh.text).not.toBe(body)
  })
})
