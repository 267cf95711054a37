/**
 * The block in which a contract's code began, by halving: it has code from there on. Only nodes
 * that keep old state can tell; without one the answer is that it is not known.
 */
import { Effect, Predicate } from "effect"
import type { RpcError } from "../../../src/platform/rpc-error.ts"
import type { Creation, SourceError } from "../../source.ts"
import { hexNumber } from "./block-number.ts"
import type { Endpoints } from "./endpoints.ts"

const CODE = /^0x[0-9a-fA-F]*$/

const readCode = (result: unknown): string | null =>
  Predicate.isString(result) && CODE.test(result) ? result : null

/** Answers of nodes that have no such state, or no such method. */
const cannotTell = (error: RpcError | SourceError): error is RpcError =>
  error._tag === "RpcError" && (error.kind === "no-state" || error.kind === "unsupported")

/** Whether the contract has code at a block, by the first endpoint that can tell. */
const hasCode = (
  endpoints: Endpoints,
  contract: string,
  block: number
): Effect.Effect<boolean, RpcError | SourceError> =>
  Effect.gen(function* () {
    const call = { method: "eth_getCode", params: [contract, hexNumber(block)] }
    const ask = Effect.map(endpoints.request(call, readCode), code => code.length > 2)
    for (let others = endpoints.count - 1; others > 0; others--) {
      const answer = yield* Effect.result(ask)
      if (answer._tag === "Success") return answer.success
      if (!cannotTell(answer.failure)) return yield* answer.failure
      endpoints.use((endpoints.current + 1) % endpoints.count)
    }
    return yield* ask
  })

/** Finds it among the blocks up to `atMost`, with about 27 calls. */
export const creationOf = (
  endpoints: Endpoints,
  contract: string,
  atMost: number
): Effect.Effect<Creation, RpcError | SourceError> =>
  Effect.gen(function* (): Effect.gen.Return<Creation, RpcError | SourceError> {
    if (!(yield* hasCode(endpoints, contract, atMost))) return { state: "absent" }
    let [without, with_] = [-1, atMost]
    while (with_ - without > 1) {
      const middle = Math.floor((without + with_) / 2)
      if (yield* hasCode(endpoints, contract, middle)) with_ = middle
      else without = middle
    }
    return { state: "created", block: with_ }
  }).pipe(
    Effect.catchIf(cannotTell, ({ message }) =>
      Effect.succeed<Creation>({ state: "untold", reason: message })
    )
  )
