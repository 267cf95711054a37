/**
 * The source that reads a chain over JSON-RPC: final history by ranges, then block by block with
 * proofs and reorgs, for ever. What an RPC does wrong is retried and shown, never fatal; only a
 * configuration that cannot be right stops it.
 */

import { Cause, Clock, Effect, Queue, Stream } from "effect"
import { steadyMillisUnsafe } from "../../../src/platform/elapsed.ts"
import { plainWords } from "../../../src/platform/plain-words.ts"
import { isRpcUrl, type RpcEndpoint } from "../../../src/platform/rpc.ts"
import { urlLabel } from "../../../src/platform/rpc-error.ts"
import type { EventBatch } from "../../batch/batch.ts"
import { EndpointHealth } from "../../endpoints/endpoint-health.ts"
import { endpointStatuses } from "../../endpoints/endpoint-pool.ts"
import { PinnedTokens } from "../../evm/pinned-tokens.ts"
import {
  type HashesFit,
  type LogTail,
  type Pinning,
  type Source,
  SourceError
} from "../../source.ts"
import { StatusBoard } from "../../status-board.ts"
import { backfill } from "./backfill.ts"
import { balancesAt } from "./balances.ts"
import { watchBranches } from "./branches.ts"
import { creationOf } from "./creation.ts"
import { follow, nextOf } from "./follow.ts"
import { watchHeads } from "./heads.ts"
import { type LaneSettings, openLane, type Reading, readAll, readTransfers } from "./open-lane.ts"
import { prove as proveBlocks, readPast } from "./past.ts"
import { readStates, WantedStates } from "./read-states.ts"
import { isSame } from "./recent-blocks.ts"
import { requireBlock } from "./require-block.ts"
import { fetchHead, fetchHeader, type LaneError, type RpcLane } from "./rpc-lane.ts"
import { ChainSeals } from "./sealed-endpoint.ts"
import { blockUpTo, unwind } from "./unwind.ts"
import type { Header } from "./wire.ts"

export interface EvmRpcOptions extends LaneSettings {
  /** first block of a new log: a number, or `latest`; null for `latest`, on a devchain 0 */
  readonly start: string | null
  /** a local chain: polled often, shown as what it is */
  readonly devchain?: boolean
  /** the history before a new log is read beside: it begins with blocks that are not final yet */
  readonly pastBeside?: boolean
  /** each block of history proven by its receipts instead of read by ranges */
  readonly proveHistory?: boolean
  /** tokens, in lower case, that are not pinned, whoever asks; none where absent */
  readonly unpins?: ReadonlyArray<string>
  /** what the log's blocks have shown of how the chain hashes; nothing where absent */
  readonly fits?: HashesFit
  readonly pollMs?: number
}

const FASTEST_POLL_MS = 250
const DEVCHAIN_POLL_MS = 50
const SLOWEST_POLL_MS = 3000

/** History closer to the head than this is not worth a backfill of its own. */
const BACKFILL_SLACK = 32

const fatal = (message: string): SourceError => new SourceError({ message, fatal: true })

/** The first block of a new log; null for the head. */
const startBlock = ({ chain, start, devchain }: EvmRpcOptions): number | null | SourceError => {
  const text = start ?? (devchain === true ? "0" : "latest")
  if (text === "latest") return null
  const number = Number(text)
  return /^\d+$/.test(text) && Number.isSafeInteger(number)
    ? number
    : fatal(`START_${chain.id} is neither a block number nor "latest": ${text}`)
}

const badUrls = ({ chain, endpoints }: EvmRpcOptions): SourceError | null => {
  if (endpoints.length === 0) return fatal(`RPC_${chain.id} names no endpoint`)
  const bad = endpoints.findIndex(url => !isRpcUrl(url))
  return bad < 0 ? null : fatal(`RPC_${chain.id}: part ${bad + 1} is no http or ws URL`)
}

const pollMs = ({ chain, devchain, pollMs }: EvmRpcOptions): number =>
  pollMs ??
  (devchain === true
    ? DEVCHAIN_POLL_MS
    : Math.min(SLOWEST_POLL_MS, Math.max(FASTEST_POLL_MS, chain.blockTimeMs / 3)))

/** After which a pushed head is overdue; the devchain has one a second. */
const overdueMs = ({ chain, devchain }: EvmRpcOptions): number =>
  devchain === true ? 1100 : Math.max(1500, 1.25 * chain.blockTimeMs)

/** Rolls back what the chain replaced while nobody looked. */
const reconcile = (lane: RpcLane, head: Header): Effect.Effect<void, LaneError> =>
  Effect.gen(function* () {
    const last = lane.recent.last
    if (last === null || last.hash === null) return
    const same = yield* fetchHeader(lane.endpoints, last.number)
    if (isSame(last, same)) return
    // A node that is behind the log does not have its last blocks; those it has decide.
    const highest = yield* blockUpTo(lane, head.number)
    const there = highest === null ? null : yield* fetchHeader(lane.endpoints, highest.number)
    const agrees = highest === null || isSame(highest, there)
    if (same === null && head.number < last.number && agrees) return
    yield* unwind(lane, same === null ? (highest ?? last) : last)
  })

/** Looks at the head while history is read, and polls between two of them. */
const SHORTER_LOOKS = 3
const POLLS_PER_LOOK = 4

/**
 * Ends when the chain was found, several times in a row, to have no block of this number: who told
 * of one was wrong, or the chain was replaced by a shorter one.
 */
const isShorter = (lane: RpcLane, number: number, waitMs: number): Effect.Effect<void, LaneError> =>
  Effect.gen(function* () {
    for (let looks = 0; looks < SHORTER_LOOKS; ) {
      yield* Effect.sleep(POLLS_PER_LOOK * waitMs)
      const head = yield* fetchHead(lane.endpoints)
      looks = head.number < number ? looks + 1 : 0
    }
  })

/** Reads final history up to `head` by ranges, and what became final meanwhile. */
const readHistory = (
  lane: RpcLane,
  head: Header,
  start: number,
  waitMs: number,
  prove: boolean
): Effect.Effect<void, LaneError> =>
  Effect.gen(function* () {
    let newest = head
    for (;;) {
      lane.status.sawHead(newest.number, yield* Clock.currentTimeMillis)
      const next = nextOf(lane, start)
      const final = newest.number - lane.chain.finalityDepth
      if (final - next < BACKFILL_SLACK) return
      lane.status.enter("backfill")
      const isOver = isShorter(lane, final, waitMs)
      yield* prove
        ? proveBlocks(lane, next, final, false, isOver)
        : backfill(lane, next, final, false, isOver)
      newest = yield* fetchHead(lane.endpoints)
    }
  })

interface Running {
  readonly options: EvmRpcOptions
  readonly healths: ReadonlyArray<EndpointHealth>
  /** health of the endpoints as the lanes beside the head meet them */
  readonly healthsBeside: ReadonlyArray<EndpointHealth>
  readonly seals: ChainSeals
  readonly start: number | null
  readonly status: StatusBoard
  readonly asked: PinnedTokens
  /** pinned tokens whose supply changed */
  readonly noted: Set<string>
  /** tokens that are not pinned, whoever asks */
  readonly refused: ReadonlySet<string>
  readonly wanted: WantedStates
}

const FIRST_HEADERS_MS = 3000

/**
 * Has each endpoint tell a header before any is read by. The first that gives its hash shows that
 * the chain's do, so one that tells headers which do not is refused from the first block on.
 */
const learnHashes = (all: ReadonlyArray<RpcEndpoint>, seals: ChainSeals): Effect.Effect<void> =>
  seals.fit || all.length < 2
    ? Effect.void
    : Effect.forEach(
        all,
        endpoint =>
          Effect.ignore(
            endpoint.request({ method: "eth_getBlockByNumber", params: ["latest", false] })
          ),
        { concurrency: "unbounded", discard: true }
      ).pipe(Effect.timeoutOption(FIRST_HEADERS_MS), Effect.asVoid)

const run = (
  { options, healths, seals, start, status, asked, noted, refused, wanted }: Running,
  tail: LogTail,
  out: Queue.Enqueue<EventBatch>
) =>
  Effect.gen(function* () {
    const told = tail.pinned ?? []
    const kept = { ...tail, pinned: told.filter(({ address }) => !refused.has(address)) }
    const pinned = kept.pinned.map(({ address }) => address)
    for (const token of pinned) {
      asked.add(token)
      // whether the last change was read before a kill is not known
      noted.add(token)
    }
    const reading = readAll(options.chain, pinned, asked, noted)
    const { lane, all } = yield* openLane(options, healths, seals, kept, status, out, reading)
    for (const { address } of told) if (refused.has(address)) lane.writer.unpin(address)
    const wait = pollMs(options)
    yield* learnHashes(all, seals)
    let head = yield* fetchHead(lane.endpoints)
    const unsettled = options.pastBeside === true ? lane.chain.finalityDepth : 0
    const first = start ?? Math.max(0, head.number - unsettled)
    const slowPollMs = Math.max(SLOWEST_POLL_MS, 4 * lane.chain.blockTimeMs)
    const often = { pollMs: wait, slowPollMs, overdueMs: overdueMs(options) }
    const heads = yield* watchHeads(lane.endpoints, all, often, status)
    yield* Effect.forkScoped(watchBranches(lane, wait))
    yield* Effect.forkScoped(readStates(lane, wanted))
    for (;;) {
      yield* reconcile(lane, head)
      yield* readHistory(lane, head, first, wait, options.proveHistory === true)
      yield* follow(lane, heads, first, wait)
      head = yield* fetchHead(lane.endpoints)
    }
  })

/** What ends the source is told as it is; what nobody foresaw is not worth another try. */
const asSourceError = (error: LaneError): SourceError =>
  error._tag === "SourceError"
    ? error
    : new SourceError({ message: error.message, fatal: error.kind === "unsupported" })

/** A lane beside the live one, with the same endpoints; what it meets is not shown. */
const besides = (
  { options, healthsBeside, seals, status }: Running,
  tail: LogTail,
  queue: Queue.Enqueue<EventBatch>,
  reading: Reading
) => {
  const board = new StatusBoard(status.read().kind, "")
  const opened = openLane(options, healthsBeside, seals, tail, board, queue, reading)
  return Effect.map(opened, ({ lane }) => lane)
}

const pastOf =
  (running: Running): NonNullable<Source["past"]> =>
  (range, tail, reading, only) =>
    Stream.callback<EventBatch, SourceError>(
      queue => {
        const wanted =
          only === undefined
            ? readAll(running.options.chain, running.asked.all, null, running.noted)
            : readTransfers(running.options.chain, only, tail.blocks.length === 0)
        // whoever waits for them is told that they cannot be had
        const ends = new Set([range.fromBlock, range.toBlock])
        return besides(running, tail, queue, wanted).pipe(
          Effect.tap(lane => Effect.forEach(ends, end => requireBlock(lane, end))),
          Effect.flatMap(lane => readPast(lane, range, reading)),
          Effect.mapError(asSourceError),
          Effect.andThen(Queue.end(queue))
        )
      },
      { bufferSize: 2, strategy: "suspend" }
    )

/** Asks the nodes something, beside all that is read. */
const asking = <A>(
  running: Running,
  ask: (endpoints: RpcLane["endpoints"]) => Effect.Effect<A, LaneError>
): Effect.Effect<A, SourceError> =>
  Effect.gen(function* () {
    const queue = yield* Queue.unbounded<EventBatch>()
    const tail = { blocks: [], knownPools: [], knownTokens: [] }
    const { endpoints } = yield* besides(
      running,
      tail,
      queue,
      readTransfers(running.options.chain, [], false)
    )
    return yield* ask(endpoints)
  }).pipe(Effect.mapError(asSourceError), Effect.scoped)

const pinningOf = (running: Running): Pinning => ({
  ask: tokens => {
    for (const token of tokens) if (!running.refused.has(token)) running.asked.add(token)
  },
  asked: () => running.asked.all,
  refused: running.refused,
  creation: (token, atMost) => asking(running, endpoints => creationOf(endpoints, token, atMost)),
  hashOf: block =>
    asking(running, endpoints =>
      Effect.map(fetchHeader(endpoints, block), header => header?.hash ?? null)
    ),
  balances: (token, holders, block) =>
    asking(running, endpoints => balancesAt(endpoints, token, holders, block))
})

/** A source over the RPC endpoints of one chain. */
export const evmRpcSource = (options: EvmRpcOptions): Effect.Effect<Source, SourceError> =>
  Effect.gen(function* () {
    const start = startBlock(options)
    const problem = start instanceof SourceError ? start : badUrls(options)
    if (problem !== null) return yield* problem
    const kind = options.devchain === true ? "devchain" : "evm-rpc"
    const labels = options.endpoints.map(urlLabel)
    const status = new StatusBoard(kind, [...new Set(labels)].join(", "))
    const healths = labels.map(label => new EndpointHealth(label))
    const asked = new PinnedTokens()
    const noted = new Set<string>()
    const wanted = new WantedStates()
    const first = start as number | null
    const refused = new Set(options.unpins)
    const running: Running = {
      ...{ options, healths, healthsBeside: healths.map(one => one.beside()) },
      ...{ seals: new ChainSeals(options.fits), start: first },
      ...{ status, asked, noted, refused, wanted }
    }
    const clock = yield* Clock.Clock
    status.watchEndpoints(() =>
      endpointStatuses(healths, options.chain.blockTimeMs, steadyMillisUnsafe(clock))
    )
    const batches = (tail: LogTail) =>
      Stream.callback<EventBatch, SourceError>(
        queue =>
          run(running, tail, queue).pipe(
            Effect.mapError(asSourceError),
            Effect.tapCause(cause =>
              Effect.sync(() => {
                if (!Cause.hasInterruptsOnly(cause)) status.stopped(plainWords(cause))
              })
            )
          ),
        { bufferSize: 2, strategy: "suspend" }
      )
    return {
      ...{ batches, status: status.read, past: pastOf(running), pinning: pinningOf(running) },
      readStates: states => wanted.ask(states)
    }
  })
