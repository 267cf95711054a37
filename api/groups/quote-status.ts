/** What the router can quote on a chain, as status routes tell it. */

import { Effect, Schema } from "effect"
import type { Lane } from "../../engine/lane/lanes.ts"
import type { Trade } from "../../engine/trade/trade.ts"
import { familyOf } from "../../src/domain/chain-family.ts"
import { Position } from "./fields.ts"

export const QuoteStatus = Schema.Struct({
  state: Schema.Literals(["starting", "live", "behind", "failed", "off"]).annotate({
    description: "behind: quotes are of an old block, since the router or the chain's lane lags"
  }),
  problem: Schema.NullOr(Schema.String).annotate({
    description: "why there are no quotes, in words; null where there are"
  }),
  seq: Position.annotate({ description: "position of the log that quotes are of" }),
  block: Schema.NullOr(Schema.Int),
  pools: Schema.Int,
  quotable: Schema.Int.annotate({ description: "pools whose state is known" }),
  unquoted: Schema.Array(Schema.Struct({ reason: Schema.String, pools: Schema.Int })).annotate({
    description: "why the others are not quoted"
  }),
  reads: Schema.Struct({
    agreed: Schema.Int.annotate({ description: "told what the log tells" }),
    differed: Schema.Int.annotate({ description: "told another state: it was read again" }),
    contradicted: Schema.Int.annotate({ description: "a swap was none of it: it was read again" })
  }).annotate({
    description: "what came of states of pools that were read from their contracts"
  }),
  warnings: Schema.Array(Schema.String).annotate({
    description: "what is wrong while quotes go on, in words"
  })
}).annotate({ identifier: "QuoteStatus", description: "what the router can quote on the chain" })
export type QuoteStatus = typeof QuoteStatus.Type

/** Blocks by which quotes may be behind the tables, which are told of a block in another turn. */
const MOST_BLOCKS_BEHIND = 3

/** Until when a lane whose log no source writes tells of its chain, in words; null for others. */
export const historyEnd = (lane: Lane): string | null => {
  const { state, block, blockTime } = lane.status()
  if (state !== "history") return null
  const time = blockTime === null ? "" : ` of ${new Date(blockTime * 1000).toISOString()}`
  return `the chain is served as a history, which ends at block ${block}${time}`
}

/** Why quotes of a chain are not of its newest block, in words; null where they are. */
export const quotesLag = (lane: Lane, block: number | null): string | null => {
  const ended = historyEnd(lane)
  if (ended !== null) return `${ended}: quotes are of then`
  const { ok, problem } = lane.health()
  if (!ok && problem !== null) return problem
  const newest = lane.status().block
  if (block === null || newest === null || newest - block <= MOST_BLOCKS_BEHIND) return null
  return `quotes are of block ${block}, the tables of block ${newest}`
}

const unquoted = (state: QuoteStatus["state"], problem: string): QuoteStatus => ({
  ...{ state, problem, seq: 0, block: null, pools: 0, quotable: 0, unquoted: [] },
  reads: { agreed: 0, differed: 0, contradicted: 0 },
  warnings: []
})

/** What the router tells of a lane's chain; of one that it does not answer for, why. */
export const quoteStatus = (trade: Trade["Service"], lane: Lane): Effect.Effect<QuoteStatus> =>
  familyOf(lane.config).trades
    ? routerStatus(trade, lane)
    : Effect.succeed(unquoted("off", `swaps are not quoted on ${lane.config.name}`))

const routerStatus = (trade: Trade["Service"], lane: Lane): Effect.Effect<QuoteStatus> =>
  trade.status(lane.config.key).pipe(
    Effect.map((told): QuoteStatus => {
      const lag = told.state === "live" ? quotesLag(lane, told.block) : null
      return lag === null ? told : { ...told, state: "behind", problem: lag }
    }),
    Effect.catch(({ reason, message }) =>
      Effect.succeed(unquoted(reason === "lost" ? "failed" : reason, message))
    )
  )
