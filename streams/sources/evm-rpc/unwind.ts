/** Reorgs: how far the chain and the log agree, and the rollback to there. */
import { Effect, Result } from "effect"
import { SourceError } from "../../source.ts"
import { readHeaderOrNone } from "./block-logs.ts"
import { hexNumber } from "./block-number.ts"
import type { View } from "./endpoints.ts"
import type { SealedBlock } from "./recent-blocks.ts"
import { fetchHeader, headOf, type LaneError, type RpcLane } from "./rpc-lane.ts"
import type { Header } from "./wire.ts"

/** Blocks compared with one request. */
const LOOK_BACK = 16

const headersOf = (
  lane: RpcLane,
  blocks: ReadonlyArray<SealedBlock>
): Effect.Effect<ReadonlyArray<Header | null>, LaneError> => {
  const calls = blocks.map(({ number }) => ({
    method: "eth_getBlockByNumber",
    params: [hexNumber(number), false]
  }))
  return Effect.map(lane.endpoints.batch(calls, readHeaderOrNone), results =>
    results.map(result =>
      Result.isSuccess(result) && result.success !== "none" ? result.success : null
    )
  )
}

/** The newest block of the log that the chain still has; null where it has none of the recent. */
const commonAncestor = (lane: RpcLane): Effect.Effect<Header | null, LaneError> =>
  Effect.gen(function* () {
    const blocks = lane.recent.newestFirst
    for (let at = 0; at < blocks.length; at += LOOK_BACK) {
      const asked = blocks.slice(at, at + LOOK_BACK)
      const headers = yield* headersOf(lane, asked)
      const found = headers.find((header, i) => {
        const ours = asked[i]?.hash ?? null
        return header !== null && (ours === null || ours === header.hash)
      })
      if (found !== undefined) return found
    }
    return null
  })

const tooDeep = (lane: RpcLane, last: SealedBlock): SourceError =>
  new SourceError({
    message: `the chain no longer has block ${last.number} (${last.hash}) of the log, nor any of the ${lane.chain.finalityDepth} blocks before it: a reorg deeper than finality, or a log of another chain; start with a new data folder to follow this chain`,
    fatal: true
  })

/** Before the oldest known block: still within finality, where the log is that short. */
const beforeFirst = (lane: RpcLane, last: SealedBlock): Effect.Effect<Header | null, LaneError> => {
  const first = lane.recent.first
  const number = (first?.number ?? 0) - 1
  const depth = last.number - number
  return number < 0 || depth > lane.chain.finalityDepth
    ? Effect.succeed(null)
    : fetchHeader(lane.endpoints, number)
}

const furthest = (views: ReadonlyArray<View>): View | null =>
  views.reduce<View | null>(
    (best, view) => (best === null || view.head > best.head ? view : best),
    null
  )

/**
 * Whether endpoints that disagree about a block of the log have left it for good: the branch that
 * is further ahead counts, and the log's own where both are as far. An endpoint that lags has no
 * say. The one that decides is used from then on, so that the next block is of its branch.
 */
const hasLeft = (lane: RpcLane, block: SealedBlock): Effect.Effect<boolean, LaneError> =>
  Effect.gen(function* () {
    if (lane.endpoints.count < 2 || block.hash === null) return true
    const views = yield* lane.endpoints.views(block.number)
    const ours = furthest(views.filter(({ hash }) => hash === block.hash))
    const theirs = furthest(views.filter(({ hash }) => hash !== null && hash !== block.hash))
    // What the silent ones would say is not known: then only a longer branch is another one.
    const isHeard = views.length === lane.endpoints.count
    const height = lane.recent.last?.number ?? 0
    if (!isHeard && ours === null && theirs !== null && theirs.head <= height) return false
    const decisive = ours !== null && (theirs === null || ours.head >= theirs.head) ? ours : theirs
    if (decisive === null) return isHeard
    const current = views.find(({ place }) => place === lane.endpoints.current)
    if (current?.hash !== decisive.hash) lane.endpoints.use(decisive.place)
    return decisive !== ours
  })

/**
 * Rolls the log back to the newest block that the chain still has. False where it has the last one:
 * then there was no reorg, or it is over. Fails fatally beyond the finality depth.
 *
 * @param doubted the block of the log that another branch was seen of; the last one unless told
 */
export const unwind = (
  lane: RpcLane,
  doubted: SealedBlock | null = lane.recent.last
): Effect.Effect<boolean, LaneError> =>
  Effect.gen(function* () {
    const last = lane.recent.last
    if (last === null || doubted === null) return false
    if (!(yield* hasLeft(lane, doubted))) return false
    const ancestor = (yield* commonAncestor(lane)) ?? (yield* beforeFirst(lane, last))
    if (ancestor === null || last.number - ancestor.number > lane.chain.finalityDepth) {
      return yield* tooDeep(lane, last)
    }
    if (ancestor.number === last.number) return false
    const forgotten = lane.writer.rollback(headOf(ancestor), last.number, "reorg")
    lane.facts.forget(forgotten)
    lane.facts.reads.undone(ancestor.time)
    lane.silent.clear()
    lane.recent.cutAfter(ancestor.number)
    if (lane.recent.last?.number !== ancestor.number) {
      lane.recent.push({ number: ancestor.number, hash: ancestor.hash })
    }
    lane.status.reorged()
    return true
  })
