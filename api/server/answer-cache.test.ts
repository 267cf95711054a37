import { describe, expect, it } from "vitest"
import { RouteMeter } from "../route-meters.ts"
import { answerOf } from "./answer.ts"
import { AnswerCache, type CachedAnswer } from "./answer-cache.ts"

const answer = (bytes: number): CachedAnswer => ({
  answer: answerOf({
    status: "200 OK",
    headers: [],
    contentType: null,
    etag: null,
    encodings: null,
    body: new Uint8Array(bytes)
  }),
  bucket: "default",
  meter: new RouteMeter("/v1/x")
})
const FOREVER = () => true

describe("the answer cache", () => {
  it("answers while the answer is true", () => {
    const cache = new AnswerCache({ maxBytes: 10_000, maxEntries: 10 })
    let seq = 7
    const kept = answer(10)
    cache.set("/a", kept, () => seq === 7)
    expect(cache.get("/a")?.answer).toBe(kept.answer)
    seq = 8
    expect(cache.get("/a")).toBeUndefined()
    expect(cache.get("/b")).toBeUndefined()
    expect(cache.hits).toBe(1)
  })

  it("keeps to its bounds and drops what was not read", () => {
    const cache = new AnswerCache({ maxBytes: 1_000_000, maxEntries: 3 })
    for (const url of ["/a", "/b", "/c"]) cache.set(url, answer(10), FOREVER)
    cache.get("/a")
    cache.set("/d", answer(10), FOREVER)
    expect(cache.size).toBe(3)
    expect(cache.get("/a")).toBeDefined()
    expect(cache.get("/b")).toBeUndefined()
    expect(cache.get("/c")).toBeDefined()
    expect(cache.get("/d")).toBeDefined()
    // Every entry read: the oldest goes nonetheless.
    cache.set("/e", answer(10), FOREVER)
    expect(cache.size).toBe(3)
    expect(cache.get("/e")).toBeDefined()
  })

  it("counts bytes, also where a URL is answered anew", () => {
    const cache = new AnswerCache({ maxBytes: 10_000, maxEntries: 100 })
    for (let i = 0; i < 50; i++) {
      cache.set(`/${i}`, answer(3000), FOREVER)
      expect(cache.bytes).toBeLessThanOrEqual(10_000)
    }
    expect(cache.size).toBe(2)
    const before = cache.bytes
    cache.set("/49", answer(3000), FOREVER)
    expect(cache.bytes).toBe(before)
    cache.set("/big", answer(20_000), FOREVER)
    expect(cache.get("/big")).toBeUndefined()
    expect(cache.get("/49")).toBeDefined()
  })
})
