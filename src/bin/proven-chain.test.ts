import { encodeAbiParameters, type Hex, parseAbiParameters, toFunctionSelector } from "viem"
import { afterAll, afterEach, beforeAll, expect, it } from "vitest"
import { readFacts } from "../../engine/log/fact-log.ts"
import { curveStableEvents } from "../../streams/evm/curve-stable/decode.ts"
import { uniswapV2Events } from "../../streams/evm/uniswap-v2/decode.ts"
import { uniswapV3Events } from "../../streams/evm/uniswap-v3/decode.ts"
import type { EventDecoder } from "../../streams/venue.ts"
import type { EventArgs } from "../../streams/venue-laws.ts"
import { abiEvent, encodeLog } from "../../test/support/abi-logs.ts"
import { testChain } from "../../test/support/chain-config.ts"
import { FakeChain } from "../../test/support/fake-chain.ts"
import { type FakeRpc, startFakeRpc } from "../../test/support/fake-rpc.ts"
import { type LogServer, startLogServer } from "../../test/support/log-server.ts"
import { temporaryFolder } from "../../test/support/nats.ts"
import type { Address } from "../domain/address.ts"
import type { ChainConfig, ChainVenue } from "../domain/chain.ts"
import { checkedChain, knownChain } from "./proven-chain.ts"

const address = (byte: string): Hex => `0x${byte.repeat(20)}`
const [V2, V3, CURVE, LIAR, MUTE, EMPTY] = ["a1", "a2", "a3", "a4", "a5", "a6"].map(address)
const [V2_POOL, V3_POOL, CURVE_POOL, STRANGE_POOL] = ["b1", "b2", "b3", "b4"].map(address)
const [TOKEN_A, TOKEN_B, WHO] = ["01", "02", "09"].map(address)

const answer = (signature: string, value: Hex | undefined) => ({
  [toFunctionSelector(signature)]: encodeAbiParameters(parseAbiParameters("address"), [
    value as Hex
  ])
})

const logOf = (
  events: ReadonlyArray<EventDecoder>,
  name: string,
  args: EventArgs,
  emitter: Hex | undefined
) => {
  const found = events.find(({ abi }) => abi.includes(`${name}(`))
  if (found === undefined) throw new Error(name)
  return encodeLog(abiEvent(found.abi), args, emitter as Hex)
}

const pairCreated = (pair: Hex | undefined, factory: Hex | undefined) =>
  logOf(
    uniswapV2Events,
    "PairCreated",
    { token0: TOKEN_A as Hex, token1: TOKEN_B as Hex, pair: pair as Hex, pairCount: 1n },
    factory
  )

const scripted = (): FakeChain => {
  const chain = new FakeChain()
  for (const factory of [V2, V3, LIAR, MUTE]) chain.contracts.set(factory as Hex, {})
  chain.contracts.set(CURVE as Hex, answer("pool_list(uint256)", CURVE_POOL))
  chain.contracts.set(V2_POOL as Hex, answer("factory()", V2))
  chain.contracts.set(CURVE_POOL as Hex, {})
  chain.contracts.set(STRANGE_POOL as Hex, answer("factory()", V2))
  const v3Created = logOf(
    uniswapV3Events,
    "PoolCreated",
    {
      ...{ token0: TOKEN_A as Hex, token1: TOKEN_B as Hex, fee: 500, tickSpacing: 10 },
      pool: V3_POOL as Hex
    },
    V3
  )
  const exchange = logOf(
    curveStableEvents,
    "TokenExchange",
    { buyer: WHO as Hex, sold_id: 0n, tokens_sold: 5n, bought_id: 1n, tokens_bought: 4n },
    CURVE_POOL
  )
  const logs = [pairCreated(V2_POOL, V2), v3Created, exchange, pairCreated(STRANGE_POOL, LIAR)]
  chain.mine([{ from: WHO as Hex, to: WHO as Hex, logs: logs as never }])
  for (let block = 0; block < 40; block++) chain.mine([])
  return chain
}

const venue = (id: string, kind: string, factory: Hex | undefined): ChainVenue => ({
  ...{ id, kind, factory: factory as Address }
})

const chain = {
  ...testChain,
  candidates: [
    venue("pairs_v2", "uniswap-v2", V2),
    venue("ranges_v3", "uniswap-v3", V3),
    venue("stable_v1", "curve-stable", CURVE),
    venue("liar_v2", "uniswap-v2", LIAR),
    venue("mute_v2", "uniswap-v2", MUTE),
    venue("empty_v2", "uniswap-v2", EMPTY)
  ]
}

const folder = temporaryFolder()
let server: LogServer
let node: FakeRpc | undefined
beforeAll(async () => {
  server = await startLogServer()
})
afterEach(() => node?.close())
afterAll(async () => {
  await server.stop()
  folder.remove()
})

const checking = (config: ChainConfig) => {
  if (node === undefined) throw new Error("no node runs")
  return server.run(checkedChain(config, [node.url], folder.path))
}

/** What the chain's fact log says, as another engine reads it. */
const told = async (key: string) => (await server.run(readFacts(key))).facts

it("turns on what the chain proves, says why the rest is off, and remembers", async () => {
  node = await startFakeRpc(scripted(), "venues")
  node.faults.rangeLimit = 7
  const checked = await checking(chain)
  const said = Object.fromEntries((checked.venueChecks ?? []).map(c => [c.id, [c.state, c.reason]]))
  expect(said).toEqual({
    pairs_v2: ["proven", `code, log in block 1, factory() of ${V2_POOL}`],
    ranges_v3: ["proven", "code, log in block 1"],
    stable_v1: ["proven", "code, log in block 1"],
    liar_v2: ["refuted", `pool ${STRANGE_POOL} names ${V2} as its factory`],
    mute_v2: ["unproven", `no log of the kind from ${MUTE} found`],
    empty_v2: ["refuted", "no code at its factory"]
  })
  const on = [...testChain.venues.map(({ id }) => id), "pairs_v2", "ranges_v3", "stable_v1"]
  expect(checked.venues.map(({ id }) => id)).toEqual(on)
  expect(checked.candidates?.map(({ id }) => id)).toEqual(["liar_v2", "mute_v2", "empty_v2"])

  expect((await told(chain.key)).map(fact => ({ ...fact, block: fact.block.number }))).toEqual([
    {
      ...{ kind: "VenueProven", block: 41, tx: null, logIndex: 0, venue: "pairs_v2" },
      ...{ venueKind: "uniswap-v2", factory: V2 },
      reason: `code, log in block 1, factory() of ${V2_POOL}`
    },
    {
      ...{ kind: "VenueProven", block: 41, tx: null, logIndex: 0, venue: "ranges_v3" },
      ...{ venueKind: "uniswap-v3", factory: V3, reason: "code, log in block 1" }
    },
    {
      ...{ kind: "VenueProven", block: 41, tx: null, logIndex: 0, venue: "stable_v1" },
      ...{ venueKind: "curve-stable", factory: CURVE, reason: "code, log in block 1" }
    }
  ])
  // without asking: replay and verify fold with the same venues
  const known = await server.run(knownChain(chain, folder.path))
  expect(known.venues).toEqual(checked.venues)
  // what is proven is not asked again
  const before = node.calls.get("eth_getCode") ?? 0
  await checking(chain)
  expect((node.calls.get("eth_getCode") ?? 0) - before).toBe(3)
})

it("starts without a chain that does not answer, and tells nothing then", async () => {
  node = await startFakeRpc(scripted(), "silent")
  node.faults.errorObject = 1
  const checked = await checking({ ...chain, key: "silent" })
  expect(checked.venues).toEqual(testChain.venues)
  expect(checked.venueChecks?.map(({ state }) => state)).toEqual(Array(6).fill("unproven"))
  expect(await told("silent")).toEqual([])
})

it("turns on routers where a contract stands, and settlers apart", async () => {
  const scripted = new FakeChain()
  scripted.contracts.set(V2 as Hex, {})
  scripted.contracts.set(V3 as Hex, {})
  scripted.mine([])
  node = await startFakeRpc(scripted, "routers")
  const candidate = (name: string, at: Hex | undefined, settles?: true) => ({
    ...{ name, address: at as Address, ...(settles && { settles }) }
  })
  const routed = {
    ...testChain,
    key: "routed",
    routerCandidates: [
      candidate("Router", V2),
      candidate("Settler", V3, true),
      candidate("Nobody", EMPTY)
    ]
  }
  const checked = await checking(routed)
  expect(checked.routers).toEqual([...testChain.routers, V2])
  expect(checked.settlements).toEqual([V3])
  const said = (checked.routerChecks ?? []).map(c => [c.name, c.settles, c.state, c.reason])
  expect(said).toEqual([
    ["Router", false, "proven", "code of 1 bytes"],
    ["Settler", true, "proven", "code of 1 bytes"],
    ["Nobody", false, "refuted", "no code at its address"]
  ])
  const known = await server.run(knownChain(routed, folder.path))
  expect([known.routers, known.settlements]).toEqual([checked.routers, checked.settlements])
  const before = node.calls.get("eth_getCode") ?? 0
  await checking(routed)
  expect((node.calls.get("eth_getCode") ?? 0) - before).toBe(1)
})
