/**
 * The source that reads a chain of Solana over JSON-RPC: the head for ever, and ranges of the past
 * beside it. What endpoints do wrong is retried and shown; only a configuration that cannot be
 * right stops it.
 */
import { Cause, Clock, Effect, Queue, Schedule, Stream } from "effect"
import { steadyMillisUnsafe } from "../../../src/platform/elapsed.ts"
import { plainWords } from "../../../src/platform/plain-words.ts"
import { isRpcUrl, type RpcOptions, rpcDefaults } from "../../../src/platform/rpc.ts"
import { urlLabel } from "../../../src/platform/rpc-error.ts"
import { slotsBegun, solanaEndpoint } from "../../../src/platform/solana-rpc.ts"
import { type RetryTimes, retryDefaults } from "../../endpoints/asking.ts"
import { EndpointHealth } from "../../endpoints/endpoint-health.ts"
import { endpointStatuses } from "../../endpoints/endpoint-pool.ts"
import { asideOf } from "../../endpoints/waiting.ts"
import type { TokenFact } from "../../facts.ts"
import type { SolanaBatch } from "../../solana/block.ts"
import { ProgramNames } from "../../solana/transaction/program-names.ts"
import { type LogTail, type Source, SourceError } from "../../source.ts"
import { StatusBoard } from "../../status-board.ts"
import { Audit, type AuditState } from "./audit.ts"
import { branchWatch } from "./branches.ts"
import { ChainLinks, linksOf } from "./chain-links.ts"
import { follow } from "./follow.ts"
import type { SolanaLane } from "./lane.ts"
import { type NodeError, Nodes, type Split } from "./nodes.ts"
import { Pace } from "./pace.ts"
import { readPast } from "./past.ts"
import { type KnownDecimals, readTokens } from "./read-tokens.ts"
import { Tellers } from "./tellers.ts"
import { watchedSolanaEndpoint } from "./watched-endpoint.ts"

export interface SolanaRpcOptions {
  /** http(s) URLs of nodes, and ws(s) URLs that push slots as a hint */
  readonly endpoints: ReadonlyArray<string>
  /** programs whose transactions are read; of others none but their signatures is given out */
  readonly programs: ReadonlyArray<string>
  /** the first slot where no log is continued; null for the head */
  readonly start: number | null
  /** the chain's genesis hash; null for that of whoever answers first */
  readonly genesisHash: string | null
  readonly rpc?: RpcOptions
  readonly retry?: RetryTimes
  /** milliseconds between two looks at the head; about a slot, as measured, by default */
  readonly pollMs?: number
}

export interface SolanaRpcSource extends Source<SolanaBatch, "solana-rpc"> {
  /** what came of reading old blocks again */
  readonly audit: () => AuditState
  /** what tokens say of themselves, up to 1,000 of them: see `readTokens` */
  readonly tokens: (
    mints: ReadonlyArray<string>,
    known?: KnownDecimals
  ) => Effect.Effect<ReadonlyArray<TokenFact>, SourceError>
}

/** Looks at the head between two comparisons of the endpoints, and between two audits. */
const LOOKS_PER_COMPARISON = 10
const LOOKS_PER_AUDIT = 20
/** Looks at the head between two looks at which branch endpoints are on. */
const LOOKS_PER_BRANCHES = 8

/** Slots by which the endpoint in use may be behind another. */
const LEAD = 8

/** Waits before a lost subscription is made again. */
const RESUBSCRIBE_MS = 1000

const fatal = (message: string): SourceError => new SourceError({ message, fatal: true })

const isSocket = (url: string): boolean => /^ws/i.test(url)

const badUrls = (endpoints: ReadonlyArray<string>): SourceError | null => {
  const bad = endpoints.findIndex(url => !isRpcUrl(url))
  if (bad >= 0) return fatal(`part ${bad + 1} of the endpoints is no http or ws URL`)
  return endpoints.every(isSocket) ? fatal("there is no endpoint with an http URL") : null
}

const asSourceError = (error: NodeError): SourceError =>
  error._tag === "SourceError"
    ? error
    : new SourceError({ message: error.message, fatal: error.kind === "unsupported" })

/** Every look of its own that is taken beside the head, and says nothing of how it is read. */
const beside = (lane: SolanaLane, looks: number, look: Effect.Effect<void, NodeError>) =>
  Effect.forkScoped(
    Effect.suspend(() => Effect.sleep(lane.pace.pollMs * looks)).pipe(
      Effect.andThen(asideOf(look)),
      Effect.forever,
      Effect.catchTag("RpcError", error => Effect.logWarning(error.message))
    )
  )

interface Running {
  readonly options: SolanaRpcOptions
  readonly status: StatusBoard<"solana-rpc">
  readonly healths: ReadonlyArray<EndpointHealth>
  readonly audit: Audit
  readonly tellers: Tellers
  readonly pace: Pace
  readonly split: Split
}

/** The endpoints as they fare so far. */
const openNodes = (
  { options, split, tellers }: Pick<Running, "options" | "split" | "tellers">,
  status: StatusBoard<"solana-rpc">,
  healths: ReadonlyArray<EndpointHealth>
): Nodes => {
  const urls = options.endpoints.filter(url => !isSocket(url))
  const seats = urls.map((url, at) => {
    const health = healths[at] as EndpointHealth
    const endpoint = solanaEndpoint(url, options.rpc ?? rpcDefaults)
    return { health, endpoint: watchedSolanaEndpoint(endpoint, health, status) }
  })
  const names = new ProgramNames(options.programs)
  const { genesisHash, retry = retryDefaults } = options
  return new Nodes(seats, status, names, genesisHash, retry, { split, tellers })
}

/** A lane that continues a log. */
const openLane = (
  running: Running,
  status: StatusBoard<"solana-rpc">,
  healths: ReadonlyArray<EndpointHealth>,
  tail: LogTail,
  out: Queue.Enqueue<SolanaBatch>
): SolanaLane => {
  const { audit, pace } = running
  const nodes = openNodes(running, status, healths)
  const links = new ChainLinks(linksOf(tail.blocks))
  const { last } = links
  if (last !== null) nodes.saw({ slot: last.slot, timeSeconds: last.time })
  return {
    ...{ nodes, links, untimed: { slot: -1 }, older: tail.older },
    isHead: status === running.status,
    ...{ status, pace, audit, out, isWhole: tail.blocks.length === 0 }
  }
}

/** Tokens are read beside the blocks, which no node's refusal to tell of accounts holds up. */
const tokensOf = (running: Running) => {
  const board = new StatusBoard<"solana-rpc">("solana-rpc", "")
  const nodes = openNodes(
    running,
    board,
    running.healths.map(one => one.beside())
  )
  return (mints: ReadonlyArray<string>, known: KnownDecimals = new Map()) =>
    Effect.catchTag(
      readTokens(nodes, mints, known),
      "RpcError",
      ({ message }) => new SourceError({ message, fatal: false })
    )
}

const run = (running: Running, tail: LogTail, out: Queue.Enqueue<SolanaBatch>) =>
  Effect.gen(function* () {
    const { options, status, healths, audit, tellers } = running
    // what was said with blocks that the log does not have is to be said again
    tellers.cutAfter(tail.blocks.at(-1)?.number ?? -1)
    const lane = openLane(running, status, healths, tail, out)
    const news = yield* Queue.sliding<void>(1)
    for (const url of options.endpoints.filter(isSocket)) {
      const socket = status.pushes(urlLabel(url))
      const heard = Stream.runForEach(slotsBegun(url), slot =>
        Effect.suspend(() => {
          socket.pushed(slot)
          return Queue.offer(news, undefined)
        })
      )
      yield* Effect.forkScoped(Effect.repeat(Effect.ignore(heard), Schedule.spaced(RESUBSCRIBE_MS)))
    }
    if (lane.nodes.count > 1) {
      yield* beside(lane, LOOKS_PER_COMPARISON, lane.nodes.compare(LEAD))
      yield* beside(lane, LOOKS_PER_BRANCHES, branchWatch(lane))
    }
    const read = Effect.suspend(() => audit.one(lane.nodes, lane.links.finalSlot, status))
    yield* beside(lane, LOOKS_PER_AUDIT, read)
    return yield* follow(lane, options.start, news)
  })

/** What ends the source for good is shown. */
const showingEnd = <A, R>(
  status: StatusBoard<"solana-rpc">,
  work: Effect.Effect<A, SourceError, R>
): Effect.Effect<A, SourceError, R> =>
  Effect.tapCause(work, cause =>
    Effect.sync(() => {
      if (!Cause.hasInterruptsOnly(cause)) status.stopped(plainWords(cause))
    })
  )

const BUFFER = { bufferSize: 2, strategy: "suspend" } as const

/** A source over the endpoints of one chain. */
export const solanaRpcSource = (
  options: SolanaRpcOptions
): Effect.Effect<SolanaRpcSource, SourceError> =>
  Effect.gen(function* () {
    const problem = badUrls(options.endpoints)
    if (problem !== null) return yield* problem
    const labels = options.endpoints.filter(url => !isSocket(url)).map(urlLabel)
    const status = new StatusBoard("solana-rpc", [...new Set(labels)].join(", "))
    const healths = labels.map(label => new EndpointHealth(label))
    const healthsBeside = healths.map(one => one.beside())
    const [audit, pace] = [new Audit(), new Pace(options.pollMs)]
    const split: Split = { isSplit: false }
    const tellers = new Tellers()
    const running: Running = { options, status, healths, audit, tellers, pace, split }
    const clock = yield* Clock.Clock
    status.watchEndpoints(() => endpointStatuses(healths, pace.pollMs, steadyMillisUnsafe(clock)))
    return {
      batches: tail =>
        Stream.callback<SolanaBatch, SourceError>(
          queue => showingEnd(status, Effect.mapError(run(running, tail, queue), asSourceError)),
          BUFFER
        ),
      past: (range, tail, reading) =>
        Stream.callback<SolanaBatch, SourceError>(
          queue =>
            Effect.suspend(() => {
              const board = new StatusBoard<"solana-rpc">("solana-rpc", "")
              return readPast(openLane(running, board, healthsBeside, tail, queue), range, reading)
            }).pipe(Effect.mapError(asSourceError), Effect.andThen(Queue.end(queue))),
          BUFFER
        ),
      tokens: tokensOf(running),
      ...{ status: status.read, audit: audit.read, readStates: null, pinning: null }
    }
  })
