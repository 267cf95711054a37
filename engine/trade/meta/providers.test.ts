/**
 * The laws of all aggregators: their protocols, spoken by servers on this machine that answer well,
 * lie, are late, talk garbage, or are not there. What is not as it was asked for is refused with
 * the reason. What each tells for it stands in `providers/<name>.laws.ts`.
 */
import { Effect } from "effect"
import { encodeAbiParameters } from "viem"
import { afterEach, describe, expect, it } from "vitest"
import { RpcError } from "../../../src/platform/rpc-error.ts"
import { answeringOf, EXECUTOR, lawsOf, toldOf } from "../../../test/support/aggregator-answers.ts"
import {
  type LocalAnswer,
  type LocalServer,
  localServer
} from "../../../test/support/local-http.ts"
import type { ChainNode, NodeCall, StateOverrides } from "../chain-node.ts"
import { NATIVE } from "../contract/router-call.ts"
import { allowedRouter } from "./allow-list.ts"
import { askerOf } from "./ask-provider.ts"
import type { BreakerMove } from "./breakers.ts"
import { type CheckedCall, type Found, type MetaChain, MetaDesk } from "./meta-desk.ts"
import type { BuildOrder, Hex } from "./protocol/provider.ts"
import type { Answering, Told } from "./protocol/provider-laws.ts"
import { PROVIDER_IDS, PROVIDERS, type ProviderId } from "./providers/all.ts"
import { kyberSummary } from "./providers/kyberswap.laws.ts"

const address = (byte: string): Hex => `0x${byte.repeat(20)}`
const [TAKER, STRANGER, TOKEN, DOLLAR] = ["a1", "5a", "11", "22"].map(address) as [
  Hex,
  Hex,
  Hex,
  Hex
]
const OUT = 1_000_000n
const FLOOR = 995_000n

const order: BuildOrder = {
  ...{ chainId: 8453, tokenIn: TOKEN, tokenOut: DOLLAR, amountIn: 10n ** 18n, slippageBps: 50 },
  ...{ taker: TAKER, recipient: TAKER, gasPrice: 5_000_000n }
}

const REGISTRY = "0x00000000000004533fe15556b1e086bb1a72ceae"

interface Paper {
  readonly sold?: bigint
  readonly arrived?: bigint
  /** what the registry of Settlers names */
  readonly settler?: Hex
  readonly reverts?: boolean
}

/** A node on which every transaction does what a test says. */
const paperNode = ({ sold, arrived, settler = EXECUTOR, reverts }: Paper): ChainNode => ({
  gasPrice: Effect.succeed(5_000_000n),
  ask: () => Effect.die("a trial asks nothing else"),
  call: ({ to, from }: NodeCall, overrides?: StateOverrides) => {
    if (to === REGISTRY) {
      return Effect.succeed(encodeAbiParameters([{ type: "address" }], [settler]))
    }
    if (overrides?.[from]?.code === undefined) return Effect.succeed("0x" as Hex)
    if (reverts === true) {
      const told = { endpoint: "paper", method: "eth_call", message: "execution reverted" }
      return Effect.fail(new RpcError({ kind: "reverted", ...told }))
    }
    const words = [sold ?? order.amountIn, arrived ?? OUT] as const
    return Effect.succeed(encodeAbiParameters([{ type: "uint256" }, { type: "uint256" }], words))
  }
})

const servers: Array<LocalServer> = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

/** A desk with one provider that such a server stands for. */
const deskOf = async (
  id: ProviderId,
  answer: (path: string, query: URLSearchParams) => LocalAnswer,
  paper: Paper = {}
) => {
  const server = await localServer(({ path, query }) => answer(path, query))
  servers.push(server)
  const provider = PROVIDERS[id]
  const ask = askerOf(
    { ...provider, rate: { free: { burst: 99, everyMs: 1 }, keyed: { burst: 99, everyMs: 1 } } },
    { baseUrl: server.url, key: "secret" }
  )
  const node = paperNode(paper)
  const chain: MetaChain = {
    key: "base",
    providers: [{ id, provider, ask, allowed: allowedRouter(provider, 8453), idle: null }],
    node: () => node
  }
  const moves: Array<BreakerMove> = []
  const desk = new MetaDesk(move => moves.push(move))
  const build = (asked: BuildOrder = order): Promise<Found<CheckedCall>> =>
    Effect.runPromise(desk.build(chain, asked, FLOOR, null))
  const quote = () => Effect.runPromise(desk.quote(chain, order))
  return { desk, chain, moves, server, build, quote }
}

/** Answers rightly but for what a test changes. */
const answering =
  (id: ProviderId, lie: Partial<Answering> = {}) =>
  (path: string): LocalAnswer => ({
    body: lawsOf[id].bodyOf({ ...answeringOf(id, order, OUT, FLOOR), ...lie }, path)
  })

const telling = (id: ProviderId, lie: Partial<Told>) =>
  answering(id, { data: lawsOf[id].dataOf({ ...toldOf(order, FLOOR), ...lie }) })

/** The reason for which a provider that answers so is passed over. */
const reasonOf = async (
  id: ProviderId,
  answer: (path: string) => LocalAnswer,
  paper: Paper = {}
) => {
  const { build } = await deskOf(id, answer, paper)
  const { found, trail } = await build()
  expect(found).toBe(null)
  return trail[0]?.reason
}

describe.each(PROVIDER_IDS)("%s", id => {
  const { dataOf, noRoute, tells } = lawsOf[id]

  it("gives a quote and a transaction, which are checked and tried", async () => {
    const { quote, build, server } = await deskOf(id, answering(id))
    expect((await quote()).found).toMatchObject({ provider: id, answer: { amountOut: OUT } })
    const { found, trail } = await build()
    const { router } = allowedRouter(PROVIDERS[id], 8453) ?? {}
    expect(found).toMatchObject({
      provider: id,
      answer: { router, spender: router, value: 0n, minimumOut: FLOOR, arrived: OUT }
    })
    expect(trail).toMatchObject([{ provider: id, isAsked: true, reason: null, amountOut: OUT }])
    expect(
      server.requests.every(({ headers }) => headers[PROVIDERS[id].keyHeader] === "secret")
    ).toBe(true)
  })

  it("is refused where its router, its spender or its function is a stranger", async () => {
    expect(await reasonOf(id, answering(id, { router: STRANGER }))).toBe("router-not-allowed")
    // a token that would be told to approve somebody
    expect(await reasonOf(id, answering(id, { router: TOKEN }))).toBe("router-not-allowed")
    const strange = dataOf(toldOf(order, FLOOR)).replace(/^0x.{8}/, "0xdeadbeef") as Hex
    expect(await reasonOf(id, answering(id, { data: strange }))).toBe("router-not-allowed")
    if (tells.spender) {
      expect(await reasonOf(id, answering(id, { spender: STRANGER }))).toBe("spender-not-allowed")
    }
  })

  it("is refused where recipient, token or amounts are others", async () => {
    expect(await reasonOf(id, telling(id, { recipient: STRANGER }))).toBe("recipient-changed")
    expect(await reasonOf(id, telling(id, { tokenOut: STRANGER }))).toBe("mismatch")
    expect(await reasonOf(id, telling(id, { tokenIn: STRANGER }))).toBe("mismatch")
    const more = { amountIn: order.amountIn + 1n }
    expect(await reasonOf(id, telling(id, more))).toBe("amount-changed")
    expect(await reasonOf(id, answering(id, { value: 1n }))).toBe("amount-changed")
    expect(await reasonOf(id, telling(id, { minimumOut: 1n }))).toBe("amount-changed")
    if (tells.flags) {
      // would sell less, and give less than the minimum for it
      expect(await reasonOf(id, telling(id, { flags: 1n }))).toBe("router-not-allowed")
    }
    const other = { order: { ...order, amountIn: order.amountIn - 1n } }
    expect(await reasonOf(id, answering(id, other))).toBe("mismatch")
    expect(await reasonOf(id, answering(id, { order: { ...order, tokenOut: STRANGER } }))).toBe(
      "mismatch"
    )
    if (tells.chainId) {
      expect(await reasonOf(id, answering(id, { chainId: 1 }))).toBe("mismatch")
    }
  })

  it("is refused where the price is below the least output", async () => {
    const low = { amountOut: FLOOR - 1n, data: dataOf(toldOf(order, FLOOR - 5000n)) }
    expect(await reasonOf(id, answering(id, low))).toBe("price-moved")
  })

  it("is refused where on paper less arrives, more is sold, or it reverts", async () => {
    const less = { arrived: FLOOR - 1n }
    expect(await reasonOf(id, answering(id), less)).toBe("simulation-failed")
    const more = { sold: order.amountIn + 1n }
    expect(await reasonOf(id, answering(id), more)).toBe("amount-changed")
    const { build } = await deskOf(id, answering(id), { reverts: true })
    expect((await build()).trail[0]?.reason).toBe("simulation-failed")
    // the second in a row is its failure
    expect((await build()).trail[0]?.reason).toBe("reverts")
  })

  it.each<readonly [string, LocalAnswer, string]>([
    ["hangs up", "hang-up", "unreachable"],
    ["says 500", { status: 500, body: {} }, "provider-failed"],
    ["says 429", { status: 429, body: {} }, "rate-limited"],
    ["answers a page", { status: 403, body: "<html>no</html>" }, "bad-answer"],
    ["breaks its JSON off", { body: '{"code":0,"data":{' }, "bad-answer"],
    ["refuses the key", { status: 401, body: { code: 1010 } }, "misconfigured"],
    ["answers without end", { body: "[".repeat(2 ** 20 + 1) }, "bad-answer"],
    ["sends elsewhere", { status: 302, headers: { location: "/" }, body: "" }, "bad-answer"]
  ])("is passed over where it %s", async (_, answer, reason) => {
    expect(await reasonOf(id, () => answer)).toBe(reason)
  })

  it("is no failure of it where it has no route", async () => {
    const { build, moves } = await deskOf(id, () => noRoute)
    for (let i = 0; i < 12; i++) expect((await build()).trail[0]?.reason).toBe("no-route")
    expect(moves).toEqual([])
  })

  it("is passed over where its answer has another form", async () => {
    const body = { code: id === "openocean" ? 200 : 0, data: 7, estimate: [] }
    expect(await reasonOf(id, () => ({ body }))).toBe("bad-answer")
  })

  it("is refused where amounts are JSON numbers, which may be others", async () => {
    const numbers = (path: string): LocalAnswer => {
      const { body } = answering(id)(path) as { readonly body: unknown }
      const text = typeof body === "string" ? body : JSON.stringify(body)
      return { body: text.replaceAll(`"${order.amountIn}"`, String(order.amountIn)) }
    }
    expect(await reasonOf(id, numbers)).toBe("bad-answer")
  })

  it("is not asked any more after three failures, and the log is told", async () => {
    const { build, moves, server } = await deskOf(id, () => ({ status: 503, body: "" }))
    for (let i = 0; i < 3; i++) await build()
    const asked = server.requests.length
    expect((await build()).trail).toMatchObject([{ isAsked: false, reason: "breaker-open" }])
    expect(server.requests.length).toBe(asked)
    expect(moves).toMatchObject([
      { chain: "base", provider: id, state: "open", cause: "provider-failed: HTTP 503" }
    ])
  })
})

it("are passed over where they are silent, or never end", async () => {
  // all at once: each waits for as long as a provider is waited for
  const reasons = PROVIDER_IDS.flatMap(id => [
    reasonOf(id, () => "silence"),
    reasonOf(id, () => "half")
  ])
  const told = await Promise.all(reasons)
  expect(told).toEqual(PROVIDER_IDS.flatMap(() => ["timeout", "timeout"]))
})

it("waits as long as a provider asks for", async () => {
  const busy: LocalAnswer = { status: 429, headers: { "retry-after": "120" }, body: {} }
  const { build, moves } = await deskOf("lifi", () => busy)
  await build()
  const [{ atMs, untilMs } = { atMs: 0, untilMs: 0 }] = moves
  expect((untilMs ?? 0) - atMs).toBe(120_000)
})

it("gives KyberSwap its summary back to the byte, with numbers beyond a double", async () => {
  const { build, server } = await deskOf("kyberswap", answering("kyberswap"))
  await build()
  const { body } = server.requests[1] ?? { body: "" }
  const summary = kyberSummary(answeringOf("kyberswap", order, OUT, FLOOR))
  expect(body.startsWith(`{"routeSummary":${summary},`)).toBe(true)
  const { routeSummary: _, ...rest } = JSON.parse(body)
  expect(rest).toEqual({
    ...{ sender: TAKER, recipient: TAKER, slippageTolerance: 50 },
    ...{ enableGasEstimation: false, source: "swaptape" }
  })
})

it("asks KyberSwap once more where its route went stale before it was built", async () => {
  let builds = 0
  const { build } = await deskOf("kyberswap", path => {
    if (path.endsWith("/build") && builds++ === 0) {
      return { status: 422, body: { code: 4222, message: "quoted amount is smaller" } }
    }
    return answering("kyberswap")(path)
  })
  expect((await build()).found?.provider).toBe("kyberswap")
  expect(builds).toBe(2)
})

it("asks again, for less slippage, where the least that a transaction accepts is too little", async () => {
  const minimums = [FLOOR - 1000n, FLOOR + 10n]
  const { build, server } = await deskOf("openocean", path => {
    const data = lawsOf.openocean.dataOf(toldOf(order, minimums.shift() ?? 0n))
    return answering("openocean", { data })(path)
  })
  expect((await build()).found?.answer.minimumOut).toBe(FLOOR + 10n)
  expect(server.requests.map(({ query }) => query.get("slippage"))).toEqual(["0.5", "0.4"])
})

it("lets nobody take the input but a Settler that 0x's registry names", async () => {
  const stranger = await reasonOf("zeroex", answering("zeroex"), { settler: STRANGER })
  expect(stranger).toBe("router-not-allowed")
})

it("names the native unit as each provider does, and sends its amount along", async () => {
  const native = { ...order, tokenIn: NATIVE }
  const told = { ...answeringOf("openocean", native, OUT, FLOOR), value: order.amountIn }
  const placeholder = `0x${"ee".repeat(20)}` as Hex
  const data = lawsOf.openocean.dataOf({ ...toldOf(native, FLOOR), tokenIn: placeholder })
  const { build, server } = await deskOf("openocean", path => ({
    body: lawsOf.openocean.bodyOf({ ...told, data }, path)
  }))
  const { found } = await build(native)
  expect(found?.answer).toMatchObject({ value: order.amountIn, spender: null })
  expect(server.requests[0]?.query.get("inTokenAddress")).toBe(placeholder)
})

it("asks one after the other, and no more once one has answered", async () => {
  const [bad, good, never] = [
    await deskOf("kyberswap", () => ({ status: 500, body: "" })),
    await deskOf("openocean", answering("openocean")),
    await deskOf("lifi", answering("lifi"))
  ]
  const all = [bad, good, never].flatMap(({ chain: { providers } }) => providers)
  const chain: MetaChain = { ...good.chain, providers: all }
  const { found, trail } = await Effect.runPromise(good.desk.build(chain, order, FLOOR, null))
  expect(found?.provider).toBe("openocean")
  expect(trail.map(({ provider, reason }) => [provider, reason])).toEqual([
    ["kyberswap", "provider-failed"],
    ["openocean", null]
  ])
  expect(never.server.requests).toEqual([])
  // whose quote it was is asked first
  const first = await Effect.runPromise(good.desk.build(chain, order, FLOOR, "lifi"))
  expect(first.found?.provider).toBe("lifi")
})
