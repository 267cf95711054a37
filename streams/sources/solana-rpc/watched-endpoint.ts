/** An endpoint with a note of every call, and of how long somebody has waited for an answer. */
import { Effect } from "effect"
import type { SolanaEndpoint } from "../../../src/platform/solana-rpc.ts"
import type { EndpointHealth } from "../../endpoints/endpoint-health.ts"
import { waiting } from "../../endpoints/waiting.ts"
import type { StatusBoard } from "../../status-board.ts"

export const watchedSolanaEndpoint = (
  endpoint: SolanaEndpoint,
  health: EndpointHealth,
  status: StatusBoard<"solana-rpc">
): SolanaEndpoint => {
  const noted = <A, E>(method: string, asked: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    waiting(status, asked).pipe(
      Effect.tap(() => Effect.sync(() => health.asked(method, true))),
      Effect.tapError(() => Effect.sync(() => health.asked(method, false)))
    )
  return {
    ...endpoint,
    getGenesisHash: noted("getGenesisHash", endpoint.getGenesisHash),
    getSlot: certainty => noted("getSlot", endpoint.getSlot(certainty)),
    getBlocks: (...range) => noted("getBlocks", endpoint.getBlocks(...range)),
    getBlock: (...wanted) => noted("getBlock", endpoint.getBlock(...wanted)),
    getMultipleAccounts: (...wanted) =>
      noted("getMultipleAccounts", endpoint.getMultipleAccounts(...wanted))
  }
}
