/**
 * Want of room: something could not be written because of the place it goes to, which is full, read
 * only or somebody else's, or for want of memory. That passes, and tells nothing of what is written
 * there already.
 */
import { closeSync, existsSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs"
import { dirname } from "node:path"
import { Effect, Schedule } from "effect"
import { makeFolders } from "./make-folder.ts"

/** A want, as the system, DuckDB or nats-server says it, and what a person is told of it. */
interface Want {
  readonly said: RegExp
  /** what is wrong, and what helps */
  readonly told: (place: string) => string
}

const WANTS: ReadonlyArray<Want> = [
  {
    said: /ENOSPC|no space left|insufficient (storage )?resources|out of (storage|disk) space/i,
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
    said: /Out of Memory Error/i,
    told: place => `no memory is left for the tables in ${place}: leave more to this process`
  }
]

/** What follows on it where it is tried again until it can be done. */
export const GOES_ON = "; writing goes on by itself"

/** What is wanting where something failed with such a text, and what helps; else null. */
export const wantOfRoom = (text: string, place: string): string | null =>
  WANTS.find(({ said }) => said.test(text))?.told(place) ?? null

/** Bytes that must fit before writing is tried again. */
const ENOUGH = Buffer.alloc(4 * 1024 * 1024, 0x5a)

/** Why a file cannot be written to now; null where it can, or could be made. */
const unwritable = (file: string): string | null => {
  const trial = `${file}.trial`
  try {
    makeFolders(dirname(file))
    if (existsSync(file)) closeSync(openSync(file, "r+"))
    const at = openSync(trial, "w")
    try {
      for (let from = 0; from < ENOUGH.length; ) from += writeSync(at, ENOUGH, from)
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

/** Waits until a file may be written to, and there is room beside it. */
export const untilRoom = (file: string): Effect.Effect<void> =>
  Effect.sync(() => unwritable(file)).pipe(
    Effect.repeat({ until: why => why === null, schedule: Schedule.spaced(LOOK_EVERY) }),
    Effect.asVoid
  )
