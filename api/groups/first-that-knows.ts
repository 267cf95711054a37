/** Reads a token on the first chain that knows it. */
import { Effect } from "effect"
import type { HttpServerResponse } from "effect/http"
import type { Lane } from "../../engine/lane/lanes.ts"
import { formOfText, idsOf } from "../../src/domain/ids.ts"
import { whileAlso } from "../answering.ts"
import { isUnknownToken, Refusal } from "../errors.ts"

/**
 * Queries the lanes in order and returns the answer of the first that knows the token. Where none
 * does, fails with the first 503 of a lane that could not answer, since that lane may know the
 * token; else with 404. An answer is cached only while no earlier lane commits or was silent.
 */
export const firstThatKnows = Effect.fnUntraced(function* (
  lanes: ReadonlyArray<Lane>,
  token: string,
  ask: (lane: Lane) => Effect.Effect<HttpServerResponse.HttpServerResponse, Refusal>
) {
  let silent: Refusal | undefined
  const before: Array<{ readonly lane: Lane; readonly seq: number }> = []
  const ofItsForm = lanes.filter(({ config }) => idsOf(config).parseAccount(token) !== null)
  for (const lane of ofItsForm) {
    const result = yield* Effect.result(ask(lane))
    if (result._tag === "Success") {
      const othersStillLackIt = () =>
        silent === undefined && before.every(at => at.lane.seq() === at.seq)
      return whileAlso(result.success, othersStillLackIt)
    }
    before.push({ lane, seq: lane.seq() })
    if (result.failure.status === 503) silent ??= result.failure
    else if (!isUnknownToken(result.failure)) return yield* result.failure
  }
  const message = `no chain served here has trades of ${formOfText(token).parseAccount(token) ?? token}`
  return yield* silent ?? new Refusal({ status: 404, code: "UNKNOWN_TOKEN", message })
})
