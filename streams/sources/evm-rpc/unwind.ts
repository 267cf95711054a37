/**
 * How far the chain and the log agree, and the rollback to there: after a reorg, or where blocks of
 * the log have times that were never theirs.
 */
import { Clock, Effect, Result } from "effect"
import { SourceError } from "../../source.ts"
import { readHeaderOrNone } from "./block-logs.ts"
import { hexNumber } from "./block-number.ts"
import type { View } from "./endpoints.ts"
import { searchLog } from "./log-search.ts"
import { isSame, type SealedBlock, sealedBlockOf } from "./recent-blocks.ts"
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

/** The newest of these blocks, newest first, that the chain still has. */
const newestKept = (
  lane: RpcLane,
  blocks: ReadonlyArray<SealedBlock>
): Effect.Effect<Header | null, LaneError> =>
  Effect.gen(function* () {
    for (let at = 0; at < blocks.length; at += LOOK_BACK) {
      const asked = blocks.slice(at, at + LOOK_BACK)
      const headers = yield* headersOf(lane, asked)
      const found = headers.find((header, i) => isSame(asked[i], header))
      if (found !== undefined) return found
    }
    return null
  })

/** Finds the newest block that is still the chain's, of some whose first, the oldest, is. */
const halved = (
  lane: RpcLane,
  blocks: ReadonlyArray<SealedBlock>
): Effect.Effect<Header | null, LaneError> =>
  Effect.gen(function* () {
    let [low, high] = [0, blocks.length]
    while (high - low > LOOK_BACK) {
      const middle = (low + high) >> 1
      const block = blocks[middle] as SealedBlock
      if (isSame(block, yield* fetchHeader(lane.endpoints, block.number))) low = middle
      else high = middle
    }
    return yield* newestKept(lane, blocks.slice(low, high).toReversed())
  })

/**
 * The newest block of the log that the chain still has; null where it has none. Finality is what is
 * expected of a chain, so the search goes on behind it, in the log itself.
 */
const commonAncestor = (lane: RpcLane): Effect.Effect<Header | null, LaneError> =>
  Effect.gen(function* () {
    const recent = yield* newestKept(lane, lane.recent.newestFirst)
    const first = lane.recent.first
    if (recent !== null || first === null) return recent
    return yield* searchLog(lane, first.number - 1, blocks =>
      Effect.flatMap(fetchHeader(lane.endpoints, blocks[0].number), header =>
        isSame(blocks[0], header) ? halved(lane, blocks) : Effect.succeed(null)
      )
    )
  })

/** Before the log's first block, where all of it was read not long ago. */
const beforeFirst = (lane: RpcLane, last: SealedBlock): Effect.Effect<Header | null, LaneError> =>
  Effect.gen(function* () {
    const number = (lane.recent.first?.number ?? 0) - 1
    if (number < 0 || last.number - number > lane.chain.finalityDepth) return null
    const isWhole = lane.older === null || (yield* lane.older(number, 1)).length === 0
    return isWhole ? yield* fetchHeader(lane.endpoints, number) : null
  })

const anotherChain = ({ chain, endpoints }: RpcLane, last: SealedBlock): SourceError =>
  new SourceError({
    message:
      `no block of the log of ${chain.key}, which ends at ${last.number} (${last.hash}), is one of ` +
      `the chain at ${endpoints.labels().join(", ")}: it is another chain, or was begun anew. ` +
      `Point RPC_${chain.id} at the right one, or start with a new data folder`,
    fatal: true
  })

/** The newest block of the log at or before a number; null where it holds none. */
export const blockUpTo = (
  { recent, older }: RpcLane,
  number: number
): Effect.Effect<SealedBlock | null, SourceError> =>
  Effect.gen(function* () {
    const found = recent.newestFirst.find(block => block.number <= number)
    if (found !== undefined || older === null || recent.last === null) return found ?? null
    return (yield* older(number, 1)).at(-1) ?? null
  })

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
    const ours = furthest(views.filter(({ asked }) => isSame(block, asked)))
    const theirs = furthest(views.filter(({ asked }) => asked !== null && !isSame(block, asked)))
    // What the silent ones would say is not known: then only a longer branch is another one.
    const isHeard = views.length === lane.endpoints.count
    const height = lane.recent.last?.number ?? 0
    if (!isHeard && ours === null && theirs !== null && theirs.head <= height) return false
    const decisive = ours !== null && (theirs === null || ours.head >= theirs.head) ? ours : theirs
    if (decisive === null) return isHeard
    const current = views.find(({ place }) => place === lane.endpoints.current)
    if (current?.asked?.hash !== decisive.asked?.hash) lane.endpoints.use(decisive.place)
    return decisive !== ours
  })

/** How much of the chain's time readers are warned of a reorganisation that went too deep. */
const WARNED_MS = 3_600_000

/** Says that more was replaced than is expected of the chain, and warns of it for an hour. */
const tellDepth = ({ chain, status }: RpcLane, last: SealedBlock, ancestor: Header) => {
  const depth = last.number - ancestor.number
  if (depth <= chain.finalityDepth) return Effect.void
  const what = `the chain replaced its last ${depth} blocks, more than the ${chain.finalityDepth} after which they are expected to stay`
  status.warn(
    `${what}; what was said of blocks ${ancestor.number + 1} to ${last.number} before is void`,
    ancestor.number + Math.ceil(WARNED_MS / chain.blockTimeMs)
  )
  return Effect.logWarning(`${chain.key}: ${what}; the log goes back to block ${ancestor.number}`)
}

/**
 * Rolls the log back to the newest block that the chain still has. False where it has the last one:
 * then there was no reorg, or it is over. Fails for good where it has none.
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
    const sinceMs = yield* Clock.currentTimeMillis
    if (!(yield* hasLeft(lane, doubted))) return false
    const ancestor = (yield* commonAncestor(lane)) ?? (yield* beforeFirst(lane, last))
    if (ancestor === null) return yield* anotherChain(lane, last)
    if (ancestor.number === last.number) return false
    yield* tellDepth(lane, last, ancestor)
    const { unknown, untold } = lane.writer.rollback(headOf(ancestor), last.number, "reorg")
    lane.facts.forget(unknown)
    for (const token of untold) lane.facts.reads.changed(token)
    lane.silent.clear()
    lane.agreedBehind = null
    lane.recent.cutAfter(ancestor.number)
    if (lane.recent.last?.number !== ancestor.number) {
      lane.recent.push(sealedBlockOf(ancestor))
    }
    lane.status.reorged(last.number - ancestor.number, last.number, sinceMs)
    return true
  })
