/** States read from answers, quoted as published `get_dy` (`../shared/data/routing`). */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { type StablePool, stableExchange } from "../../../src/math/stable-swap/exchange.ts"
import { readState } from "../../../test/support/read-state.ts"
import { describeWithSharedData, sharedData } from "../../../test/support/shared-data.ts"
import type { PoolFacts, StateAnswer, StateCall } from "../../venue.ts"
import { eventOf } from "../../venue-laws.ts"
import { curveStableModel } from "./pool.ts"
import { curveStableStateRead } from "./read.ts"

interface Published {
  readonly address: string
  readonly tokens: ReadonlyArray<string>
  readonly decimals: ReadonlyArray<number>
  readonly balances: ReadonlyArray<string>
  readonly rates: ReadonlyArray<string>
  readonly A_precise: string
  readonly fee_1e10: string
  readonly adminFee_1e10: string
  readonly offpegFeeMultiplier_1e10: string | null
  readonly lpSupply: string
  readonly cases: ReadonlyArray<{
    readonly i: number
    readonly j: number
    readonly dx: string
    readonly dy: string
    readonly reference_difference: number
  }>
}

const BASE = `0x${"ba".repeat(20)}`

/** The accessors that a pool of a sort has for its rates. */
type Sort = "list" | "words" | "decimals" | "meta"

const answerOf = (pool: Published, sort: Sort, decoy = 0n) => {
  const ng = pool.offpegFeeMultiplier_1e10 !== null
  const numbers = (texts: ReadonlyArray<string>) => texts.map(BigInt)
  const own: StablePool = {
    rule: ng ? "late" : "plain",
    balances: numbers(pool.balances),
    rates: numbers(pool.rates),
    amplification: { amp: BigInt(pool.A_precise), precision: 100n },
    fee: BigInt(pool.fee_1e10),
    adminFee: BigInt(pool.adminFee_1e10),
    offpegMultiplier: BigInt(pool.offpegFeeMultiplier_1e10 ?? 0)
  }
  const words: { readonly [call: string]: StateAnswer } = {
    A_precise: [own.amplification.amp],
    fee: [own.fee],
    admin_fee: [own.adminFee],
    totalSupply: [BigInt(pool.lpSupply)],
    stored_rates:
      sort === "list"
        ? [32n, BigInt(own.rates.length), ...own.rates]
        : sort === "words"
          ? own.rates
          : null,
    base_pool: sort === "meta" ? [BigInt(BASE)] : null,
    offpeg_fee_multiplier: ng ? [own.offpegMultiplier] : null
  }
  return (to: string, { abi, args = [] }: StateCall): StateAnswer => {
    const name = abi.slice("function ".length, abi.indexOf("("))
    if (to === BASE) return name === "get_virtual_price" ? own.rates.slice(-1) : null
    if (abi.includes("balances(uint256)")) return [own.balances[Number(args[0])] as bigint]
    if (name !== "get_dy") return words[name] ?? null
    const [i = 0n, j = 0n, dx = 0n] = args
    const out = stableExchange(own, Number(i), Number(j), dx)
    return out && [out.amountOut + decoy]
  }
}

const factsOf = (pool: Published): PoolFacts => ({
  pool: pool.address,
  tokens: pool.tokens,
  fee: null,
  tickSpacing: null,
  decimals: pool.decimals
})

const read = (pool: Published, sort: Sort, decoy?: bigint) => {
  const facts = factsOf(pool)
  const known = curveStableModel.initial(facts)
  const question = { facts, factory: null, known, time: 1_700_000_000 }
  return readState(curveStableStateRead, question, answerOf(pool, sort, decoy))
}

const PATH = "routing/curve-stable.json"

describeWithSharedData("states of StableSwap pools that were read", [PATH], () => {
  const { pools } = JSON.parse(readFileSync(join(sharedData, PATH), "utf8")) as {
    readonly pools: ReadonlyArray<Published>
  }
  const isRated = ({ rates, decimals }: Published) =>
    rates.some((rate, i) => BigInt(rate) !== 10n ** BigInt(36 - (decimals[i] as number)))

  it("quote the published outputs", async () => {
    let exact = 0
    for (const pool of pools) {
      const sorts: ReadonlyArray<Sort> = isRated(pool)
        ? ["list", "words", "meta"]
        : ["list", "words", "decimals"]
      for (const sort of sorts) {
        const state = await read(pool, sort)
        if (state === null) throw new Error(`${pool.address} by ${sort}`)
        for (const { i, j, dx, dy, reference_difference } of pool.cases) {
          const quote = curveStableModel.quote(state, factsOf(pool), i, j, BigInt(dx))
          // the file's own formula differs here: contracts round otherwise
          if (reference_difference !== 0) continue
          exact++
          const told = { ok: true, amountIn: BigInt(dx), amountOut: BigInt(dy) }
          expect(quote, `${pool.address} ${i} ${j} ${dx}`).toEqual(told)
        }
      }
    }
    expect(exact).toBeGreaterThan(60)
  })

  it("are none where the pool pays otherwise: rates that nobody told", async () => {
    const rated = pools.find(isRated) as Published
    expect(await read(rated, "decimals")).toBeNull()
    expect(await read(rated, "list", 3n)).toBeNull()
    expect(await read(rated, "list", 2n)).not.toBeNull()
  })

  it("count until a swap comes out otherwise", async () => {
    const [pool] = pools as [Published]
    const facts = factsOf(pool)
    const state = await read(pool, "list")
    if (state === null) throw new Error("no state")
    const amountIn = 10n ** 18n
    const quote = curveStableModel.quote(state, facts, 0, 1, amountIn)
    if (!quote.ok) throw new Error("no quote")
    const swap = (amountOut: bigint) =>
      eventOf({
        ...{ kind: "SwapExecuted", pool: pool.address, venueKind: "curve-stable" },
        ...{ sender: null, recipient: null, sqrtPriceX96: null, liquidity: null, tick: null },
        ...{ amount0In: amountIn, amount0Out: 0n, amount1In: 0n, amount1Out: amountOut },
        ...{ fee: null, token0: null, token1: null, index0: 0, index1: 1 }
      })
    const next = curveStableModel.fold(state, swap(quote.amountOut))
    expect(next.balances?.[0]).toBe(BigInt(pool.balances[0] as string) + amountIn)
    expect(curveStableModel.fold(state, swap(quote.amountOut - 1n)).balances).toBeNull()
  })
})
