/**
 * Answers that no honest node gives, as a head that is no number or a transaction told twice: each
 * is counted, the endpoint is named in the log, and whoever asked has no answer.
 */
import { Effect } from "effect"
import { RpcError } from "../../../src/platform/rpc-error.ts"
import { sayLately } from "../../endpoints/said.ts"
import type { Seat } from "./told-block.ts"

/** Counts a wrong answer and names who gave it. */
export const blamed = ({ health }: Seat, message: string): Effect.Effect<void> =>
  Effect.suspend(() => {
    health.lied(message)
    return sayLately("wrong answer", [health.label], `an endpoint gave a wrong answer: ${message}`)
  })

/** Fails for an answer that no honest node gives. */
export const wrongAnswer = (
  seat: Seat,
  method: string,
  reason = "malformed result"
): Effect.Effect<never, RpcError> => {
  const { label } = seat.health
  const message = `${label} ${method}: ${reason}`
  const error = new RpcError({ kind: "bad-answer", endpoint: label, method, message })
  return Effect.andThen(blamed(seat, message), Effect.fail(error))
}
