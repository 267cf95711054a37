import { expect, it } from "vitest"
import { decodeAll } from "../../../test/support/decode-one.ts"
import { jsonLines, type RealLog, rawLogOf } from "../../../test/support/raw-logs.ts"
import { describeWithSharedData } from "../../../test/support/shared-data.ts"
import type { EventOf } from "../../event.ts"
import type { PoolFacts } from "../../venue.ts"
import { makeDecoder } from "../decoder.ts"
import { uniswapV2 } from "../uniswap-v2/venue.ts"
import { type SolidlyState, solidlyModel } from "./pool.ts"
import { solidly } from "./venue.ts"

const files = ["evm/logs/receipts-multichain.jsonl.gz", "evm/logs/blocks.jsonl.gz"]
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"

/** What a pair logged for one swap, and what moved through it in the transaction. */
interface Seen {
  readonly swap: EventOf<"SwapExecuted">
  readonly reserves: readonly [bigint, bigint]
  readonly fees: readonly [bigint, bigint]
  readonly transfers: ReadonlyArray<{ readonly isIn: boolean; readonly amount: bigint }>
}

const { decode } = makeDecoder([uniswapV2, solidly])

const swapsIn = (file: string): ReadonlyArray<Seen> => {
  const byTx = new Map<string, Array<RealLog>>()
  for (const log of jsonLines<RealLog>(file)) {
    const logs = byTx.get(log.transactionHash)
    if (logs === undefined) byTx.set(log.transactionHash, [log])
    else logs.push(log)
  }
  return [...byTx.values()].flatMap(logs => {
    const seen: Array<Seen> = []
    const reserves = new Map<string, readonly [bigint, bigint]>()
    const fees = new Map<string, [bigint, bigint]>()
    const transfersOf = (pool: string) =>
      logs
        .filter(log => log.topics[0] === TRANSFER && log.topics.length === 3)
        .flatMap(({ topics, data }) => {
          const amount = BigInt(data)
          const names = (topic: string | undefined) => topic?.endsWith(pool.slice(2)) ?? false
          const isIn = names(topics[2])
          return isIn || names(topics[1]) ? [{ isIn, amount }] : []
        })
    for (const log of logs) {
      const events = decodeAll(decode, rawLogOf(log, log.logIndex))
      for (const event of typeof events === "string" ? [] : events) {
        if (event.kind === "ReserveChanged") {
          const known = fees.get(event.pool) ?? [0n, 0n]
          known[event.index as 0 | 1] -= event.amount
          fees.set(event.pool, known)
        } else if (event.kind === "ReservesSynced") {
          reserves.set(event.pool, [event.reserve0, event.reserve1])
        } else if (event.kind === "SwapExecuted" && event.venueKind === "solidly") {
          seen.push({
            swap: event,
            reserves: reserves.get(event.pool) as readonly [bigint, bigint],
            fees: fees.get(event.pool) ?? [0n, 0n],
            transfers: transfersOf(event.pool)
          })
          fees.delete(event.pool)
        }
      }
    }
    return seen
  })
}

/** Quotes the swap from the reserves before it, with the fee rate it paid. */
const judge = ({ swap, reserves, fees }: Seen): string => {
  const tokenIn = swap.amount0In > 0n ? 0 : 1
  const [amountIn, amountOut] =
    tokenIn === 0 ? [swap.amount0In, swap.amount1Out] : [swap.amount1In, swap.amount0Out]
  const before: SolidlyState = {
    pool: swap.pool,
    reserves: [
      reserves[0] - swap.amount0In + swap.amount0Out + fees[0],
      reserves[1] - swap.amount1In + swap.amount1Out + fees[1]
    ],
    isStable: false,
    fee: null,
    version: 2
  }
  const bps = Number(((fees[tokenIn] as bigint) * 10_000n + amountIn - 1n) / amountIn)
  const facts = (decimals: ReadonlyArray<number>): PoolFacts => ({
    pool: swap.pool,
    tokens: [],
    fee: bps * 100,
    tickSpacing: null,
    decimals
  })
  const out = (isStable: boolean, decimals: ReadonlyArray<number>): bigint => {
    const state = { ...before, isStable }
    const quote = solidlyModel.quote(state, facts(decimals), tokenIn, 1 - tokenIn, amountIn)
    return quote.ok ? quote.amountOut : -1n
  }
  if (out(false, []) === amountOut) return "volatile"
  const scales = [6, 18].flatMap(first => [6, 18].map(second => [first, second]))
  if (scales.some(decimals => out(true, decimals) === amountOut)) return "stable"
  return out(false, []) > amountOut ? "took less than the volatile quote" : "other"
}

describeWithSharedData("Velodrome and Aerodrome swaps in receipts", files, () => {
  it("moved what they say, and paid what the pair quotes", () => {
    const seen = files.flatMap(swapsIn)
    const verdicts: { [verdict: string]: number } = {}
    for (const one of seen) {
      const { swap, transfers } = one
      const moved = (isIn: boolean, amount: bigint) =>
        amount === 0n || transfers.some(each => each.isIn === isIn && each.amount === amount)
      expect(moved(true, swap.amount0In) && moved(true, swap.amount1In)).toBe(true)
      expect(moved(false, swap.amount0Out) && moved(false, swap.amount1Out)).toBe(true)
      const verdict = judge(one)
      verdicts[verdict] = (verdicts[verdict] ?? 0) + 1
    }
    expect(verdicts).toEqual({ stable: 6, volatile: 18 })
  })
})
