/** Calls to one endpoint: in one request where it takes batches, and their results as values. */
import { Effect, Result } from "effect"
import type { RpcCall, RpcEndpoint } from "../../../src/platform/rpc.ts"
import { RpcError, type RpcErrorKind } from "../../../src/platform/rpc-error.ts"
import type { CallOptions } from "../../endpoints/asking.ts"
import type { EndpointHealth } from "../../endpoints/endpoint-health.ts"

/** Calls at once to a node that takes no batches. */
const SINGLE_CALLS = 8

/** Errors that go to the caller at once: asking elsewhere or again does not help. */
export const FINAL: ReadonlySet<RpcErrorKind> = new Set([
  "range-too-wide",
  "too-many-results",
  "reverted",
  "no-state",
  "unsupported"
])

/** Methods without which a node is none. */
export const NEEDED: ReadonlySet<string> = new Set([
  "eth_blockNumber",
  "eth_call",
  "eth_getBlockByNumber",
  "eth_getLogs"
])

/** Transactions that are forgotten are asked for elsewhere, and not for ever. */
export const GIVE_FORGOTTEN = { give: ["forgotten"] } as const

/** As of a call; the whole batch fails with an error of a kind in `give`. */
export interface BatchOptions extends Pick<CallOptions, "give" | "spare"> {
  /** rounds after which an error object of a single call is its result */
  readonly rounds?: number
}

/** An endpoint and how it fares. */
export interface Seat {
  readonly endpoint: RpcEndpoint
  readonly health: EndpointHealth
}

/** Turns a result into a value; null where it is malformed. */
export type Read<A> = (result: unknown) => A | null

export const isFinal = ({ kind, method, code }: RpcError, isLastRound: boolean): boolean => {
  // a time limit of the node's own, which comes as an error object
  const isSlow = kind === "timeout" && code !== undefined
  const isDoubtful = kind === "rpc" || isSlow || (kind === "unsupported" && NEEDED.has(method))
  return isDoubtful ? isLastRound : FINAL.has(kind)
}

export const badAnswer = (seat: Seat, call: RpcCall): RpcError =>
  new RpcError({
    kind: "bad-answer",
    endpoint: seat.endpoint.label,
    method: call.method,
    message: `${seat.endpoint.label} ${call.method}: malformed result`
  })

export const readResult = <A>(
  seat: Seat,
  call: RpcCall,
  read: Read<A>,
  result: unknown
): Result.Result<A, RpcError> => {
  const value = read(result)
  return value === null ? Result.fail(badAnswer(seat, call)) : Result.succeed(value)
}

/** Results of one endpoint read together. */
export const allOf = <A>(
  seat: Seat,
  calls: ReadonlyArray<RpcCall>,
  read: (results: ReadonlyArray<unknown>) => A | null
): Effect.Effect<A, RpcError> =>
  Effect.flatMap(askAll(seat, calls), answers =>
    Effect.fromResult(
      Result.flatMap(Result.all(answers), results =>
        readResult(seat, calls[0] as RpcCall, () => read(results), null)
      )
    )
  )

/** Answers in order, each a result or an error of its own. */
export const askAll = (seat: Seat, calls: ReadonlyArray<RpcCall>) =>
  seat.health.takesBatches && calls.length > 1 ? inOneRequest(seat, calls) : singly(seat, calls)

const ONE_BY_ONE: ReadonlySet<RpcErrorKind> = new Set(["rpc", "unsupported", "reverted"])

/**
 * An error object for a whole batch of several calls: this node wants them one by one. Answers that
 * are too large together are asked for so this time.
 */
const inOneRequest = (seat: Seat, calls: ReadonlyArray<RpcCall>) =>
  seat.endpoint.batch(calls).pipe(
    Effect.catchIf(
      error => calls.length > 1 && ONE_BY_ONE.has(error.kind),
      ({ kind }) => {
        if (kind !== "reverted") seat.health.takesBatches = false
        return singly(seat, calls)
      }
    )
  )

const singly = (seat: Seat, calls: ReadonlyArray<RpcCall>) =>
  Effect.forEach(calls, call => Effect.result(seat.endpoint.request(call)), {
    concurrency: SINGLE_CALLS
  })
