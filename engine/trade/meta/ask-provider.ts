/** Asks a provider at its configured address, within what its rate limit leaves. */
import { Clock, Effect } from "effect"
import { askHttp, type HttpFault } from "../../../src/platform/json-over-http.ts"
import { type CallBudget, fullBudget, spend } from "./protocol/call-budget.ts"
import { type PassedOver, type PassedOverReason, passOver } from "./protocol/passed-over.ts"
import type { Ask, Provider } from "./protocol/provider.ts"
import { plainFaults } from "./protocol/stranger-answer.ts"

/** Bytes of an answer at most: routes over many pools are long, and calldata is 128 KiB at most. */
const MOST_BYTES = 1024 * 1024

/** Longest wait for a call to come free: a route and its transaction are two calls, or four. */
const PATIENCE_MS = 1000

/** Where a provider is asked, and with which key; null without one. */
export interface ProviderAccess {
  /** without a slash at the end */
  readonly baseUrl: string
  readonly key: string | null
}

const REASONS: { readonly [kind in HttpFault["kind"]]: PassedOverReason } = {
  timeout: "timeout",
  unreachable: "unreachable",
  "too-large": "bad-answer"
}

const faultOf = ({ kind, message }: HttpFault): PassedOver => passOver(REASONS[kind], message)

/** One asker serves all chains, since rate limits count all calls. */
export const askerOf = (
  { headers, keyHeader, rate }: Pick<Provider, "headers" | "keyHeader" | "rate">,
  { baseUrl, key }: ProviderAccess
): Ask => {
  const own = key === null ? rate.free : rate.keyed
  let budget: CallBudget | null = null
  return ({ path, query = {}, body, timeoutMs }) =>
    Effect.gen(function* () {
      const nowMs = yield* Clock.currentTimeMillis
      const spent = spend(budget ?? fullBudget(own, nowMs), own, nowMs, PATIENCE_MS)
      if (spent === null) {
        return yield* passOver("call-budget", "the calls that its rate limit leaves are used up")
      }
      budget = spent.left
      if (spent.waitMs > 0) yield* Effect.sleep(spent.waitMs)
      const search = new URLSearchParams(query).toString()
      const answer = yield* askHttp({
        method: body === undefined ? "GET" : "POST",
        url: `${baseUrl}${path}${search === "" ? "" : `?${search}`}`,
        headers: {
          accept: "application/json",
          ...headers,
          ...(key === null ? {} : { [keyHeader]: key }),
          ...(body === undefined ? {} : { "content-type": "application/json" })
        },
        ...(body === undefined ? {} : { body }),
        ...{ timeoutMs, mostBytes: MOST_BYTES }
      }).pipe(Effect.mapError(faultOf))
      return yield* plainFaults(answer)
    })
}
