import { describe, expect, it } from "vitest"
import { bucketOf, callerKey, isLoopback, RateLimiter } from "./rate-limiter.ts"

const v4 = (...bytes: ReadonlyArray<number>) => new Uint8Array(bytes).buffer
const v6 = (...tail: ReadonlyArray<number>) => {
  const bytes = new Uint8Array(16)
  bytes.set(tail, 16 - tail.length)
  return bytes.buffer
}

describe("the buckets", () => {
  it("follow the path", () => {
    expect(bucketOf("/v1/candles")).toBe("default")
    expect(bucketOf("/v1/chains/base/token/0x/trades")).toBe("default")
    expect(bucketOf("/v1/tokens")).toBe("data")
    expect(bucketOf("/v1/tokens/trades/0x")).toBe("data")
    expect(bucketOf("/v1/crosschain/status")).toBe("bridge")
    expect(bucketOf("/v1/logo/8453/0x")).toBe("logos")
    expect(bucketOf("/app.js")).toBe("data")
  })

  it("are those of the route that answers, however its path is written", () => {
    for (const path of ["/V1/candles", "//v1/candles", "/v1//candles", "/%76%31/candles"]) {
      expect([path, bucketOf(path)]).toEqual([path, "default"])
    }
    for (const path of ["/v1/Tokens", "/v1//tokens/trades/0x", "/v1/%74okens"]) {
      expect([path, bucketOf(path)]).toEqual([path, "data"])
    }
    expect(bucketOf("/v1/%zz")).toBe("default")
  })
})

describe("the limiter", () => {
  it("refuses the 61st request of a minute and forgets at its end", () => {
    let now = 30_000
    const limiter = new RateLimiter({ enforced: true, loopbackEnforced: false, now: () => now })
    const caller = v4(10, 0, 0, 1)
    const left = Array.from({ length: 61 }, () => limiter.take("default", caller))
    expect(left[0]).toBe(59)
    expect(left[59]).toBe(0)
    expect(left[60]).toBe(-1)
    expect(limiter.resetText).toBe("60")
    expect(limiter.take("default", v4(10, 0, 0, 2))).toBe(59)
    expect(limiter.take("data", caller)).toBe(299)
    now = 60_000
    expect(limiter.take("default", caller)).toBe(59)
    expect(limiter.resetText).toBe("120")
  })

  it("counts callers of this machine without refusing them, unless told", () => {
    const exhaust = (limiter: RateLimiter) => {
      for (let i = 0; i < 60; i++) limiter.take("default", v4(127, 0, 0, 1))
      return limiter.take("default", v4(127, 0, 0, 1))
    }
    const now = () => 0
    expect(exhaust(new RateLimiter({ enforced: true, loopbackEnforced: false, now }))).toBe(0)
    expect(exhaust(new RateLimiter({ enforced: true, loopbackEnforced: true, now }))).toBe(-1)
    expect(exhaust(new RateLimiter({ enforced: false, loopbackEnforced: true, now }))).toBe(0)
  })

  it("lets newcomers through where it cannot remember more", () => {
    const options = { enforced: true, loopbackEnforced: true, maxCallers: 2, now: () => 0 }
    const limiter = new RateLimiter(options)
    for (let i = 1; i <= 2; i++) limiter.take("default", v4(10, 0, 0, i))
    for (let i = 0; i < 100; i++) expect(limiter.take("default", v4(10, 0, 0, 3))).toBe(60)
    expect(limiter.take("default", v4(10, 0, 0, 2))).toBe(58)
  })
})

describe("a caller", () => {
  it("is an IPv4 address or an IPv6 /64", () => {
    expect(callerKey(v4(1, 2, 3, 4))).toBe(0x01020304)
    expect(callerKey(v6(255, 255, 1, 2, 3, 4))).toBe(0x01020304)
    const host = new Uint8Array(16).fill(0x20)
    const neighbour = host.slice()
    neighbour[15] = 1
    expect(callerKey(host.buffer)).toBe("2020202020202020")
    expect(callerKey(neighbour.buffer)).toBe("2020202020202020")
  })

  it("may be on this machine", () => {
    expect(isLoopback(v4(127, 3, 2, 1))).toBe(true)
    expect(isLoopback(v6(1))).toBe(true)
    expect(isLoopback(v6(255, 255, 127, 0, 0, 1))).toBe(true)
    expect(isLoopback(v4(10, 0, 0, 1))).toBe(false)
    expect(isLoopback(v6(2))).toBe(false)
  })
})
