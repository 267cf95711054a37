/**
 * The lanes as the serving thread sees them. `api` reads through this service only; `src/bin`
 * provides it from worker threads, tests from a lane in the same process.
 */
import { Context, type Effect, Schema } from "effect"
import { type ChainConfig, isNamed } from "../../src/domain/chain.ts"
import type { FramesNotice, HistoryAnswer } from "../frames.ts"
import type { QueryAnswer, QueryRequest } from "../question.ts"
import type { LaneHealth } from "./lane-health.ts"
import type { LaneTotals } from "./lane-totals.ts"
import type { LaneStatus } from "./status.ts"

/** The lane did not answer: its worker is gone or the query took too long. */
export class LaneUnavailable extends Schema.TaggedError<LaneUnavailable>()("LaneUnavailable", {
  chain: Schema.String,
  message: Schema.String
}) {}

export interface Lane {
  readonly config: ChainConfig
  /** newest committed position this thread has heard of; an answer may be newer, never older */
  readonly seq: () => number
  /** how often that position went back: the same one may stand for other events then */
  readonly setbacks: () => number
  /** id of the log that positions are of; another one where they may stand for other events; null
   *  where none is known */
  readonly log: () => string | null
  /** what its parts have told of themselves */
  readonly status: () => LaneStatus
  /** how it is, whatever they told: what status, health, metrics and page show */
  readonly health: () => LaneHealth
  /** what it has done since the process began */
  readonly totals: () => LaneTotals
  /** single flight: equal requests under way share one answer */
  readonly query: (request: QueryRequest) => Effect.Effect<QueryAnswer, LaneUnavailable>
  /**
   * Asks that all transfers of a token be logged, from now on and back to its creation; nothing
   * happens where they are. `status().source.pins` tells how far that is. It lasts once the log
   * tells of it, a block later; to ask again until then is harmless.
   */
  readonly pin: (token: string) => Effect.Effect<void, LaneUnavailable>
  /** calls back with the frames of every commit until the returned function is called */
  readonly onFrames: (listener: (notice: FramesNotice) => void) => () => void
  /** tells the worker for which `channel key` pairs frames are wanted from now on */
  readonly wantFrames: (channel: string, key: string, wanted: boolean) => void
  /** frames of the past: events after `fromSeq` up to the committed position, oldest first; at
   *  most `limit`, `complete` false where more follow; null where `fromSeq` is too old */
  readonly history: (
    channel: string,
    key: string,
    fromSeq: number,
    limit: number
  ) => Effect.Effect<HistoryAnswer, LaneUnavailable>
}

export class Lanes extends Context.Service<
  Lanes,
  {
    /** those that whoever asks may read */
    readonly all: ReadonlyArray<Lane>
    /** the others that run here, of which no data is told: their health is */
    readonly withheld: ReadonlyArray<Lane>
    /** whether callers without a key may read a lane too */
    readonly isPublic: (lane: Lane) => boolean
    /** of `all`, by key (`base`) or id (`8453`), any letter case */
    readonly find: (chain: string) => Lane | undefined
  }
>()("swaptape/engine/lane/Lanes") {}

/**
 * The lanes that may be read, and those that may not.
 *
 * @param keyed those that nobody may read without a key
 */
export const lanesOf = (
  all: ReadonlyArray<Lane>,
  withheld: ReadonlyArray<Lane> = [],
  keyed: ReadonlyArray<Lane> = withheld
): Lanes["Service"] => ({
  all,
  withheld,
  isPublic: lane => !keyed.includes(lane),
  find: chain => laneIn(all, chain)
})

/** The lane of a key or an id among some. */
export const laneIn = (lanes: ReadonlyArray<Lane>, chain: string): Lane | undefined =>
  lanes.find(({ config }) => isNamed(config, chain))

/** Every lane that runs here, for what tells of the service itself. */
export const everyLane = ({ all, withheld }: Lanes["Service"]): ReadonlyArray<Lane> => [
  ...all,
  ...withheld
]
