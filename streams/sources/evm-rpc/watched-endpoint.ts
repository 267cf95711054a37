/**
 * An endpoint with a note of every call: how many there were of each method, how many failed, and
 * since when somebody has waited for an answer.
 */
import { Effect, Result } from "effect"
import type { RpcCall, RpcEndpoint } from "../../../src/platform/rpc.ts"
import type { EndpointHealth } from "../../endpoints/endpoint-health.ts"
import { waiting } from "../../endpoints/waiting.ts"
import type { StatusBoard } from "../../status-board.ts"

export const watchedEndpoint = (
  endpoint: RpcEndpoint,
  health: EndpointHealth,
  status: StatusBoard
): RpcEndpoint => {
  const failed = (calls: ReadonlyArray<RpcCall>) =>
    Effect.sync(() => {
      for (const { method } of calls) health.asked(method, false)
    })
  return {
    ...endpoint,
    request: call =>
      waiting(status, endpoint.request(call)).pipe(
        Effect.tap(() => Effect.sync(() => health.asked(call.method, true))),
        Effect.tapError(() => failed([call]))
      ),
    batch: calls =>
      waiting(status, endpoint.batch(calls)).pipe(
        Effect.tap(answers =>
          Effect.sync(() => {
            calls.forEach(({ method }, i) => {
              const answer = answers[i]
              health.asked(method, answer !== undefined && Result.isSuccess(answer))
            })
          })
        ),
        Effect.tapError(() => failed(calls))
      )
  }
}
