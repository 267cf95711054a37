/**
 * The whole way of a pool's state, on contracts that can be asked: from the first event of a chain
 * through decoding and folding to states and quotes, held to what the contracts themselves answer.
 */
import { Effect } from "effect"
import { type Abi, decodeFunctionResult, encodeFunctionData, parseAbi } from "viem"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { TickWindow } from "../src/math/concentrated/tick-map.ts"
import type { Hex, RpcLog } from "../src/platform/anvil-rpc.ts"
import type { Event } from "../streams/event.ts"
import { evmDecoder } from "../streams/evm/decoder.ts"
import {
  quoteExactOutput as quoteRangeOutput,
  type RangePoolState,
  rangePoolModel
} from "../streams/evm/range-pool.ts"
import { rangeStateRead } from "../streams/evm/range-read.ts"
import {
  type PairState,
  pairModel,
  quoteExactOutput as quotePairOutput
} from "../streams/evm/uniswap-v2/pool.ts"
import { pairStateRead } from "../streams/evm/uniswap-v2/read.ts"
import type { PoolFacts } from "../streams/venue.ts"
import { decodeOne } from "./support/decode-one.ts"
import { mineBlocks, openDevchain, type TestDevchain } from "./support/devchain.ts"
import { rawLogOf } from "./support/raw-logs.ts"
import { answerBy, readState } from "./support/read-state.ts"
import { orderOf } from "./support/swap-order.ts"
import { candidatesByTopic, meaningOf, referenceMeaning } from "./support/venue-laws.ts"

const poolAbi = parseAbi([
  "function slot0() view returns (uint160 sqrtPriceX96, int24 tick)",
  "function liquidity() view returns (uint128)",
  "function ticks(int24) view returns (uint128 liquidityGross, int128 liquidityNet)",
  "function getReserves() view returns (uint112, uint112)"
])
const quoterAbi = parseAbi([
  "struct Input { address tokenIn; address tokenOut; uint256 amountIn; uint24 fee; uint160 limit; }",
  "struct Output { address tokenIn; address tokenOut; uint256 amount; uint24 fee; uint160 limit; }",
  "function quoteExactInputSingle(Input) returns (uint256, uint160, uint32, uint256)",
  "function quoteExactOutputSingle(Output) returns (uint256, uint160, uint32, uint256)"
])
const routerAbi = parseAbi([
  "function getAmountOut(uint256, uint256, uint256) pure returns (uint256)",
  "function getAmountIn(uint256, uint256, uint256) pure returns (uint256)"
])

/** Both directions, and amounts from dust to more than a pool holds. */
const orderings = (
  [
    [0, 1],
    [1, 0]
  ] as const
).flatMap(([from, to]) =>
  [1n, 999_999n, 10n ** 18n, 10n ** 24n].map(amount => [from, to, amount] as const)
)

interface Pool<S> {
  readonly facts: PoolFacts
  readonly state: S
}

let opened: TestDevchain
let logs: ReadonlyArray<RpcLog>
let events: ReadonlyArray<Event>
const v2 = new Map<string, Pool<PairState>>()
const v3 = new Map<string, Pool<RangePoolState>>()
const orders: { [order: string]: number } = {}

const ask = async (to: Hex, data: Hex): Promise<Hex> =>
  Effect.runPromise(opened.devchain.rpc.call("eth_call", { to, data }, "latest"))

/** What a contract answers; null where it reverts. */
const view = async (
  to: Hex,
  abi: Abi,
  functionName: string,
  args: ReadonlyArray<unknown> = []
): Promise<unknown> => {
  const answer = await ask(to, encodeFunctionData({ abi, functionName, args })).catch(() => null)
  return answer === null ? null : decodeFunctionResult({ abi, functionName, data: answer })
}

const readPool = (pool: string, name: string, args: ReadonlyArray<number> = []) =>
  view(pool as Hex, poolAbi, name, args)

/** A state with its ticks of a window as a list: maps of the same ticks may be arranged otherwise. */
const withList = ({ ticks, ...state }: RangePoolState, window: TickWindow | null) => ({
  ...state,
  ticks: [...(ticks?.entries() ?? [])].filter(
    ({ tick }) => window === null || (tick >= window.low && tick <= window.high)
  )
})

/** Makes the pool's first state, or folds into the one it has. */
const follow = (event: Event): void => {
  if (event.kind === "PoolCreated") {
    const { pool, tokens, tickSpacing } = event
    const facts = { pool, tokens, fee: event.fee ?? 3000, tickSpacing, decimals: [] }
    if (event.venueKind === "uniswap-v2") v2.set(pool, { facts, state: pairModel.initial(facts) })
    else v3.set(pool, { facts, state: rangePoolModel.initial(facts) })
  }
  const pool = "pool" in event ? (event.pool ?? "") : ""
  const range = v3.get(pool)
  if (range !== undefined && event.kind === "SwapExecuted") {
    const order = orderOf(range.state, range.facts.fee as number, event)
    orders[order] = (orders[order] ?? 0) + 1
  }
  if (range !== undefined) {
    v3.set(pool, { ...range, state: rangePoolModel.fold(range.state, event) })
  }
  const pair = v2.get(pool)
  if (pair !== undefined) v2.set(pool, { ...pair, state: pairModel.fold(pair.state, event) })
}

describe("venues on the devchain", () => {
  beforeAll(async () => {
    opened = await openDevchain({ chain: "base", history: 30 })
    await mineBlocks(opened.devchain, 30)
    logs = await Effect.runPromise(
      opened.devchain.rpc.call("eth_getLogs", { fromBlock: "earliest", toBlock: "latest" })
    )
    events = logs
      .map(log => rawLogOf(log, Number(log.logIndex)))
      .filter(raw => evmDecoder.watches(raw))
      .map(raw => decodeOne(evmDecoder.decode, raw) as Event)
    for (const event of events) follow(event)
  })
  afterAll(() => opened.remove())

  test("every event is what viem decodes", async () => {
    const byTopic = await candidatesByTopic()
    const watched = logs.flatMap(log => {
      const meanings = (byTopic.get(log.topics[0] ?? "") ?? []).flatMap(
        ({ under, event }) => referenceMeaning(under, event, log) ?? []
      )
      return meanings.slice(0, 1)
    })
    expect(events.map(meaningOf)).toEqual(watched)
    expect(new Set(events.map(({ kind }) => kind)).size).toBe(7)
  })

  test("every V3 swap runs again from the state before it", () => {
    expect(orders["none"]).toBeUndefined()
    expect(orders["exact input"]).toBeGreaterThan(50)
  })

  test("states are the contracts' own", async () => {
    for (const [pool, { state }] of v2) {
      const [reserve0, reserve1] = (await readPool(pool, "getReserves")) as [bigint, bigint]
      expect(state.reserves).toEqual([reserve0, reserve1])
    }
    let ticks = 0
    for (const [pool, { state }] of v3) {
      const [sqrtPriceX96, tick] = (await readPool(pool, "slot0")) as [bigint, number]
      const liquidity = (await readPool(pool, "liquidity")) as bigint
      expect(state.price).toEqual({ sqrtPriceX96, tick, liquidity })
      for (const entry of state.ticks?.entries() ?? []) {
        ticks++
        const told = (await readPool(pool, "ticks", [entry.tick])) as [bigint, bigint]
        expect([entry.gross, entry.net]).toEqual(told)
      }
    }
    expect(Math.min(v2.size, v3.size)).toBeGreaterThan(5)
    expect(ticks).toBeGreaterThan(v3.size * 2)
  })

  test("states read from the contracts are those of the fold", async () => {
    for (const [pool, { facts, state }] of v2) {
      const question = { facts, factory: null, known: pairModel.initial(facts), time: 0 }
      expect(await readState(pairStateRead, question, answerBy(ask)), pool).toEqual(state)
    }
    for (const [pool, { facts, state }] of v3) {
      const question = { facts, factory: null, known: rangePoolModel.initial(facts), time: 0 }
      const told = await readState(rangeStateRead, question, answerBy(ask))
      const window = told?.ticks?.window ?? null
      // of the finest pools not all rows of the bitmap are asked for
      expect(window === null, pool).toBe(facts.tickSpacing !== 1)
      expect(told && withList(told, window), pool).toEqual(withList(state, window))
    }
  })

  test("quotes are the V3 quoter's, of exact inputs and exact outputs", async () => {
    const { quoterV2 } = opened.devchain.contracts
    const quoter = async (name: string, order: object) =>
      ((await view(quoterV2, quoterAbi, name, [order])) as ReadonlyArray<bigint> | null)?.[0]
    let delivered = 0
    for (const { facts, state } of [...v3.values()].slice(0, 8)) {
      for (const [from, to, amount] of orderings) {
        const order = {
          tokenIn: facts.tokens[from],
          tokenOut: facts.tokens[to],
          fee: facts.fee,
          limit: 0n
        }
        const sold = rangePoolModel.quote(state, facts, from, to, amount)
        const told = await quoter("quoteExactInputSingle", { ...order, amountIn: amount })
        expect(sold.ok ? sold.amountOut : 0n).toBe(told ?? 0n)
        const bought = quoteRangeOutput(state, facts, from, to, amount)
        const cost = await quoter("quoteExactOutputSingle", { ...order, amount })
        // The quoter reverts where the pool cannot deliver all; ours says how much it can.
        const isWhole = bought.ok && bought.amountOut === amount
        expect(isWhole ? bought.amountIn : undefined).toBe(cost)
        if (isWhole) delivered++
      }
    }
    expect(delivered).toBeGreaterThan(20)
  })

  test("quotes are the V2 router's, of exact inputs and exact outputs", async () => {
    const { v2Router } = opened.devchain.contracts
    for (const { facts, state } of [...v2.values()].slice(0, 8)) {
      for (const [from, to, amount] of orderings) {
        const trade = [amount, state.reserves?.[from], state.reserves?.[to]]
        const sold = pairModel.quote(state, facts, from, to, amount)
        const told = await view(v2Router, routerAbi, "getAmountOut", trade)
        expect(sold.ok ? sold.amountOut : null).toBe(told)
        const bought = quotePairOutput(state, facts, from, to, amount)
        const cost = await view(v2Router, routerAbi, "getAmountIn", trade)
        expect(bought.ok ? bought.amountIn : null).toBe(cost)
      }
    }
  })
})
