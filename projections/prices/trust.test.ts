/** Which pools may price a token, and which swaps are prints. */

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

const address = (byte: string): string => `0x${byte.repeat(20)}`
const [WETH, USDC, MEME, DAI] = [address("11"), address("22"), address("44"), address("55")]
const [LISTED, UNLISTED] = [address("33"), address("ff")]

const token = (token: string, decimals: number) => ({
  ...{ kind: "TokenSeen", token, symbol: "T", name: "T", decimals },
  ...{ totalSupply: null, source: "call" }
})

const pool = (byte: string, factory: string, ...tokens: ReadonlyArray<string>) => ({
  ...{ kind: "PoolCreated", pool: address(byte), venueKind: "uniswap-v2", factory, tokens },
  ...{ fee: 3000, tickSpacing: null, source: "call" }
})

const reserves = (byte: string, reserve0: bigint, reserve1: bigint) => ({
  ...{ kind: "ReservesSynced", pool: address(byte), reserve0, reserve1 }
})

const sale = (byte: string, amount0In: bigint, amount1Out: bigint) => ({
  ...{ kind: "SwapExecuted", pool: address(byte), venueKind: "uniswap-v2", sender: null },
  ...{ recipient: null, amount0In, amount0Out: 0n, amount1In: 0n, amount1Out },
  ...{ sqrtPriceX96: null, liquidity: null, tick: null, fee: null },
  ...{ token0: null, token1: null, index0: null, index1: null }
})

/** What a query finds after these events; the first of them are the tokens. */
const find = (sql: string, meanings: ReadonlyArray<object>, chain = testChain) =>
  Effect.gen(function* () {
    const log = new MemoryLog()
    const folds = newFoldSet(chain, withUses(tapeOutput))
    const store = yield* openStore(":memory:", folds.tables, { threads: 1 })
    const core = yield* loadCore(store, folds, log.read)
    const tokens = [token(WETH, 18), token(USDC, 6), token(MEME, 6), token(DAI, 18)]
    const block = { number: 1, time: 1_700_000_000, hash: null, parentHash: null }
    const tx = { hash: `0x${"ab".repeat(32)}`, index: 0, from: null, to: null }
    const events = [...tokens, ...meanings].map(
      (meaning, logIndex) => ({ ...meaning, block, tx, logIndex }) as unknown as Event
    )
    yield* applySegment(core, log.append(events))
    yield* commitPending(core)
    const rows = yield* store.writer.rows(sql)
    return rows.map(row => Number(row["found"]))
  }).pipe(Effect.scoped, Effect.runPromise)

const ETHER = 10n ** 18n
const priceOf = (id: number) => `SELECT price AS found FROM ${presentPrices} WHERE token = ${id}`

const market = [
  pool("d1", LISTED, WETH, USDC),
  reserves("d1", 1_000n * ETHER, 2_000_000n * 1_000_000n)
]
const lies = (byte: string) => [
  pool(byte, UNLISTED, WETH, USDC),
  reserves(byte, 2n ** 112n - 1n, 10n ** 24n)
]

it("lets no contract of its own price what listed venues price", async () => {
  expect(await find(priceOf(0), [...market, ...lies("fa")])).toEqual([2000])
  expect(await find(priceOf(0), [...lies("fa"), ...market])).toEqual([2000])
  const meme = [pool("d2", LISTED, MEME, USDC), reserves("d2", 10n ** 12n, 10n ** 12n)]
  const other = [pool("fb", UNLISTED, MEME, USDC), reserves("fb", 10n ** 6n, 10n ** 20n)]
  expect(await find(priceOf(2), [...meme, ...other])).toEqual([1])
  expect(await find(priceOf(2), [...other, ...meme])).toEqual([1])
})

it("hears unlisted contracts where listed ones are too thin", async () => {
  const fork = [pool("fb", UNLISTED, MEME, USDC), reserves("fb", 10n ** 10n, 3n * 10n ** 10n)]
  const thin = [pool("d2", LISTED, MEME, USDC), reserves("d2", 10n ** 6n, 10n ** 6n)]
  expect(await find(priceOf(2), fork)).toEqual([3])
  expect(await find(priceOf(2), [...fork, ...thin])).toEqual([3])
  expect(await find(priceOf(2), [...thin, ...fork])).toEqual([3])
  const ether = [
    pool("fc", UNLISTED, WETH, USDC),
    reserves("fc", 1_000n * ETHER, 1_500_000n * 1_000_000n)
  ]
  expect(await find(priceOf(0), ether)).toEqual([1500])
})

it("knows a dollar's price where it is the base", async () => {
  const chain = {
    ...testChain,
    anchors: [...testChain.anchors, { ...testChain.anchors[0], address: DAI, decimals: 18 }]
  } as typeof testChain
  const pair = [pool("d3", LISTED, DAI, USDC), reserves("d3", 10n ** 24n, 10n ** 12n)]
  expect(await find(priceOf(3), pair, chain)).toEqual([1])
})

it("prints swaps at or above the chain's ingest floor only", async () => {
  const swaps = [
    pool("d2", LISTED, MEME, USDC),
    reserves("d2", 10n ** 12n, 10n ** 12n),
    sale("d2", 99_999_999n, 99_999_999n),
    sale("d2", 100_000_000n, 100_000_000n),
    // of unknown dollars
    pool("d4", LISTED, MEME, address("77")),
    sale("d4", 250_000_000n, 250_000_000n)
  ]
  const tape = "SELECT usd AS found FROM tape ORDER BY seq"
  expect(await find(tape, swaps)).toEqual([99_999_999, 100_000_000, 0])
  expect(await find(tape, swaps, { ...testChain, ingestFloorUsd: 0 })).toHaveLength(3)
  expect(await find(tape, swaps, { ...testChain, ingestFloorUsd: 100 })).toEqual([100_000_000])
  const counted = "SELECT sum(trades) AS found FROM token_activity_tail"
  expect(await find(counted, swaps, { ...testChain, ingestFloorUsd: 100 })).toEqual([2])
})
