/** Compressed answers: who gets them, what they hold, and what is told of both forms. */
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { afterEach, describe, expect, it } from "vitest"
import { startApi, type TestApi } from "../../test/support/api-server.ts"
import { chainConfig, FakeLane } from "../../test/support/fake-lanes.ts"
import { rawExchange, requestText } from "../../test/support/raw-http.ts"
import { acceptedCoding } from "./encodings.ts"

const BIG = { candles: Array.from({ length: 300 }, (_, i) => ({ t: i * 60, o: 1.5, n: i })) }
const CANDLES = `/v1/candles?chain=8453&token=0x${"ab".repeat(20)}`

let api: TestApi
let lane: FakeLane
const start = async (answer: unknown = BIG) => {
  lane = new FakeLane(chainConfig(8453, "base"), () => answer)
  api = await startApi([lane])
}
afterEach(() => api.close())

const get = async (url: string, ...headers: ReadonlyArray<string>) => {
  const text = requestText(`GET ${url}`, "connection: close", ...headers)
  const wire = await rawExchange(api.port, text)
  const end = wire.indexOf("\r\n\r\n")
  const lines = wire.slice(0, end).split("\r\n")
  const fields = new Map(
    lines.slice(1).map(line => {
      const colon = line.indexOf(":")
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
    })
  )
  return {
    status: Number(lines[0]?.split(" ")[1]),
    fields,
    body: Buffer.from(wire.slice(end + 4), "latin1")
  }
}

describe("a large answer", () => {
  it("is compressed for whoever asks, and the same bytes when it is not", async () => {
    await start()
    const plain = await get(CANDLES)
    for (const _ of ["made now", "from the cache"]) {
      const small = await get(CANDLES, "accept-encoding: gzip, deflate, br")
      expect(small.fields.get("content-encoding")).toBe("gzip")
      expect(Number(small.fields.get("content-length"))).toBe(small.body.byteLength)
      expect(small.body.byteLength).toBeLessThan(plain.body.byteLength / 4)
      expect(gunzipSync(small.body).equals(plain.body)).toBe(true)
      expect(small.fields.get("vary")).toBe("accept-encoding")
      expect(small.fields.get("x-log-seq")).toBe("1")
    }
    expect(plain.fields.get("content-encoding")).toBeUndefined()
    expect(plain.fields.get("vary")).toBe("accept-encoding")
    expect(lane.requests.length).toBe(1)
  })

  it("has one ETag, weak for the compressed form, and 304 for either", async () => {
    await start()
    const gzip = "accept-encoding: gzip"
    const etag = (await get(CANDLES)).fields.get("etag") ?? ""
    expect((await get(CANDLES, gzip)).fields.get("etag")).toBe(`W/${etag}`)
    for (const held of [etag, `W/${etag}`]) {
      const plain = await get(CANDLES, `if-none-match: ${held}`)
      expect([plain.status, plain.fields.get("etag"), plain.body.length]).toEqual([304, etag, 0])
      const small = await get(CANDLES, `if-none-match: ${held}`, gzip)
      expect([small.status, small.fields.get("etag")]).toEqual([304, `W/${etag}`])
      expect(small.fields.get("content-encoding")).toBeUndefined()
    }
    lane.commit(2)
    expect((await get(CANDLES, `if-none-match: W/${etag}`, gzip)).status).toBe(200)
  })

  it("is made once, however many ask at the same time", async () => {
    await start()
    const all = await Promise.all(
      Array.from({ length: 20 }, () => get(CANDLES, "accept-encoding: gzip"))
    )
    expect(new Set(all.map(({ body }) => body.toString("hex"))).size).toBe(1)
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200))
  })

  it("has the length of the compressed form where only its headers are asked for", async () => {
    await start()
    const { body } = await get(CANDLES, "accept-encoding: gzip")
    const head = await fetch(api.url + CANDLES, {
      method: "HEAD",
      headers: { "accept-encoding": "gzip" }
    })
    expect(head.headers.get("content-length")).toBe(String(body.byteLength))
    expect(head.headers.get("content-encoding")).toBe("gzip")
  })
})

describe("a small answer", () => {
  it("is not compressed", async () => {
    await start({ candles: [] })
    const { fields } = await get(CANDLES, "accept-encoding: gzip, br")
    expect(fields.get("content-encoding")).toBeUndefined()
  })
})

describe("what lasts", () => {
  it("is brotli or gzip, and may be kept", async () => {
    await start()
    for (const url of ["/docs", "/v1/openapi.json", "/assets/app.js", "/"]) {
      const plain = await get(url)
      const brotli = await get(url, "accept-encoding: gzip, deflate, br")
      expect([url, brotli.fields.get("content-encoding")]).toEqual([url, "br"])
      expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true)
      const gzip = await get(url, "accept-encoding: gzip")
      expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true)
      const etag = plain.fields.get("etag") ?? ""
      expect((await get(url, `if-none-match: ${etag}`)).status).toBe(304)
    }
    for (const url of ["/docs", "/v1/openapi.json"]) {
      expect((await get(url)).fields.get("cache-control")).toBe("public, max-age=300")
    }
    const docs = await get("/docs", "accept-encoding: br")
    expect(docs.body.byteLength).toBeLessThan(1_200_000)
  })
})

describe("Accept-Encoding", () => {
  it("is read with its weights", async () => {
    await start()
    const both = ["br", "gzip"] as const
    const cases: ReadonlyArray<readonly [string, string | null]> = [
      ["", null],
      ["identity", null],
      ["gzip", "gzip"],
      ["GZIP", "gzip"],
      ["gzip;q=0", null],
      ["gzip; q=0.000, br;q=0.1", "br"],
      ["gzip;q=1.0", "gzip"],
      ["deflate, xbr", null],
      ["br;q=0, gzip;q=0.5", "gzip"]
    ]
    for (const [header, coding] of cases) {
      expect([header, acceptedCoding(header, both)]).toEqual([header, coding])
    }
  })
})
