import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { Effect, Stream } from "effect"
import { expect, it } from "vitest"
import { ethereum } from "../../src/domain/chains/ethereum.ts"
import { eventsOf } from "../../streams/event-objects.ts"
import { makeFileSource } from "../../streams/sources/file/file-source.ts"
import { oracleHash } from "../../test/support/candle-oracle.ts"
import { foldLog } from "../../test/support/folded-lane.ts"
import { MemoryLog } from "../../test/support/memory-log.ts"
import { jsonLines, type RealLog } from "../../test/support/raw-logs.ts"
import { describeWithSharedData, sharedData } from "../../test/support/shared-data.ts"

const DAY = "eth-univ3-usdc-weth-500-2024-01-05"
const LOGS = `evm/logs/${DAY}.jsonl.gz`
const TRUTH = `evm/truth/${DAY}.minute.csv.gz`
const POOL = "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640"
const SWAP = "0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67"

interface TimedLog extends RealLog {
  readonly blockTimestamp: number
}

/** A swap of the pool in whole USDC and WETH, from the words of its log. */
const swapOf = (log: TimedLog) => {
  const word = (i: number) =>
    BigInt.asIntN(256, BigInt(`0x${log.data.slice(2 + i * 64, 66 + i * 64)}`))
  const [usdc, weth] = [word(0), word(1)]
  const size = (value: bigint) => Number(value < 0n ? -value : value)
  return {
    ...{ ts: log.blockTimestamp, tx: log.transactionHash, block: log.blockNumber },
    ...{
      logIndex: log.logIndex,
      isBuy: weth < 0n,
      usdc: size(usdc) / 1e6,
      weth: size(weth) / 1e18
    },
    isEnough: size(usdc) >= 1000 && size(weth) >= 1000
  }
}

const bucketsOf = (swaps: ReadonlyArray<ReturnType<typeof swapOf>>, seconds: number) => {
  const buckets = new Map<number, Array<ReturnType<typeof swapOf>>>()
  for (const swap of swaps) {
    const t = swap.ts - (swap.ts % seconds)
    buckets.set(t, [...(buckets.get(t) ?? []), swap])
  }
  return [...buckets].flatMap(([t, all]) => {
    const told = all.filter(({ isEnough }) => isEnough)
    const prices = told.map(({ usdc, weth }) => usdc / weth)
    if (told.length === 0) return []
    return [
      {
        ...{ t, o: prices[0], h: Math.max(...prices), l: Math.min(...prices) },
        ...{ c: prices[prices.length - 1], n: told.length },
        ...{ buys: all.filter(({ isBuy }) => isBuy).length, hash: oracleHash(all) }
      }
    ]
  })
}

/** Micro-dollars that a minute moved, as somebody else has summed them. */
const truthVolumes = () => {
  const text = gunzipSync(readFileSync(join(sharedData, TRUTH))).toString()
  const [head = "", ...lines] = text.trim().split("\n")
  const columns = head.split(",")
  return lines.reduce((sum, line) => {
    const row = Object.fromEntries(line.split(",").map((cell, i) => [columns[i] ?? "", cell]))
    return sum + 2n * BigInt(row["inAmount0"] || 0) - BigInt(row["netAmount0"] || 0)
  }, 0n)
}

describeWithSharedData("candles of a real pool", [LOGS, TRUTH], () => {
  it("are those of its logs, in its quote token and in dollars", () =>
    Effect.gen(function* () {
      const source = makeFileSource({ chain: ethereum, files: [join(sharedData, LOGS)] })
      const batches = yield* Stream.runCollect(
        source.batches({ blocks: [], knownPools: [], knownTokens: [] })
      )
      const log = new MemoryLog()
      for (const batch of batches) log.append(eventsOf(batch))
      const lane = yield* foldLog(ethereum, log)
      const swaps = jsonLines<TimedLog>(LOGS)
        .filter(({ topics }) => topics[0] === SWAP)
        .sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
        .map(swapOf)
      expect(swaps.length).toBeGreaterThan(5000)
      const asked = {
        ...{ token: null, pool: POOL, from: 1_704_412_800, to: 1_704_499_200, limit: 86_400 },
        ...{ fill: false, closed: false, raw: false, fields: "buys,hash" }
      }
      for (const [tf, seconds] of Object.entries({
        "15s": 15,
        "1m": 60,
        "1h": 3600,
        "1d": 86400
      })) {
        const expected = bucketsOf(swaps, seconds)
        const [inQuote, inDollars] = yield* Effect.forEach(["token", "usd"], quote =>
          lane.ask("candles", { ...asked, tf, quote })
        )
        expect(inQuote.quoteToken).toBe(
          ethereum.anchors.find(one => one.symbol === "USDC")?.address
        )
        // a USDC counts as a dollar, and a dollar price is the same ratio
        for (const { candles } of [inQuote, inDollars]) {
          expect(candles.length, tf).toBe(expected.length)
          const plain = candles.map(({ v: _, ...candle }: { v: number }) => candle)
          expect(plain, tf).toEqual(expected)
        }
        const moved = inDollars.candles.reduce((sum: number, one: { v: number }) => sum + one.v, 0)
        const dust = swaps.reduce((sum, one) => sum + (one.isEnough ? 0 : one.usdc), 0)
        expect(Math.abs(moved + dust - Number(truthVolumes()) / 1e6)).toBeLessThan(1e-3)
      }
    }).pipe(Effect.scoped, Effect.runPromise))
})
