/**
 * Reads of pools of each generation: answers as viem's coder makes them by the contracts' own
 * interfaces, beside the state that the same positions make as events.
 */
import { decodeFunctionData, encodeFunctionResult, type Hex, parseAbi } from "viem"
import { expect, it } from "vitest"
import { sqrtRatioAtTick } from "../../../src/math/concentrated/tick-math.ts"
import { answerBy, readState } from "../../../test/support/read-state.ts"
import { type EventMeaning, eventOf } from "../../venue-laws.ts"
import { type AlgebraPoolState, algebraPoolModel } from "./pool.ts"
import { algebraStateRead } from "./read.ts"

const POOL = `0x${"bb".repeat(20)}`
const L = 10n ** 18n
const facts = {
  ...{ pool: POOL, tokens: ["0x1", "0x2"], fee: null, tickSpacing: 60, decimals: [18, 18] }
}
const TICK = -125
const POSITIONS = [
  [-887220, 887220, 3n * L],
  [-600, 540, 5n * L],
  [-120, 60, 7n * L]
] as const

const common = [
  "function liquidity() view returns (uint128)",
  "function tickTable(int16) view returns (uint256)"
] as const
/** `IAlgebraPoolState` of each generation. */
const abis = {
  v1: parseAbi([
    ...common,
    "function globalState() view returns (uint160 price, int24 tick, uint16 fee, uint16 timepointIndex, uint8 communityFeeToken0, uint8 communityFeeToken1, bool unlocked)",
    "function ticks(int24) view returns (uint128 liquidityTotal, int128 liquidityDelta, uint256 outerFeeGrowth0Token, uint256 outerFeeGrowth1Token, int56 outerTickCumulative, uint160 outerSecondsPerLiquidity, uint32 outerSecondsSpent, bool initialized)"
  ]),
  "v1.9": parseAbi([
    ...common,
    "function globalState() view returns (uint160 price, int24 tick, uint16 feeZto, uint16 feeOtz, uint16 timepointIndex, uint8 communityFeeToken0, uint8 communityFeeToken1, bool unlocked)",
    "function ticks(int24) view returns (uint128 liquidityTotal, int128 liquidityDelta, uint256 outerFeeGrowth0Token, uint256 outerFeeGrowth1Token, int56 outerTickCumulative, uint160 outerSecondsPerLiquidity, uint32 outerSecondsSpent, bool initialized)"
  ]),
  integral: parseAbi([
    ...common,
    "function globalState() view returns (uint160 price, int24 tick, uint16 lastFee, uint8 pluginConfig, uint16 communityFee, bool unlocked)",
    "function ticks(int24) view returns (uint256 liquidityTotal, int128 liquidityDelta, int24 prevTick, int24 nextTick, uint256 outerFeeGrowth0Token, uint256 outerFeeGrowth1Token)"
  ])
}
type Generation = AlgebraPoolState["generation"]

const price = sqrtRatioAtTick(TICK)
const globals: { readonly [generation in Generation]: ReadonlyArray<unknown> } = {
  v1: [price, TICK, 500, 3, 100, 100, true],
  "v1.9": [price, TICK, 500, 900, 3, 100, 100, true],
  integral: [price, TICK, 500, 4, 100, true]
}

const net = (tick: number): bigint =>
  POSITIONS.reduce(
    (sum, [low, high, amount]) => sum + (low === tick ? amount : high === tick ? -amount : 0n),
    0n
  )
const active = POSITIONS.filter(([low, high]) => low <= TICK && TICK < high).reduce(
  (sum, [, , amount]) => sum + amount,
  0n
)

/** A pool's contract of a generation. */
const contractOf = (generation: Generation) =>
  answerBy(async (_to: Hex, data: Hex): Promise<Hex> => {
    const abi = abis[generation] as typeof abis.v1
    const { functionName, args = [] } = decodeFunctionData({ abi, data })
    const at = Number(args[0] ?? 0)
    const encode = (result: unknown) =>
      encodeFunctionResult({ abi, functionName, result } as Parameters<
        typeof encodeFunctionResult
      >[0])
    if (functionName === "globalState") return encode(globals[generation])
    if (functionName === "liquidity") return encode(active)
    if (functionName === "tickTable") {
      const spacing = generation === "v1" ? 60 : 1
      const places = new Set(POSITIONS.flatMap(([low, high]) => [low / spacing, high / spacing]))
      const bits = [...places].filter(place => Math.floor(place / 256) === at)
      return encode(bits.reduce((all, place) => all | (1n << BigInt(place - at * 256)), 0n))
    }
    const gross = net(at) < 0n ? -net(at) : net(at)
    return encode(
      generation === "integral"
        ? [gross, net(at), -887272, 887272, 1n, 2n]
        : [gross, net(at), 1n, 2n, -3, 4n, 5, true]
    )
  })

/** What events tell of such a pool from its first price on. */
const foldedOf = (generation: Generation): AlgebraPoolState => {
  const parameter = (name: string, value: bigint, index: number | null = null): EventMeaning => ({
    ...{ kind: "PoolParameterSet", pool: POOL, name, index, value }
  })
  const told: { readonly [one in Generation]: ReadonlyArray<EventMeaning> } = {
    v1: [parameter("fee", 500n)],
    "v1.9": [parameter("fee", 500n, 0), parameter("fee", 900n, 1)],
    integral: [parameter("pluginConfig", 4n), parameter("fee", 500n)]
  }
  const minted = POSITIONS.map(
    ([tickLower, tickUpper, liquidity]): EventMeaning => ({
      ...{ kind: "LiquidityChanged", pool: POOL, venueKind: "algebra", owner: null, sender: null },
      ...{ tickLower, tickUpper, liquidity, amount0: 1n, amount1: 1n }
    })
  )
  const events: ReadonlyArray<EventMeaning> = [
    { kind: "PoolInitialized", pool: POOL, sqrtPriceX96: price, tick: TICK },
    ...told[generation],
    ...minted
  ]
  return events.reduce(
    (state, event) => algebraPoolModel.fold(state, eventOf(event)),
    algebraPoolModel.initial(facts)
  )
}

const quotesOf = (state: AlgebraPoolState, most: bigint) =>
  [1n, 10n ** 12n, most].flatMap(amount => [
    algebraPoolModel.quote(state, facts, 0, 1, amount),
    algebraPoolModel.quote(state, facts, 1, 0, amount)
  ])

const question = { facts, factory: null, known: algebraPoolModel.initial(facts), time: 0 }

it.each(["v1", "v1.9", "integral"] as const)("tells a pool of %s as its events do", async one => {
  const state = (await readState(algebraStateRead, question, contractOf(one))) as AlgebraPoolState
  const folded = foldedOf(one)
  expect(state).toMatchObject({
    ...{ generation: one, fees: folded.fees, pluginConfig: one === "integral" ? 4 : null },
    fine: { price: { sqrtPriceX96: price, tick: TICK, liquidity: active } }
  })
  // over all ticks of the two narrow positions
  const expected = quotesOf(folded, 10n ** 17n)
  if (one !== "v1") expect(quotesOf(state, 10n ** 17n)).toEqual(expected)
  for (const [i, quote] of quotesOf(state, 10n ** 17n).entries()) {
    expect(quote.ok).toBe(true)
    // events of V1 alone may be of V1.9: then only what both pay is quoted
    if (expected[i]?.ok) expect(quote).toEqual(expected[i])
  }
})

it("goes on by events from what was read", async () => {
  const state = (await readState(algebraStateRead, question, contractOf("v1"))) as AlgebraPoolState
  const burned = eventOf({
    ...{ kind: "LiquidityChanged", pool: POOL, venueKind: "algebra", owner: null, sender: null },
    ...{ tickLower: -600, tickUpper: 540, liquidity: -5n * L, amount0: -1n, amount1: -1n }
  })
  const after = algebraPoolModel.fold(state, burned)
  expect(after.fine.price?.liquidity).toBe(active - 5n * L)
  expect(after.fine.ticks?.get(-600)).toBeUndefined()
  expect(algebraPoolModel.quote(after, facts, 0, 1, 10n ** 12n)).toMatchObject({ ok: true })
})

it("tells nothing of a contract whose state has another length", async () => {
  const contract = contractOf("v1")
  const answer: typeof contract = async (to, call) => {
    const words = await contract(to, call)
    return call.abi.includes("globalState") && words !== null ? words.slice(0, 5) : words
  }
  expect(await readState(algebraStateRead, question, answer)).toBeNull()
})
