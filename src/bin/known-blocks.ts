/**
 * Filters replayed batches, so that only new parts are appended. Files that were replayed before
 * add nothing. Refused are: logs before the log's end that it lacks, because the log is in order;
 * and logs and blocks that differ from those in the log.
 */
import { Effect, Option, Stream } from "effect"
import { beginsWithRollback } from "../../engine/log/block-runs.ts"
import { effectiveRanges } from "../../engine/log/effective.ts"
import { LOG_START, type Segment } from "../../engine/log/segment.ts"
import type { LogReader } from "../../engine/log/tape-log.ts"
import type { EventBatch } from "../../streams/batch/batch.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { type Event, eventKinds, type KindSpec } from "../../streams/event.ts"
import { batchOf, eventAt, eventsOf } from "../../streams/event-objects.ts"
import { SourceError } from "../../streams/source.ts"
import type { TakenBack } from "../../streams/sources/file/file-source.ts"
import { textDigest } from "./text-digest.ts"

/** A log of the chain and the facts of its events. */
interface KnownLog {
  /** `<block>:<log index>` */
  readonly place: string
  /** digest of the events that the log became; `UNREAD` where it did not decode */
  facts: number
}

/** What the log holds, by its effective events (those that no rollback took back). */
export interface KnownLogs {
  /** number of the last block; -1 for an empty log */
  readonly lastBlock: number
  /** time of the last block, Unix seconds */
  readonly lastTime: number
  /** facts of each log by its place */
  readonly logs: ReadonlyMap<string, number>
  /** digest of each block's hash by block number, where the hash is known */
  readonly hashes: ReadonlyMap<number, number>
  /** number of replayed logs that the log had already */
  repeated: number
}

/** The facts of a log that did not decode. They equal any other facts: decoders may differ. */
const UNREAD = -1

const identity = (batch: EventBatch, event: number): string =>
  `${batch.blocks.number.get(batch.block.get(event))}:${batch.logIndex.get(event)}`

/**
 * Returns the facts of an event that are the same in every file: time, transaction, addresses and
 * amounts. Left out are our own words (venue kinds, reasons), which may change, and block hashes
 * and senders, which a file may lack.
 */
const factsOf = (event: Event): string => {
  const columns = Object.entries(eventKinds[event.kind].columns as KindSpec["columns"])
  const told = columns.flatMap(([name, type]) =>
    type === "sym" ? [] : [String((event as unknown as Record<string, unknown>)[name])]
  )
  return [event.kind, event.block.time, event.tx?.hash, event.tx?.index, ...told].join(" ")
}

/** Returns the logs of the events `from..to`, in order; one log may have become several events. */
const logsOf = (batch: EventBatch, from: number, to: number): ReadonlyArray<KnownLog> => {
  const logs: Array<KnownLog> = []
  for (let i = from; i < to; i++) {
    if (batch.tx.get(i) === NONE) continue
    const place = identity(batch, i)
    const event = eventAt(batch, i)
    const last = logs.at(-1)
    const facts = event.kind === "LogQuarantined" ? UNREAD : textDigest(factsOf(event))
    if (last?.place !== place) logs.push({ place, facts })
    else if (last.facts !== UNREAD) last.facts = textDigest(`${last.facts} ${facts}`)
  }
  return logs
}

/** Returns the digest of a block's hash; null where the batch lacks the hash. */
const hashOf = ({ ids, blocks }: EventBatch, block: number): number | null => {
  const text = ids.text(blocks.hash.get(block))
  return text === null ? null : textDigest(text)
}

const facts = ({ header, batch }: Segment) => ({
  firstSeq: header.firstSeq,
  lastSeq: header.lastSeq,
  rollbackTo: beginsWithRollback(batch) ? batch.columns.Rollback.toSeq.get(0) : null
})

/** A run of effective events of one segment. */
interface Part {
  readonly batch: EventBatch
  /** places in the batch; `to` is exclusive */
  readonly from: number
  readonly to: number
}

/** Streams the effective events of a log, in order. Reads the log twice. */
const effectiveParts = (log: LogReader) => {
  const read = log.read(LOG_START, { follow: false })
  return Stream.unwrap(
    Effect.map(Stream.runCollect(Stream.map(read, facts)), segments => {
      const ranges = effectiveRanges(segments)
      const partsOf = ({ header, batch }: Segment): ReadonlyArray<Part> =>
        ranges.flatMap(range => {
          const from = Math.max(0, range.from - header.firstSeq)
          const to = Math.min(batch.count, range.to - header.firstSeq + 1)
          return from < to ? [{ batch, from, to }] : []
        })
      return Stream.flattenIterable(Stream.map(read, partsOf))
    })
  )
}

/** Reads the whole log and returns what it holds. */
export const knownLogs = (log: LogReader) =>
  Effect.gen(function* () {
    const logs = new Map<string, number>()
    const hashes = new Map<number, number>()
    let lastBlock = -1
    let lastTime = 0
    yield* Stream.runForEach(effectiveParts(log), ({ batch, from, to }) =>
      Effect.sync(() => {
        const last = batch.block.get(to - 1)
        lastBlock = Math.max(lastBlock, batch.blocks.number.get(last))
        lastTime = Math.max(lastTime, batch.blocks.time.get(last))
        for (const { place, facts } of logsOf(batch, from, to)) logs.set(place, facts)
        for (let block = batch.block.get(from); block <= last; block++) {
          const hash = hashOf(batch, block)
          if (hash !== null) hashes.set(batch.blocks.number.get(block), hash)
        }
      })
    )
    return { lastBlock, lastTime, logs, hashes, repeated: 0 } satisfies KnownLogs
  })

const TOGETHER = "the log is in order, so replay these files together into a new --data folder"

const OTHERWISE = "one of both is wrong, and nothing of this file was taken from there on"

/** Returns why a block contradicts the log's block hashes; null where it does not. */
const hashProblem = (batch: EventBatch, at: number, known: KnownLogs): string | null => {
  const { number, parentHash } = batch.blocks
  const block = number.get(at)
  const [own, parent] = [known.hashes.get(block), known.hashes.get(block - 1)]
  if (block <= known.lastBlock) {
    const hash = hashOf(batch, at)
    if (hash === null || own === undefined || hash === own) return null
    const text = batch.ids.text(batch.blocks.hash.get(at))
    return `block ${block} has another hash in the log than in this file (${text}): ${OTHERWISE}`
  }
  const text = batch.ids.text(parentHash.get(at))
  if (text === null || parent === undefined || textDigest(text) === parent) return null
  const before = `another block ${block - 1} (${text}) than the log has`
  return `block ${block} follows ${before}: ${OTHERWISE}`
}

/**
 * Returns why a batch cannot be appended: it has earlier logs that the log lacks, or contradicts
 * the log. Else returns null and counts the logs that the log has in `known.repeated`.
 */
const problemOf = (batch: EventBatch, known: KnownLogs): string | null => {
  const { lastBlock, lastTime } = known
  const { blocks } = batch
  for (let i = 0; i < blocks.count; i++) {
    const [number, time] = [blocks.number.get(i), blocks.time.get(i)]
    if (number > lastBlock && time < lastTime) {
      const end = `the end of the log, block ${lastBlock} of second ${lastTime}`
      return `block ${number} of second ${time} comes after ${end}: ${TOGETHER}`
    }
    const problem = hashProblem(batch, i, known)
    if (problem !== null) return problem
  }
  if (blocks.number.get(0) > lastBlock) return null
  for (const { place, facts } of logsOf(batch, 0, batch.count)) {
    if (Number.parseInt(place, 10) > lastBlock) continue
    const told = known.logs.get(place)
    if (told === undefined) {
      return (
        `log ${place} (block:index) lies before the end of the log (block ${lastBlock}) ` +
        `and is not in it: ${TOGETHER}`
      )
    }
    if (told !== facts && told !== UNREAD && facts !== UNREAD) {
      return (
        `log ${place} (block:index) is told otherwise than the log has it (time, transaction, ` +
        `addresses or amounts): ${OTHERWISE}`
      )
    }
    known.repeated++
  }
  return null
}

/** Returns true for a fact of a pool or token that comes from no log; a source emits it once. */
const isFact = ({ kind, tx }: Event): boolean => tx === null && kind !== "BlockSealed"

/**
 * Streams the parts of batches that lie behind the log's end. Facts in earlier blocks, such as a
 * pin that is newer than the earlier replay, move to the first block behind the end.
 */
export const newParts = <E>(batches: Stream.Stream<EventBatch, E>, known: KnownLogs) => {
  let news: ReadonlyArray<Event> = []
  const newPart = (batch: EventBatch): EventBatch | null => {
    if (news.length === 0 && batch.blocks.number.get(0) > known.lastBlock) return batch
    const events = eventsOf(batch)
    const isNew = ({ block }: Event): boolean => block.number > known.lastBlock
    const rest = events.filter(isNew)
    news = [...news, ...events.filter(event => !isNew(event) && isFact(event))]
    const [first] = rest
    if (first === undefined) return null
    const told = news.map((event): Event => ({ ...event, block: first.block }))
    news = []
    return batchOf([...told, ...rest])
  }
  return batches.pipe(
    Stream.mapEffect(batch => {
      const message = problemOf(batch, known)
      if (message === null) return Effect.succeed(newPart(batch))
      return Effect.fail(new SourceError({ fatal: true, message }))
    }),
    Stream.filter(batch => batch !== null)
  )
}

/** Returns true where a file's taken-back log is the log of this event. */
const isTaken = (taken: TakenBack, { block, tx, logIndex }: Event): boolean =>
  taken.block === block.number &&
  taken.logIndex === logIndex &&
  taken.txHash === tx?.hash &&
  (taken.blockHash === null || block.hash === null || taken.blockHash === block.hash)

/** Returns the first taken-back log that the log still holds; null where there is none. */
const heldOf = (log: LogReader, known: KnownLogs, taken: ReadonlyArray<TakenBack>) => {
  const places = taken.filter(({ block, logIndex }) => known.logs.has(`${block}:${logIndex}`))
  if (places.length === 0) return Effect.succeed(null)
  return effectiveParts(log).pipe(
    Stream.map(({ batch, from, to }) =>
      places.find(one => {
        for (let i = from; i < to; i++) {
          const isThere = batch.tx.get(i) !== NONE && batch.logIndex.get(i) === one.logIndex
          if (isThere && isTaken(one, eventAt(batch, i))) return true
        }
        return false
      })
    ),
    Stream.filter(found => found !== undefined),
    Stream.runHead,
    Effect.map(Option.getOrNull)
  )
}

/**
 * Passes batches on, but fails before the first one where the files take back a log that the log
 * holds. The check runs at the first batch behind the log's end: by then the files have taken back,
 * and possibly repeated, every log that the log holds.
 */
export const keepingHeld = <E>(
  parts: Stream.Stream<EventBatch, E>,
  log: LogReader,
  known: KnownLogs,
  takenBack: () => ReadonlyArray<TakenBack>
) => {
  let isChecked = false
  const check = Effect.gen(function* () {
    if (isChecked) return
    isChecked = true
    const held = yield* heldOf(log, known, takenBack())
    if (held === null) return
    const { file, line, block, logIndex } = held
    return yield* new SourceError({
      fatal: true,
      message:
        `${file}:${line} takes log ${block}:${logIndex} (block:index) back (removed: true), which ` +
        `the log holds: nothing was added; ${TOGETHER}, with those that told it`
    })
  })
  return parts.pipe(
    Stream.tap(() => check),
    Stream.concat(Stream.drain(Stream.fromEffect(check)))
  )
}
