/**
 * Every declared GET route: 304 for the same state, a fresh answer after a commit, and what was
 * kept is what was made, to the byte and the header.
 */
import { Context } from "effect"
import { HttpApi } from "effect/http-api"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { readerOf, startApi, type TestApi } from "../test/support/api-server.ts"
import { chainConfig, FakeLane } from "../test/support/fake-lanes.ts"
import { fakeTrade } from "../test/support/fake-trade.ts"
import { type Got, get } from "../test/support/get.ts"
import { TestKeys } from "../test/support/test-keys.ts"
import { Api } from "./api.ts"
import { EndpointParameters } from "./parameters.ts"

const TOKEN = `0x${"ab".repeat(20)}`
const GOOD: { readonly [name: string]: string } = { chain: "base", address: TOKEN, token: TOKEN }
const GOOD_QUERY = {
  ...{ ...GOOD, chain: "8453", q: "usd", t: "1789999200", amount: "1000", taker: TOKEN },
  ...{ inputMint: TOKEN, outputMint: `0x${"cd".repeat(20)}` }
}

/** Made at every request, since they tell ages by the clock, or end by it. */
const NEVER_KEPT =
  /^\/(metrics|v1\/(health|health\/chains|status|.+\/status|quote|swap\/calldata|meta\/.+|account\/key|agent\/stats))$/
/** Made at every request too, but the reader keeps them: they name the server, or the lanes now. */
const NEVER_KEPT_HERE = /^\/v1\/(chains|mcp\/.+)$/
/** No commit changes them. */
const LASTING = new Set([
  "/v1/changelog",
  "/v1/rules",
  "/v1/logo/:chain/:address",
  "/v1/mcp/tools.json",
  "/v1/mcp/server-card"
])
/** Of the lanes themselves, not of what they hold. */
const OF_LANES = new Set(["/v1/chains"])

const paths: Array<readonly [path: string, url: string]> = []
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint }) => {
    if (endpoint.method !== "GET") return
    const parameters = Context.getOrUndefined(endpoint.annotations, EndpointParameters) ?? {}
    const inPath = new Set<string>()
    const path = endpoint.path.replace(/:(\w+)/g, (_, name) => {
      inPath.add(name)
      return GOOD[name] ?? String(parameters[name]?.openapi.example)
    })
    const query = Object.entries(GOOD_QUERY).filter(
      ([name]) => name in parameters && !inPath.has(name)
    )
    paths.push([endpoint.path, `${path}?${new URLSearchParams(query)}`])
  }
})

const lanes = [chainConfig(8453, "base"), chainConfig(5042, "arc"), chainConfig(4663, "rh")].map(
  config => new FakeLane(config)
)
const keys = new TestKeys()
const key = keys.create("some key")
let api: TestApi
/** of a quote that was given */
let quoteId = ""
beforeAll(async () => {
  api = await startApi(lanes, { trade: fakeTrade, keys: keys.book })
  const order = `inputMint=${GOOD_QUERY.inputMint}&outputMint=${GOOD_QUERY.outputMint}&amount=1`
  quoteId = (await readerOf(api)(`/meta/quote?chain=8453&${order}`)).quoteId
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
  it.each(paths)("%s tells whether it has changed", async (path, example) => {
    const url = path.endsWith("/:quoteId")
      ? example.replace(/[^/]+$/, encodeURIComponent(quoteId))
      : example
    const first = await read(url)
    expect([url, first.status]).toEqual([url, 200])
    const { text: body } = first
    const etag = first.headers.etag
    if (NEVER_KEPT.test(path)) {
      expect([first.headers["cache-control"], etag]).toEqual(["no-store", undefined])
      return
    }
    const { cacheHits } = api.counters
    const kept = await read(url)
    expect(api.counters.cacheHits).toBe(cacheHits + (NEVER_KEPT_HERE.test(path) ? 0 : 1))
    expect(lasting(kept)).toEqual(lasting(first))
    for (const _ of ["kept", "kept"]) {
      const again = await read(url, etag)
      expect([again.status, again.text, again.headers.etag]).toEqual([304, "", etag])
    }
    expect((await read(url, '"another"')).status).toBe(200)
    commit()
    if (LASTING.has(path) || OF_LANES.has(path)) {
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
