/** Tokens that were asked for while the engine runs: each source that starts is told of all. */
import { Effect } from "effect"
import { type Address, parseAddress } from "../../src/domain/address.ts"
import { LaneUnavailable } from "./lanes.ts"

export class PinRequests {
  private readonly chain: string
  private readonly tokens = new Set<string>()
  private source: ((tokens: ReadonlyArray<string>) => void) | null = null

  constructor(chain: string) {
    this.chain = chain
  }

  readonly attach = (source: (tokens: ReadonlyArray<string>) => void): void => {
    this.source = source
    if (this.tokens.size > 0) source([...this.tokens])
  }

  readonly pin = (token: Address): Effect.Effect<void, LaneUnavailable> =>
    Effect.suspend(() => {
      const { chain, source } = this
      if (source === null) {
        return Effect.fail(new LaneUnavailable({ chain, message: "no source runs that could pin" }))
      }
      const lower = parseAddress(token) ?? token
      this.tokens.add(lower)
      source([lower])
      return Effect.void
    })
}
