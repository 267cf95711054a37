import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { base } from "../../../src/domain/chains/base.ts"
import type { RpcLog } from "../../../src/platform/anvil-rpc.ts"
import { mineBlocks, openDevchain, type TestDevchain } from "../../../test/support/devchain.ts"
import { type RpcRun, startRun } from "../../../test/support/rpc-source.ts"
import { effective } from "../../../test/support/tape-input.ts"
import { watchedTopics } from "../../evm/decoder.ts"

let chain: TestDevchain
let run: RpcRun | null = null

beforeAll(async () => {
  chain = await openDevchain({ chain: "base", history: 20 })
}, 60_000)
afterAll(async () => {
  await run?.stop()
  await chain.remove()
})

/** Waits until the log stands at the node's head. */
const reach = async (of: RpcRun) => {
  const head = () => chain.devchain.head()
  const deadline = Date.now() + 20_000
  while (Date.now() < deadline && of.tail().blocks.at(-1)?.hash !== head().hash) {
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  expect(of.tail().blocks.at(-1)).toEqual({ number: head().number, hash: head().hash })
}

/** Places of the watched logs, as the node tells them. */
const nodePlaces = async () => {
  const filter = { fromBlock: "earliest", toBlock: "latest" } as const
  const logs: ReadonlyArray<RpcLog> = await Effect.runPromise(
    chain.devchain.rpc.call("eth_getLogs", filter)
  )
  return logs
    .filter(log => watchedTopics.includes(log.topics[0] ?? ""))
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
}, 60_000)

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
}, 60_000)
