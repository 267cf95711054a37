/**
 * The past of a subscription. The reader is added to its topic first, so frames committed from
 * then on wait for it; then the lane's history is sent page by page, and the last page meets the
 * frames that waited. History goes up to a committed position, so what waited and is not newer is
 * dropped: no hole, no repeat.
 */
import { Effect } from "effect"
import { PRESENT } from "../../engine/frames.ts"
import type { Lane, LaneUnavailable } from "../../engine/lane/lanes.ts"
import { LiveRefusal } from "./channel.ts"
import type { LiveHub } from "./hub.ts"
import type { Piece } from "./past.ts"
import type { Subscription } from "./subscription.ts"

/** Positions back from the newest that a lane is asked to read again at most. */
const MAX_POSITIONS_BACK = 1_000_000
/** Before a lane that is behind what it has told is asked again. */
const PAUSE_MS = 50
/** How long a position is waited for that another node has told, and this one is yet to read. */
const AHEAD_MS = 1000
/** A reader further behind gets no next page yet. */
const MAX_AHEAD_BYTES = 256 * 1024

/** The oldest position that a lane is asked to read on from. */
export const oldestOf = (lane: Lane): number => Math.max(0, lane.seq() - MAX_POSITIONS_BACK)

const unavailable = ({ message }: LaneUnavailable) =>
  new LiveRefusal({ error: "CHAIN_DATA_UNAVAILABLE", message })

const tooOld = (lane: Lane, from: number, oldestSeq: number) =>
  new LiveRefusal({
    error: "RESUME_TOO_OLD",
    message: `frames after ${from} are gone; the oldest position to resume from is ${oldestSeq}`,
    oldestSeq,
    log: lane.log()
  })

/** Why a position that was had before is of no use. */
export const anotherLog = (lane: Lane): LiveRefusal =>
  new LiveRefusal({
    error: "RESUME_TOO_OLD",
    message: "the log is another one now, in which positions mean other events; load afresh",
    oldestSeq: oldestOf(lane),
    log: lane.log()
  })

/** Whether the log is another one than the reader's, which it becomes where he names none. */
const isAnother = (subscription: Subscription): boolean => {
  const log = subscription.topic.lane.log()
  subscription.log ??= log
  return subscription.log !== log
}

/**
 * One page of the past. For a reader of the newest no position is too old: it misses nothing that
 * it could still use, so it starts at the present; `anew`, as the log is another one.
 */
const readPage = Effect.fnUntraced(function* (
  hub: LiveHub,
  subscription: Subscription,
  from: number
) {
  const { topic } = subscription
  const { lane } = topic
  const wantsPresent = topic.channel.newest !== null
  const oldest = oldestOf(lane)
  if (from < oldest && !wantsPresent) return yield* tooOld(lane, from, oldest)
  const read = (since: number) => Effect.mapError(hub.past(topic, since), unavailable)
  let page = yield* read(from < oldest ? PRESENT : from)
  const anew = isAnother(subscription)
  if (anew) {
    if (!wantsPresent) return yield* anotherLog(lane)
    page = yield* read(PRESENT)
    subscription.log = lane.log()
  }
  if (page.isGone && !wantsPresent) return yield* tooOld(lane, from, page.oldestSeq)
  return { ...page, anew }
})

/**
 * Whether a live lane comes to a position soon. Nodes of one log fold it each at its own pace, and
 * a client that had a position of one goes on at another.
 */
const comesTo = (lane: Lane, from: number): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    const isComing = () => lane.seq() < from && lane.status().state === "live"
    for (let left = AHEAD_MS / PAUSE_MS; left > 0 && isComing(); left--) {
      yield* Effect.sleep(PAUSE_MS)
    }
    return lane.seq() >= from
  })

/** A lane that is behind its own past answers is being filled again. */
const aheadOf = (subscription: Subscription, from: number, seq: number) => {
  const { lane } = subscription.topic
  const { state } = lane.status()
  return state === "live" || state === "history"
    ? new LiveRefusal({
        error: "INVALID_PARAMS",
        message: `from ${from} is ahead of the log, which ends at ${seq}`
      })
    : new LiveRefusal({
        error: "NOT_READY",
        message: `${lane.config.key}: the tables are being filled up to ${from} again`
      })
}

/** Sends pieces of a page as the reader takes them. */
const sendPieces = Effect.fnUntraced(function* (
  hub: LiveHub,
  subscription: Subscription,
  pieces: ReadonlyArray<Piece>
) {
  const { reader } = subscription
  for (const { bodies, upTo } of pieces) {
    yield* hub.inTurn(() => reader.sendFrames(subscription, bodies, upTo))
    yield* reader.drained(MAX_AHEAD_BYTES)
  }
})

/**
 * Sends what came after `since`, for one that stands at `from`, and makes it live; `confirm` runs
 * before the frames.
 */
const readFrom = Effect.fnUntraced(function* (
  hub: LiveHub,
  subscription: Subscription,
  from: number,
  since: number,
  confirm: (seq: number) => void
) {
  let page = yield* readPage(hub, subscription, since)
  const isAhead = !page.anew && from > page.seq
  if (isAhead && (yield* comesTo(subscription.topic.lane, from))) {
    page = yield* readPage(hub, subscription, since)
  }
  if (!page.anew && from > page.seq) return yield* aheadOf(subscription, from, page.seq)
  confirm(page.anew ? page.seq : from)
  for (;;) {
    const { pieces, newest, seq } = page
    const isLast = page.complete || newest === null
    yield* sendPieces(hub, subscription, isLast ? pieces.slice(0, -1) : pieces)
    if (isLast) {
      const last = pieces.at(-1)?.bodies ?? []
      if (yield* hub.inTurn(() => hub.goLive(subscription, last, seq))) return
      yield* subscription.reader.drained(MAX_AHEAD_BYTES)
    }
    if (newest === null) yield* Effect.sleep(PAUSE_MS)
    page = yield* readPage(hub, subscription, isLast ? seq : newest)
  }
})

/**
 * Starts a subscription: confirms it, then sends what came after `from`. Where it is null, of
 * prices the present ones, of others what comes after now.
 */
export const replay = Effect.fnUntraced(function* (
  hub: LiveHub,
  subscription: Subscription,
  from: number | null
) {
  const { reader, topic } = subscription
  const start = from ?? topic.lane.seq()
  const isPresent = from === null && topic.channel.newest !== null
  yield* readFrom(hub, subscription, start, isPresent ? PRESENT : start, seq => {
    const id = subscription.takeId()
    const { log } = subscription
    const body = JSON.stringify({ type: "subscribed", id, ...topic.fields, seq, log })
    reader.sendFrames(subscription, [{ body, seq }], isPresent ? null : seq)
  })
})

/** Reads again what a live reader missed. */
export const reread = (hub: LiveHub, subscription: Subscription) =>
  readFrom(hub, subscription, subscription.floor, subscription.floor, () => {})
