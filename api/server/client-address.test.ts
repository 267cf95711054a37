/** Whose request it is behind proxies: told by settings, seen in who is refused. */
import { ConfigProvider, Effect } from "effect"
import { afterEach, describe, expect, it } from "vitest"
import { proxyTrustConfig } from "../../src/platform/api-config.ts"
import { startApi, type TestApi } from "../../test/support/api-server.ts"
import { chainConfig, FakeLane } from "../../test/support/fake-lanes.ts"
import { rawExchange, requestText } from "../../test/support/raw-http.ts"

type Environment = { readonly [name: string]: string }

const trustOf = (env: Environment) =>
  proxyTrustConfig.pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env }))
  )

let api: TestApi
afterEach(() => api.close())

/** Loopback is not refused, so that one who is was taken for another. */
const start = async (env: Environment) => {
  const proxies = await Effect.runPromise(trustOf(env))
  api = await startApi([new FakeLane(chainConfig(8453, "base"))], {
    rateLimit: { enforced: true, loopbackEnforced: false, now: () => 90_000 },
    ...(proxies === null ? {} : { proxies })
  })
}

/** What is left to whomever the headers make the caller, after one request of `/v1/chains`. */
const leftWith = async (...headers: ReadonlyArray<string>): Promise<number> => {
  const text = requestText("GET /v1/chains", "connection: close", ...headers)
  const wire = await rawExchange(api.port, text)
  return Number(/x-ratelimit-remaining: (\d+)/.exec(wire)?.[1])
}

const xff = (value: string) => `x-forwarded-for: ${value}`

describe("without trusted proxies", () => {
  it("the connection's address counts, whatever headers say", async () => {
    await start({})
    expect(await leftWith(xff("1.2.3.4"))).toBe(59)
    expect(await leftWith(xff("1.2.3.5"), "forwarded: for=1.2.3.6", "x-real-ip: 1.2.3.7")).toBe(58)
  })
})

describe("TRUSTED_PROXIES=1", () => {
  it("takes what the proxy wrote, which is last, and nothing that was there before", async () => {
    await start({ TRUSTED_PROXIES: "1" })
    expect(await leftWith(xff("1.2.3.4"))).toBe(59)
    expect(await leftWith(xff("9.9.9.9, 1.2.3.4"))).toBe(58)
    // a proxy may add a line of its own
    expect(await leftWith(xff("8.8.8.8"), xff("1.2.3.4"))).toBe(57)
    expect(await leftWith(xff("1.2.3.4:4711"))).toBe(56)
    expect(await leftWith(xff("::ffff:1.2.3.4"))).toBe(55)
    expect(await leftWith(xff("1.2.3.5"))).toBe(59)
    // of an IPv6 address its /64
    expect(await leftWith(xff("2001:db8::1"))).toBe(59)
    expect(await leftWith(xff("[2001:db8::2]:80"))).toBe(58)
    // the other header is not read
    expect(await leftWith("forwarded: for=1.2.3.4")).toBe(59)
    // who is not told is the proxy itself
    expect(await leftWith(xff("unknown"))).toBe(58)
    expect(await leftWith()).toBe(57)
  })

  it("refuses the client over its limit, and no other", async () => {
    await start({ TRUSTED_PROXIES: "1" })
    const ask = (address: string) =>
      fetch(`${api.url}/v1/chains`, { headers: { "x-forwarded-for": address } })
    for (let i = 0; i < 60; i++) expect((await ask("1.2.3.4")).status).toBe(200)
    expect((await ask("1.2.3.4")).status).toBe(429)
    expect((await ask("7.7.7.7, 1.2.3.4")).status).toBe(429)
    expect((await ask("1.2.3.5")).status).toBe(200)
  })
})

describe("TRUSTED_PROXIES=2", () => {
  it("goes two back, or as far as the header goes", async () => {
    await start({ TRUSTED_PROXIES: "2" })
    expect(await leftWith(xff("9.9.9.9, 1.2.3.4, 10.0.0.1"))).toBe(59)
    expect(await leftWith(xff("1.2.3.4, 10.0.0.1"))).toBe(58)
    expect(await leftWith(xff("1.2.3.4"))).toBe(57)
  })
})

describe("TRUSTED_PROXIES with addresses", () => {
  it("goes back while the address is one of them", async () => {
    await start({ TRUSTED_PROXIES: "127.0.0.0/8, 10.0.0.0/8,fd00::/8" })
    expect(await leftWith(xff("9.9.9.9, 1.2.3.4, fd00::7, 10.0.0.1"))).toBe(59)
    expect(await leftWith(xff("10.0.0.9, 1.2.3.4"))).toBe(58)
    expect(await leftWith(xff("1.2.3.4"))).toBe(57)
  })

  it("reads nothing of a connection that is not", async () => {
    await start({ TRUSTED_PROXIES: "10.0.0.0/8" })
    expect(await leftWith(xff("1.2.3.4"))).toBe(59)
    expect(await leftWith(xff("1.2.3.5"))).toBe(58)
  })
})

describe("TRUSTED_PROXY_HEADER=forwarded", () => {
  it("reads that header in its own form, and not the other", async () => {
    await start({ TRUSTED_PROXIES: "1", TRUSTED_PROXY_HEADER: "forwarded" })
    expect(await leftWith("forwarded: for=9.9.9.9, for=1.2.3.4;proto=https;by=10.0.0.1")).toBe(59)
    expect(await leftWith('forwarded: proto=http;For="1.2.3.4:80"')).toBe(58)
    expect(await leftWith('forwarded: for="[2001:db8::1]:4711"')).toBe(59)
    expect(await leftWith(xff("1.2.3.4"))).toBe(59)
  })
})

describe("a wrong TRUSTED_PROXIES", () => {
  it("is told with what it may be", async () => {
    await start({})
    for (const text of ["nginx", "-1", "17", "10.0.0.0/33", "127.0.0.1,x"]) {
      const error = await Effect.runPromise(Effect.flip(trustOf({ TRUSTED_PROXIES: text })))
      expect(error.message).toBe(
        `TRUSTED_PROXIES=${text}: it must be the number of proxies before this server, at most 16, ` +
          "or their addresses and networks, such as 127.0.0.1,10.0.0.0/8"
      )
    }
  })
})
