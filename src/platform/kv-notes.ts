/**
 * Notes that processes leave each other in a JetStream key-value bucket, in the server's memory and
 * for two minutes: for what is of use only while it is fresh. Nobody waits for a note, and one that
 * cannot be left is lost.
 */
import { StorageType } from "@nats-io/jetstream"
import { type KV, Kvm, KvWatchInclude } from "@nats-io/kv"
import { Context, Effect, Layer, type Scope } from "effect"
import { Nats } from "./nats.ts"

const KEPT_MS = 120_000
/** Milliseconds after which a bucket that could not be opened or watched is tried again. */
const PAUSE_MS = 1_000

/** Leaves a note under a key that nobody used before. */
export type PutNote = (key: string, note: Uint8Array) => void

/**
 * Reads notes until the connection was lost and is back: the bucket may be another one then. Only
 * `isFirst` reads those that are there already, which else would count twice.
 */
const follow = async (
  nats: Nats["Service"],
  bucket: string,
  isFirst: boolean,
  opened: (kv: KV) => void,
  onNote: (note: Uint8Array) => void
): Promise<void> => {
  const options = { ttl: KEPT_MS, storage: StorageType.Memory, history: 1 }
  const kv = await new Kvm(nats.connection).create(bucket, options)
  const include = isFirst ? KvWatchInclude.LastValue : KvWatchInclude.UpdatesOnly
  const notes = await kv.watch({ include })
  const stopListening = nats.onChange(isUp => {
    if (isUp) notes.stop()
  })
  opened(kv)
  try {
    for await (const { value } of notes) onNote(value)
  } finally {
    stopListening()
  }
}

/**
 * Opens a bucket of a server and follows it until the scope ends: `onNote` is called with the notes
 * of the last two minutes and with each that comes, own ones too. While the server is away notes
 * are lost.
 */
export const openNotes = (
  url: string,
  bucket: string,
  onNote: (note: Uint8Array) => void
): Effect.Effect<PutNote, never, Scope.Scope> =>
  Effect.gen(function* () {
    // It waits for the server for ever, so it does not fail.
    const built = yield* Effect.orDie(Layer.build(Nats.layer({ url })))
    const nats = Context.get(built, Nats)
    let kv: KV | null = null
    const once = Effect.tryPromise(() =>
      follow(
        nats,
        bucket,
        kv === null,
        opened => {
          kv = opened
        },
        onNote
      )
    ).pipe(Effect.catch(({ cause }) => Effect.logDebug(`bucket ${bucket}: ${cause}`)))
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(once, Effect.sleep(PAUSE_MS))))
    return (key, note) => {
      if (kv !== null && nats.isUp()) kv.put(key, note).catch(() => undefined)
    }
  })
