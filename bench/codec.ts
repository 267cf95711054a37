/**
 * Segments, encoded and decoded on one thread: the batches that the file source makes of generated
 * logs. The baseline is JSON of the same events, whose texts are ready before the clock starts.
 */
import { Effect, Stream } from "effect"
import { findChain } from "../src/bin/chain-choice.ts"
import type { EventBatch } from "../streams/batch/batch.ts"
import { decodeSegment, encodeSegment } from "../streams/codec/segment-codec.ts"
import { eventsOf, eventToJson } from "../streams/event-objects.ts"
import { makeFileSource } from "../streams/sources/file/file-source.ts"
import { alone, type Bench, type BenchResult, compared } from "./bench.ts"
import { cachedLogs } from "./generate/cached-logs.ts"
import { median } from "./measure/quantile.ts"
import { countOf, optionsOf, say } from "./measure/words.ts"

const OPTIONS = `  --swaps N           swaps to encode and decode (100000)
  --tokens N          tokens (5000)
  --wallets N         wallets (50000)
  --rounds N          rounds, of which the median counts (9)`

const swapsOf = (batch: EventBatch): number => batch.columns.SwapExecuted.pool.count

/** The batches of a generated file, as the source cuts them; their events are swaps mostly. */
const batchesOf = (swaps: number, tokens: number, wallets: number) =>
  Effect.gen(function* () {
    const { chain: key, ...paths } = yield* Effect.promise(() =>
      cachedLogs({ swaps, tokens, wallets, txs: true })
    )
    const chain = yield* findChain(key, [])
    const source = makeFileSource({ chain, ...paths })
    const batches = yield* Stream.runCollect(
      source.batches({ blocks: [], knownPools: [], knownTokens: [] })
    )
    return batches.filter(batch => swapsOf(batch) * 2 > batch.columns.PoolCreated.pool.count)
  })

/** Seconds of one call. */
const timed = (work: () => void): number => {
  const began = performance.now()
  work()
  return (performance.now() - began) / 1000
}

/** Median seconds of each piece of work, taken in turns. */
const inTurns = (rounds: number, works: ReadonlyArray<() => void>): ReadonlyArray<number> => {
  const seconds = works.map((): Array<number> => [])
  // the first turn warms up
  for (let round = 0; round <= rounds; round++) {
    for (const [i, work] of works.entries()) {
      const took = timed(work)
      if (round > 0) seconds[i]?.push(took)
    }
  }
  return seconds.map(median)
}

/** Keeps results alive, so that no work can be left out. */
let sink = 0

const run = async (args: ReadonlyArray<string>): Promise<BenchResult> => {
  const options = optionsOf(args, {
    swaps: { type: "string" },
    tokens: { type: "string" },
    wallets: { type: "string" },
    rounds: { type: "string" }
  })
  const batches = await Effect.runPromise(
    batchesOf(
      countOf("swaps", options.swaps, 100_000),
      countOf("tokens", options.tokens, 5000),
      countOf("wallets", options.wallets, 50_000)
    )
  )
  const swaps = batches.reduce((sum, batch) => sum + swapsOf(batch), 0)
  const segments = batches.map(encodeSegment)
  const bytes = segments.reduce((sum, segment) => sum + segment.length, 0)
  const texts = batches.map(
    batch =>
      `[${eventsOf(batch)
        .map((event, i) => eventToJson(event, i))
        .join(",")}]`
  )
  const objects = texts.map(text => JSON.parse(text) as ReadonlyArray<unknown>)
  const textBytes = texts.reduce((sum, text) => sum + text.length, 0)
  say(`codec: ${swaps} swaps in ${batches.length} segments`)
  const [encode, decode, stringify, parse] = inTurns(countOf("rounds", options.rounds, 9), [
    () => {
      for (const batch of batches) sink += encodeSegment(batch).length
    },
    () => {
      for (const segment of segments) if (decodeSegment(segment)._tag === "Failure") sink = -1
    },
    () => {
      for (const events of objects) sink += JSON.stringify(events).length
    },
    () => {
      for (const text of texts) sink += (JSON.parse(text) as Array<unknown>).length
    }
  ]) as [number, number, number, number]
  if (sink < 0) throw new Error("a segment does not decode")
  return {
    bench: "codec",
    ...compared("encode", "swaps/s", swaps / encode, swaps / stringify, swaps),
    also: [
      compared("decode", "swaps/s", swaps / decode, swaps / parse, swaps),
      compared("size", "bytes/swap", bytes / swaps, textBytes / swaps, swaps),
      alone("encoded", "MB/s", bytes / encode / 1e6, swaps),
      alone("decoded", "MB/s", bytes / decode / 1e6, swaps)
    ]
  }
}

export const codec: Bench = {
  name: "codec",
  about: "segments encoded and decoded, and their size",
  options: OPTIONS,
  run
}
