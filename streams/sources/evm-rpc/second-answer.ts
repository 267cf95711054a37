/** Asks another endpoint what one has answered; it may need a moment. */
import { Effect } from "effect"
import type { RpcCall } from "../../../src/platform/rpc.ts"
import type { RpcError } from "../../../src/platform/rpc-error.ts"
import type { Suits } from "../../endpoints/endpoint-pool.ts"
import type { SourceError } from "../../source.ts"
import type { Endpoints } from "./endpoints.ts"

const WAIT_MS = 100

/** An endpoint's word, and whose it is. */
export interface Answer<A> {
  readonly value: A
  /** place of the endpoint */
  readonly by: number
}

export interface SecondOptions {
  readonly mostTries: number
  /** endpoints that may be asked, all where absent */
  readonly suits?: Suits
  /** told of refusals that are final */
  readonly refused?: (error: RpcError) => void
}

/**
 * What an endpoint besides `by` answers; null where there is none that may soon tell of `block`, or
 * none does in so many tries. One that rests may answer soon; one that is dead is not waited for.
 */
export const secondAnswer = <A>(
  endpoints: Endpoints,
  calls: ReadonlyArray<RpcCall>,
  read: (results: ReadonlyArray<unknown>) => A | null,
  by: number,
  block: number,
  { mostTries, suits, refused }: SecondOptions
): Effect.Effect<Answer<A> | null, SourceError> =>
  Effect.gen(function* () {
    for (let tries = 0; tries < mostTries; tries++) {
      if (!endpoints.hasOther(by, block)) return null
      if (tries > 0) yield* endpoints.pause(WAIT_MS * 2 ** tries)
      const other = yield* endpoints.elsewhere(calls, read, by, suits, refused)
      if (other !== null) return other
    }
    return null
  })
