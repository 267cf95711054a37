/** Calls of a batch until each has its result, from whichever endpoints. */
import { Effect, Result } from "effect"
import type { RpcCall } from "../../../src/platform/rpc.ts"
import type { RpcError } from "../../../src/platform/rpc-error.ts"
import { askAll, isFinal, type Read, readResult, type Seat } from "./endpoint-calls.ts"

export class OpenCalls<A> {
  private readonly calls: ReadonlyArray<RpcCall>
  private readonly read: Read<A>
  private readonly rounds: number
  private readonly done: Array<Result.Result<A, RpcError> | undefined>
  private round = 0
  /** asked at once: fewer where so many took too long together */
  private most: number

  /** After so many rounds an error object of a single call is its result. */
  constructor(calls: ReadonlyArray<RpcCall>, read: Read<A>, rounds: number) {
    this.calls = calls
    this.read = read
    this.rounds = rounds
    this.done = calls.map(() => undefined)
    this.most = calls.length
  }

  /** Of all calls, once `ask` has succeeded. */
  get results(): ReadonlyArray<Result.Result<A, RpcError>> {
    return this.done as ReadonlyArray<Result.Result<A, RpcError>>
  }

  /** Asks an endpoint for all that is open; fails with the first answer worth another try. */
  ask(seat: Seat): Effect.Effect<void, RpcError> {
    return Effect.gen({ self: this }, function* () {
      const round = this.round + 1
      let again: RpcError | null = null
      const open = this.done.flatMap((result, place) => (result === undefined ? [place] : []))
      for (let at = 0; at < open.length; ) {
        const places = open.slice(at, at + this.most)
        again = (yield* this.askFor(seat, places, round)) ?? again
        at += places.length
      }
      this.round = round
      if (again !== null) return yield* again
    })
  }

  /** Keeps what is final, and gives the first answer that is not. */
  private askFor(seat: Seat, places: ReadonlyArray<number>, round: number) {
    const asked = places.map(place => this.calls[place] as RpcCall)
    const tooLong = ({ kind }: RpcError) =>
      Effect.sync(() => {
        if (kind === "timeout") this.most = Math.max(1, Math.floor(places.length / 2))
      })
    return askAll(seat, asked).pipe(
      Effect.tapError(tooLong),
      Effect.map(results => {
        let again: RpcError | null = null
        for (const [i, place] of places.entries()) {
          const call = asked[i] as RpcCall
          const result = Result.flatMap(results[i] as Result.Result<unknown, RpcError>, value =>
            readResult(seat, call, this.read, value)
          )
          if (Result.isSuccess(result) || isFinal(result.failure, round >= this.rounds)) {
            this.done[place] = result
          } else again ??= result.failure
        }
        return again
      })
    )
  }
}
