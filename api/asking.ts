/** How the process asks itself what a client could ask: by URL, without a connection. */
import { Context, type Effect } from "effect"
import type { Headers } from "effect/http"
import type { ApiKey } from "../engine/keys/key-book.ts"

/** Whose request an answer is for; the headers are those that tell of proxies. */
export interface Caller {
  readonly headers: Headers.Headers
  readonly remoteAddress: string
  /** the key that it came with; null where it came without one */
  readonly key: ApiKey | null
}

/** An answer as it would go over the wire. */
export interface GivenAnswer {
  /** code and reason */
  readonly status: string
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly etag: string | null
  readonly body: Uint8Array
}

export class Asking extends Context.Service<
  Asking,
  {
    /** Returns the answer to a GET of a path with its query: kept or made, as for a client. */
    readonly get: (url: string, caller: Caller) => Effect.Effect<GivenAnswer>
  }
>()("swaptape/api/Asking") {}
