import { describe, expect, it } from "vitest"
import type { ApiKey } from "../../engine/keys/key-book.ts"
import { type Limits, PLANS } from "../../src/rules/plans.ts"
import { bucketOf, callerKey, isLoopback, RateLimiter } from "./rate-limiter.ts"

const v4 = (...bytes: ReadonlyArray<number>) => new Uint8Array(bytes).buffer
const v6 = (...tail: ReadonlyArray<number>) => {
  const bytes = new Uint8Array(16)
  bytes.set(tail, 16 - tail.length)
  return bytes.buffer
}

const keyOf = (id: string, limits: Partial<Limits>): ApiKey => ({
  ...{ id, name: id, plan: "basic", limits: { ...(PLANS["basic"] as Limits), ...limits } },
  ...{ createdAtMs: 0, rotatedAtMs: null, revokedAtMs: null }
})

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

  it("are those of reads for reads alone", () => {
    expect(bucketOf("/v1/tokens", "head")).toBe("data")
    expect(bucketOf("/v1/tokens", "post")).toBe("default")
    expect(bucketOf("/v1/logo/1/0x", "delete")).toBe("default")
    expect(bucketOf("/v1/tokens", "options")).toBe("preflight")
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
  it("opens the minute that it is where the clock was set back", () => {
    let now = 3_600_000
    const limiter = new RateLimiter({ enforced: true, loopbackEnforced: false, now: () => now })
    const caller = v4(10, 0, 0, 1)
    for (let i = 0; i < 61; i++) limiter.take("default", caller, null)
    expect([limiter.take("default", caller, null), limiter.resetSeconds]).toEqual([-1, 3660])
    now = 30_000
    expect([limiter.take("default", caller, null), limiter.resetSeconds]).toEqual([59, 60])
    expect(limiter.retryAfterSeconds).toBe(30)
  })

  it("refuses the 61st request of a minute and forgets at its end", () => {
    let now = 30_000
    const limiter = new RateLimiter({ enforced: true, loopbackEnforced: false, now: () => now })
    const caller = v4(10, 0, 0, 1)
    const left = Array.from({ length: 61 }, () => limiter.take("default", caller, null))
    expect(left[0]).toBe(59)
    expect(left[59]).toBe(0)
    expect(left[60]).toBe(-1)
    expect(limiter.resetSeconds).toBe(60)
    expect(limiter.take("default", v4(10, 0, 0, 2), null)).toBe(59)
    expect(limiter.take("data", caller, null)).toBe(299)
    now = 60_000
    expect(limiter.take("default", caller, null)).toBe(59)
    expect(limiter.resetSeconds).toBe(120)
  })

  it("counts callers of this machine without refusing them, unless told", () => {
    const exhaust = (limiter: RateLimiter) => {
      for (let i = 0; i < 60; i++) limiter.take("default", v4(127, 0, 0, 1), null)
      return limiter.take("default", v4(127, 0, 0, 1), null)
    }
    const now = () => 0
    expect(exhaust(new RateLimiter({ enforced: true, loopbackEnforced: false, now }))).toBe(0)
    expect(exhaust(new RateLimiter({ enforced: true, loopbackEnforced: true, now }))).toBe(-1)
    expect(exhaust(new RateLimiter({ enforced: false, loopbackEnforced: true, now }))).toBe(0)
  })

  it("counts a key by itself and by its plan, wherever it comes from", () => {
    let now = 59_999
    const limiter = new RateLimiter({ enforced: true, loopbackEnforced: false, now: () => now })
    const key = keyOf("0000000000aa", { default: 3 })
    const left = [1, 2, 3, 4].map(host => limiter.take("default", v4(10, 0, 0, host), key))
    expect(left).toEqual([2, 1, 0, -1])
    expect(limiter.take("default", v4(127, 0, 0, 1), key)).toBe(-1)
    expect(limiter.take("default", v4(10, 0, 0, 1), null)).toBe(59)
    expect(limiter.take("data", v4(10, 0, 0, 1), key)).toBe(2999)
    expect(limiter.leftLines("default", key, -1)).toBe(
      "0\r\nx-ratelimit-limit: 3\r\nx-ratelimit-reset: 60"
    )
    expect(limiter.leftLines("default", null, 7)).toBe(
      "7\r\nx-ratelimit-limit: 60\r\nx-ratelimit-reset: 60"
    )
    expect(limiter.useOf(key)).toMatchObject({
      ...{ since: 0, reset: 60 },
      buckets: { default: { limit: 3, used: 3, remaining: 0 }, data: { used: 1 } }
    })
    now = 60_000
    expect(limiter.useOf(key).buckets.default).toEqual({ limit: 3, used: 0, remaining: 3 })
    expect(limiter.take("default", v4(10, 0, 0, 1), key)).toBe(2)
  })

  it("adds what others counted in the same window", () => {
    let now = 30_000
    const limiter = new RateLimiter({ enforced: true, loopbackEnforced: false, now: () => now })
    const caller = v4(10, 0, 0, 1)
    const more = [{ bucket: "default", caller: callerKey(caller), requests: 58 }] as const
    limiter.add(60, more)
    limiter.add(120, more)
    limiter.add(0, more)
    expect(limiter.take("default", caller, null)).toBe(1)
    limiter.add(60, more)
    expect(limiter.take("default", caller, null)).toBe(-1)
    now = 60_000
    expect(limiter.take("default", caller, null)).toBe(59)
  })

  it("lets newcomers through where it cannot remember more", () => {
    const options = { enforced: true, loopbackEnforced: true, maxCallers: 2, now: () => 0 }
    const limiter = new RateLimiter(options)
    for (let i = 1; i <= 2; i++) limiter.take("default", v4(10, 0, 0, i), null)
    for (let i = 0; i < 100; i++) expect(limiter.take("default", v4(10, 0, 0, 3), null)).toBe(60)
    expect(limiter.take("default", v4(10, 0, 0, 2), null)).toBe(58)
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
