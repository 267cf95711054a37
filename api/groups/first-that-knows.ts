/** Reads a token on the first chain that knows it. */
import { Effect } from "effect"
import type { HttpServerResponse } from "effect/http"
import type { Lane } from "../../engine/lane/lanes.ts"
import { whileAlso } from "../answering.ts"
import { Refusal } from "../errors.ts"

/**
 * Asks the lanes in order; the first that knows the token answers. Where none does, the token is
 * unknown, unless a lane could not say: then its 503 stands, for it may have been the one.
 */
export const firstThatKnows = Effect.fnUntraced(function* (
  lanes: ReadonlyArray<Lane>,
  token: string,
  ask: (lane: Lane) => Effect.Effect<HttpServerResponse.HttpServerResponse, Refusal>
) {
  let silent: Refusal | undefined
  const before: Array<{ readonly lane: Lane; readonly seq: number }> = []
  for (const lane of lanes) {
    const result = yield* Effect.result(ask(lane))
    if (result._tag === "Success") {
      const othersStillLackIt = () =>
        silent === undefined && before.every(at => at.lane.seq() === at.seq)
      return whileAlso(result.success, othersStillLackIt)
    }
    before.push({ lane, seq: lane.seq() })
    if (result.failure.status === 503) silent ??= result.failure
    else if (result.failure.code !== "UNKNOWN_TOKEN") return yield* result.failure
  }
  const message = `no chain served here has trades of ${token.toLowerCase()}`
  return yield* silent ?? new Refusal({ status: 404, code: "UNKNOWN_TOKEN", message })
})
