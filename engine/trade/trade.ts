/**
 * The router as the serving thread sees it: it asks, by chain, and gets what was found with the
 * position of the log that it was found at. `src/bin` provides it from a worker thread.
 */
import { Context, Effect, Schema } from "effect"
import type { ChainNode } from "./chain-node.ts"
import type { QuoteOrder, QuoteOutcome } from "./quote.ts"
import type { RouterChainStatus } from "./router-status.ts"
import type { TokenChecks } from "./token-check.ts"

/** The router did not answer, or has not read the chain's log yet. */
export class TradeUnavailable extends Schema.TaggedError<TradeUnavailable>()("TradeUnavailable", {
  chain: Schema.String,
  /** `starting`: the log is being read, try again soon; `lost`: it cannot be answered now; `off`:
   *  this process runs no router */
  reason: Schema.Literals(["starting", "lost", "off"]),
  message: Schema.String
}) {}

/** Where a chain's swaps are executed and tried. */
export interface TradeSite {
  /** address of the router contract; null where none is deployed, or configured */
  readonly router: `0x${string}` | null
  /** null where the chain has no endpoint */
  readonly node: ChainNode | null
  /** trials of tokens; null without a router contract or a node */
  readonly checks: TokenChecks | null
}

export class Trade extends Context.Service<
  Trade,
  {
    /** What is known of a chain beside its log: its router contract, and nodes to ask. */
    readonly site: (chain: string) => TradeSite
    /** Quotes an order on the chain with this key. */
    readonly quote: (
      chain: string,
      order: QuoteOrder
    ) => Effect.Effect<QuoteOutcome, TradeUnavailable>
    /** How far the router has read the chain's log, and what of it can be quoted. */
    readonly status: (chain: string) => Effect.Effect<RouterChainStatus, TradeUnavailable>
    /** Whether the chain undid what was quoted at a position. */
    readonly undone: (chain: string, seq: number) => Effect.Effect<boolean, TradeUnavailable>
  }
>()("swaptape/engine/trade/Trade") {}

const off = (chain: string) =>
  Effect.fail(new TradeUnavailable({ chain, reason: "off", message: "this server runs no router" }))

/** Of a process without a router. */
export const noTrade: Trade["Service"] = {
  site: () => ({ router: null, node: null, checks: null }),
  quote: off,
  status: off,
  undone: off
}
