/** The source that lanes read of Solana: what `solanaRpcSource` gives out, written as events. */
import { Effect, Stream } from "effect"
import type { EventBatch } from "../../batch/batch.ts"
import { FactBook } from "../../facts.ts"
import { forgetOldest } from "../../forget-oldest.ts"
import { continuing } from "../../known-set.ts"
import { BinSteps } from "../../solana/bin-steps.ts"
import type { SolanaBatch } from "../../solana/block.ts"
import { decodeBlock } from "../../solana/decoded-block.ts"
import { SolanaTapeWriter } from "../../solana/solana-tape-writer.ts"
import { venueRows } from "../../solana/venue-table.ts"
import { venuesByProgram } from "../../solana/venues.ts"
import { type DecodeStatus, type LogTail, type Source, SourceError } from "../../source.ts"
import { Learning, learnMints, type PastMints } from "./learn-mints.ts"
import { MOST_KEPT } from "./owed-mints.ts"
import { type SolanaRpcOptions, solanaRpcSource } from "./source.ts"

/** Facts of pools and mints that are kept of what the log does not hold yet. */
const MOST_FACTS = 4096

/** What its status says of a source of the simulated chain. */
const SIMULATED = {
  kind: "devchain",
  description: "simulated Solana: a real SVM, small programs of ours, seeded traders"
} as const

/** Writes blocks and rollbacks, and returns the batches that they make. */
const written = (
  writing: Learning,
  batch: SolanaBatch
): Effect.Effect<ReadonlyArray<EventBatch>, SourceError> =>
  Effect.gen(function* () {
    const { writer } = writing
    for (const one of batch) {
      if (one._tag === "Rollback") {
        for (const mint of writer.undo(one).untold) writing.owed.add(mint, null)
      } else if (one._tag === "Doubt") writer.doubt(one)
      else {
        const block = decodeBlock(one)
        yield* learnMints(writing, block)
        writer.writeBlock(block)
      }
      if (writer.problem === null) continue
      // nodes that contradict each other: the log's end is the place to begin again
      const { message } = writer.problem
      const whose = one._tag === "Block" ? `, as ${one.by} tells it` : ""
      return yield* new SourceError({ message: `${message}${whose}`, fatal: false })
    }
    writer.flush()
    const ready: Array<EventBatch> = []
    for (let next = writer.take(); next !== null; next = writer.take()) ready.push(next)
    return ready
  })

/** What those who read the head and the past have in common. */
interface Known extends Pick<Learning, "tokens"> {
  readonly binSteps: BinSteps
  /** mints that the head is to ask for; of its own where the past is read */
  readonly past?: PastMints
}

/** Writes a stream of blocks after a tail; hands the mints on that are owed at its end. */
const asEvents = (
  blocks: Stream.Stream<SolanaBatch, SourceError>,
  tail: LogTail,
  { tokens, binSteps, past }: Known,
  wrote: (writer: SolanaTapeWriter) => void,
  ended: (own: Learning) => void = () => undefined
): Stream.Stream<EventBatch, SourceError> =>
  Stream.suspend(() => {
    const facts = new FactBook()
    const known = { blocks: tail.blocks, binSteps, ...continuing(tail) }
    const writer = new SolanaTapeWriter({ facts, ...known })
    const own = new Learning(writer, facts, tokens, past)
    for (const { token, decimals } of tail.unread ?? []) own.owed.add(token, decimals)
    for (const step of tail.binSteps ?? []) binSteps.learn(step)
    const events = Stream.flatMap(blocks, batch =>
      Stream.unwrap(
        Effect.map(written(own, batch), ready => {
          facts.trim(MOST_FACTS)
          wrote(writer)
          return Stream.fromIterable(ready)
        })
      )
    )
    return Stream.onEnd(
      events,
      Effect.sync(() => ended(own))
    )
  })

/** What the head's writer has written since the source began. */
interface Wrote extends Pick<SolanaTapeWriter, "logs" | "quarantined"> {
  readonly decode: Omit<DecodeStatus, "auditCursor">
}

export interface TapeOptions extends Omit<SolanaRpcOptions, "programs"> {
  /** a local chain, shown as what it is */
  readonly devchain?: boolean
}

/**
 * A source of events over the endpoints of one chain, of all venues that are decoded. States of
 * pools are told by swaps, so none is read; no token is pinned, for transfers are not read.
 */
export const solanaTapeSource = (options: TapeOptions): Effect.Effect<Source, SourceError> =>
  Effect.gen(function* () {
    const source = yield* solanaRpcSource({ ...options, programs: [...venuesByProgram.keys()] })
    const { past } = source
    // what is read of the past knows what the head knows
    const known = { tokens: source.tokens, binSteps: new BinSteps() }
    const owedOfPast: PastMints = new Map()
    const handOn = ({ owed }: Learning) => {
      for (const [mint, decimals] of owed.all) owedOfPast.set(mint, decimals)
      forgetOldest(owedOfPast, MOST_KEPT)
    }
    let wrote = null as Wrote | null
    const note = ({ logs, quarantined, table, untold, orphaned }: SolanaTapeWriter) => {
      wrote = { logs, quarantined, decode: { venues: venueRows(table), untold, orphaned } }
    }
    const status = () => {
      const told = { ...source.status(), ...(options.devchain === true ? SIMULATED : {}) }
      if (wrote === null) return told
      const { decode, ...counts } = wrote
      const auditCursor = source.audit().cursor
      return { ...told, ...counts, decode: { ...decode, auditCursor } }
    }
    return {
      batches: tail => asEvents(source.batches(tail), tail, { ...known, past: owedOfPast }, note),
      past:
        past === null
          ? null
          : (range, tail, reading) =>
              asEvents(past(range, tail, reading), tail, known, () => undefined, handOn),
      status,
      readStates: null,
      pinning: null
    }
  })
