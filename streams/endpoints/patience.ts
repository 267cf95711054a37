/** How long an answer is waited for before an endpoint counts as silent. */
import { Effect } from "effect"
import { steadyMillis } from "../../src/platform/elapsed.ts"
import { RpcError } from "../../src/platform/rpc-error.ts"
import type { EndpointHealth } from "./endpoint-health.ts"

/** An answer is long in coming after so many times what it takes usually, and so long at least. */
const LONG_TIMES = 4
export const LONG_MS = 1_000

/**
 * How long an answer is waited for that is not needed, where an endpoint has given none of its kind
 * yet, and at most after such as did not come: a lane counts as silent after 3 s. And which chain
 * an endpoint serves, a small question.
 */
const UNKNOWN_MS = 2_000
const LONGEST_VAIN_MS = 2_500
const IDENTIFY_MS = 2_000

/**
 * Returns for how many milliseconds an endpoint may be silent; null where no answer of the kind has
 * come from it yet.
 */
export const patienceMs = (health: EndpointHealth, kind: string): number | null => {
  const usual = health.usualMs(kind)
  return usual === null ? null : Math.max(LONG_MS, LONG_TIMES * usual)
}

/** Notes how long an answer of a kind took. */
export const timed = <A, E>(
  health: EndpointHealth,
  kind: string,
  asked: Effect.Effect<A, E>
): Effect.Effect<A, E> =>
  Effect.gen(function* () {
    const began = yield* steadyMillis
    const answer = yield* asked
    health.took(kind, (yield* steadyMillis) - began, began)
    return answer
  })

/** Work that is waited for as long as it takes, but an endpoint that is long silent is named. */
export const noticed = <A, E>(health: EndpointHealth, work: Effect.Effect<A, E>) => {
  const words = `${health.label} has been asked, and has not answered for ${UNKNOWN_MS / 1000} s`
  const notice = Effect.sync(() => health.foundSilent(words))
  return Effect.raceFirst(
    work,
    Effect.sleep(UNKNOWN_MS).pipe(Effect.andThen(notice), Effect.andThen(Effect.never))
  )
}

/**
 * An answer that is not needed, so that nobody waits for it long: silence is a failure as any. It
 * is preceded by what makes sure of the endpoint.
 */
export const inTime = <A, E>(
  health: EndpointHealth,
  kind: string,
  verified: Effect.Effect<void, E>,
  asked: Effect.Effect<A, RpcError>
): Effect.Effect<A, E | RpcError> => {
  const within = <B, F>(ms: number, work: Effect.Effect<B, F>) =>
    Effect.flatMap(steadyMillis, began =>
      Effect.timeoutOrElse(work, {
        duration: ms,
        orElse: () =>
          Effect.suspend(() => {
            const message = `${health.label} ${kind}: no answer in ${Math.round(ms)} ms`
            health.gaveUp(kind, ms, LONGEST_VAIN_MS / LONG_TIMES)
            if (!health.hasAnswered(kind, began)) health.doubted(message)
            return new RpcError({ kind: "timeout", endpoint: health.label, method: kind, message })
          })
      })
    )
  const waited = Effect.suspend(() =>
    within(patienceMs(health, kind) ?? UNKNOWN_MS, timed(health, kind, asked))
  )
  return Effect.andThen(within(IDENTIFY_MS, verified), waited)
}
