/** Puts a lane together: its endpoints, its writer, and what it knows at the start. */
import { Effect, type Queue } from "effect"
import type { ChainConfig } from "../../../src/domain/chain.ts"
import { openRpc, type RpcOptions, rpcDefaults } from "../../../src/platform/rpc.ts"
import type { EventBatch } from "../../batch/batch.ts"
import { chainDecoder } from "../../evm/chain-decoder.ts"
import { watchedTopics } from "../../evm/decoder.ts"
import { FactBook } from "../../facts.ts"
import type { LogTail } from "../../source.ts"
import type { StatusBoard } from "../../status-board.ts"
import { TapeWriter } from "../../tape-writer.ts"
import { BlockLogs } from "./block-logs.ts"
import { BlockProver, Watch } from "./block-proof.ts"
import type { EndpointHealth } from "./endpoint-health.ts"
import { Endpoints, type RetryTimes, retryDefaults } from "./endpoints.ts"
import { RecentBlocks } from "./recent-blocks.ts"
import type { RpcLane } from "./rpc-lane.ts"

export interface LaneSettings {
  readonly chain: ChainConfig
  /** http, https, ws or wss URLs */
  readonly endpoints: ReadonlyArray<string>
  readonly rpc?: RpcOptions
  readonly retry?: RetryTimes
}

/** A lane that continues a tail, with its endpoints in the order of their URLs and `healths`. */
export const openLane = (
  options: LaneSettings,
  healths: ReadonlyArray<EndpointHealth>,
  tail: LogTail,
  status: StatusBoard,
  out: Queue.Enqueue<EventBatch>
) =>
  Effect.gen(function* () {
    const { chain } = options
    const all = yield* Effect.forEach(options.endpoints, url =>
      openRpc(url, options.rpc ?? rpcDefaults)
    )
    const { retry = retryDefaults } = options
    const endpoints = new Endpoints(all, chain.id, status, retry, healths, chain.blockTimeMs)
    const last = tail.blocks[tail.blocks.length - 1] ?? null
    // When they became known is not told: as late as possible, so that a rollback below the log's
    // end tells them again rather than never.
    const known = (address: string) => ({ address, block: last?.number ?? 0 })
    const facts = new FactBook()
    const lane: RpcLane = {
      chain,
      endpoints,
      blockLogs: new BlockLogs(endpoints, new BlockProver(new Watch(watchedTopics))),
      topics: watchedTopics,
      writer: new TapeWriter({
        decoder: chainDecoder(chain),
        facts,
        last,
        knownPools: tail.knownPools.map(known),
        knownTokens: tail.knownTokens.map(known)
      }),
      facts,
      recent: new RecentBlocks(tail.blocks, chain.finalityDepth),
      status,
      out,
      silent: new Set()
    }
    return { lane, all }
  })
