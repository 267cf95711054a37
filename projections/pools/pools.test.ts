import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { afterAll, expect, it } from "vitest"
import { newFoldSet } from "../../engine/runner/fold-set.ts"
import { applySegment, commitPending, loadCore } from "../../engine/runner/lane-core.ts"
import { accountOf, bytesIn } from "../../engine/store/sql.ts"
import { openStore } from "../../engine/store/store.ts"
import type { Address } from "../../src/domain/address.ts"
import { toHex } from "../../src/domain/address.ts"
import type { ChainConfig, ChainVenue } from "../../src/domain/chain.ts"
import { arbitrum } from "../../src/domain/chains/arbitrum.ts"
import { base } from "../../src/domain/chains/base.ts"
import { solana } from "../../src/domain/chains/solana.ts"
import { hexIds } from "../../src/domain/ids.ts"
import type { Event } from "../../streams/event.ts"
import { makeFileSource } from "../../streams/sources/file/file-source.ts"
import type { EventMeaning } from "../../streams/venue-laws.ts"
import { testChain } from "../../test/support/chain-config.ts"
import { foldLog } from "../../test/support/folded-lane.ts"
import { MemoryLog } from "../../test/support/memory-log.ts"
import { MEME, pool, priceChain, USDC } from "../../test/support/price-events.ts"
import { jsonLines, type RealLog } from "../../test/support/raw-logs.ts"
import { describeWithSharedData, sharedData } from "../../test/support/shared-data.ts"
import {
  created,
  MINT,
  USDC as QUOTE,
  sealed,
  seen,
  accountOf as solanaAccount,
  told
} from "../../test/support/small-solana.ts"
import { drain } from "../../test/support/tape-input.ts"
import { serveFacts } from "../../test/support/told-market.ts"
import { withUses } from "../all.ts"
import { tapeOutput } from "../tape/output.ts"
import { poolsTable } from "./output.ts"

const dir = mkdtempSync(join(tmpdir(), "pools-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
let files = 0

const newest = (name: string, key: string): string =>
  `SELECT * FROM (SELECT * FROM ${name} UNION ALL SELECT * FROM ${name}_tail)
   QUALIFY row_number() OVER (PARTITION BY ${key} ORDER BY seq DESC) = 1`

/** Folds each part of the log by a process of its own, then reads every pool. */
const poolsAfter = async (chain: ChainConfig, parts: ReadonlyArray<ReadonlyArray<Event>>) => {
  const file = join(dir, `${files++}.duckdb`)
  const log = new MemoryLog()
  const fold = (part: ReadonlyArray<Event>) =>
    Effect.gen(function* () {
      const folds = newFoldSet(chain, withUses(tapeOutput))
      const store = yield* openStore(file, folds.tables, { threads: 1 })
      const core = yield* loadCore(store, folds, log.read)
      yield* applySegment(core, log.append(part))
      yield* commitPending(core)
      const rows = yield* store.writer.rows(`
        SELECT p.*, (SELECT count(*) FROM tape t WHERE t.pool = p.pool) AS swaps,
          (SELECT count(*) FROM tape t WHERE t.pool = p.pool AND t.token0 IS NOT NULL) AS told
        FROM (${newest("pools", "pool")}) p ORDER BY p.pool`)
      return rows.map(row => ({
        id: toHex(bytesIn(row, "id", "bytes32") as Uint8Array),
        venue: row["venue"],
        kind: row["kind"],
        factory: accountOf(hexIds, row, "factory"),
        isBare: row["token0"] === null,
        swaps: Number(row["swaps"]),
        told: Number(row["told"])
      }))
    }).pipe(Effect.scoped, Effect.runPromise)
  let rows: Awaited<ReturnType<typeof fold>> = []
  for (const part of parts) rows = await fold(part)
  return rows
}

const address = (byte: string): Address => `0x${byte.repeat(20)}` as Address
const word = (byte: string): string => `0x${byte.repeat(32)}`
const [MANAGER, VAULT2, VAULT3] = ["41", "42", "43"].map(address) as [Address, Address, Address]
const venues: ChainConfig["venues"] = [
  ...testChain.venues,
  { id: "uniswap_v4", kind: "uniswap-v4", factory: MANAGER },
  { id: "balancer_v2", kind: "balancer-v2", factory: VAULT2 },
  { id: "balancer_v3", kind: "balancer-v3", factory: VAULT3 }
]
const chain: ChainConfig = { ...testChain, venues }

const swap = (
  pool: string,
  venueKind: string,
  tokens?: readonly [string, string]
): EventMeaning => ({
  ...{ kind: "SwapExecuted", pool, venueKind, sender: null, recipient: null },
  ...{ amount0In: 5_000_000n, amount0Out: 0n, amount1In: 0n, amount1Out: 7_000_000n },
  ...{ sqrtPriceX96: null, liquidity: null, tick: null, fee: null },
  ...{ token0: tokens?.[0] ?? null, token1: tokens?.[1] ?? null, index0: null, index1: null }
})

const liquidity = (pool: string, venueKind: string): EventMeaning => ({
  ...{ kind: "LiquidityChanged", pool, venueKind, owner: null, sender: null },
  ...{ tickLower: -60, tickUpper: 60, liquidity: 9n, amount0: 0n, amount1: 0n }
})

const logged = (number: number, meanings: ReadonlyArray<EventMeaning>): ReadonlyArray<Event> =>
  meanings.map(
    (meaning, logIndex) =>
      ({
        ...meaning,
        block: { number, time: 1_700_000_000 + number, hash: null, parentHash: null },
        tx: { hash: word("ab"), index: 0, from: address("ee"), to: null },
        logIndex
      }) as Event
  )

const bare = (id: string, venue: string | null, factory: Address | null, swaps = 1, told = 0) => ({
  ...{ id, venue, factory, swaps, told, isBare: true },
  kind: venue === null ? null : venue.replace("_", "-")
})
const padded = (text: string): string => `0x${text.slice(2).padStart(64, "0")}`

it("knows the venue of pools first seen in mid-life where one contract logs for all", async () => {
  const tokens = [address("11"), address("22")] as const
  const meanings: ReadonlyArray<EventMeaning> = [
    swap(word("d1"), "uniswap-v4"),
    liquidity(word("d2"), "uniswap-v4"),
    swap(word("d3"), "balancer-v2", tokens),
    swap(address("d4"), "balancer-v3", tokens),
    swap(address("d5"), "curve-stable"),
    swap(address("d6"), "uniswap-v2")
  ]
  const expected = [
    bare(word("d1"), "uniswap_v4", MANAGER),
    bare(word("d2"), "uniswap_v4", MANAGER, 0),
    // the swap itself names its tokens
    bare(word("d3"), "balancer_v2", VAULT2, 1, 1),
    bare(padded(address("d4")), "balancer_v3", VAULT3, 1, 1),
    // anybody can log as such a pool
    bare(padded(address("d5")), null, null),
    bare(padded(address("d6")), null, null)
  ]
  expect(await poolsAfter(chain, [logged(1, meanings)])).toEqual(expected)
  const halves = [meanings.slice(0, 3), meanings.slice(3)]
  expect(
    await poolsAfter(
      chain,
      halves.map((half, i) => logged(i + 1, half))
    )
  ).toEqual(expected)
})

it("names no venue where the chain has two contracts of the kind, or none", async () => {
  const events = logged(1, [swap(word("d1"), "uniswap-v4")])
  const second = { id: "other_v4", kind: "uniswap-v4", factory: address("44") }
  const two: ChainConfig = { ...chain, venues: [...venues, second] }
  for (const one of [two, testChain]) {
    expect(await poolsAfter(one, [events])).toEqual([bare(word("d1"), null, null)])
  }
})

const receipts = "evm/logs/receipts-multichain.jsonl.gz"
/** topic0 of what pools in one contract log first, by their kind. */
const topics: { readonly [kind: string]: ReadonlyArray<string> } = {
  "uniswap-v4": [
    "0x40e9cecb9f5f1f1c5b9c97dec2917b7ee92e57ba5563708daca94dd84ad7112f",
    "0xf208f4912782fd25c7f114ca3723a2d5dd6f3bcc3ac8db5af63baa85f711d5ec"
  ],
  "balancer-v2": ["0x2170c741c41531aec20e7c107c24eecfdd15e69c9bb0a8dd37b1840b9e0b207b"],
  "balancer-v3": ["0x0874b2d545cb271cdbda4e093020c452328b24af12382ed62c4d00f5c26709db"]
}

/** How many pools of each such venue the receipts name. */
const poolsNamed = (chain: ChainConfig): { [venue: string]: number } => {
  const logs = jsonLines<RealLog>(receipts).filter(({ chainId }) => chainId === chain.id)
  const ofContract = ({ kind, factory }: ChainVenue): number => {
    const own = logs.filter(
      log => log.address === factory && topics[kind]?.includes(log.topics[0] as string)
    )
    return new Set(own.map(log => log.topics[1])).size
  }
  return Object.fromEntries(
    chain.venues.filter(({ kind }) => kind in topics).map(one => [one.id, ofContract(one)])
  )
}

describeWithSharedData("pools of real receipts", [receipts], () => {
  it.each([base, arbitrum])("$name: have their venue though no receipt creates them", async one => {
    const named = poolsNamed(one)
    expect(named["uniswap_v4"]).toBeGreaterThan(0)
    const { events, error } = await drain(
      makeFileSource({ chain: one, files: [join(sharedData, receipts)] })
    )
    expect(error).toBeNull()
    const rows = await poolsAfter(one, [events])
    const venuesFound = rows.map(({ venue }) => venue)
    for (const [venue, count] of Object.entries(named)) {
      expect(venuesFound.filter(found => found === venue).length, venue).toBe(count)
    }
    // a swap in a Vault names its tokens
    const vaults = rows.filter(({ kind }) => `${kind}`.startsWith("balancer"))
    expect(vaults.filter(({ swaps, told }) => swaps !== told)).toEqual([])
  })
})

it("has its venue's fee where nobody tells its own, however it was learnt", async () => {
  const [first, ...others] = priceChain.venues as [ChainVenue, ...ReadonlyArray<ChainVenue>]
  const chain: ChainConfig = { ...priceChain, venues: [{ ...first, feeBps: 25 }, ...others] }
  const pair = [MEME, USDC] as const
  const made = { ...pool(10, "d1", pair, { source: "log" }), fee: null }
  const own = pool(10, "d2", pair)
  const unlisted = { ...pool(10, "d3", pair, { listed: false }), fee: null }
  const again = { ...pool(20, "d1", pair), fee: 2500 }
  const { get, next, close } = await serveFacts([made, own, unlisted], [[again]], chain)
  const fees = async () => {
    const { pools } = await get(`/chains/base/token/${MEME}/pools`)
    return pools
      .map((row: { pool: string; feePct: number | null }) => [row.pool, row.feePct])
      .sort()
  }
  const expected = [
    [address("d1"), 0.25],
    [address("d2"), 0.3],
    [address("d3"), null]
  ]
  expect(await fees()).toEqual(expected)
  await next()
  expect(await fees()).toEqual(expected)
  await close()
})

it("tell a start how far their bins are apart, and which tokens nobody read", async () => {
  const log = new MemoryLog()
  const time = 1_700_000_000
  const [FIRST, SECOND] = [solanaAccount(0xb2), solanaAccount(0xb3)]
  const bins = { venueKind: "meteora-dlmm", factory: null }
  const unnamed = { symbol: null, name: null }
  const stepOf = (at: number, value: bigint) =>
    told(at, 2, null, {
      ...{ kind: "PoolParameterSet", pool: SECOND, name: "binStep", index: null, value }
    })
  log.append([
    ...[
      { ...seen(time, MINT, 9), ...unnamed } as Event,
      { ...seen(time, QUOTE), ...unnamed } as Event
    ],
    { ...created(time, FIRST, [MINT, QUOTE]), ...bins, tickSpacing: 100 } as Event,
    { ...created(time, SECOND, [MINT, QUOTE]), ...bins } as Event,
    sealed(time)
  ])
  log.append([{ ...seen(time + 1, QUOTE), ...unnamed, totalSupply: 5n } as Event])
  log.append([stepOf(time + 2, 20n), sealed(time + 2), stepOf(time + 3, 20n), sealed(time + 3)])
  const known = await Effect.runPromise(
    Effect.flatMap(foldLog(solana, log), lane => lane.ask("known", {})).pipe(Effect.scoped)
  )
  expect(known).toEqual({
    knownPools: [FIRST, SECOND],
    knownTokens: [MINT, QUOTE],
    unread: [{ token: MINT, decimals: 9 }],
    binSteps: [
      { pool: FIRST, step: 100, block: time },
      { pool: SECOND, step: 20, block: time + 2 }
    ]
  })
})

it("keep no more of a pool than somebody reads", () => {
  expect(Object.keys(poolsTable.columns).join(" ")).toBe(
    "pool id venue kind factory token0 token1 token2 token3 token4 token5 token6 token7 fee " +
      "bin_step bin_step_block is_claim"
  )
})
