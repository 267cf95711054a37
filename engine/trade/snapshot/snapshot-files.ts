/**
 * Snapshots of a chain's pools on disk, the newest two: the older one is for forks that reach
 * behind the newest. One that cannot be used is removed, and the log says why.
 */
import { join } from "node:path"
import { Effect, Result, Stream } from "effect"
import {
  type FileError,
  makeFolder,
  namesIn,
  readBytes,
  remove,
  replaceFileBy
} from "../../../src/platform/files.ts"
import { nextTurn } from "../../../src/platform/turn.ts"
import type { ReadError } from "../../log/log-errors.ts"
import { type LogStream, lastStreamSeq, messageAt } from "../../log/log-stream.ts"
import { openSegment } from "../../log/read-log.ts"
import type { LogPosition } from "../../log/segment.ts"
import { type Snapshot, type SnapshotOwner, snapshotBytes, snapshotIn } from "./snapshot-bytes.ts"

const KEPT = 2
const ENDING = ".pools"

export interface SnapshotFiles {
  readonly folder: string
  readonly key: string
  readonly owner: SnapshotOwner
}

interface Named {
  readonly name: string
  readonly seq: number
}

/** What a kill leaves half written. */
const TORN = `${ENDING}.new`

/** Those of a chain with such an ending, newest first. Another key may begin with the chain's. */
const filesOf = (
  { folder, key }: SnapshotFiles,
  ending = ENDING
): Effect.Effect<ReadonlyArray<Named>> =>
  Effect.map(namesIn(folder), names =>
    names
      .flatMap(name => {
        const isOwn = name.startsWith(`${key}-`) && name.endsWith(ending)
        const text = isOwn ? name.slice(key.length + 1, -ending.length) : ""
        return /^\d+$/.test(text) ? [{ name, seq: Number(text) }] : []
      })
      .sort((a, b) => b.seq - a.seq)
  )

/** Writes a snapshot whole or not at all, a part a turn, and removes all but the newest two. */
export const writeSnapshot = (
  files: SnapshotFiles,
  snapshot: Omit<Snapshot, "owner">
): Effect.Effect<void, FileError> =>
  Effect.gen(function* () {
    const { folder, key, owner } = files
    yield* makeFolder(folder)
    const torn = yield* filesOf(files, TORN)
    yield* Effect.forEach(torn, ({ name }) => remove(join(folder, name)))
    const parts = snapshotBytes({ ...snapshot, owner })
    const bytes = Stream.tap(Stream.fromIterable(parts, { chunkSize: 1 }), () => nextTurn)
    const path = join(folder, `${key}-${snapshot.position.seq}${ENDING}`)
    yield* replaceFileBy(path, yield* Stream.toAsyncIterableEffect(bytes))
    const all = yield* filesOf(files)
    yield* Effect.forEach(all.slice(KEPT), ({ name }) => remove(join(folder, name)))
  })

const throwAway = ({ folder, key }: SnapshotFiles, { name }: Named, problem: string) =>
  Effect.gen(function* () {
    const path = join(folder, name)
    yield* Effect.logWarning(`${key}: snapshot ${path} is thrown away: ${problem}`)
    yield* Effect.ignore(remove(path))
  })

/** The snapshot in a file; null where there is none that can be used. */
const readSnapshot = (files: SnapshotFiles, { name, seq }: Named) =>
  Effect.gen(function* () {
    const { folder, owner } = files
    const path = join(folder, name)
    const read = yield* Effect.result(
      Effect.flatMap(readBytes(path), bytes =>
        Effect.mapError(snapshotIn(bytes, owner), message => ({ message }))
      )
    )
    if (Result.isSuccess(read)) return read.success
    yield* throwAway(files, { name, seq }, read.failure.message)
    return null
  })

/** Why the log does not hold the position of a snapshot (any more); null where it does. */
const notIn = (stream: LogStream, { streamSeq, hash, seq }: LogPosition) =>
  Effect.gen(function* () {
    if ((yield* lastStreamSeq(stream)) < streamSeq) return "the log ends before it"
    const message = yield* messageAt(stream, streamSeq)
    const { header } = yield* Effect.fromResult(openSegment(stream, message))
    return header.hash === hash && header.lastSeq === seq ? null : "the log is another one there"
  })

/**
 * The newest snapshot that can be used and knows no event after a seq; null where there is none.
 * The hash of its last segment vouches for all of the log up to it, hashes of blocks among it.
 */
export const newestSnapshot = (
  files: SnapshotFiles,
  stream: LogStream,
  atMostSeq: number
): Effect.Effect<Snapshot | null, ReadError> =>
  Effect.gen(function* () {
    for (const file of yield* filesOf(files)) {
      if (file.seq > atMostSeq) continue
      const snapshot = yield* readSnapshot(files, file)
      if (snapshot === null) continue
      const isNamed = snapshot.position.seq === file.seq
      const problem = isNamed ? yield* notIn(stream, snapshot.position) : "it is of another seq"
      if (problem === null) return snapshot
      yield* throwAway(files, file, problem)
    }
    return null
  })
