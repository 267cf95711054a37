/** Pools of Solana whose swaps tell a price and no liquidity: their vaults' balances weigh them. */
import { Effect } from "effect"
import { expect, it } from "vitest"
import { solana } from "../../src/domain/chains/solana.ts"
import type { Event } from "../../streams/event.ts"
import { signature } from "../../streams/solana/made-block.ts"
import { addressOf } from "../../streams/solana/made-transaction.ts"
import { mintsInOrder } from "../../streams/solana/swap-events.ts"
import { foldLog } from "../../test/support/folded-lane.ts"
import { MemoryLog } from "../../test/support/memory-log.ts"

const [POOL, TOKEN, WALLET] = [addressOf(1), addressOf(2), addressOf(3)]
const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
const [token0] = mintsInOrder(TOKEN, USDC)
const isUsd0 = token0 === USDC

const blockAt = (number: number) => ({
  ...{ number, time: 1_700_000_000 + number },
  ...{ hash: addressOf(100 + number), parentHash: addressOf(99 + number) }
})

/** A block with a swap of a whole token for $2; the vaults hold 1,000 tokens and `dollars` then. */
const swapIn = (number: number, kind: string, dollars: bigint): ReadonlyArray<Event> => {
  const block = blockAt(number)
  const tx = { hash: signature(number), index: 0, from: WALLET, to: null }
  const at = { block, tx, logIndex: 0 }
  const of = <A>(usd: A, token: A) => (isUsd0 ? ([usd, token] as const) : ([token, usd] as const))
  const [reserve0, reserve1] = of(dollars * 1_000_000n, 1_000_000_000_000n)
  const [amount0In, amount1In] = of(2_000_000n, 0n)
  const [amount0Out, amount1Out] = of(0n, 1_000_000_000n)
  // raw dollars of a raw token: 2e6 / 1e9
  const [root] = of(Math.sqrt(1e9 / 2e6), Math.sqrt(2e6 / 1e9))
  return [
    { kind: "ReservesSynced", ...at, pool: POOL, reserve0, reserve1 },
    {
      ...{ kind: "SwapExecuted", ...at, pool: POOL, venueKind: kind },
      ...{ sender: WALLET, recipient: WALLET, amount0In, amount0Out, amount1In, amount1Out },
      ...{ sqrtPriceX96: BigInt(Math.round(root * 2 ** 96)), liquidity: null, tick: null },
      ...{ fee: null, token0: null, token1: null, index0: null, index1: null }
    },
    { kind: "BlockSealed", block, tx: null, logIndex: 0, logs: 1, grade: "second" }
  ]
}

const facts = (kind: string): ReadonlyArray<Event> => {
  const at = { block: blockAt(1), tx: null, logIndex: 0 }
  const seen = (token: string, symbol: string, decimals: number): Event => ({
    ...{ kind: "TokenSeen", ...at, token, symbol, name: symbol, decimals },
    ...{ totalSupply: null, source: "call" }
  })
  return [
    seen(TOKEN, "TOK", 9),
    seen(USDC, "USDC", 6),
    {
      ...{ kind: "PoolCreated", ...at, pool: POOL, venueKind: kind },
      ...{ factory: null, tokens: [...mintsInOrder(TOKEN, USDC)], fee: null },
      ...{ tickSpacing: null, source: "call" }
    },
    { kind: "BlockSealed", block: blockAt(1), tx: null, logIndex: 0, logs: 0, grade: "second" }
  ]
}

it.each(["orca-whirlpool", "meteora-damm-v2", "raydium-clmm", "meteora-dlmm"])(
  "of %s price a token, as deep as the dollars in them",
  kind =>
    Effect.gen(function* () {
      const log = new MemoryLog()
      log.append(facts(kind))
      log.append(swapIn(2, kind, 30_000n))
      log.append(swapIn(3, kind, 25_000n))
      const lane = yield* foldLog(solana, log)
      const told = yield* lane.ask("explainPrice", { token: TOKEN })
      expect(told.priceUsd).toBeCloseTo(2, 9)
      expect(told.pools).toMatchObject([
        { pool: POOL, eligible: true, depthUsd: 25_000, backedUsd: 25_000 }
      ])
      const { pools } = yield* lane.ask("liquidityPools", {
        ...{ sort: "depth", limit: 10, offset: 0, asOf: null }
      })
      const amounts = isUsd0 ? [25_000, 1_000] : [1_000, 25_000]
      expect(pools).toMatchObject([
        { depthUsd: 25_000, reserves: { amount0: amounts[0], amount1: amounts[1] } }
      ])
    }).pipe(Effect.scoped, Effect.runPromise)
)
