import { Effect } from "effect"
import { expect, it } from "vitest"
import { newFoldSet } from "../../engine/runner/fold-set.ts"
import { applySegment, commitPending, loadCore } from "../../engine/runner/lane-core.ts"
import { openStore } from "../../engine/store/store.ts"
import type { Event } from "../../streams/event.ts"
import { testChain } from "../../test/support/chain-config.ts"
import { MemoryLog } from "../../test/support/memory-log.ts"
import { presentPrices } from "../../test/support/tape-oracle.ts"
import { withUses } from "../all.ts"
import { tapeOutput } from "../tape/output.ts"

const id = (digit: string) => `0x${digit.repeat(40)}`
const USD = testChain.anchors[0]?.address ?? ""
const USD_ONE = 10n ** BigInt(testChain.anchors[0]?.decimals ?? 0)
const [A, B, POOL] = [id("a"), id("b"), id("c")]
const UNIT = 10n ** 18n

let logIndex = 0
const at = (fields: object): Event =>
  ({
    block: { number: 1, time: 1_700_000_000, hash: `0x${"11".repeat(32)}`, parentHash: null },
    tx: { hash: `0x${"22".repeat(32)}`, index: 0, from: id("e"), to: id("f") },
    logIndex: logIndex++,
    ...fields
  }) as Event

const seen = (token: string, decimals: number): Event =>
  at({
    kind: "TokenSeen",
    token,
    symbol: token.slice(2, 5),
    name: null,
    decimals,
    totalSupply: null,
    source: "call"
  })

const swap = (amounts: readonly [bigint, bigint], where: object, pool = POOL): Event =>
  at({
    kind: "SwapExecuted",
    pool,
    venueKind: "curve-stable",
    sender: null,
    recipient: null,
    amount0In: amounts[0],
    amount0Out: 0n,
    amount1In: 0n,
    amount1Out: amounts[1],
    sqrtPriceX96: null,
    liquidity: null,
    tick: null,
    fee: null,
    token0: null,
    token1: null,
    index0: null,
    index1: null,
    ...where
  })

const usdDecimals = testChain.anchors[0]?.decimals ?? 0

it("prints the tokens that a swap names or places, in pools of more than two", async () => {
  const events = [
    seen(A, 18),
    seen(B, 6),
    seen(USD, usdDecimals),
    at({
      kind: "PoolCreated",
      pool: POOL,
      venueKind: "curve-stable",
      factory: null,
      tokens: [A, B, USD],
      fee: null,
      tickSpacing: null,
      source: "call"
    }),
    // 3 of A for 6 dollars; 4 of B for 2 dollars
    swap([3n * UNIT, 6n * USD_ONE], { index0: 0, index1: 2 }),
    swap([4_000_000n, 2n * USD_ONE], { index0: 1, index1: 2 }),
    // of two places in no list of the pool's own
    swap([4_000_000n, 2n * USD_ONE], { index0: -1, index1: -3 }),
    // named, in a pool of which nothing is known
    swap([5n * UNIT, 1n * USD_ONE], { token0: A, token1: USD }, id("d")),
    // a pool's first two without a word
    swap([1n * UNIT, 1_000_000n], {}),
    at({ kind: "BlockSealed", tx: null, logs: 5, grade: "file" })
  ]
  const log = new MemoryLog()
  log.append(events)
  const rows = await Effect.gen(function* () {
    const folds = newFoldSet(testChain, withUses(tapeOutput))
    const store = yield* openStore(":memory:", folds.tables, { threads: 1 })
    const core = yield* loadCore(store, folds, log.read)
    for (const segment of log.segments) yield* applySegment(core, segment)
    yield* commitPending(core)
    return yield* store.writer.rows(
      `SELECT token0, token1, amount0, amount1, usd, price0 FROM tape ORDER BY seq`
    )
  }).pipe(Effect.scoped, Effect.runPromise)
  const [a, b, usd] = [0, 1, 2]
  expect(
    rows.map(row => Object.values(row).map(one => (one === null ? null : Number(one))))
  ).toEqual([
    [a, usd, 3, 6, 6_000_000, 2],
    [b, usd, 4, 2, 2_000_000, 0.5],
    [null, null, null, null, null, null],
    [a, usd, 5, 1, 1_000_000, 0.2],
    [a, b, 1, 1, null, null]
  ])
})

it("counts the native unit as its wrapped token, unless that is the other side", async () => {
  const ZERO = id("0")
  const WRAPPED = testChain.nativeToken ?? ""
  const created = (pool: string, tokens: ReadonlyArray<string>) =>
    at({
      kind: "PoolCreated",
      pool,
      venueKind: "uniswap-v4",
      factory: null,
      tokens,
      fee: null,
      tickSpacing: null,
      source: "log"
    })
  const events = [
    seen(ZERO, 18),
    seen(USD, usdDecimals),
    created(id("1"), [ZERO, USD]),
    created(id("2"), [ZERO, WRAPPED]),
    at({
      kind: "ReservesSynced",
      pool: id("1"),
      reserve0: 1_000n * UNIT,
      reserve1: 2_000_000n * USD_ONE
    }),
    swap([1n * UNIT, 2_000n * USD_ONE], {}, id("1")),
    seen(WRAPPED, 18),
    swap([5n * UNIT, 5n * UNIT], {}, id("2")),
    at({ kind: "BlockSealed", tx: null, logs: 5, grade: "file" })
  ]
  const [zero, wrapped, usd] = [0, 1, 2]
  const [rows, prices] = await Effect.gen(function* () {
    const log = new MemoryLog()
    log.append(events)
    const folds = newFoldSet(testChain, withUses(tapeOutput))
    const store = yield* openStore(":memory:", folds.tables, { threads: 1 })
    const core = yield* loadCore(store, folds, log.read)
    for (const segment of log.segments) yield* applySegment(core, segment)
    yield* commitPending(core)
    return [
      yield* store.writer.rows("SELECT token0, token1, amount0, usd FROM tape ORDER BY seq"),
      yield* store.writer.rows(`SELECT token, price, depth_usd FROM ${presentPrices}`)
    ]
  }).pipe(Effect.scoped, Effect.runPromise)
  const numbers = (list: ReadonlyArray<object> = []) =>
    list.map(row => Object.values(row).map(one => (one === null ? null : Number(one))))
  expect(numbers(rows)).toEqual([
    [wrapped, usd, 1, 2_000_000_000],
    [zero, wrapped, 5, null]
  ])
  expect(numbers(prices).toSorted((a, b) => Number(a[0]) - Number(b[0]))).toEqual([
    [wrapped, 2000, 2_000_000],
    [usd, 1, 0]
  ])
})
