/**
 * The law of one projection: what it answers of a log does not depend on how the log came. Blocks
 * are given; they are folded beside what the projection uses, alone, in every way that an engine
 * may meet them, and the answers and the digests of its tables must always be the same.
 */
import { join } from "node:path"
import { Effect } from "effect"
import { expect } from "vitest"
import type { Projection } from "../../engine/projection.ts"
import type { QueryRequest } from "../../engine/query.ts"
import { newFoldSet } from "../../engine/runner/fold-set.ts"
import { applySegment, commitPending, loadCore } from "../../engine/runner/lane-core.ts"
import { openQueries } from "../../engine/runner/queries.ts"
import { digests, openStore } from "../../engine/store/store.ts"
import { withUses } from "../../projections/all.ts"
import type { Event } from "../../streams/event.ts"
import { testChain } from "./chain-config.ts"
import { MemoryLog, takingBack } from "./memory-log.ts"
import { temporaryFolder } from "./nats.ts"

export type Block = ReadonlyArray<Event>

/** A way to fold a log: its segments, and after which of them tables are committed or opened anew. */
interface Way {
  readonly name: string
  readonly log: MemoryLog
  readonly commitAfter: (segment: number) => boolean
  readonly reopenAfter: number | null
}

const logOf = (segments: ReadonlyArray<Block>): MemoryLog => {
  const log = new MemoryLog()
  for (const events of segments) log.append(events)
  return log
}

/** The blocks up to `fork`, those behind it, these taken back, and they again. */
const forkedLog = (blocks: ReadonlyArray<Block>, fork: number): MemoryLog => {
  const log = logOf(blocks)
  const to = log.segments[fork - 1]?.header
  const last = log.segments.at(-1)?.header
  const [next = [], ...rest] = blocks.slice(fork)
  const block = next[0]?.block
  if (to === undefined || last === undefined || block === undefined) return log
  log.append([takingBack(to, last, block), ...next])
  for (const events of rest) log.append(events)
  return log
}

const waysOf = (blocks: ReadonlyArray<Block>): ReadonlyArray<Way> => {
  const middle = Math.max(1, Math.floor(blocks.length / 2))
  const each = logOf(blocks)
  const always = () => true
  const never = () => false
  return [
    { name: "block by block", log: each, commitAfter: always, reopenAfter: null },
    { name: "in one commit", log: each, commitAfter: never, reopenAfter: null },
    { name: "in one segment", log: logOf([blocks.flat()]), commitAfter: never, reopenAfter: null },
    { name: "after a restart", log: each, commitAfter: always, reopenAfter: middle },
    {
      name: "after a rollback",
      log: forkedLog(blocks, middle),
      commitAfter: always,
      reopenAfter: null
    },
    {
      name: "after a rollback to what is not committed",
      log: forkedLog(blocks, middle),
      commitAfter: never,
      reopenAfter: null
    }
  ]
}

/** Folds segments into a file, from where its tables stand. */
const fold = (
  projection: Projection,
  file: string,
  { log, commitAfter }: Way,
  upTo: number,
  asked: ReadonlyArray<QueryRequest>
) =>
  Effect.gen(function* () {
    const folds = newFoldSet(testChain, withUses(projection))
    const store = yield* openStore(file, folds.tables, { threads: 2 })
    const core = yield* loadCore(store, folds, log.read)
    const queries = yield* openQueries(store, testChain, folds, core)
    for (let at = core.committed.streamSeq; at < upTo; at++) {
      const segment = log.segments[at]
      if (segment !== undefined) yield* applySegment(core, segment)
      if (commitAfter(at)) yield* commitPending(core)
    }
    yield* commitPending(core)
    const answers = yield* Effect.forEach(asked, request => queries.answer(request))
    return {
      answers: answers.map((answer): unknown =>
        answer.ok ? JSON.parse(new TextDecoder().decode(answer.body)) : answer.refusal
      ),
      tables: yield* digests(store.writer, projection.tables, false)
    }
  }).pipe(Effect.scoped, Effect.runPromise)

/**
 * What a projection answers of blocks, in the order asked. Fails where another way of folding them
 * gives other answers or other tables.
 */
export const foldedEveryWay = async (
  projection: Projection,
  blocks: ReadonlyArray<Block>,
  asked: ReadonlyArray<QueryRequest>
): Promise<ReadonlyArray<unknown>> => {
  const folder = temporaryFolder()
  try {
    const found: Array<Awaited<ReturnType<typeof fold>>> = []
    for (const way of waysOf(blocks)) {
      const { log, reopenAfter } = way
      // only what is opened again needs a file
      const file = reopenAfter === null ? ":memory:" : join(folder.path, `${found.length}.duckdb`)
      const all = log.segments.length
      if (reopenAfter !== null) await fold(projection, file, way, reopenAfter, asked)
      found.push(await fold(projection, file, way, all, asked))
      expect(found.at(-1), way.name).toEqual(found[0])
    }
    return found[0]?.answers ?? []
  } finally {
    folder.remove()
  }
}
