/** The source that lanes read of Solana: what `solanaRpcSource` gives out, written as events. */
import { Effect, Stream } from "effect"
import type { EventBatch } from "../../batch/batch.ts"
import { FactBook } from "../../facts.ts"
import type { SolanaBatch } from "../../solana/block.ts"
import { SolanaTapeWriter } from "../../solana/solana-tape-writer.ts"
import { solanaVenues } from "../../solana/venues.ts"
import { type LogTail, type Source, SourceError } from "../../source.ts"
import { type SolanaRpcOptions, solanaRpcSource } from "./source.ts"

/** Facts of pools and mints that are kept of what the log does not hold yet. */
const MOST_FACTS = 4096

const writerFor = (tail: LogTail): { writer: SolanaTapeWriter; facts: FactBook } => {
  const last = tail.blocks[tail.blocks.length - 1] ?? null
  // when they became known is not told: as late as possible, so that a rollback tells them again
  const known = (address: string) => ({ address, block: last?.number ?? 0 })
  const facts = new FactBook()
  const writer = new SolanaTapeWriter({
    ...{ facts, last, blocks: tail.blocks },
    knownPools: tail.knownPools.map(known),
    knownTokens: tail.knownTokens.map(known)
  })
  return { writer, facts }
}

/** Writes blocks and rollbacks, and returns the batches that they make. */
const written = (
  writer: SolanaTapeWriter,
  batch: SolanaBatch
): Effect.Effect<ReadonlyArray<EventBatch>, SourceError> =>
  Effect.suspend(() => {
    for (const one of batch) {
      if (one._tag === "Rollback") writer.undo(one)
      else writer.writeBlock(one)
    }
    writer.flush()
    if (writer.problem !== null) {
      // nodes that contradict each other: the log's end is the place to begin again
      return Effect.fail(new SourceError({ message: writer.problem.message, fatal: false }))
    }
    const ready: Array<EventBatch> = []
    for (let next = writer.take(); next !== null; next = writer.take()) ready.push(next)
    return Effect.succeed(ready)
  })

/** Writes a stream of blocks after a tail. */
const writing = (
  blocks: Stream.Stream<SolanaBatch, SourceError>,
  tail: LogTail,
  wrote: (writer: SolanaTapeWriter) => void
): Stream.Stream<EventBatch, SourceError> =>
  Stream.suspend(() => {
    const { writer, facts } = writerFor(tail)
    return Stream.flatMap(blocks, batch =>
      Stream.unwrap(
        Effect.map(written(writer, batch), ready => {
          facts.trim(MOST_FACTS)
          wrote(writer)
          return Stream.fromIterable(ready)
        })
      )
    )
  })

/**
 * A source of events over the endpoints of one chain, of all venues that are decoded. States of
 * pools are told by swaps, so none is read; no token is pinned, for transfers are not read.
 */
export const solanaTapeSource = (
  options: Omit<SolanaRpcOptions, "programs">
): Effect.Effect<Source, SourceError> =>
  Effect.gen(function* () {
    const programs = solanaVenues.map(({ program }) => program)
    const source = yield* solanaRpcSource({ ...options, programs })
    const { past } = source
    let [logs, quarantined] = [0, 0]
    const note = (writer: SolanaTapeWriter) => {
      ;[logs, quarantined] = [writer.logs, writer.quarantined]
    }
    return {
      batches: tail => writing(source.batches(tail), tail, note),
      past:
        past === null
          ? null
          : (range, tail, reading) => writing(past(range, tail, reading), tail, () => undefined),
      status: () => ({ ...source.status(), logs, quarantined }),
      readStates: null,
      pinning: null
    }
  })
