import { Effect } from "effect"
import { decodeFunctionResult, encodeFunctionData, parseAbi } from "viem"
import { afterAll, beforeAll, expect, it } from "vitest"
import { ZERO_ADDRESS } from "../../../src/domain/address.ts"
import { base } from "../../../src/domain/chains/base.ts"
import type { Hex, RpcLog } from "../../../src/platform/anvil-rpc.ts"
import { mineBlocks, openDevchain, type TestDevchain } from "../../../test/support/devchain.ts"
import { startLyingNode } from "../../../test/support/lying-proxy.ts"
import { PATIENCE_MS } from "../../../test/support/patience.ts"
import { type RpcRun, startRun } from "../../../test/support/rpc-source.ts"
import { effective } from "../../../test/support/tape-input.ts"
import { positionManagersOf } from "../../evm/chain-decoder.ts"
import { watchedTopics } from "../../evm/decoder.ts"
import { positionTransfer } from "../../evm/position-managers/decode.ts"
import { holdsTransactions, senderOf } from "./transactions-root.ts"
import { readHeader } from "./wire.ts"

let chain: TestDevchain
let run: RpcRun | null = null

beforeAll(async () => {
  chain = await openDevchain({ chain: "base", history: 20 })
})
afterAll(async () => {
  await run?.stop()
  await chain.remove()
})

/** Waits until the log stands at the node's head. */
const reach = async (of: RpcRun) => {
  const head = () => chain.devchain.head()
  const deadline = Date.now() + PATIENCE_MS
  while (Date.now() < deadline && of.tail().blocks.at(-1)?.hash !== head().hash) {
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  expect(of.tail().blocks.at(-1)).toMatchObject({ number: head().number, hash: head().hash })
}

it("tells headers that give their hashes", async () => {
  const { rpc, head } = chain.devchain
  for (let number = 0; number <= head().number; number++) {
    const tag = `0x${number.toString(16)}` as const
    const told = await Effect.runPromise(rpc.call("eth_getBlockByNumber", tag, false))
    expect(readHeader(told)).toMatchObject({ number, sealed: true })
    expect(readHeader({ ...told, gasUsed: "0x7" })).toMatchObject({ number, sealed: false })
    const full = await Effect.runPromise(rpc.call("eth_getBlockByNumber", tag, true as never))
    expect(holdsTransactions(full as never)).toBe(true)
    const txs = (full as { readonly transactions: ReadonlyArray<unknown> } | null)?.transactions
    for (const tx of (txs ?? []) as ReadonlyArray<{ readonly from: string }>) {
      expect(senderOf(tx)).toBe(tx.from)
    }
  }
})

/** Places of the watched logs, as the node tells them. */
const nodePlaces = async () => {
  const filter = { fromBlock: "earliest", toBlock: "latest" } as const
  const logs: ReadonlyArray<RpcLog> = await Effect.runPromise(
    chain.devchain.rpc.call("eth_getLogs", filter)
  )
  const managers = positionManagersOf(base)
  const isPosition = ({ topics, address }: RpcLog) =>
    topics.length === 4 &&
    topics[0] === positionTransfer.topic0 &&
    managers.includes(address.toLowerCase())
  return logs
    .filter(log => watchedTopics.includes(log.topics[0] ?? "") || isPosition(log))
    .map(log => `${Number(log.blockNumber)}/${Number(log.logIndex)}/${log.transactionHash}`)
}

const places = (of: RpcRun) =>
  effective(of.events).flatMap(({ block, tx, logIndex }) =>
    tx === null ? [] : [`${block.number}/${logIndex}/${tx.hash}`]
  )

const optionsOf = (endpoint: string) => ({
  chain: { ...base, finalityDepth: 8, blockTimeMs: 1000 },
  endpoints: [endpoint],
  devchain: true,
  rpc: { timeoutMs: 10_000, maxAnswerBytes: 2 ** 26 }
})

it("reads a real node: history, live blocks, a real reorg", async () => {
  const { devchain } = chain
  run = await startRun(optionsOf(devchain.rpcUrl))
  await reach(run)
  expect(places(run)).toEqual(await nodePlaces())
  await mineBlocks(devchain, 5)
  await reach(run)
  await Effect.runPromise(devchain.fork(4))
  await reach(run)
  expect(places(run)).toEqual(await nodePlaces())
  expect(run.status()).toMatchObject({ kind: "devchain", reorgs: 1, problem: null })
  const live = effective(run.events).flatMap(event =>
    event.kind === "BlockSealed" && event.block.number > devchain.head().number - 5
      ? [event.grade]
      : []
  )
  expect(live).toEqual(["root", "root", "root", "root", "root"])
})

it("knows every pool that traded and what its tokens say", () => {
  const events = effective((run as RpcRun).events)
  const created = new Map(
    events.flatMap(event => (event.kind === "PoolCreated" ? [[event.pool, event] as const] : []))
  )
  for (const event of events) {
    if (event.kind === "SwapExecuted") expect(created.has(event.pool)).toBe(true)
  }
  const seen = new Map(
    events.flatMap(event => (event.kind === "TokenSeen" ? [[event.token, event] as const] : []))
  )
  const { pools, tokens } = chain.devchain
  for (const pool of pools) {
    const found = created.get(pool.address.toLowerCase())
    if (found === undefined) continue
    expect(found.tokens).toEqual([pool.token0.toLowerCase(), pool.token1.toLowerCase()])
    if (pool.kind === "v3") expect(found.fee).toBe(pool.fee)
  }
  const known = tokens.filter(token => seen.has(token.address.toLowerCase()))
  expect(known.length).toBeGreaterThan(5)
  for (const { address, symbol, name, decimals } of known) {
    const fact = seen.get(address.toLowerCase())
    expect(fact).toMatchObject({ symbol: symbol || null, name: name || null, decimals })
  }
})

it("goes on after a restart, over a WebSocket", async () => {
  const before = (run as RpcRun).events
  await run?.stop()
  await mineBlocks(chain.devchain, 3)
  run = await startRun(optionsOf(chain.devchain.wsUrl), before)
  await reach(run)
  await mineBlocks(chain.devchain, 2)
  await reach(run)
  expect(places(run)).toEqual(await nodePlaces())
})

const tokenAbi = parseAbi([
  "function balanceOf(address) view returns (uint256)",
  "function ownerOf(uint256) view returns (address)"
])

const read = async (to: string, functionName: "balanceOf" | "ownerOf", args: [never]) => {
  const data = encodeFunctionData({ abi: tokenAbi, functionName, args })
  const call = { to: to as Hex, data }
  const answer: Hex = await Effect.runPromise(
    chain.devchain.rpc.call("eth_call", call as never, "latest")
  )
  return decodeFunctionResult({ abi: tokenAbi, functionName, data: answer })
}

it("knows who owns each position and each unit of pinned tokens", async () => {
  await run?.stop()
  const [first, , third] = chain.devchain.tokens
  const pins = [first, third].map(token => (token?.address ?? "").toLowerCase())
  run = await startRun({ ...optionsOf(chain.devchain.rpcUrl), pins })
  await reach(run)
  await mineBlocks(chain.devchain, 3)
  await reach(run)
  const owners = new Map<string, string>()
  const balances = new Map<string, bigint>()
  const move = (key: string, amount: bigint) =>
    balances.set(key, (balances.get(key) ?? 0n) + amount)
  const events = effective(run.events)
  for (const event of events) {
    if (event.kind === "PositionChanged" && event.change === "transfer") {
      owners.set(`${event.manager} ${event.tokenId}`, event.owner ?? "")
    } else if (event.kind === "TransferSeen") {
      move(`${event.token} ${event.from}`, -event.amount)
      move(`${event.token} ${event.to}`, event.amount)
    }
  }
  expect(owners.size).toBeGreaterThan(5)
  for (const [key, owner] of owners) {
    const [manager = "", id = ""] = key.split(" ")
    expect(String(await read(manager, "ownerOf", [BigInt(id) as never])).toLowerCase()).toBe(owner)
  }
  const told = new Set([...balances.keys()].map(key => key.slice(0, 42)))
  expect([...told].sort()).toEqual(pins.toSorted())
  const holders = [...balances].filter(([key]) => !key.endsWith(ZERO_ADDRESS))
  expect(holders.length).toBeGreaterThan(10)
  for (const [key, balance] of holders) {
    const [token = "", holder = ""] = key.split(" ")
    expect(await read(token, "balanceOf", [holder as never])).toBe(balance)
  }
})

it("takes no state of a pool that is another block's than the one it asked for", async () => {
  const { devchain } = chain
  const [one, other] = devchain.pools.filter(({ kind }) => kind === "v2")
  let [isShifted, asked] = [true, 0]
  const parentOf = (hash: string): string => {
    asked++
    const block = run?.events.findLast(event => event.block.hash === hash)?.block
    return isShifted ? (block?.parentHash ?? hash) : hash
  }
  const node = await startLyingNode(devchain.rpcUrl, (_, words) => words, parentOf)
  const reads = () =>
    run?.events.flatMap(event =>
      event.kind === "PoolStateRead" ? [[event.pool, event.readHash]] : []
    )
  const wanted = (pool: typeof one) => {
    const tokens = [pool?.token0 ?? "", pool?.token1 ?? ""]
    const facts = { pool: pool?.address ?? "", tokens, fee: 3000, tickSpacing: null }
    const { v2Factory } = devchain.contracts
    const told = { ...facts, decimals: [18, 18] }
    run?.readStates([{ venueKind: "uniswap-v2", factory: v2Factory.toLowerCase(), facts: told }])
  }
  await run?.stop()
  run = await startRun(optionsOf(node.url))
  await reach(run)
  asked = 0
  wanted(one)
  await expect.poll(() => asked).toBeGreaterThan(2)
  isShifted = false
  asked = 0
  wanted(other)
  const { hash } = devchain.head()
  await expect.poll(() => asked).toBeGreaterThan(2)
  // told with a later block
  await expect
    .poll(async () => {
      await mineBlocks(devchain, 1)
      return reads()
    })
    .not.toEqual([])
  expect(reads()).toEqual([[other?.address, hash]])
  node.close()
})
