/**
 * Mends torn streams, whose last message file ends in the middle of a message. The server trusts
 * the stream's index, counts the lost message and keeps a hole for ever; without the index it finds
 * the last whole message. So a torn stream's index is removed before the server runs.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { exists, FileError, remove } from "./files.ts"
import { recordsOf, streamsFolder } from "./stream-files.ts"

/** Returns true where the bytes are whole records, one after the other. */
const endsWhole = (file: Uint8Array): boolean => {
  let whole = 0
  for (const { end } of recordsOf(file)) whole = end
  return whole === file.length
}

/** Returns the path of a folder's newest message file; null where there is none. */
const newestIn = (folder: string): string | null => {
  const numbers = readdirSync(folder).flatMap(name =>
    /^\d+\.blk$/.test(name) ? [Number.parseInt(name, 10)] : []
  )
  return numbers.length === 0 ? null : join(folder, `${Math.max(...numbers)}.blk`)
}

/** Removes the index of each torn stream of a data folder; returns the names of these streams. */
export const mendTornStreams = (dataFolder: string) =>
  Effect.gen(function* () {
    const streams = streamsFolder(dataFolder)
    if (!(yield* exists(streams))) return []
    const torn = yield* Effect.try({
      try: () =>
        readdirSync(streams).filter(name => {
          const newest = newestIn(join(streams, name, "msgs"))
          return newest !== null && !endsWhole(readFileSync(newest))
        }),
      catch: cause => new FileError({ message: `${streams}: ${cause}` })
    })
    for (const name of torn) yield* remove(join(streams, name, "msgs", "index.db"))
    return torn
  })
