import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { expect, it } from "vitest"
import { swap, uniswapV4Rules } from "../../../src/math/concentrated/swap.ts"
import { decodeAll } from "../../../test/support/decode-one.ts"
import { jsonLines, type RealLog, rawLogOf } from "../../../test/support/raw-logs.ts"
import { describeWithSharedData, sharedData } from "../../../test/support/shared-data.ts"
import type { PoolFacts, Quote } from "../../venue.ts"
import { evmDecoder } from "../decoder.ts"
import { rangePoolState } from "../range-pool.ts"
import { type HookedPoolState, hookedPoolModel, quoteExactOutput } from "./pool.ts"

const read = (path: string): unknown => {
  const bytes = readFileSync(join(sharedData, path))
  return JSON.parse((path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString())
}

const hookless = (range: HookedPoolState["range"]): HookedPoolState => ({
  range,
  hooks: 0n,
  protocolFee: 0
})

interface VectorFile {
  readonly v4: ReadonlyArray<{
    readonly fee: number
    readonly tickSpacing: number
    readonly sqrtPriceX96: string
    readonly tick: number
    readonly liquidity: string
    readonly ticks: ReadonlyArray<readonly [number, string]>
    readonly address: string
    readonly cases: ReadonlyArray<{
      readonly zeroForOne: boolean
      readonly amountIn: string
      readonly amountOut: string
    }>
  }>
}

const vectors = "routing/uniswap-v3v4-real-pools.json"

describeWithSharedData("published swaps of a V4 pool", [vectors], () => {
  it("quotes them one after the other, each from the state the last one left", () => {
    let quoted = 0
    for (const pool of (read(vectors) as VectorFile).v4) {
      const { fee, tickSpacing } = pool
      const facts: PoolFacts = {
        pool: pool.address,
        tokens: ["0x0", "0x1"],
        fee,
        tickSpacing,
        decimals: [18, 18]
      }
      const ticks = pool.ticks.map(([tick, net]) => {
        const gross = BigInt(net) < 0n ? -BigInt(net) : BigInt(net)
        return { tick, gross, net: BigInt(net) }
      })
      let price = {
        sqrtPriceX96: BigInt(pool.sqrtPriceX96),
        tick: pool.tick,
        liquidity: BigInt(pool.liquidity)
      }
      for (const { zeroForOne, amountIn, amountOut } of pool.cases) {
        const range = rangePoolState(pool.address, tickSpacing, price, ticks)
        const tokenIn = zeroForOne ? 0 : 1
        const amount = BigInt(amountIn)
        expect(hookedPoolModel.quote(hookless(range), facts, tokenIn, 1 - tokenIn, amount)).toEqual(
          { ok: true, amountIn: amount, amountOut: BigInt(amountOut) }
        )
        quoted++
        if (range.ticks === null) throw new Error("no ticks")
        const outcome = swap(
          { ...price, ticks: range.ticks, feePips: BigInt(fee), rules: uniswapV4Rules },
          { zeroForOne, exactIn: true, amount }
        )
        if (!outcome.ok) throw new Error(outcome.reason)
        price = outcome
      }
    }
    expect(quoted).toBe(2)
  })
})

interface GraphAnswer {
  readonly data: {
    readonly pool: { readonly id: string; readonly swaps: ReadonlyArray<GraphSwap> }
  }
}

interface TicksByBlock {
  readonly [block: string]: {
    readonly [tick: string]:
      | { readonly liquidityNet: string; readonly liquidityGross: string }
      | string
  }
}

/** A decimal amount in raw units. */
const raw = (amount: string, decimals: number): bigint => {
  const [whole = "", fraction = ""] = amount.replace("-", "").split(".")
  const value = BigInt(whole + fraction.padEnd(decimals, "0"))
  return amount.startsWith("-") ? -value : value
}

const early = "evm/v4/eth-univ4-eth-usdc-500-21763860-21765604"
const earlyFiles = [`${early}.thegraph-swaps.json.gz`, `${early}.ticks-by-block.json.gz`]

interface GraphSwap {
  readonly amount0: string
  readonly amount1: string
  readonly sqrtPriceX96: string
  readonly tick: string
  readonly transaction: { readonly blockNumber: string }
}

describeWithSharedData("the early life of a V4 pool", earlyFiles, () => {
  const { pool } = (read(earlyFiles[0] as string) as GraphAnswer).data
  const blocks = read(earlyFiles[1] as string) as TicksByBlock
  const facts: PoolFacts = {
    pool: pool.id,
    tokens: ["0x0", "0x1"],
    fee: 500,
    tickSpacing: 10,
    decimals: [18, 6]
  }

  const ticksAt = (block: string) =>
    Object.entries(blocks[block] ?? {}).flatMap(([tick, entry]) =>
      typeof entry === "string"
        ? []
        : [
            {
              tick: Number(tick),
              gross: BigInt(entry.liquidityGross),
              net: BigInt(entry.liquidityNet)
            }
          ]
    )

  /** The pool as the swap left it, with the ticks of the end of a block. */
  const stateAfter = ({ tick, sqrtPriceX96 }: GraphSwap, block: string) => {
    const ticks = ticksAt(block)
    const at = Number(tick)
    const liquidity = ticks.reduce((sum, one) => (one.tick <= at ? sum + one.net : sum), 0n)
    const price = { sqrtPriceX96: BigInt(sqrtPriceX96), tick: at, liquidity }
    return hookless(rangePoolState(pool.id, 10, price, ticks))
  }

  /** How the swap was ordered, by the order that has its amounts; null where none has. */
  const orderOf = (state: HookedPoolState, swap: GraphSwap): string | null => {
    const amounts = [raw(swap.amount0, 18), raw(swap.amount1, 6)] as const
    const tokenIn = amounts[0] > 0n ? 0 : 1
    const [amountIn, amountOut] =
      tokenIn === 0 ? [amounts[0], -amounts[1]] : [amounts[1], -amounts[0]]
    const isTold = (quote: Quote): boolean =>
      quote.ok && quote.amountIn === amountIn && quote.amountOut === amountOut
    if (isTold(hookedPoolModel.quote(state, facts, tokenIn, 1 - tokenIn, amountIn)))
      return "exact input"
    return isTold(quoteExactOutput(state, facts, tokenIn, 1 - tokenIn, amountOut))
      ? "exact output"
      : null
  }

  it("leads from one swap to the next with the ticks that either's block ends with", () => {
    const counts: { [order: string]: number } = {}
    for (const [i, swap] of pool.swaps.entries()) {
      const before = pool.swaps[i - 1]
      if (before === undefined) continue
      const ends = [swap, before].map(one => one.transaction.blockNumber)
      const [order = "none"] = ends.flatMap(block => orderOf(stateAfter(before, block), swap) ?? [])
      counts[order] = (counts[order] ?? 0) + 1
    }
    // liquidity was changed between the swaps of one block, or more than once
    expect(counts).toEqual({ "exact input": 86, "exact output": 7, none: 6 })
  })
})

const receipts = ["blocks", "receipts-multichain"].map(name => `evm/logs/${name}.jsonl.gz`)
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
const SWAP = "0x40e9cecb9f5f1f1c5b9c97dec2917b7ee92e57ba5563708daca94dd84ad7112f"

describeWithSharedData("real V4 swaps and the transfers beside them", receipts, () => {
  it("takes in what moved into the PoolManager, and pays what moved out of it", () => {
    let [swaps, confirmed] = [0, 0]
    for (const file of receipts) {
      const logs = jsonLines<RealLog>(file)
      for (const log of logs.filter(one => one.topics[0] === SWAP)) {
        const moved = (place: 1 | 2) =>
          logs
            .filter(
              one =>
                one.topics[0] === TRANSFER &&
                one.topics.length === 3 &&
                one.transactionHash === log.transactionHash &&
                one.topics[place]?.endsWith(log.address.slice(2)) === true
            )
            .map(one => BigInt(one.data))
        const [event] = decodeAll(evmDecoder.decode, rawLogOf(log))
        if (typeof event === "string" || event?.kind !== "SwapExecuted") throw new Error("no swap")
        swaps++
        const amountIn = event.amount0In + event.amount1In
        const amountOut = event.amount0Out + event.amount1Out
        const [paidIn, paidOut] = [moved(2).includes(amountIn), moved(1).includes(amountOut)]
        expect([event.amount0In, event.amount1In].filter(one => one > 0n).length).toBeLessThan(2)
        if (paidIn || paidOut) confirmed++
        // the other way round nothing of the kind is seen
        expect(moved(1).includes(amountIn) && !paidIn, log.transactionHash).toBe(false)
      }
    }
    // the others are in one transaction with more swaps, which settle only their sum
    expect({ swaps, confirmed }).toEqual({ swaps: 37, confirmed: 33 })
  })
})
