import { Effect } from "effect"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { LaneUnavailable } from "../../../engine/lane/lanes.ts"
import { solana } from "../../../src/domain/chains/solana.ts"
import { isLoopbackHost } from "../../../src/platform/api-config.ts"
import type { PinStatus } from "../../../streams/source.ts"
import { declaredCodes, startApi, type TestApi } from "../../../test/support/api-server.ts"
import { chainConfig, FakeLane, NATIVE_TOKEN, refusal } from "../../../test/support/fake-lanes.ts"
import { mayPin, type PinCaller, type PinRules } from "./pin-desk.ts"

const address = (n: number) => `0x${n.toString(16).padStart(40, "a")}`
const TOKEN = address(1)

let arc: FakeLane
let base: FakeLane
let api: TestApi

beforeAll(async () => {
  arc = new FakeLane(chainConfig(5042, "arc", "Arc"))
  base = new FakeLane(chainConfig(8453, "base", "Base"))
  api = await startApi([arc, base], { holderPins: 3 })
})
afterAll(() => api.close())
beforeEach(() => {
  for (const lane of [arc, base]) {
    lane.requests.length = 0
    lane.respond = () => ({ of: lane.config.key })
    lane.commit(lane.seq() + 1)
  }
})

const read = async (path: string) => {
  const response = await fetch(`${api.url}/v1${path}`)
  return { status: response.status, body: await response.json() }
}

const pinStatus = (token: string, some: Partial<PinStatus> = {}): PinStatus => ({
  ...{ token, state: "backfilling", addedBlock: 100, createdBlock: null, floorBlock: 100 },
  ...{ reachedBlock: 42, complete: false, problem: null, unaudited: null },
  ...some
})

const tellPins = (lane: FakeLane, pins: ReadonlyArray<PinStatus>) => {
  const { source } = lane.state
  if (source !== null) lane.state = { ...lane.state, source: { ...source, pins } }
}

const pendingFor = (lane: FakeLane) => {
  lane.respond = () => refusal(503, "HOLDERS_PENDING", "not in the log yet")
}

describe("the holder routes", () => {
  it("ask the chain's lane", async () => {
    expect((await read(`/arc/token/${TOKEN}/holders`)).body).toEqual({ of: "arc" })
    expect((await read(`/chains/BASE/token/${TOKEN}/holders?limit=7`)).body).toEqual({ of: "base" })
    const zero = `0x${"0".repeat(40)}`
    expect((await read(`/chains/8453/token/${zero}/holders`)).body).toEqual({ of: "base" })
    const params = {
      token: TOKEN,
      limit: 50,
      reached: null,
      problem: null,
      unaudited: null
    }
    expect(arc.requests).toEqual([{ name: "holders", params }])
    expect(base.requests.map(request => request.params)).toEqual([
      { ...params, limit: 7 },
      { ...params, token: NATIVE_TOKEN }
    ])
  })

  it("refuse what is no address and no limit", async () => {
    for (const route of ["/arc", "/rh", "/chains/base"]) {
      const bad = await read(`${route}/token/0x12/holders`)
      expect([bad.status, bad.body.error]).toEqual([400, "BAD_ADDRESS"])
      for (const limit of ["0", "1001", "x"]) {
        const { status, body } = await read(`${route}/token/${TOKEN}/holders?limit=${limit}`)
        expect([status, body.error]).toEqual([400, "BAD_LIMIT"])
      }
    }
  })

  it("are refused on Solana, where none will ever be told", async () => {
    const lane = new FakeLane(solana)
    const other = await startApi([lane])
    const mint = solana.nativeToken
    const answer = await fetch(`${other.url}/v1/chains/solana/token/${mint}/holders`)
    expect([answer.status, answer.headers.get("retry-after"), await answer.json()]).toEqual([
      400,
      null,
      {
        error: "UNSUPPORTED_CHAIN",
        message: "holders are told of EVM chains: transfers are not read on Solana"
      }
    ])
    expect(lane.requests.filter(({ name }) => name === "holders")).toEqual([])
    const { chains } = await (await fetch(`${other.url}/v1/chains`)).json()
    const { holders, swap, wallet } = chains[0].routes
    expect({ holders, swap, wallet }).toEqual({
      ...{ holders: null, swap: null, wallet: "/v1/chains/solana/wallet/{address}" }
    })
    await other.close()
  })

  it("say which chain is not served, and where another's holders are", async () => {
    const off = await read(`/rh/token/${TOKEN}/holders`)
    expect([off.status, off.body.error]).toEqual([503, "CHAIN_NOT_ENABLED"])
    expect(off.body.message).toContain("set RPC_4663 to turn it on")
    for (const [chain, own] of [
      ["arc", "/v1/arc/token/{address}/holders"],
      ["4663", "/v1/rh/token/{address}/holders"]
    ]) {
      const { status, body } = await read(`/chains/${chain}/token/${TOKEN}/holders`)
      expect([status, body.error]).toEqual([400, "UNSUPPORTED_CHAIN"])
      expect(body.message).toContain(own)
    }
    const monad = await read(`/chains/monad/token/${TOKEN}/holders`)
    expect([monad.status, monad.body.error]).toEqual([400, "UNSUPPORTED_CHAIN"])
  })

  it("pass on what the lane says", async () => {
    base.respond = ({ name }) =>
      name === "holders" ? refusal(404, "UNKNOWN_TOKEN", "no such token") : false
    arc.respond = ({ name }) => name === "hasToken"
    const unknown = await read(`/chains/base/token/${TOKEN}/holders`)
    expect([unknown.status, unknown.body.error]).toEqual([404, "UNKNOWN_TOKEN"])
    expect(unknown.body.message).toBe("no such token; it trades on chain 5042 (arc)")
    base.respond = () => new LaneUnavailable({ chain: "base", message: "gone" })
    base.commit(base.seq() + 1)
    const gone = await read(`/chains/base/token/${TOKEN}/holders`)
    expect([gone.status, gone.body.error]).toEqual([503, "CHAIN_DATA_UNAVAILABLE"])
    expect(base.pinned).toEqual([])
  })

  it("declare their codes", () => {
    for (const route of ["/arc", "/rh", "/chains/{chain}"]) {
      const path = `/v1${route}/token/{address}/holders`
      expect(declaredCodes(path, 503)).toContain("HOLDERS_PENDING")
      expect(declaredCodes(path, 404)).toEqual(["UNKNOWN_TOKEN", "TOKEN_NOT_FOUND"])
    }
  })
})

describe("progress", () => {
  it("is asked for with the token's own cursor, and answers nothing that is over", async () => {
    tellPins(arc, [pinStatus(address(9)), pinStatus(TOKEN, { reachedBlock: 77 })])
    arc.respond = ({ params }) => params
    const path = `/arc/token/${TOKEN}/holders`
    expect((await read(path)).body).toMatchObject({ reached: 77 })
    await read(path)
    expect(arc.requests.length).toBe(1)
    tellPins(arc, [pinStatus(TOKEN, { reachedBlock: 80 })])
    expect((await read(path)).body).toMatchObject({ reached: 80 })
    expect(arc.requests.length).toBe(2)
    tellPins(arc, [])
  })
})

describe("who may have a token pinned", () => {
  const rules = { most: 10, perHour: 2 }
  const may = (
    times: ReadonlyArray<number>,
    now: number,
    some: Partial<PinRules & PinCaller> = {}
  ) => {
    const { kind = "anonymous", ...other } = some
    const found = mayPin({ ...rules, ...other }, { kind }, 8453, 3, times, now)
    return found.may ? "may" : [found.why.code, found.why.retrySeconds]
  }

  it("is anybody, some times an hour, or always where all callers are local", () => {
    const now = 10_000_000
    expect(may([], now)).toBe("may")
    expect(may([now - 3_600_000, now - 10], now)).toBe("may")
    expect(may([now - 3_000_000, now - 10], now)).toEqual(["HOLDERS_UNAVAILABLE", 600])
    const local = { perHour: null, kind: "local" } as const
    expect(may([now - 3_000_000, now - 10], now, local)).toBe("may")
    // a limit that was set is everybody's
    expect(may([now - 3_000_000, now - 10], now, { ...local, perHour: 1 })).not.toBe("may")
    // behind a proxy on this machine anybody may ask
    expect(may([], now, { perHour: null })).toBe("may")
    expect(may([now - 3_000_000, now - 10], now, { perHour: null })).toEqual([
      ...["HOLDERS_UNAVAILABLE", 600]
    ])
    expect(may([], now, { perHour: 0 })).toEqual(["HOLDERS_UNAVAILABLE", 3_600])
    expect(may([], now, { most: 3 })).toEqual(["HOLDERS_UNAVAILABLE", undefined])
  })

  it("is told when to ask again", async () => {
    const lane = new FakeLane(chainConfig(8453, "base", "Base"))
    const open = await startApi([lane], { holderPinsPerHour: 1 })
    pendingFor(lane)
    const ask = async (n: number) => {
      const answer = await fetch(`${open.url}/v1/chains/base/token/${address(n)}/holders`)
      const body = (await answer.json()) as { error: string; message: string }
      return [answer.status, body.error, answer.headers.get("retry-after"), body.message] as const
    }
    expect((await ask(1)).slice(0, 3)).toEqual([503, "HOLDERS_PENDING", "5"])
    const [status, error, retry, message] = await ask(2)
    expect([status, error]).toEqual([503, "HOLDERS_UNAVAILABLE"])
    expect(Number(retry)).toBeGreaterThan(3_500)
    expect(Number(retry)).toBeLessThanOrEqual(3_600)
    expect(message).toBe(
      "requests may have 1 tokens of chain 8453 tracked an hour (HOLDER_PINS_PER_HOUR), and had: " +
        "ask again later, or set PIN_8453"
    )
    // who asks for what is pinned already changes nothing
    expect((await ask(1)).slice(0, 2)).toEqual([503, "HOLDERS_PENDING"])
    expect(lane.pinned).toEqual([address(1)])
    await open.close()
  })

  it("is anonymous where a proxy passed the request on, also to a loopback address", async () => {
    const lane = new FakeLane(chainConfig(8453, "base", "Base"))
    const open = await startApi([lane], { holderPinsPerHour: null })
    pendingFor(lane)
    const ask = async (n: number, headers: Record<string, string>) => {
      const path = `${open.url}/v1/chains/base/token/${address(n)}/holders`
      return (await (await fetch(path, { headers })).json()).error
    }
    const forwarded = { "x-forwarded-for": "192.0.2.7" }
    const codes = []
    for (const n of [1, 2, 3]) codes.push(await ask(n, forwarded))
    codes.push(await ask(4, { forwarded: "for=192.0.2.8" }), await ask(5, {}))
    const [pending, refused] = ["HOLDERS_PENDING", "HOLDERS_UNAVAILABLE"]
    expect(codes).toEqual([pending, pending, refused, refused, pending])
    await open.close()
  })

  it("depends on the address listened on", () => {
    const hosts = ["127.0.0.1", "127.9.9.9", "localhost", "::1", "0.0.0.0", "10.0.0.1", "::"]
    const local = [true, true, true, true, false, false, false]
    expect(hosts.map(isLoopbackHost)).toEqual(local)
  })
})

describe("a token that is not tracked", () => {
  it("is pinned once, however often it is asked for", async () => {
    pendingFor(arc)
    for (let i = 0; i < 3; i++) {
      const { status, body } = await read(
        `/arc/token/${TOKEN.toUpperCase().replace("X", "x")}/holders`
      )
      expect([status, body.error]).toEqual([503, "HOLDERS_PENDING"])
      expect(body.message).toContain(
        "some are told from the next blocks on, all once its past is read"
      )
    }
    expect(arc.pinned).toEqual([TOKEN])
    // nobody is sent away to wait for what does not come
    tellPins(arc, [pinStatus(TOKEN, { problem: "earlier transfers cannot be read: no node" })])
    const { message } = (await read(`/arc/token/${TOKEN}/holders`)).body
    expect(message).toContain("are being gathered: earlier transfers cannot be read: no node; ")
    tellPins(arc, [])
  })

  it("is not pinned beyond the limit, which counts what is pinned otherwise", async () => {
    pendingFor(arc)
    tellPins(arc, [pinStatus(address(7))])
    const at = (n: number) => read(`/arc/token/${address(n)}/holders`)
    const answers = await Promise.all([2, 3, 4, 7].map(at))
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
      [503, "HOLDERS_PENDING"],
      [503, "HOLDERS_UNAVAILABLE"],
      [503, "HOLDERS_UNAVAILABLE"],
      [503, "HOLDERS_PENDING"]
    ])
    expect(answers[1]?.body.message).toBe(
      "3 tokens of chain 5042 are tracked already, and requests may add none beyond 3 (HOLDER_PINS)"
    )
    expect(arc.pinned).toEqual([TOKEN, address(2)])
  })

  it("is not pinned again where its pin was taken back, which makes room for another", async () => {
    pendingFor(arc)
    const gone = pinStatus(address(21), { state: "unpinned", addedBlock: null })
    tellPins(arc, [gone])
    const ask = (n: number) => read(`/arc/token/${address(n)}/holders`)
    const { status, body } = await ask(21)
    expect([status, body.error]).toEqual([503, "HOLDERS_UNAVAILABLE"])
    expect(body.message).toContain("only PIN_5042 has its transfers gathered again")
    tellPins(arc, [])
  })

  it("is not promised where nothing can read its transfers", async () => {
    pendingFor(base)
    const path = `/chains/base/token/${TOKEN}/holders`
    const { source } = base.state
    base.state = { ...base.state, source: null }
    const without = await read(path)
    expect([without.status, without.body.error]).toEqual([503, "HOLDERS_UNAVAILABLE"])
    if (source !== null) base.state = { ...base.state, source: { ...source, kind: "file" } }
    const files = await read(path)
    expect([files.status, files.body.error]).toEqual([503, "HOLDERS_UNAVAILABLE"])
    expect(files.body.message).toContain("read from files")
    base.state = { ...base.state, source }
    const { pin } = base
    const failing = { pin: () => new LaneUnavailable({ chain: "base", message: "just ended" }) }
    Object.assign(base, { pin: () => Effect.fail(failing.pin()) })
    const ended = await read(path)
    expect([ended.status, ended.body]).toEqual([
      503,
      { error: "HOLDERS_UNAVAILABLE", message: "just ended" }
    ])
    Object.assign(base, { pin })
    expect((await read(path)).body.error).toBe("HOLDERS_PENDING")
    expect(base.pinned).toEqual([TOKEN])
  })
})
