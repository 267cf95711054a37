/** Names, for a token that a chain does not know, the chains on which the token trades. */
import { Effect } from "effect"
import type { Lane, Lanes } from "../../engine/lane/lanes.ts"
import { ask } from "../../engine/query.ts"
import { hasToken } from "../../projections/tape/queries.ts"
import { idsOf } from "../../src/domain/ids.ts"
import { shownChain } from "../../src/domain/shown-chain.ts"
import { queryLane } from "../answering.ts"
import { isUnknownToken, Refusal } from "../errors.ts"

const decoder = new TextDecoder()

/** Returns true where a lane knows a token; false also where the lane cannot answer. */
const knows = (lane: Lane, token: string): Effect.Effect<boolean> =>
  queryLane(lane, ask(hasToken, { token })).pipe(
    Effect.map(({ body }) => decoder.decode(body) === "true"),
    Effect.orElseSucceed(() => false)
  )

/**
 * Adds to a lane's 404 `UNKNOWN_TOKEN` the other chains on which that address trades. A wrong
 * `chain` is the usual cause, since the same address on two chains means two tokens.
 */
export const naming = <A, R>(
  answer: Effect.Effect<A, Refusal, R>,
  lanes: Lanes["Service"],
  asked: Lane,
  token: string
): Effect.Effect<A, Refusal, R> =>
  Effect.catchIf(answer, isUnknownToken, refusal =>
    Effect.gen(function* () {
      const others = lanes.all.filter(
        lane => lane !== asked && idsOf(lane.config).parseAccount(token) !== null
      )
      const known = yield* Effect.filter(others, lane => knows(lane, token), {
        concurrency: "unbounded"
      })
      const where = known.map(({ config }) => `${shownChain(config)} (${config.key})`).join(", ")
      if (where === "") return yield* refusal
      const message = `${refusal.message}; it trades on chain ${where}`
      return yield* new Refusal({ ...refusal, message })
    })
  )
