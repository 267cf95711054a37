import { describe, expect, it } from "vitest"
import {
  type CryptoPool,
  cryptoBalances,
  cryptoExchange,
  productValue
} from "../../../src/math/crypto-swap/exchange.ts"
import { cryptoInvariant } from "../../../src/math/crypto-swap/two-coin.ts"
import { movedVerdicts } from "../../../test/support/moved-amounts.ts"
import { describeWithSharedData } from "../../../test/support/shared-data.ts"
import type { Event } from "../../event.ts"
import type { PoolFacts } from "../../venue.ts"
import { type EventMeaning, eventOf } from "../../venue-laws.ts"
import { curveCryptoModel } from "./pool.ts"

const POOL = `0x${"aa".repeat(20)}`
const UNIT = 10n ** 18n
const facts: PoolFacts = {
  pool: POOL,
  tokens: ["0x1", "0x2"],
  fee: null,
  tickSpacing: null,
  decimals: [18, 18]
}

const at = (logIndex: number, meaning: EventMeaning): Event =>
  ({
    ...eventOf(meaning),
    logIndex,
    block: { number: logIndex, time: 1_700_000_000 + logIndex, hash: null, parentHash: null }
  }) as Event

const parameter = (name: string, value: bigint, logIndex = 0): Event =>
  at(logIndex, { kind: "PoolParameterSet", pool: POOL, name, index: null, value })

const reserve = (index: number, amount: bigint, logIndex: number, reason = "liquidity"): Event =>
  at(logIndex, {
    kind: "ReserveChanged",
    pool: POOL,
    venueKind: "curve-crypto",
    owner: null,
    token: null,
    index,
    amount,
    reason
  })

const swap = (amountIn: bigint, amountOut: bigint, logIndex: number): Event =>
  at(logIndex, {
    kind: "SwapExecuted",
    pool: POOL,
    venueKind: "curve-crypto",
    sender: null,
    recipient: null,
    amount0In: amountIn,
    amount0Out: 0n,
    amount1In: 0n,
    amount1Out: amountOut,
    sqrtPriceX96: null,
    liquidity: null,
    tick: null,
    fee: null,
    token0: null,
    token1: null,
    index0: 0,
    index1: 1
  })

type State = ReturnType<typeof curveCryptoModel.initial>
const folded = (events: ReadonlyArray<Event>): State =>
  events.reduce(
    (state, event) => curveCryptoModel.fold(state, event),
    curveCryptoModel.initial(facts)
  )

const curve = { ann: 20_000_000n, gamma: 20_000_000_000_000_000n }
const fees = { mid: 5_000_000n, out: 80_000_000n, gamma: 30_000_000_000_000_000n }
const balances = [1000n * UNIT, 500n * UNIT] as const
const price = 2n * UNIT
const d = cryptoInvariant(curve, cryptoBalances(balances, [1n, 1n], price), 0n) as bigint
const minted = productValue(d, price)

const numbers = [
  parameter("A", curve.ann),
  parameter("gamma", curve.gamma),
  parameter("midFee", fees.mid),
  parameter("outFee", fees.out),
  parameter("feeGamma", fees.gamma)
]
const deposit = (supply: bigint) => [
  reserve(0, balances[0], 1),
  reserve(1, balances[1], 1),
  parameter("liquidityFee", 0n, 1),
  parameter("priceScale", price, 1),
  parameter("totalSupply", supply, 1)
]
const start = [...numbers, ...deposit(minted)]
const mathPool: CryptoPool = { curve, fees, balances, precisions: [1n, 1n], priceScale: price, d }

describe("crypto pools", () => {
  const unknown = { ok: false, reason: "unknown-state" }
  const ask = (state: State, amountIn = UNIT) =>
    curveCryptoModel.quote(state, facts, 0, 1, amountIn)

  it("know balances and D from the first deposit, which the minted tokens prove", () => {
    expect(folded(start)).toMatchObject({ balances, d, supply: minted, virtualPrice: UNIT })
    expect(ask(folded(start))).toEqual({
      ok: true,
      amountIn: UNIT,
      amountOut: cryptoExchange(mathPool, 0, UNIT)?.amountOut
    })
    expect(ask(folded([...numbers, ...deposit(minted + 1n)]))).toEqual(unknown)
    expect(ask(folded([...numbers.slice(1), ...deposit(minted)]))).toEqual(unknown)
  })

  it("follow a swap, and know the balances but not D after one of another output", () => {
    const out = cryptoExchange(mathPool, 0, 10n * UNIT)
    if (out === null) throw new Error("no output")
    const after = [swap(10n * UNIT, out.amountOut, 2), parameter("priceScale", price, 2)]
    expect(folded([...start, ...after])).toMatchObject({ balances: out.balances, d: out.d })
    const other = folded([...start, swap(10n * UNIT, out.amountOut - 1n, 2)])
    expect(other.d).toBeNull()
    expect(other.balances).toEqual([out.balances[0], out.balances[1] + 1n])
    expect(ask(other)).toEqual(unknown)
    // the next deposit computes D from the balances
    const again = [
      reserve(0, UNIT, 3),
      reserve(1, 0n, 3),
      parameter("liquidityFee", 1n, 3),
      parameter("priceScale", price, 3),
      parameter("totalSupply", minted + UNIT, 3)
    ]
    const known = folded([...start, swap(10n * UNIT, out.amountOut - 1n, 2), ...again])
    const xp = cryptoBalances(known.balances ?? [0n, 0n], [1n, 1n], price)
    expect(known.d).toBe(cryptoInvariant(curve, xp, 0n))
  })

  it("rescale D with the price, and take an even withdrawal's share of it", () => {
    const next = (price * 101n) / 100n
    const rescaled = folded([...start, parameter("priceScale", next, 2)])
    const xp = cryptoBalances(balances, [1n, 1n], price)
    expect(rescaled.d).toBe(cryptoInvariant(curve, [xp[0], (xp[1] * next) / price], 0n))
    const withdrawn = folded([
      ...start,
      reserve(0, -100n * UNIT, 2),
      reserve(1, -50n * UNIT, 2),
      parameter("totalSupply", minted - minted / 10n, 2)
    ])
    expect(withdrawn.d).toBe(d - (d * (minted / 10n - 1n)) / minted)
  })

  it("know no D after a withdrawal in one coin or a claim of the DAO", () => {
    expect(folded([...start, reserve(0, -1n, 2, "one-coin")]).d).toBeNull()
    expect(folded([...start, reserve(0, -1n, 2, "fee")]).d).toBeNull()
  })
})

const files = ["evm/logs/receipts-multichain.jsonl.gz", "evm/logs/blocks.jsonl.gz"]
const EXCHANGES = new Set([
  "0xb2e76ae99761dc136e598d4a629bb347eccb9532a5f8bbd72e18467c3c34cc98",
  "0x143f1f8e861fbdeddd5b46e844b7d3ac7b86a122f36e8c463859ee6811b1f29c"
])

describeWithSharedData("Curve crypto swaps in receipts", files, () => {
  it("moved what they say, in the direction they say", () => {
    // Pools with wrapped ether also take and pay the native one, without a Transfer.
    expect(movedVerdicts(files, EXCHANGES)).toEqual({
      "came, went": 13,
      "came otherwise, went": 2,
      "came, went otherwise": 1
    })
  })
})
