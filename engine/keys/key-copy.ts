/**
 * What this engine has read of the stream of keys, in a file of its data folder: a line an event,
 * in the order in which it was read. A server that comes back without its newest writes would
 * otherwise give every revoked key its way back, and a new process would know of nothing lost.
 */
import { createHash } from "node:crypto"
import { join } from "node:path"
import { Effect, Result, Schema } from "effect"
import { appendFlushed, exists, readText, remove } from "../../src/platform/files.ts"
import { decodeKeyEvent, type KeyEvent } from "./key-event.ts"

const FILE = "api-keys.log"

/** An event, the stream sequence of its message, and the digest of both. */
interface KnownEvent {
  readonly streamSeq: number
  readonly event: KeyEvent
  readonly sum: string
}

const Line = Schema.fromJsonString(
  Schema.Struct({ seq: Schema.Int, event: Schema.String, sum: Schema.String })
)
const decodeLine = Schema.decodeUnknownResult(Line)

const sumOf = (seq: number, event: string): string =>
  createHash("sha256").update(`${seq} ${event}`).digest("hex").slice(0, 16)

/** The event of a line; null where the line is torn or damaged. */
const eventIn = (line: string): KnownEvent | null => {
  const read = Result.getOrNull(decodeLine(line))
  if (read === null || read.sum !== sumOf(read.seq, read.event)) return null
  const event = decodeKeyEvent(Buffer.from(read.event))
  return event === null ? null : { streamSeq: read.seq, event, sum: read.sum }
}

export interface KeyCopy {
  /** the events of earlier runs, in their order */
  readonly known: ReadonlyArray<KnownEvent>
  /** whether the first message of a stream is none that was read before */
  readonly isOfOther: (first: Uint8Array) => boolean
  /** Keeps a message that was read; one that cannot be kept is told, and holds until the end. */
  readonly keep: (streamSeq: number, data: Uint8Array) => Effect.Effect<void>
  /** Forgets all of it. */
  readonly clear: Effect.Effect<void>
}

/** Opens the copy of a data folder, an empty one where there is none. */
export const openKeyCopy = (folder: string): Effect.Effect<KeyCopy> =>
  Effect.gen(function* () {
    const path = join(folder, FILE)
    const told = (words: string) => (error: { readonly message: string }) =>
      Effect.logWarning(`API keys: ${words} (${error.message})`)
    const text = (yield* exists(path))
      ? yield* readText(path).pipe(
          Effect.catch(error =>
            Effect.as(told("what was read of them before cannot be read")(error), "")
          )
        )
      : ""
    const lines = text.split("\n").filter(line => line !== "")
    const known = lines.map(eventIn).filter(event => event !== null)
    const damaged = lines.length - known.length
    if (damaged > 0) {
      yield* Effect.logWarning(`${path}: ${damaged} damaged lines are passed over`)
    }
    const sums = new Set(known.map(({ sum }) => sum))
    // what a torn line was cut off from begins a line of its own
    let before = text === "" || text.endsWith("\n") ? "" : "\n"
    return {
      known,
      isOfOther: first =>
        known.some(({ streamSeq }) => streamSeq === 1) &&
        !sums.has(sumOf(1, Buffer.from(first).toString())),
      keep: (seq, data) => {
        const event = Buffer.from(data).toString()
        const sum = sumOf(seq, event)
        if (sums.has(sum) || decodeKeyEvent(data) === null) return Effect.void
        return appendFlushed(path, `${before}${JSON.stringify({ seq, event, sum })}\n`).pipe(
          Effect.andThen(
            Effect.sync(() => {
              sums.add(sum)
              before = ""
            })
          ),
          Effect.catch(told(`event ${seq} holds until this engine ends, and cannot be kept`))
        )
      },
      clear: remove(path).pipe(
        Effect.andThen(Effect.sync(() => sums.clear())),
        Effect.catch(told(`${path} cannot be removed`))
      )
    }
  })
