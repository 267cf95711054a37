import { expect, it } from "vitest"
import { decodeOne } from "../../../test/support/decode-one.ts"
import { jsonLines, type RealLog, rawLogOf } from "../../../test/support/raw-logs.ts"
import { describeWithSharedData } from "../../../test/support/shared-data.ts"
import type { EventOf } from "../../event.ts"
import { makeDecoder } from "../decoder.ts"
import { type PairState, pairModel } from "./pool.ts"
import { uniswapV2 } from "./venue.ts"

const file = "evm/logs/blocks.jsonl.gz"

/** A pair's state, and the one before, told by its syncs in two blocks at most one apart. */
interface Followed {
  readonly before: PairState | null
  readonly state: PairState
  readonly block: number
}

const factsOf = (pool: string, fee: number | null) => ({
  pool,
  tokens: [],
  fee,
  tickSpacing: null,
  decimals: []
})

/** The reserves that the swap leaves, by its own amounts. */
const afterSwap = ({ reserves }: PairState, swap: EventOf<"SwapExecuted">) => [
  (reserves?.[0] as bigint) + swap.amount0In - swap.amount0Out,
  (reserves?.[1] as bigint) + swap.amount1In - swap.amount1Out
]

const judge = (before: PairState, swap: EventOf<"SwapExecuted">): string => {
  const tokenIn = swap.amount0In > 0n ? 0 : 1
  const [amountIn, amountOut] =
    tokenIn === 0 ? [swap.amount0In, swap.amount1Out] : [swap.amount1In, swap.amount0Out]
  const [usual, low] = [3000, 2000].map(fee => {
    const quote = pairModel.quote(before, factsOf(swap.pool, fee), tokenIn, 1 - tokenIn, amountIn)
    return quote.ok ? quote.amountOut : 0n
  }) as [bigint, bigint]
  if (usual === amountOut) return "quoted at 0.3 %"
  if (usual > amountOut) return "took less than the quote at 0.3 %"
  return low === amountOut ? "quoted at 0.2 %" : "of another fee"
}

describeWithSharedData("V2 pairs in whole blocks", [file], () => {
  it("leads from sync to sync by the swaps, and quotes what they paid", () => {
    const pairs = new Map<string, Followed>()
    const verdicts: { [verdict: string]: number } = {}
    const { decode } = makeDecoder([uniswapV2])
    for (const log of jsonLines<RealLog>(file)) {
      const event = decodeOne(decode, rawLogOf(log))
      if (typeof event === "string") continue
      const key = `${log.chainId} ${log.address}`
      const known = pairs.get(key)
      if (event.kind === "ReservesSynced") {
        const isNear = known !== undefined && known.block >= log.blockNumber - 1
        const before = isNear ? known.state : null
        const state = pairModel.fold(before ?? pairModel.initial(factsOf(log.address, null)), event)
        pairs.set(key, { before, state, block: log.blockNumber })
      }
      // The pair logs Sync just before Swap.
      if (event.kind !== "SwapExecuted" || !known?.before) continue
      if (event.venueKind !== "uniswap-v2") continue
      expect(known.state.reserves).toEqual(afterSwap(known.before, event))
      const verdict = judge(known.before, event)
      verdicts[verdict] = (verdicts[verdict] ?? 0) + 1
    }
    expect(verdicts).toEqual({
      "quoted at 0.3 %": 59,
      "took less than the quote at 0.3 %": 16,
      "quoted at 0.2 %": 3,
      "of another fee": 1
    })
  })
})
