/** Messages between the serving thread and the router's thread. */
import type { ChainConfig } from "../../src/domain/chain.ts"
import type { WantedState } from "../../streams/source.ts"
import type { QuoteOrder, QuoteOutcome } from "./quote.ts"
import type { RouterChainStatus } from "./router-status.ts"

export type ToRouter =
  | { readonly type: "stop" }
  /** answered at once with `heard`, in its turn among the questions */
  | { readonly type: "ping" }
  /** follows a chain's log, from its beginning where it is followed already */
  | { readonly type: "follow"; readonly chain: ChainConfig }
  | {
      readonly type: "quote"
      readonly id: number
      readonly chain: string
      readonly order: QuoteOrder
    }
  | { readonly type: "status"; readonly id: number; readonly chain: string }
  /** whether the chain undid what was quoted at a position */
  | {
      readonly type: "undone"
      readonly id: number
      readonly chain: string
      readonly seq: number
    }

export type FromRouter =
  | { readonly type: "heard" }
  /** pools whose states are to be read: those that the log does not tell of, or to compare */
  | {
      readonly type: "wanted"
      readonly chain: string
      readonly states: ReadonlyArray<WantedState>
    }
  | { readonly type: "quoted"; readonly id: number; readonly outcome: QuoteOutcome }
  | { readonly type: "status"; readonly id: number; readonly status: RouterChainStatus }
  | { readonly type: "undone"; readonly id: number; readonly isUndone: boolean }
  | {
      readonly type: "refused"
      readonly id: number
      readonly reason: "starting" | "lost"
      readonly message: string
    }
