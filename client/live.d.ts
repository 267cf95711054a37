/** The live socket: one connection, many topics, each without a hole and without a repeat. */
import type { LiveFrame, Subscribe } from "./generated/routes.d.ts"

/** What can be subscribed to: a channel of a chain, and what else it needs. */
export type Topic = Omit<Subscribe, "op" | "id" | "from" | "log">
export type Channel = Topic["channel"]

/** Frames that are about a channel; those of several channels as `undo` are told of each. */
type About<Frame, Name> = Frame extends { readonly channel: infer Names }
  ? Name extends Names
    ? Frame
    : never
  : never

/** What a reader of a channel is handed: `undo` says that all after its `toSeq` is void. */
export type FrameOf<Name extends Channel> = Exclude<
  About<LiveFrame, Name>,
  { readonly type: "subscribed" | "unsubscribed" }
>

/** Why a topic is not followed. */
export interface Refused {
  /** a code of the socket, as `RESUME_TOO_OLD`, `INVALID_PARAMS`, `TOO_MANY_CHANNELS` */
  readonly code: string
  readonly message: string
  /** oldest position that can be had; null where that is not what is wrong */
  readonly oldestSeq: number | null
  /** id of the log as it is now; null where that is not what is wrong */
  readonly log: string | null
}

export interface Handlers<Name extends Channel> {
  readonly frame: (frame: FrameOf<Name>) => void
  /**
   * The server cannot go on from where the topic was: load afresh by HTTP, and subscribe from the
   * position of that answer. The topic is let go of.
   */
  readonly restart: (why: Refused) => void
  /** The topic cannot be had as it was asked for, and is let go of. */
  readonly refused?: (why: Refused) => void
}

/** Where a reader stands: an answer of the HTTP client is one. */
export interface Place {
  /** log position that was seen; null: from now on */
  readonly seq: number | null
  /** id of the log that it is of, where known */
  readonly log: string | null
}

export type ConnectionState =
  | { readonly kind: "connecting" }
  | { readonly kind: "open" }
  | { readonly kind: "waiting"; readonly delayMs: number; readonly reason: string }

/** What is used of a WebSocket. */
export interface Socket {
  readonly readyState: number
  onopen: ((event: never) => void) | null
  onmessage: ((event: { readonly data: unknown }) => void) | null
  onclose: ((event: { readonly reason: string }) => void) | null
  onerror: ((event: never) => void) | null
  send(message: string): void
  close(): void
}

export interface LiveOptions {
  /** where the engine is, as `http://127.0.0.1:8080`; a page's own server unless told */
  readonly url?: string
  readonly onState?: (state: ConnectionState) => void
  /** in place of the platform's `WebSocket`, which Node has from 22 on */
  readonly open?: (url: string) => Socket
}

/** Connects at once, and again after every loss, until it is closed. */
export declare class LiveSocket {
  constructor(options?: LiveOptions)
  /**
   * Follows a topic until the returned function is called. Another subscription of the same topic
   * takes its place.
   */
  subscribe<const Name extends Channel>(
    topic: Topic & { readonly channel: Name },
    handlers: Handlers<Name>,
    place?: Place
  ): () => void
  /** Connects at once instead of waiting; drops a socket that may be dead. */
  retryNow(): void
  /** Ends for good. */
  close(): void
}
