/**
 * Reads of pairs from answers as viem's coder makes them by ILBPair, beside the state that a fold
 * of the same deposits has.
 */
import { decodeFunctionData, encodeFunctionResult, type Hex, parseAbi } from "viem"
import { expect, it } from "vitest"
import { answerBy, readState } from "../../../test/support/read-state.ts"
import { type EventMeaning, eventOf } from "../../venue-laws.ts"
import { liquidityBookModel } from "./pool.ts"
import { liquidityBookStateRead, ROUND_BINS } from "./read.ts"
import type { Bin, LiquidityBookState } from "./state.ts"

const POOL = `0x${"bb".repeat(20)}`
const ACTIVE = 8_388_608
const E18 = 10n ** 18n
const facts = {
  ...{ pool: POOL, tokens: ["0x1", "0x2"], fee: null, tickSpacing: null, decimals: [18, 18] }
}
const FEES = {
  ...{ baseFactor: 8000, filterPeriod: 30, decayPeriod: 600, reductionFactor: 5000 },
  ...{ variableFeeControl: 7500, protocolShare: 1000, maxVolatilityAccumulator: 350_000 }
}
const [ACCUMULATOR, REFERENCE, ID_REFERENCE, UPDATED] = [12_000, 5000, ACTIVE - 1, 1_700_000_000]

const abi = parseAbi([
  "function getActiveId() view returns (uint24 activeId)",
  "function getBinStep() view returns (uint16)",
  "function getReserves() view returns (uint128 reserveX, uint128 reserveY)",
  "function getStaticFeeParameters() view returns (uint16 baseFactor, uint16 filterPeriod, uint16 decayPeriod, uint16 reductionFactor, uint24 variableFeeControl, uint16 protocolShare, uint24 maxVolatilityAccumulator)",
  "function getVariableFeeParameters() view returns (uint24 volatilityAccumulator, uint24 volatilityReference, uint24 idReference, uint40 timeOfLastUpdate)",
  "function getLBHooksParameters() view returns (bytes32)",
  "function getBin(uint24 id) view returns (uint128 binReserveX, uint128 binReserveY)"
])

const binsAt = (places: ReadonlyArray<number>): ReadonlyArray<Bin> =>
  places.map(place => ({
    id: ACTIVE + place,
    x: place >= 0 ? E18 * BigInt(1 + place) : 0n,
    y: place <= 0 ? E18 * BigInt(2 - place) : 0n
  }))

const WHOLE = binsAt([-ROUND_BINS - 3, -2, -1, 0, 1, 5])

/** A pair's contract; of v2.1 where `hooks` is null. */
const contractOf = (bins: ReadonlyArray<Bin>, hooks: Hex | null = null, asked = { calls: 0 }) =>
  answerBy(async (_to: Hex, data: Hex): Promise<Hex> => {
    asked.calls++
    const { functionName, args = [] } = decodeFunctionData({ abi, data })
    const encode = (result: unknown) =>
      encodeFunctionResult({ abi, functionName, result } as Parameters<
        typeof encodeFunctionResult
      >[0])
    switch (functionName) {
      case "getActiveId":
        return encode(ACTIVE)
      case "getBinStep":
        return encode(20)
      case "getReserves":
        return encode([
          bins.reduce((sum, { x }) => sum + x, 0n),
          bins.reduce((sum, { y }) => sum + y, 0n)
        ])
      case "getStaticFeeParameters":
        return encode(Object.values(FEES))
      case "getVariableFeeParameters":
        return encode([ACCUMULATOR, REFERENCE, ID_REFERENCE, UPDATED])
      case "getLBHooksParameters":
        if (hooks === null) throw new Error("reverted")
        return encode(hooks)
      case "getBin": {
        const bin = bins.find(({ id }) => id === args[0])
        return encode([bin?.x ?? 0n, bin?.y ?? 0n])
      }
    }
  })

const question = {
  ...{ facts, factory: null, known: liquidityBookModel.initial(facts), time: UPDATED + 40 }
}
const read = (contract: ReturnType<typeof contractOf>) =>
  readState(liquidityBookStateRead, question, contract)

/** The state of a pair whose events are known from its creation on. */
const folded = (): LiquidityBookState => {
  const parameter = (name: string, value: number): EventMeaning => ({
    ...{ kind: "PoolParameterSet", pool: POOL, name, index: null, value: BigInt(value) }
  })
  const events: ReadonlyArray<EventMeaning> = [
    {
      ...{ kind: "PoolCreated", pool: POOL, venueKind: "liquidity-book", factory: null },
      ...{ tokens: [], fee: null, tickSpacing: null, source: "log" }
    },
    parameter("binStep", 20),
    ...Object.entries(FEES).map(([name, value]) => parameter(name, value)),
    ...WHOLE.map(
      ({ id, x, y }): EventMeaning => ({
        ...{ kind: "LiquidityChanged", pool: POOL, venueKind: "liquidity-book", owner: null },
        ...{ sender: null, tickLower: id, tickUpper: id + 1, liquidity: null },
        ...{ amount0: x, amount1: y }
      })
    )
  ]
  const state = events.reduce(
    (one, event) => liquidityBookModel.fold(one, eventOf(event)),
    liquidityBookModel.initial(facts)
  )
  const volatility = {
    ...{ accumulator: ACCUMULATOR, reference: REFERENCE, idReference: ID_REFERENCE, time: UPDATED }
  }
  return { ...state, volatility, time: question.time }
}

it("tells a pair of v2.1 as its events do, bins far out among it", async () => {
  const state = (await read(contractOf(WHOLE))) as LiquidityBookState
  expect(state).toEqual(folded())
  // over five bins each way, with a fee that moves
  for (const [tokenIn, tokenOut, bins] of [[0, 1, 1] as const, [1, 0, 2] as const]) {
    const quote = liquidityBookModel.quote(state, facts, tokenIn, tokenOut, 4n * E18)
    expect(quote).toMatchObject({ ok: true, amountIn: 4n * E18 })
    expect(liquidityBookModel.crossed?.(state, facts, tokenIn, tokenOut, 4n * E18)).toBe(bins)
    expect(quote).toEqual(liquidityBookModel.quote(folded(), facts, tokenIn, tokenOut, 4n * E18))
  }
})

it("asks no further than for what the pair has", async () => {
  const asked = { calls: 0 }
  await read(contractOf(binsAt([-1, 0, 1]), null, asked))
  expect(asked.calls).toBe(6 + 2 * ROUND_BINS - 1)
})

it("sees hooks of a pair of v2.2, and quotes it without any", async () => {
  const [none, some]: [Hex, Hex] = [`0x${"00".repeat(32)}`, `0x${"01".repeat(32)}`]
  expect(await read(contractOf(WHOLE, none))).toEqual(folded())
  const hooked = (await read(contractOf(WHOLE, some))) as LiquidityBookState
  expect(hooked.hasHooks).toBe(true)
  expect(liquidityBookModel.quote(hooked, facts, 0, 1, E18)).toEqual({
    ...{ ok: false, reason: "unknown-state" }
  })
})

it("tells nothing of a pair with a bin out of reach, or of one of v2.0", async () => {
  expect(await read(contractOf(binsAt([0, 5 * ROUND_BINS])))).toBeNull()
  expect(await readState(liquidityBookStateRead, question, () => null)).toBeNull()
})
