import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, Result, Stream } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { FakeChain } from "../../test/support/fake-chain.ts"
import { type FakeRpc, startFakeRpc } from "../../test/support/fake-rpc.ts"
import { openRpc, type RpcEndpoint } from "./rpc.ts"
import { errorKind, namedBlockLimit, RpcError, urlLabel, withoutSecrets } from "./rpc-error.ts"

const options = { timeoutMs: 5000, maxAnswerBytes: 100_000 }
const chain = new FakeChain()
chain.mine([])
const HEAD = { method: "eth_blockNumber", params: [] }

let rpc: FakeRpc
beforeEach(async () => {
  rpc = await startFakeRpc(chain, "platform rpc")
})
afterEach(() => rpc.close())

const using = <A, E>(url: string, use: (endpoint: RpcEndpoint) => Effect.Effect<A, E>) =>
  Effect.runPromise(Effect.scoped(Effect.flatMap(openRpc(url, options), use)))

const failure = (url: string, method = "eth_blockNumber", params: ReadonlyArray<unknown> = []) =>
  using(url, endpoint => Effect.flip(endpoint.request({ method, params })))

describe("an HTTP endpoint", () => {
  it("answers a call and a batch in order", async () => {
    const calls = [
      { method: "eth_chainId", params: [] },
      { method: "nonsense", params: [] },
      { method: "eth_getBlockByNumber", params: ["0x63", false] }
    ]
    const [one, many] = await using(rpc.url, endpoint =>
      Effect.all([endpoint.request(HEAD), endpoint.batch(calls)])
    )
    expect(one).toBe("0x1")
    expect(
      many.map(answer => (Result.isSuccess(answer) ? answer.success : answer.failure.kind))
    ).toEqual(["0x2105", "unsupported", null])
  })

  it("tells failures apart", async () => {
    rpc.faults.rateLimit = 1
    rpc.retryAfter = "7"
    expect(await failure(rpc.url)).toMatchObject({ kind: "rate-limited", retryAfterMs: 7000 })
    rpc.faults.rateLimit = 0
    rpc.faults.html = 1
    expect(await failure(rpc.url)).toMatchObject({ kind: "bad-answer" })
    rpc.faults.html = 0
    rpc.faults.truncate = 1
    expect(await failure(rpc.url)).toMatchObject({ kind: "bad-answer" })
    rpc.faults.truncate = 0
    rpc.faults.reset = 1
    expect(await failure(rpc.url)).toMatchObject({ kind: "dead" })
    rpc.faults.reset = 0
    rpc.faults.hang = 1
    const impatient = openRpc(rpc.url, { ...options, timeoutMs: 50 })
    const late = Effect.flatMap(impatient, endpoint => Effect.flip(endpoint.request(HEAD)))
    expect(await Effect.runPromise(Effect.scoped(late))).toMatchObject({ kind: "timeout" })
    rpc.faults.hang = 0
    rpc.faults.errorObject = 1
    expect(await failure(rpc.url)).toMatchObject({ kind: "rpc", code: -32603 })
  })

  it("goes nowhere that an answer points to, and says where the URL is set to it", async () => {
    const server = createServer((_, response) => {
      response.writeHead(308, { location: `${rpc.url}/?${"x".repeat(500)}` }).end()
    })
    await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve))
    const error = await failure(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    server.close()
    expect(error.kind).toBe("dead")
    expect(error.message).toContain(`redirects to ${rpc.url}/?xxx`)
    expect(error.message).toContain("set the endpoint's URL to it")
    expect(error.message.length).toBeLessThan(500)
    expect(rpc.requestedAt).toEqual([])
  })

  it("refuses a batch as a whole where the node does", async () => {
    rpc.faults.noBatch = true
    const error = await using(rpc.url, endpoint => Effect.flip(endpoint.batch([HEAD, HEAD])))
    expect(error).toMatchObject({ kind: "rpc", code: -32600 })
  })

  it("says that a closed port is dead, without the secrets of the URL", async () => {
    const error = await failure("http://user:hunter22@127.0.0.1:9/v2/abcdefghijkl?key=secret")
    expect(error).toBeInstanceOf(RpcError)
    expect(error.kind).toBe("dead")
    expect(error.message).not.toMatch(/hunter22|abcdefghijkl|secret/)
    expect(error.message).toContain("127.0.0.1:9")
  })

  it("reads an error's HTTP status where the body has none", async () => {
    const limited = await failure(rpc.url, "eth_getLogs", [{ blockHash: "0x1" }])
    expect(limited).toMatchObject({ kind: "no-state", code: -32000 })
  })
})

describe("a WebSocket endpoint", () => {
  it("answers calls and batches", async () => {
    const [one, many] = await using(rpc.wsUrl, endpoint =>
      Effect.all([endpoint.request(HEAD), endpoint.batch([HEAD, HEAD])])
    )
    expect(one).toBe("0x1")
    expect(many).toEqual([Result.succeed("0x1"), Result.succeed("0x1")])
  })

  it("gives each its own answers where several share an address", async () => {
    const calls = [HEAD, { method: "eth_chainId", params: [] }]
    const asked = Effect.gen(function* () {
      const endpoints = yield* Effect.forEach(calls, () => openRpc(rpc.wsUrl, options))
      for (const { newHeads } of endpoints) {
        yield* Effect.forkScoped(Stream.runDrain(newHeads ?? Stream.empty))
      }
      const twenty = endpoints.map((endpoint, i) =>
        Effect.forEach(Array(20).fill(calls[i] ?? HEAD), call => endpoint.request(call), {
          concurrency: 5
        })
      )
      return yield* Effect.all(twenty, { concurrency: 2 })
    })
    const [heads, ids] = await Effect.runPromise(Effect.scoped(asked))
    expect(new Set(heads)).toEqual(new Set(["0x1"]))
    expect(new Set(ids)).toEqual(new Set(["0x2105"]))
  })

  it("pushes heads, fails when cut, and connects again", async () => {
    const own = new FakeChain()
    const server = await startFakeRpc(own, "heads")
    const timer = setInterval(() => own.mine([]), 20)
    const numbers = await using(server.wsUrl, endpoint => {
      const heads = endpoint.newHeads ?? Stream.empty
      const three = Stream.runCollect(
        Stream.take(
          Stream.map(heads, head => (head as { number: string }).number),
          3
        )
      )
      return Effect.gen(function* () {
        const first = yield* three
        const cut = Stream.runForEach(heads, () => Effect.sync(server.cutSockets))
        const lost = yield* Effect.flip(cut)
        const again = yield* three
        return { first: first.length, lost: (lost as RpcError).kind, again: again.length }
      })
    })
    clearInterval(timer)
    await server.close()
    expect(numbers).toEqual({ first: 3, lost: "dead", again: 3 })
  })

  it("says that a closed port is dead", async () => {
    expect(await failure("ws://127.0.0.1:9")).toMatchObject({ kind: "dead" })
  })
})

const INFURA = "query returned more than 10000 results. Try with this block range [0x1, 0x2]."
const ALCHEMY = "Log response size exceeded. You can make requests with up to a 2K block range"

describe("provider messages", () => {
  const said: ReadonlyArray<readonly [string, number, string, string]> = [
    ["eth_getLogs", -32005, "query returned more than 10000 results", "too-many-results"],
    ["eth_getLogs", -32005, "limit exceeded", "too-many-results"],
    ["eth_getLogs", -32602, "Log response size exceeded. You can ...", "too-many-results"],
    ["eth_getLogs", -32602, "query exceeds max results 20000, retry", "too-many-results"],
    ["eth_getLogs", -32602, "query exceeds max block range 100000", "range-too-wide"],
    ["eth_getLogs", -32000, "exceed maximum block range: 5000", "range-too-wide"],
    ["eth_getLogs", -32600, "block range is too wide", "range-too-wide"],
    ["eth_getLogs", -32614, "eth_getLogs is limited to a 10,000 range", "range-too-wide"],
    ["eth_getLogs", -32600, "you can make requests with up to a 10 block range", "range-too-wide"],
    ["eth_getLogs", 35, "ranges over 10000 blocks are not supported on freetier", "range-too-wide"],
    ["eth_getLogs", -32000, "requested too many blocks from 1 to 9", "range-too-wide"],
    ["eth_getLogs", -32000, "Block range limit exceeded.", "range-too-wide"],
    ["eth_getLogs", -32005, INFURA, "too-many-results"],
    ["eth_getLogs", -32000, "logs matched by query exceeds limit of 10000", "too-many-results"],
    ["eth_getLogs", -32000, "eth_getLogs is limited to a 10k blocks range", "range-too-wide"],
    ["eth_getLogs", -32602, ALCHEMY, "range-too-wide"],
    ["eth_getLogs", -32000, "block range extends beyond current head block", "no-state"],
    ["eth_getLogs", -32005, "project ID request rate exceeded", "rate-limited"],
    ["eth_getLogs", -32005, "daily request count exceeded, request rate limited", "rate-limited"],
    ["eth_call", 429, "Your app has exceeded its compute units per second", "rate-limited"],
    ["eth_call", -32007, "50/second request limit reached", "rate-limited"],
    ["eth_call", -32016, "over rate limit", "rate-limited"],
    ["eth_getBlockReceipts", -32601, "the method does not exist", "unsupported"],
    ["eth_getBlockReceipts", -32000, "Method not available on this plan", "unsupported"],
    ["eth_call", 3, "execution reverted", "reverted"],
    ["eth_call", -32000, "invalid opcode: INVALID", "reverted"],
    ["eth_call", -32000, "missing trie node 12ab", "no-state"],
    ["eth_getBlockByNumber", -32603, "internal error", "rpc"]
  ]

  it.each(said)("%s %d %s", (method, code, message, kind) => {
    expect(errorKind(method, code, message)).toBe(kind)
  })

  it("finds the limit they name", () => {
    expect(namedBlockLimit("exceed maximum block range: 5000")).toBe(5000)
    expect(namedBlockLimit("eth_getLogs is limited to a 10,000 range")).toBe(10_000)
    expect(namedBlockLimit("requested too many blocks, maximum is set to 2048")).toBe(2048)
    expect(namedBlockLimit("with up to a 10 block range")).toBe(10)
    expect(namedBlockLimit("requests with up to a 2K block range and")).toBe(2000)
    expect(namedBlockLimit("limited to a 10k blocks range")).toBe(10_000)
    expect(namedBlockLimit("range is too large, max is 1k blocks")).toBe(1000)
    expect(namedBlockLimit("block range is too wide")).toBeUndefined()
  })

  it("keeps secrets of URLs to itself", () => {
    const url = "https://me:pass1@rpc.example.org/v2/a1b2c3d4e5f6?token=t0ken"
    expect(urlLabel(url)).toBe("rpc.example.org")
    expect(withoutSecrets(`bad ${url} pass1 a1b2c3d4e5f6 t0ken`, url)).toBe(
      "bad rpc.example.org *** *** ***"
    )
  })

  it("shows what a node says as one line that steers no terminal", () => {
    const told = "no\u001b[2J\u001b[31m such block\r\n12:00:00 well\u202e again\u2028"
    for (const url of ["https://rpc.example.org", "none"]) {
      expect(withoutSecrets(told, url)).toBe("no [2J [31m such block 12:00:00 well  again ")
    }
  })
})
