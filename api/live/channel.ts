/**
 * What a channel of the live streams is. One declaration serves the socket, server-sent events and
 * the description: what a client may name, what frames are keyed by, which frames there are, how a
 * reader begins, and what becomes of one that is too slow.
 */
import { Data, type Effect, Result, type Schema } from "effect"
import type { Lane, LaneUnavailable } from "../../engine/lane/lanes.ts"
import { tokenMeant } from "../../src/domain/chain.ts"
import { idsOf } from "../../src/domain/ids.ts"
import type { ShownChain } from "../../src/domain/shown-chain.ts"
import type { Missed } from "./newest-frames.ts"
import type { LiveError } from "./refusals.ts"
import type { Word, Words } from "./words.ts"

/** What a frame of the server says about its topic, in this order. */
export interface TopicFields {
  readonly channel: string
  readonly chain: ShownChain
  readonly [word: string]: string | number | null
}

/** A part of a channel: what frames of it are keyed by, and what they name beside the chain. */
export interface Part {
  readonly key: string
  readonly named: { readonly [word: string]: string | number | null }
}

/** Why a message is not followed. */
export class LiveRefusal extends Data.TaggedError("LiveRefusal")<LiveError> {}

export const refused = (error: LiveError["error"], message: string) =>
  Result.fail(new LiveRefusal({ error, message }))

/**
 * Makes frames of the newest of each key, for readers that want the present rather than all that
 * was. `at`: Unix seconds.
 */
export type NewestFramesOf = (
  missed: Missed,
  topic: TopicFields,
  at: number
) => ReadonlyArray<string>

/** What there is of a topic: parts by name, each as JSON text, that change for themselves. */
export interface Present {
  readonly parts: ReadonlyMap<string, string>
  readonly seq: number
  /** Unix seconds */
  readonly at: number
}

/** How the present of a channel is asked for, again and again. */
export interface PresentOf {
  /** milliseconds between two readings at least */
  readonly everyMs: number
  /** whether it needs the lane's tables */
  readonly ofTables: boolean
  /** where the lane stands: another text where the present may be another; "" for always */
  readonly stands: (lane: Lane) => string
  readonly read: (lane: Lane, key: string, nowMs: number) => Effect.Effect<Present, LaneUnavailable>
  /** makes the frame of the parts that changed, or of all */
  readonly frameOf: (
    parts: ReadonlyMap<string, string>,
    topic: TopicFields,
    at: { readonly seq: number; readonly at: number; readonly all: boolean }
  ) => string
}

export interface Channel {
  readonly name: string
  readonly summary: string
  /** the words it takes; any other is refused */
  readonly takes: ReadonlyArray<Word>
  readonly partOf: (lane: Lane, words: Words) => Result.Result<Part, LiveRefusal>
  /** its frames by name, beside `undo` and those that answer messages */
  readonly frames: { readonly [name: string]: Schema.Top }
  /**
   * Null where every frame counts: a reader begins with what comes after its position, and one that
   * is too slow is closed. Else it begins with the present, and a slow one skips to the newest.
   */
  readonly newest: NewestFramesOf | null
  /** where the lane makes no frames of it: how its present is asked for */
  readonly present?: PresentOf
}

/** The token that a word means; the zero address stands for the chain's native unit. */
export const tokenOf = (lane: Lane, text: string): Result.Result<string, LiveRefusal> => {
  const { accountText, parseAccount } = idsOf(lane.config)
  const account = parseAccount(text)
  if (account === null) return refused("BAD_ADDRESS", `token must be ${accountText}`)
  return Result.succeed(tokenMeant(lane.config, account))
}

/** The pool that a word means, by its address or its id. */
export const poolOf = (lane: Lane, text: string): Result.Result<string, LiveRefusal> => {
  const { poolText, parsePool } = idsOf(lane.config)
  const pool = parsePool(text)
  if (pool !== null) return Result.succeed(pool)
  return refused("BAD_ADDRESS", `pool must be ${poolText}`)
}

/** The wallet that a word means. */
export const walletOf = (lane: Lane, text: string): Result.Result<string, LiveRefusal> => {
  const { accountText, parseAccount } = idsOf(lane.config)
  const account = parseAccount(text)
  if (account !== null) return Result.succeed(account)
  return refused("BAD_ADDRESS", `wallet must be ${accountText}`)
}
