/**
 * The law of one projection: what it answers of a log does not depend on how the log came. Blocks
 * are given; they are folded beside what the projection uses, alone, in every way that an engine
 * may meet them, and the answers and the digests of its tables must always be the same. Where they
 * are not, the failure names the way, the rows that differ and what to look for.
 */
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { Effect } from "effect"
import { expect } from "vitest"
import type { Projection } from "../../engine/projection.ts"
import type { QueryRequest } from "../../engine/query.ts"
import { newFoldSet } from "../../engine/runner/fold-set.ts"
import { applySegment, commitPending, loadCore } from "../../engine/runner/lane-core.ts"
import { openQueries } from "../../engine/runner/queries.ts"
import { digests, openStore } from "../../engine/store/store.ts"
import { withUses } from "../../projections/all.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import type { Event } from "../../streams/event.ts"
import { testChain } from "./chain-config.ts"
import { MemoryLog, takingBack } from "./memory-log.ts"
import { temporaryFolder } from "./nats.ts"
import { tablesApart } from "./row-differences.ts"

export type Block = ReadonlyArray<Event>

/** Other blocks that the chain had behind its first `from` ones, and left. */
export interface Branch {
  readonly from: number
  readonly left: ReadonlyArray<Block>
}

export interface Folded {
  /** whose events they are; an EVM chain of tests where none is named */
  readonly chain?: ChainConfig
  /** what is taken back; without, blocks that come again */
  readonly branch?: Branch | null
}

/** A way to fold a log: its segments, and after which of them tables are committed or opened anew. */
interface Way {
  readonly name: string
  readonly log: MemoryLog
  readonly commitAfter: (segment: number) => boolean
  readonly reopenAfter: number | null
  /** what to look for where it comes to something else */
  readonly hint: string
}

const HINTS = {
  cut: "does the fold `touch` every slot whose row it changes? A row that is not touched is not written. Else: what does the fold keep or write at the end of a slice, a segment or a commit?",
  restart:
    "does the fold `touch` every slot whose row it changes? Else: what does `reloaded` not make anew? Only the columns of `state` tables come back; maps, sums, orders and the like follow from them",
  rollback:
    "does a column of a `state` table hold a position of the log (seq)? The same swap comes again at a later one: name it by block and log index. Else: what that follows from the rows does `reloaded` not make anew? Rows are cut to those stored, so a slot may be another's later"
}

const logOf = (segments: ReadonlyArray<Block>): MemoryLog => {
  const log = new MemoryLog()
  for (const events of segments) log.append(events)
  return log
}

/** The blocks up to `from`, others behind it, these taken back, and the rest of the blocks. */
const forkedLog = (blocks: ReadonlyArray<Block>, { from, left }: Branch): MemoryLog => {
  const log = logOf([...blocks.slice(0, from), ...left])
  const to = log.segments[from - 1]?.header
  const last = log.segments.at(-1)?.header
  const [next = [], ...rest] = blocks.slice(from)
  const block = next[0]?.block
  if (to === undefined || last === undefined || block === undefined) return log
  log.append([takingBack(to, last, block), ...next])
  for (const events of rest) log.append(events)
  return log
}

const waysOf = (blocks: ReadonlyArray<Block>, branch: Branch | null): ReadonlyArray<Way> => {
  const middle = Math.max(1, Math.floor(blocks.length / 2))
  const each = logOf(blocks)
  const always = () => true
  const never = () => false
  const straight = { commitAfter: never, reopenAfter: null, hint: HINTS.cut }
  const fork = branch ?? { from: middle, left: blocks.slice(middle) }
  const forked = { log: forkedLog(blocks, fork), reopenAfter: null, hint: HINTS.rollback }
  return [
    { ...straight, name: "block by block", log: each, commitAfter: always },
    { ...straight, name: "in one commit", log: each },
    { ...straight, name: "in one segment", log: logOf([blocks.flat()]) },
    {
      ...{ name: "after a restart", log: each, commitAfter: always, reopenAfter: middle },
      hint: HINTS.restart
    },
    { ...forked, name: "after a rollback", commitAfter: always },
    { ...forked, name: "after a rollback to what is not committed", commitAfter: never },
    {
      ...{ ...forked, name: "after a restart and a rollback", commitAfter: always },
      reopenAfter: fork.from + fork.left.length
    }
  ]
}

/** What the projection uses and it, also while the registry does not list it. */
const laneOf = (projection: Projection): ReadonlyArray<Projection> => {
  const listed = withUses(projection)
  return listed.includes(projection) ? listed : [...withUses(...projection.uses), projection]
}

/** A projection, and the chain that it folds. */
interface Folding {
  readonly projection: Projection
  readonly chain: ChainConfig
}

/** Folds segments into a file, from where its tables stand. */
const fold = (
  { projection, chain }: Folding,
  file: string,
  { log, commitAfter }: Way,
  upTo: number,
  asked: ReadonlyArray<QueryRequest>
) =>
  Effect.gen(function* () {
    const folds = newFoldSet(chain, laneOf(projection))
    const store = yield* openStore(file, folds.tables, { threads: 2 })
    const core = yield* loadCore(store, folds, log.read)
    const queries = yield* openQueries(store, chain, folds, core)
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

type Found = Awaited<ReturnType<typeof fold>>

/** Folds a way, into a file where one is named: what is opened again needs one. */
const foldWay = async (
  folding: Folding,
  way: Way,
  asked: ReadonlyArray<QueryRequest>,
  file: string,
  inMemory: boolean
): Promise<Found> => {
  if (way.reopenAfter !== null) await fold(folding, file, way, way.reopenAfter, asked)
  const place = inMemory && way.reopenAfter === null ? ":memory:" : file
  return fold(folding, place, way, way.log.segments.length, asked)
}

/** The rows in which two ways differ, folded once more, into files that can be compared. */
const apartIn = async (
  folding: Folding,
  ways: readonly [Way, Way],
  folder: string
): Promise<string> => {
  const files = ["first", "then"].map(name => join(folder, `${name}.duckdb`)) as [string, string]
  for (const place of [0, 1] as const) {
    await foldWay(folding, ways[place], [], files[place], false)
  }
  return tablesApart(folding.projection.tables, ...files)
}

/**
 * What a projection answers of blocks, in the order asked. Fails where another way of folding them
 * gives other answers or other tables, with the rows that differ.
 */
export const foldedEveryWay = async (
  projection: Projection,
  blocks: ReadonlyArray<Block>,
  asked: ReadonlyArray<QueryRequest>,
  { chain = testChain, branch = null }: Folded = {}
): Promise<ReadonlyArray<unknown>> => {
  const folder = temporaryFolder()
  try {
    const ways = waysOf(blocks, branch)
    const folding = { projection, chain }
    const firstWay = ways[0] as Way
    const first = await foldWay(folding, firstWay, asked, "", true)
    for (const [place, way] of ways.entries()) {
      if (place === 0) continue
      const file = join(folder.path, `${place}.duckdb`)
      const found = await foldWay(folding, way, asked, file, true)
      const message = (what: string) =>
        `${way.name}, other ${what} than block by block. ${way.hint}`
      if (!isDeepStrictEqual(found.tables, first.tables)) {
        const apart = await apartIn(folding, [firstWay, way], folder.path)
        expect.fail(`${message("rows")}\n${apart}`)
      }
      expect(found.answers, message("answers")).toEqual(first.answers)
    }
    return first.answers
  } finally {
    folder.remove()
  }
}
