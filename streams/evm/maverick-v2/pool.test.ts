import { expect, it } from "vitest"
import type { PoolFacts } from "../../venue.ts"
import { type EventMeaning, eventOf } from "../../venue-laws.ts"
import { binPoolModel } from "./pool.ts"

const POOL = `0x${"3a".repeat(20)}`
const facts: PoolFacts = {
  pool: POOL,
  tokens: [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`],
  fee: null,
  tickSpacing: 2232,
  decimals: [18, 18]
}
const E18 = 10n ** 18n

const set = (name: string, value: bigint, index: number | null = null): EventMeaning => ({
  kind: "PoolParameterSet",
  pool: POOL,
  name,
  index,
  value
})

const swap = (amount0In: bigint, amount1Out: bigint): EventMeaning => ({
  kind: "SwapExecuted",
  pool: POOL,
  venueKind: "maverick-v2",
  sender: null,
  recipient: null,
  amount0In,
  amount0Out: 0n,
  amount1In: 0n,
  amount1Out,
  sqrtPriceX96: null,
  liquidity: null,
  tick: null,
  fee: null,
  token0: null,
  token1: null,
  index0: null,
  index1: null
})

// KyberNetwork/kyberswap-dex-lib, maverick/v2/data/mavweth.json: Ethereum's block 22664531.
const told = (kinds: bigint) => [
  set("protocolFee", 0n),
  set("feeAIn", 10n ** 16n),
  set("feeBIn", 10n ** 16n),
  set("kinds", kinds),
  set("activeTick", 47n),
  set("reserveA", 46200160096971231027495n, 46),
  set("reserveA", 42544041264211846529759n, 47),
  set("reserveB", 931114965770597n, 47),
  set("reserveB", 15464504535479n, 59),
  set("reserveB", 12543131756855n, 91)
]

const after = (...events: ReadonlyArray<EventMeaning>) =>
  events.map(event => eventOf(event)).reduce(binPoolModel.fold, binPoolModel.initial(facts))

it("quotes to the wei of a published swap", () => {
  expect(binPoolModel.quote(after(...told(15n)), facts, 0, 1, 20n * E18)).toEqual({
    ok: true,
    amountIn: 20n * E18,
    amountOut: 440665698723087n
  })
  const end = binPoolModel.quote(after(...told(15n)), facts, 0, 1, 10n ** 38n)
  expect(end).toMatchObject({ ok: true, amountOut: 959122602062931n })
  const crossed = (amount: bigint) =>
    binPoolModel.crossed?.(after(...told(15n)), facts, 0, 1, amount)
  expect([crossed(20n * E18), crossed(10n ** 38n)]).toEqual([0, 2])
})

it("follows swaps that come out as computed where no bin moves", () => {
  const state = after(...told(1n), swap(E18, 22034312672685n))
  expect(state.book?.ticks.get(47)).toEqual({
    reserveA: 42544041264211846529759n + E18,
    reserveB: 931114965770597n - 22034312672685n
  })
  for (const [kinds, event] of [
    [15n, swap(E18, 22034312672685n)],
    [1n, swap(E18, 22034312672684n)]
  ] as const) {
    expect(after(...told(kinds), event).book).toBe(null)
  }
})

it("knows no ticks once liquidity changed", () => {
  const added: EventMeaning = {
    kind: "ReserveChanged",
    pool: POOL,
    venueKind: "maverick-v2",
    owner: null,
    token: null,
    index: 0,
    amount: 1n,
    reason: "liquidity"
  }
  expect(binPoolModel.quote(after(...told(1n), added), facts, 0, 1, E18)).toEqual({
    ok: false,
    reason: "unknown-state"
  })
})
