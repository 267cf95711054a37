/**
 * Recognizes a want of room: a write failed because its place is full, read-only or not writable
 * for this user, or because memory or open files ran out. Such a failure passes and says nothing
 * against the data that is already written.
 */
import { closeSync, existsSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs"
import { dirname } from "node:path"
import { Effect, Schedule } from "effect"
import { makeFolders } from "./make-folder.ts"

/** A kind of want: its words in errors of the system, DuckDB or nats-server, and its message. */
interface Want {
  readonly said: RegExp
  /** returns what is wrong and what helps */
  readonly told: (place: string) => string
}

const WANTS: ReadonlyArray<Want> = [
  {
    // of DuckDB: what does not fit in memory found no room on disk while a file was opened
    said: /ENOSPC|no space left|insufficient (storage )?resources|out of (storage|disk) space|failed to offload/i,
    told: place => `no room on disk in ${place}: free some`
  },
  {
    said: /EDQUOT|quota exceeded/i,
    told: place => `the disk quota is used up in ${place}: free some, or raise it`
  },
  {
    said: /EROFS|read-?only file ?system/i,
    told: place => `the disk of ${place} is read-only: make it writable again`
  },
  {
    said: /EACCES|EPERM|permission denied|operation not permitted/i,
    told: place => `${place} may not be written to: give this user the right to`
  },
  {
    said: /EMFILE|ENFILE|too many open files/i,
    told: () => "too many files are open: raise the limit of open files (ulimit -n)"
  },
  {
    // a commit that fails so does not name the error, but says how much is used
    said: /Out of Memory Error|\([\d.]+ \w+\/[\d.]+ \w+ used\)/i,
    told: place =>
      `no memory is left for the tables in ${place}: raise LANE_MEMORY_MB, or leave more to this process`
  }
]

/** Ending of a want's message where the write is retried until it succeeds. */
export const GOES_ON = "; writing goes on by itself"

/** Returns what is wanting by an error's text, and what helps; null for any other error. */
export const wantOfRoom = (text: string, place: string): string | null =>
  WANTS.find(({ said }) => said.test(text))?.told(place) ?? null

/** Bytes of the trial file, which must fit before the write is retried, written in pieces. */
const TRIAL_BYTES = 4 * 1024 * 1024
const PIECE = Buffer.alloc(64 * 1024, 0x5a)

/** Returns why a file, or a trial file beside it, cannot be written now; null where both can. */
const unwritable = (file: string): string | null => {
  const trial = `${file}.trial`
  try {
    makeFolders(dirname(file))
    if (existsSync(file)) closeSync(openSync(file, "r+"))
    const at = openSync(trial, "w")
    try {
      let left = TRIAL_BYTES
      while (left > 0) left -= writeSync(at, PIECE, 0, Math.min(left, PIECE.length))
      fsyncSync(at)
    } finally {
      closeSync(at)
      rmSync(trial, { force: true })
    }
    return null
  } catch (cause) {
    return (cause as Error).message
  }
}

const LOOK_EVERY = "500 millis"

/** Waits until a file can be written and a trial file fits beside it. */
export const untilRoom = (file: string): Effect.Effect<void> =>
  Effect.sync(() => unwritable(file)).pipe(
    Effect.repeat({ until: why => why === null, schedule: Schedule.spaced(LOOK_EVERY) }),
    Effect.asVoid
  )
