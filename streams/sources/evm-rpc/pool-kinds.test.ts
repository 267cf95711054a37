import { encodeAbiParameters, type Hex, parseAbiParameters, toFunctionSelector } from "viem"
import { afterEach, expect, it } from "vitest"
import type { Address } from "../../../src/domain/address.ts"
import { FakeChain } from "../../../test/support/fake-chain.ts"
import { poolCreatedLog, v3SwapLog } from "../../../test/support/fake-logs.ts"
import { deployMarket, TOKEN_A, TOKEN_B, V3_POOL } from "../../../test/support/fake-market.ts"
import { type FakeRpc, startFakeRpc } from "../../../test/support/fake-rpc.ts"
import { type RpcRun, rpcChain, startRun } from "../../../test/support/rpc-source.ts"

const address = (byte: string): Hex => `0x${byte.repeat(20)}`
const SLIPSTREAM = address("5f")
const CL_POOL = address("71")
const STRANGER = address("9f")
const OTHER_POOL = address("72")
const WHO = address("09")

const answer = (signature: string, types: string, value: unknown) => ({
  [toFunctionSelector(signature)]: encodeAbiParameters(parseAbiParameters(types), [value] as never)
})

const poolOf = (factory: Hex, more: object = {}) => ({
  ...answer("token0()", "address", TOKEN_A),
  ...answer("token1()", "address", TOKEN_B),
  ...answer("factory()", "address", factory),
  ...answer("fee()", "uint24", 450),
  ...answer("tickSpacing()", "int24", 100),
  ...more
})

let node: FakeRpc | undefined
let run: RpcRun | undefined
afterEach(async () => {
  await run?.stop()
  await node?.close()
})

it("reads a pool as one of its factory's kind, whatever kinds share its events", async () => {
  const chain = new FakeChain()
  deployMarket(chain)
  chain.contracts.set(CL_POOL, poolOf(SLIPSTREAM))
  chain.contracts.set(OTHER_POOL, poolOf(STRANGER))
  const logs = [CL_POOL, OTHER_POOL, V3_POOL].map(pool =>
    v3SwapLog(pool, WHO, WHO, 5n, -4n, [1n << 96n, 9n, 0])
  )
  chain.mine([{ from: WHO, to: WHO, logs }])
  node = await startFakeRpc(chain, "kinds")
  run = await startRun({
    endpoints: [node.url],
    chain: {
      ...rpcChain,
      venues: [
        ...rpcChain.venues,
        { id: "slipstream_v3", kind: "solidly-cl", factory: SLIPSTREAM as Address }
      ]
    }
  })
  expect(await run.reach(chain)).toBe(true)
  const pools = run.events.filter(event => event.kind === "PoolCreated")
  const found = (pool: string) => pools.find(event => event.pool === pool)
  // the fee that such a pool tells is of the moment, so it is not asked
  expect(found(CL_POOL)).toMatchObject({ venueKind: "solidly-cl", fee: null, tickSpacing: 100 })
  expect(found(OTHER_POOL)).toMatchObject({ venueKind: "uniswap-v3", fee: 450, tickSpacing: 100 })
  // names a V2 factory as its own, which cannot have made it
  expect(found(V3_POOL)).toMatchObject({ venueKind: "uniswap-v3", fee: 500 })
})

it("asks a pool itself whose maker nobody knows, whoever claims it", async () => {
  const chain = new FakeChain()
  deployMarket(chain)
  chain.contracts.set(OTHER_POOL, poolOf(STRANGER))
  const claim = poolCreatedLog(address("ff"), TOKEN_B, TOKEN_A, 1, 1, OTHER_POOL)
  const swap = v3SwapLog(OTHER_POOL, WHO, WHO, 5n, -4n, [1n << 96n, 9n, 0])
  chain.mine([{ from: WHO, to: WHO, logs: [claim] }])
  chain.mine([{ from: WHO, to: WHO, logs: [swap, claim, swap] }])
  chain.mine([{ from: WHO, to: WHO, logs: [swap] }])
  node = await startFakeRpc(chain, "claims")
  run = await startRun({ endpoints: [node.url] })
  expect(await run.reach(chain)).toBe(true)
  const told = run.events.flatMap(event =>
    event.kind === "PoolCreated" ? [[event.source, event.factory, event.tokens[0]]] : []
  )
  const lie = ["log", address("ff"), TOKEN_B]
  expect(told).toEqual([lie, ["call", STRANGER, TOKEN_A], lie])
})

it("asks a pool that was only claimed before the start", async () => {
  const chain = new FakeChain()
  deployMarket(chain)
  chain.contracts.set(OTHER_POOL, poolOf(STRANGER))
  const claim = poolCreatedLog(address("ff"), TOKEN_B, TOKEN_A, 1, 1, OTHER_POOL)
  chain.mine([{ from: WHO, to: WHO, logs: [claim] }])
  node = await startFakeRpc(chain, "claimed before")
  const before = await startRun({ endpoints: [node.url] })
  expect(await before.reach(chain)).toBe(true)
  await before.stop()
  expect(before.tail().knownPools).toEqual([])
  const swap = v3SwapLog(OTHER_POOL, WHO, WHO, 5n, -4n, [1n << 96n, 9n, 0])
  chain.mine([{ from: WHO, to: WHO, logs: [swap, swap] }])
  run = await startRun({ endpoints: [node.url] }, before.events)
  expect(await run.reach(chain)).toBe(true)
  const told = run.events.flatMap(event =>
    event.kind === "PoolCreated" ? [[event.source, event.factory, event.tokens[0]]] : []
  )
  const own = ["call", STRANGER, TOKEN_A]
  expect(told).toEqual([["log", address("ff"), TOKEN_B], own])
  expect(run.tail().knownPools).toEqual([OTHER_POOL])
})

it("believes no pool that the factory it names did not make", async () => {
  const chain = new FakeChain()
  deployMarket(chain)
  const pools = ["81", "82", "83"].map(address) as [Hex, Hex, Hex]
  const [made, faked, silent] = pools
  const [maker, mute] = [address("5a"), address("5b")]
  const fees = [3000, 500, 100] as const
  for (const [i, pool] of pools.entries()) {
    const fee = answer("fee()", "uint24", fees[i])
    chain.contracts.set(pool, poolOf(pool === silent ? mute : maker, fee))
  }
  // the fake factory of these tests answers alike for all arguments
  chain.contracts.set(maker, answer("getPool(address,address,uint24)", "address", made))
  chain.contracts.set(mute, {})
  const feeTiers = [{ fee: 3000, tickSpacing: 60 }]
  const logs = pools.map(pool => v3SwapLog(pool, WHO, WHO, 5n, -4n, [1n << 96n, 9n, 0]))
  chain.mine([{ from: WHO, to: WHO, logs }])
  node = await startFakeRpc(chain, "foreign")
  const venue = (id: string, factory: Hex) => ({
    ...{ id, kind: "uniswap-v3", factory: factory as Address, feeTiers }
  })
  const venues = [...rpcChain.venues, venue("one_v3", maker), venue("two_v3", mute)]
  run = await startRun({ endpoints: [node.url], chain: { ...rpcChain, venues } })
  expect(await run.reach(chain)).toBe(true)
  const factories = run.events.flatMap(event =>
    event.kind === "PoolCreated" ? [[event.pool, event.factory]] : []
  )
  expect(factories).toEqual([
    [made, maker],
    [faked, null],
    [silent, mute]
  ])
})

it("asks the contract that holds a pool, where its own log names one that nobody knows", async () => {
  const chain = new FakeChain()
  deployMarket(chain)
  const [vault, stranger] = [address("ba"), address("bb")]
  const [id, other] = [`0x${"c1".repeat(32)}`, `0x${"c2".repeat(32)}`] as const
  const tokens = [TOKEN_A, TOKEN_B]
  const listed = encodeAbiParameters(parseAbiParameters("address[], uint256[], uint256"), [
    ...[tokens, [5n, 6n], 7n]
  ] as never)
  chain.contracts.set(vault, { [toFunctionSelector("getPoolTokens(bytes32)")]: listed })
  const topic0 = "0x2170c741c41531aec20e7c107c24eecfdd15e69c9bb0a8dd37b1840b9e0b207b"
  const swap = (from: Hex, pool: Hex) => ({
    address: from,
    topics: [topic0, pool, ...tokens.map(token => `0x${token.slice(2).padStart(64, "0")}`)],
    data: encodeAbiParameters(parseAbiParameters("uint256, uint256"), [9n, 8n])
  })
  const logs = [swap(stranger, other), swap(vault, id), swap(vault, id)]
  chain.mine([{ from: WHO, to: WHO, logs: logs as never }])
  node = await startFakeRpc(chain, "vault")
  const venue = { id: "balancer_v2", kind: "balancer-v2", factory: vault as Address }
  run = await startRun({
    endpoints: [node.url],
    chain: { ...rpcChain, venues: [...rpcChain.venues, venue] }
  })
  expect(await run.reach(chain)).toBe(true)
  const kinds = run.events.map(({ kind }) => kind)
  expect(kinds.filter(kind => kind === "PoolCreated" || kind === "SwapExecuted")).toEqual([
    ...["PoolCreated", "SwapExecuted", "SwapExecuted"]
  ])
  expect(run.events.find(({ kind }) => kind === "PoolCreated")).toMatchObject({
    ...{ pool: id, venueKind: "balancer-v2", factory: vault, tokens, source: "call" }
  })
})
