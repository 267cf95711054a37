/** Tokens that were asked for while the engine runs: each source that starts is told of all. */
import { Effect } from "effect"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { type IdForm, idsOf } from "../../src/domain/ids.ts"
import { LaneUnavailable } from "./lanes.ts"

export class PinRequests {
  private readonly chain: string
  private readonly form: IdForm
  private readonly tokens = new Set<string>()
  private source: ((tokens: ReadonlyArray<string>) => void) | null = null

  constructor(chain: Pick<ChainConfig, "key" | "family">) {
    this.chain = chain.key
    this.form = idsOf(chain)
  }

  readonly attach = (source: (tokens: ReadonlyArray<string>) => void): void => {
    this.source = source
    if (this.tokens.size > 0) source([...this.tokens])
  }

  readonly pin = (token: string): Effect.Effect<void, LaneUnavailable> =>
    Effect.suspend(() => {
      const { chain, source } = this
      if (source === null) {
        return Effect.fail(new LaneUnavailable({ chain, message: "no source runs that could pin" }))
      }
      const account = this.form.parseAccount(token) ?? token
      this.tokens.add(account)
      source([account])
      return Effect.void
    })
}
