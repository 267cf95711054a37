import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { describeWithSharedData, sharedData } from "../../../test/support/shared-data.ts"
import type { Event } from "../../event.ts"
import type { PoolFacts } from "../../venue.ts"
import { type EventMeaning, eventOf } from "../../venue-laws.ts"
import { liquidityBookModel } from "./pool.ts"

const POOL = `0x${"aa".repeat(20)}`
const facts: PoolFacts = {
  pool: POOL,
  tokens: ["0x1", "0x2"],
  fee: null,
  tickSpacing: null,
  decimals: [18, 18]
}

const at = (time: number, meaning: EventMeaning): Event =>
  ({ ...eventOf(meaning), block: { number: 1, time, hash: null, parentHash: null } }) as Event

const parameter = (name: string, value: number | bigint, time = 0): Event =>
  at(time, { kind: "PoolParameterSet", pool: POOL, name, index: null, value: BigInt(value) })

const deposit = (id: number, amount0: bigint, amount1: bigint, time = 0): Event =>
  at(time, {
    kind: "LiquidityChanged",
    pool: POOL,
    venueKind: "liquidity-book",
    owner: null,
    sender: null,
    tickLower: id,
    tickUpper: id + 1,
    liquidity: null,
    amount0,
    amount1
  })

const swap = (id: number, amount0In: bigint, amount1Out: bigint, time: number): Event =>
  at(time, {
    kind: "SwapExecuted",
    pool: POOL,
    venueKind: "liquidity-book",
    sender: null,
    recipient: null,
    amount0In,
    amount0Out: 0n,
    amount1In: 0n,
    amount1Out,
    sqrtPriceX96: null,
    liquidity: null,
    tick: id,
    fee: null,
    token0: null,
    token1: null,
    index0: null,
    index1: null
  })

const sealed = (time: number): Event => at(time, { kind: "BlockSealed", logs: 0, grade: "root" })

const creation = at(0, {
  kind: "PoolCreated",
  pool: POOL,
  venueKind: "liquidity-book",
  factory: null,
  tokens: facts.tokens,
  fee: null,
  tickSpacing: null,
  source: "log"
})

const staticFee = {
  baseFactor: 8000,
  filterPeriod: 30,
  decayPeriod: 600,
  reductionFactor: 5000,
  variableFeeControl: 40_000,
  protocolShare: 1000,
  maxVolatilityAccumulator: 350_000
}
const setUp = (fees: { readonly [name: string]: number }, binStep: number) => [
  ...Object.entries(fees).map(([name, value]) => parameter(name, value)),
  creation,
  parameter("binStep", binStep)
]

type State = ReturnType<typeof liquidityBookModel.initial>
const folded = (events: ReadonlyArray<Event>): State =>
  events.reduce(
    (state, event) => liquidityBookModel.fold(state, event),
    liquidityBookModel.initial(facts)
  )
const ask = (state: State, tokenIn: number, amountIn: bigint) =>
  liquidityBookModel.quote(state, facts, tokenIn, 1 - tokenIn, amountIn)

const CENTRE = 2 ** 23
const UNIT = 10n ** 18n

describe("liquidity book pairs", () => {
  const start = [
    ...setUp(staticFee, 20),
    deposit(CENTRE, UNIT, UNIT),
    deposit(CENTRE - 1, 0n, UNIT),
    deposit(CENTRE - 2, 0n, UNIT),
    sealed(900)
  ]
  const unknown = { ok: false, reason: "unknown-state" }

  it("quote nothing while a bin, a parameter or a hook is unknown", () => {
    for (const left of [0, 4, 7, 8]) {
      const rest = start.filter((_, i) => i !== left)
      expect(ask(folded(rest), 0, 1000n)).toEqual(unknown)
    }
    expect(ask(folded(start), 0, 1000n)).toMatchObject({ ok: true })
    expect(ask(folded([...start, parameter("hooks", 1n)]), 0, 1000n)).toEqual(unknown)
    expect(ask(folded([...start, deposit(CENTRE, -2n * UNIT, 0n)]), 0, 1000n)).toEqual(unknown)
    // no bin told which one is active
    expect(ask(folded([...start.slice(0, 9), ...start.slice(10)]), 0, 1000n)).toEqual(unknown)
  })

  it("take a tenth of a bin's price a bin lower, and end where the bins end", () => {
    const state = folded([...start, sealed(1000)])
    // 0.16 % base fee; the price of the active bin is one
    expect(ask(state, 0, 10_000n)).toEqual({ ok: true, amountIn: 10_000n, amountOut: 9984n })
    const all = ask(state, 0, 10n * UNIT)
    expect(all).toMatchObject({ ok: true, amountOut: 3n * UNIT })
    expect(
      ask(folded([...setUp(staticFee, 20), deposit(CENTRE, UNIT, UNIT), sealed(900)]), 1, 0n)
    ).toEqual({
      ok: true,
      amountIn: 0n,
      amountOut: 0n
    })
  })

  it("keep the reference within the filter period and halve it within the decay period", () => {
    const traded = [
      ...start,
      swap(CENTRE, UNIT, UNIT, 1000),
      parameter("volatilityAccumulator", 0, 1000),
      swap(CENTRE - 1, UNIT / 2n, UNIT / 2n, 1000),
      parameter("volatilityAccumulator", 10_000, 1000)
    ]
    const state = folded(traded)
    expect(state.volatility).toEqual({
      idReference: CENTRE,
      reference: 0,
      accumulator: 10_000,
      time: 1000
    })
    // variable fee of one bin: (10000 * 20)^2 * 40000 / 100 = 1.6e13 of 1e18
    const fee = (at: number) => {
      const quote = ask(folded([...traded, sealed(at)]), 0, UNIT / 100n)
      return quote.ok ? quote.amountOut : 0n
    }
    const [kept, halved, gone] = [fee(1029), fee(1030), fee(1600)]
    expect(kept < halved && halved < gone).toBe(true)
    // 0.0016 % of the input, three quarters of it given back at half the accumulator
    expect(gone - kept).toBe(159_680_638_723n)
    expect(gone - halved).toBe(39_920_159_681n)
  })

  it("are unknown once a swap passes over what it would have bought, or goes the other way", () => {
    const active: State = { ...folded([...start, sealed(1000)]), activeId: CENTRE }
    const left = (...swaps: ReadonlyArray<Event>) =>
      swaps.reduce((state, event) => liquidityBookModel.fold(state, event), active)
    const emptied = swap(CENTRE, UNIT, UNIT, 1000)
    expect(left(emptied, swap(CENTRE - 1, 7n, 7n, 1000)).bins).toEqual([
      { id: CENTRE - 2, x: 0n, y: UNIT },
      { id: CENTRE - 1, x: 7n, y: UNIT - 7n },
      { id: CENTRE, x: 2n * UNIT, y: 0n }
    ])
    for (const [id, first] of [
      [CENTRE - 1, []],
      [CENTRE - 2, [emptied]],
      [CENTRE + 1, []]
    ] as const) {
      const state = left(...first, swap(id, 7n, 7n, 1000))
      expect(state.bins).toBeNull()
      expect(ask(state, 0, 1000n)).toEqual(unknown)
    }
  })

  it("renew references for an unbalanced deposit and a forced decay", () => {
    const moved = [
      ...start,
      swap(CENTRE - 2, UNIT / 2n, UNIT / 2n, 1000),
      parameter("volatilityAccumulator", 20_000, 1000)
    ]
    expect(folded([...moved, parameter("compositionBin", CENTRE - 2, 1100)]).volatility).toEqual({
      idReference: CENTRE - 2,
      reference: 10_000,
      accumulator: 10_000,
      time: 1100
    })
    expect(folded([...moved, parameter("forcedDecay", CENTRE, 1010)]).volatility).toEqual({
      idReference: CENTRE - 2,
      reference: 10_000,
      accumulator: 20_000,
      time: 1000
    })
  })
})

interface Pair {
  readonly blockTimestamp: number
  readonly binStep: number
  readonly activeId: number
  readonly staticFee: { readonly [name: string]: number }
  readonly variableFee: {
    readonly volatilityAccumulator: number
    readonly volatilityReference: number
    readonly idReference: number
    readonly timeOfLastUpdate: number
  }
  readonly bins: ReadonlyArray<readonly [number, string, string]>
}
interface Case {
  readonly swapForY: boolean
  readonly amountIn: string
  readonly amountOut: string
}

const files = ["routing/liquidity-book.json", "routing/computed-swaps.json"]

describeWithSharedData("liquidity book vectors", files, () => {
  const read = (path: string) => JSON.parse(readFileSync(join(sharedData, path), "utf8"))

  const stateOf = (pair: Pair): State => {
    const { volatilityAccumulator, volatilityReference, idReference, timeOfLastUpdate } =
      pair.variableFee
    const events = [
      ...setUp(pair.staticFee, pair.binStep),
      ...pair.bins.map(([id, x, y]) => deposit(id, BigInt(x), BigInt(y)))
    ]
    return {
      ...folded([...events, sealed(pair.blockTimestamp)]),
      activeId: pair.activeId,
      volatility: {
        idReference,
        reference: volatilityReference,
        accumulator: volatilityAccumulator,
        time: timeOfLastUpdate
      }
    }
  }

  it("reproduces the published outputs", () => {
    const { pools } = read("routing/liquidity-book.json") as {
      pools: ReadonlyArray<Pair & { readonly cases: ReadonlyArray<Case> }>
    }
    for (const pair of pools) {
      for (const { swapForY, amountIn, amountOut } of pair.cases) {
        expect(ask(stateOf(pair), swapForY ? 0 : 1, BigInt(amountIn))).toEqual({
          ok: true,
          amountIn: BigInt(amountIn),
          amountOut: BigInt(amountOut)
        })
      }
    }
    expect(pools.flatMap(pair => pair.cases).length).toBe(3)
  })

  it("reproduces the computed outputs, but where the fee passes the contract's limit", () => {
    const { liquidityBook } = read("routing/computed-swaps.json") as {
      liquidityBook: ReadonlyArray<Pair & Case>
    }
    const verdicts = liquidityBook.map(one => {
      const quote = ask(stateOf(one), one.swapForY ? 0 : 1, BigInt(one.amountIn))
      if (!quote.ok) return quote.reason
      return quote.amountOut === BigInt(one.amountOut) && quote.amountIn === BigInt(one.amountIn)
    })
    // The third pair's fee grows to 25 %, the last one's to 10.2 %.
    expect(verdicts).toEqual([true, true, "too-large", true, true, true])
  })
})
