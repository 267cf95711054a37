import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { expect, it } from "vitest"
import { abiEvent, encodeLog } from "../../../test/support/abi-logs.ts"
import { decodeOne } from "../../../test/support/decode-one.ts"
import { jsonLines, type RealLog, rawLogOf } from "../../../test/support/raw-logs.ts"
import { describeWithSharedData, sharedData } from "../../../test/support/shared-data.ts"
import { orderOf, stateTold } from "../../../test/support/swap-order.ts"
import type { Event } from "../../event.ts"
import type { EventDecoder, PoolFacts } from "../../venue.ts"
import { evmDecoder } from "../decoder.ts"
import {
  quoteExactOutput,
  type RangePoolState,
  rangePoolModel,
  rangePoolState
} from "../range-pool.ts"
import { uniswapV3Events } from "./decode.ts"

interface PoolFile {
  readonly pool: string
  readonly fee: number
  readonly tickSpacing: number
  readonly token0: string
  readonly token1: string
  readonly liquidity: string
  readonly slot0: { readonly sqrtPriceX96: string; readonly tick: number }
  readonly ticks: {
    readonly [tick: string]: { readonly liquidityGross: string; readonly liquidityNet: string }
  }
}

interface ListedEvent {
  readonly event: "Swap" | "Mint" | "Burn"
  readonly [field: string]: string | number
}

const folder = "evm/state/wbtc-weth-3000-16944668-16951788"
const stateFiles = ["state-before.json.gz", "events.jsonl.gz", "state-after.json.gz"].map(
  name => `${folder}/${name}`
)

describeWithSharedData("a pool between two snapshots of the chain", stateFiles, () => {
  const read = (path: string): PoolFile =>
    JSON.parse(gunzipSync(readFileSync(join(sharedData, path))).toString())
  const before = read(stateFiles[0] as string)
  const after = read(stateFiles[2] as string)
  const { pool, fee, tickSpacing } = before
  const tokens = [before.token0, before.token1]
  const facts: PoolFacts = { pool, tokens, fee, tickSpacing, decimals: [8, 18] }
  const ticksOf = (file: PoolFile) =>
    Object.entries(file.ticks).map(([tick, { liquidityGross, liquidityNet }]) => ({
      tick: Number(tick),
      gross: BigInt(liquidityGross),
      net: BigInt(liquidityNet)
    }))
  const priceOf = (file: PoolFile) => ({
    sqrtPriceX96: BigInt(file.slot0.sqrtPriceX96),
    tick: file.slot0.tick,
    liquidity: BigInt(file.liquidity)
  })

  /** The event as the pool logged it: encoded from its listed arguments, then decoded. */
  const eventOf = ({ event, ...listed }: ListedEvent): Event => {
    const decoder = uniswapV3Events.find(({ abi }) => abi.startsWith(`event ${event}(`))
    const { abi, decode } = decoder as EventDecoder
    const args = Object.entries(listed).map(([name, value]) => [
      name,
      typeof value === "number" || value.startsWith("0x") ? value : BigInt(value)
    ])
    const log = encodeLog(abiEvent(abi), Object.fromEntries(args), pool)
    return decodeOne(decode, rawLogOf(log)) as Event
  }
  const events = jsonLines<ListedEvent>(stateFiles[1] as string).map(eventOf)
  const start = rangePoolState(pool, tickSpacing, priceOf(before), ticksOf(before))

  it("runs each of the 329 swaps again, from the ticks and the events before it", () => {
    const orders: { [order: string]: number } = {}
    let state = start
    for (const event of events) {
      if (event.kind === "SwapExecuted") {
        const order = orderOf(state, fee, event)
        orders[order] = (orders[order] ?? 0) + 1
        const tokenIn = event.amount0In > 0n ? 0 : 1
        const [amountIn, amountOut] =
          tokenIn === 0 ? [event.amount0In, event.amount1Out] : [event.amount1In, event.amount0Out]
        if (order === "exact input") {
          const quote = rangePoolModel.quote(state, facts, tokenIn, 1 - tokenIn, amountIn)
          expect(quote).toEqual({ ok: true, amountIn, amountOut })
        } else {
          const quote = quoteExactOutput(state, facts, tokenIn, 1 - tokenIn, amountOut)
          expect(quote).toEqual({ ok: true, amountIn, amountOut })
        }
      }
      state = rangePoolModel.fold(state, event)
    }
    expect(orders).toEqual({ "exact input": 313, "exact output": 16 })
  })

  it("comes out at the later snapshot: price, liquidity and ticks", () => {
    const end = events.reduce(rangePoolModel.fold, start)
    expect(end.price).toEqual(priceOf(after))
    // Each snapshot lists 300 spacings around its price; below 239820 only the later one looked.
    const inBoth = ({ tick }: { readonly tick: number }) => tick > 239_760
    const sorted = ticksOf(after).sort((a, b) => a.tick - b.tick)
    expect([...(end.ticks?.entries() ?? [])].filter(inBoth)).toEqual(sorted.filter(inBoth))
    expect(sorted.filter(tick => !inBoth(tick)).length).toBe(1)
  })
})

/**
 * Days of pools, of whose ticks nothing is known before. Mints and burns are folded into the
 * price's liquidity; where a swap ends with the liquidity it began with, it crossed no tick and
 * everything about it is known.
 */
const days = [
  {
    file: "eth-univ3-usdc-weth-500-2024-01-05",
    swaps: 6046,
    known: { "exact input": 4777, "exact output": 577, limit: 124 }
  },
  {
    file: "polygon-univ3-usdc-weth-500-2021-12-22",
    swaps: 199,
    known: { "exact input": 182, "exact output": 3 }
  },
  {
    file: "polygon-univ3-usdc-weth-500-2022-01-05",
    swaps: 3972,
    known: { "exact input": 2670, "exact output": 155, limit: 581 }
  }
]
const FEE = 500
const SPACING = 10

for (const { file, swaps, known } of days) {
  const path = `evm/logs/${file}.jsonl.gz`
  describeWithSharedData(file, [path], () => {
    it("leads from each swap's state to the next one's", () => {
      const orders: { [order: string]: number } = {}
      let state: RangePoolState | null = null
      let count = 0
      for (const log of jsonLines<RealLog>(path)) {
        const event = decodeOne(evmDecoder.decode, rawLogOf(log)) as Event
        if (event.kind === "SwapExecuted") {
          count++
          if (state !== null && state.price?.liquidity === event.liquidity) {
            const order = orderOf(state, FEE, event)
            orders[order] = (orders[order] ?? 0) + 1
          }
          state ??= rangePoolModel.initial({
            pool: event.pool,
            tokens: [],
            fee: FEE,
            tickSpacing: SPACING,
            decimals: []
          })
        }
        if (state === null) continue
        const { price } = rangePoolModel.fold(state, event)
        if (price === null) throw new Error("a swap told no price")
        if (event.kind === "SwapExecuted") expect(price).toEqual(stateTold(event))
        state = rangePoolState(log.address, SPACING, price, [])
      }
      expect(count).toBe(swaps)
      expect(orders).toEqual(known)
    })
  })
}
