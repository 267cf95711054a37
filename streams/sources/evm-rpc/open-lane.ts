/** Puts a lane together: its endpoints, its writer, and what it knows at the start. */

import { Effect, type Queue } from "effect"
import { type ChainConfig, wrappedNativeOf } from "../../../src/domain/chain.ts"
import { openRpc, type RpcOptions, rpcDefaults } from "../../../src/platform/rpc.ts"
import type { EventBatch } from "../../batch/batch.ts"
import { type RetryTimes, retryDefaults } from "../../endpoints/asking.ts"
import { EndpointHealth } from "../../endpoints/endpoint-health.ts"
import { chainDecoder, positionManagersOf, transferDecoder } from "../../evm/chain-decoder.ts"
import { watchedTopics } from "../../evm/decoder.ts"
import type { LogDecoder } from "../../evm/log-decoder.ts"
import { LogTapeWriter } from "../../evm/log-tape-writer.ts"
import { PinnedTokens } from "../../evm/pinned-tokens.ts"
import { FactBook } from "../../facts.ts"
import { continuing } from "../../known-set.ts"
import type { LogTail } from "../../source.ts"
import type { StatusBoard } from "../../status-board.ts"
import { BlockLogs } from "./block-logs.ts"
import { BlockProver } from "./block-proof.ts"
import { Endpoints } from "./endpoints.ts"
import { RecentBlocks } from "./recent-blocks.ts"
import type { RpcLane, Supplies } from "./rpc-lane.ts"
import { type ChainSeals, sealedEndpoint } from "./sealed-endpoint.ts"
import { Watch } from "./watch.ts"
import { watchedEndpoint } from "./watched-endpoint.ts"

/** About as many as trade in a year on the busiest chain: what is forgotten is asked for again. */
const MOST_FACTS = 100_000

/** Blocks in memory at least, so that few forks have to be looked for in the log. */
const LEAST_TAIL = 256

/** How many of the log's last blocks a source of the chain begins with. */
export const tailBlocksOf = ({ finalityDepth }: ChainConfig): number =>
  Math.max(LEAST_TAIL, finalityDepth)

export interface LaneSettings {
  readonly chain: ChainConfig
  /** http, https, ws or wss URLs */
  readonly endpoints: ReadonlyArray<string>
  readonly rpc?: RpcOptions
  readonly retry?: RetryTimes
  /** see `RpcLane` */
  readonly mostFacts?: number
}

/** What a lane reads, and the tokens it may begin to read. */
export interface Reading {
  readonly watch: Watch
  readonly decoder: LogDecoder
  readonly pins: PinnedTokens
  readonly asked: PinnedTokens
  readonly supplies: Supplies
  readonly provesWords: boolean
}

/** Everything; tokens that are asked for later are pinned as they come. */
export const readAll = (
  chain: ChainConfig,
  pinned: ReadonlyArray<string>,
  asked: PinnedTokens | null,
  noted: Set<string>
): Reading => {
  const pins = new PinnedTokens(pinned)
  return {
    watch: new Watch(watchedTopics, positionManagersOf(chain), pinned, wrappedNativeOf(chain)),
    decoder: chainDecoder(chain, pins),
    pins,
    asked: asked ?? pins,
    supplies: { noted, isLive: asked !== null },
    provesWords: false
  }
}

/** Transfers of these tokens and nothing else; told to be pinned where that is `news`. */
export const readTransfers = (
  chain: ChainConfig,
  tokens: ReadonlyArray<string>,
  news: boolean
): Reading => {
  const pins = new PinnedTokens(news ? [] : tokens)
  return {
    watch: new Watch([], [], tokens, wrappedNativeOf(chain)),
    decoder: transferDecoder(chain, pins),
    pins,
    asked: new PinnedTokens(tokens),
    // what their past did to supplies is known
    supplies: { noted: new Set(), isLive: false },
    // balances are sums of all of them: one that a node left out makes all that follows wrong
    provesWords: true
  }
}

/** A lane that continues a tail, with its endpoints in the order of their URLs and `healths`. */
export const openLane = (
  options: LaneSettings,
  healths: ReadonlyArray<EndpointHealth>,
  seals: ChainSeals,
  tail: LogTail,
  status: StatusBoard,
  out: Queue.Enqueue<EventBatch>,
  reading: Reading
) =>
  Effect.gen(function* () {
    const { chain } = options
    const all = yield* Effect.forEach(options.endpoints, (url, i) =>
      Effect.map(openRpc(url, options.rpc ?? rpcDefaults), endpoint => {
        const health = healths[i] ?? new EndpointHealth(endpoint.label)
        return watchedEndpoint(sealedEndpoint(endpoint, health, seals), health, status)
      })
    )
    const { retry = retryDefaults } = options
    const endpoints = new Endpoints(all, chain.id, status, retry, healths, chain.blockTimeMs)
    const facts = new FactBook()
    const { decoder, ...wanted } = reading
    const lane: RpcLane = {
      chain,
      endpoints,
      blockLogs: new BlockLogs(endpoints, new BlockProver(reading.watch, seals), chain.blockTimeMs),
      ...wanted,
      writer: new LogTapeWriter({
        decoder,
        facts,
        ...continuing(tail),
        pinned: tail.pinned ?? [],
        unpinned: tail.unpinned ?? []
      }),
      facts,
      recent: new RecentBlocks(tail.blocks, tailBlocksOf(chain)),
      older: tail.older ?? null,
      agreedBehind: null,
      status,
      out,
      silent: new Set(),
      mostFacts: options.mostFacts ?? MOST_FACTS
    }
    return { lane, all }
  })
