import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import type { Address } from "../../../src/domain/address.ts"
import type { ChainConfig } from "../../../src/domain/chain.ts"
import { base } from "../../../src/domain/chains/base.ts"
import { ethereum } from "../../../src/domain/chains/ethereum.ts"
import { monad } from "../../../src/domain/chains/monad.ts"
import { jsonLines, type RealLog } from "../../../test/support/raw-logs.ts"
import { describeWithSharedData, sharedData } from "../../../test/support/shared-data.ts"
import { countKinds, drain } from "../../../test/support/tape-input.ts"
import type { Event, EventOf } from "../../event.ts"
import { makeFileSource } from "./file-source.ts"

const logs = (name: string) => `evm/logs/${name}.jsonl.gz`
const txs = (name: string) => `evm/txs/${name}.jsonl.gz`

/** Polygon is not in the registry: the pools' two tokens and Uniswap's factories, as on Ethereum. */
const polygon: ChainConfig = {
  ...ethereum,
  id: 137,
  key: "polygon",
  anchors: [
    {
      address: "0x2791bca1f2de4661ed88a30c99a7a9449aa84174" as Address,
      symbol: "USDC.e",
      decimals: 6,
      kind: "usd"
    },
    {
      address: "0x7ceb23fd6bc0add59e62ac25578270cff1b9f619" as Address,
      symbol: "WETH",
      decimals: 18,
      kind: "asset"
    }
  ]
}

const read = (
  chain: ChainConfig,
  name: string,
  more: { readonly txs?: ReadonlyArray<string>; readonly blocks?: ReadonlyArray<string> } = {}
) => drain(makeFileSource({ chain, files: [join(sharedData, logs(name))], ...more }))

const folder = mkdtempSync(join(tmpdir(), "real-files-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** A file of times for the blocks of which the receipts tell none; any will do to count swaps. */
const timesOfReceipts = ({ id, key }: ChainConfig): string => {
  const untimed = jsonLines<RealLog & { readonly blockTimestamp?: number }>(
    logs("receipts-multichain")
  ).filter(log => log.chainId === id && log.blockTimestamp === undefined)
  const path = join(folder, `${key}-times.jsonl`)
  const rows = untimed.map(log => JSON.stringify({ number: log.blockNumber, timestamp: 1 }))
  writeFileSync(path, rows.join("\n"))
  return path
}

const swaps = (events: ReadonlyArray<Event>) => {
  const counts: { [kind: string]: number } = {}
  for (const event of events) {
    if (event.kind !== "SwapExecuted") continue
    counts[event.venueKind] = (counts[event.venueKind] ?? 0) + 1
  }
  return counts
}

const DAY = "eth-univ3-usdc-weth-500-2024-01-05"
const days = [
  { chain: ethereum, name: DAY, swaps: 6046, liquidity: 69 + 54, fees: 65, blocks: 3990 },
  {
    chain: polygon,
    name: "polygon-univ3-usdc-weth-500-2021-12-22",
    swaps: 199,
    liquidity: 7 + 2,
    fees: 2,
    blocks: 201
  },
  {
    chain: polygon,
    name: "polygon-univ3-usdc-weth-500-2022-01-05",
    swaps: 3972,
    liquidity: 64 + 62,
    fees: 60,
    blocks: 3445
  }
]

const files = [
  ...days.map(day => logs(day.name)),
  logs("eth-univ3-npm-2024-01-05"),
  logs("blocks"),
  txs("blocks"),
  logs("receipts-multichain"),
  logs("monad-univ3-mon-usdc")
]

describeWithSharedData("files of real logs", files, () => {
  it.each(days)("$name has the events its README counts", async day => {
    const { events, error } = await read(day.chain, day.name)
    expect(error).toBeNull()
    expect(countKinds(events)).toEqual({
      TokenSeen: 2,
      PoolCreated: 1,
      SwapExecuted: day.swaps,
      LiquidityChanged: day.liquidity,
      FeesCollected: day.fees,
      BlockSealed: day.blocks
    })
    expect(events[2]).toMatchObject({ kind: "PoolCreated", fee: 500, source: "create2" })
  })

  it("Monad's pool is found through Monad's factory", async () => {
    const { events, error } = await read(monad, "monad-univ3-mon-usdc")
    expect([error, swaps(events)]).toEqual([null, { "uniswap-v3": 13 }])
    expect(events.find(({ kind }) => kind === "PoolCreated")).toMatchObject({
      pool: "0x659bd0bc4167ba25c62e05656f78043e7ed4a9da",
      fee: 3000,
      source: "create2"
    })
  })

  it("every log of a position manager is a change of a position", async () => {
    const { events, error } = await read(ethereum, "eth-univ3-npm-2024-01-05")
    expect(error).toBeNull()
    expect(countKinds(events)).toEqual({ PositionChanged: 3853, BlockSealed: 2114 })
  })

  it("whole blocks have the swaps their README counts, with senders", async () => {
    const facts = { txs: [join(sharedData, txs("blocks"))] }
    const one = await read(ethereum, "blocks", facts)
    expect(swaps(one.events)).toMatchObject({ "uniswap-v2": 211, "uniswap-v3": 68 })
    expect(one.events.every(({ tx }) => tx === null || tx.from !== null)).toBe(true)
    const pools = one.events.filter(
      ({ kind }) => kind === "PoolCreated"
    ) as EventOf<"PoolCreated">[]
    expect(pools.length).toBeGreaterThanOrEqual(10)
    expect(pools.every(pool => pool.source === "create2")).toBe(true)
    expect(swaps((await read(polygon, "blocks")).events)).toMatchObject({
      "uniswap-v2": 17,
      "uniswap-v3": 5
    })
    expect(swaps((await read(base, "blocks")).events)).toMatchObject({ "uniswap-v2": 6 })
  })

  it("blocks older than the venues have no event", async () => {
    const { events } = await read(ethereum, "blocks")
    expect(events.filter(event => event.block.number < 10_000_000)).toEqual([])
  })

  it("receipts have the swaps their README counts", async () => {
    const untimed = await read(ethereum, "receipts-multichain")
    expect(untimed.error?.message).toContain("has no timestamp")
    const blocks = [timesOfReceipts(ethereum)]
    const one = await read(ethereum, "receipts-multichain", { blocks })
    expect([one.error, swaps(one.events)]).toMatchObject([
      null,
      { "uniswap-v2": 38, "uniswap-v3": 86 }
    ])
    expect(swaps((await read(base, "receipts-multichain")).events)).toMatchObject({
      "uniswap-v2": 3,
      "uniswap-v3": 15
    })
  })

  it("two files of one day are one tape", async () => {
    const names = [DAY, "eth-univ3-npm-2024-01-05"]
    const files = names.map(name => join(sharedData, logs(name)))
    const both = await drain(makeFileSource({ chain: ethereum, files }))
    const ofPool = ({ kind }: Event) => kind !== "PositionChanged" && kind !== "BlockSealed"
    const alone = (await read(ethereum, DAY)).events
    expect(both.events.filter(ofPool)).toEqual(alone.filter(ofPool))
    expect(countKinds(both.events)["PositionChanged"]).toBe(3853)
    const seals = both.events.filter(({ kind }) => kind === "BlockSealed")
    expect(seals.length).toBe(new Set(both.events.map(({ block }) => block.number)).size)
  })
})
