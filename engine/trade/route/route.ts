/** What is asked of the route search, and what it answers: plain values. */
import type { Refusal } from "../../../streams/venue.ts"
import type { TradePool } from "../pools/pool-market.ts"
import type { LegGas } from "./leg-gas.ts"

/** Tokens as lower-case addresses, amounts in raw units. */
export interface RouteOrder {
  readonly tokenIn: string
  readonly tokenOut: string
  /** what is sold, or bought at least */
  readonly amount: bigint
  readonly exact: "in" | "out"
}

export interface RouteOptions {
  /** tokens that routes may lead through */
  readonly anchors: ReadonlyArray<string>
  /** 1: direct pools alone; 2 where absent */
  readonly maxHops?: 1 | 2 | 3
  /** what gas costs, in raw units of the token whose amount is open: that which is bought of an
   *  order that sells exactly; null where that is unknown. `base` is what all routes cost */
  readonly gas: { readonly base: bigint; readonly leg: LegGas } | null
  /** the only venue, by its id; null for all */
  readonly onlyDex: string | null
}

/** One swap of a pool, exact to the unit on the pool's state before the route. */
export interface RouteLeg {
  readonly pool: TradePool
  readonly tokenIn: string
  readonly tokenOut: string
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** true where it sells what legs before it bought, so that its part of that counts, not the
   *  amount; `percent` and the amounts tell the part */
  readonly takesShare: boolean
  /** of all that legs sell of its `tokenIn`; those of one token add up to 100 */
  readonly percent: number
}

/** Why a pool is not in the route, or not with all that it could take. */
export type Loss =
  | Refusal
  /** a sale of this size buys nothing there */
  | "amount-too-small"
  /** others pay more, or leave more once the gas of their legs is paid */
  | "worse-price"
  /** what it adds is less than its gas */
  | "below-gas"
  /** its only state serves another leg */
  | "used-elsewhere"
  /** it would take less than the legs before it buy */
  | "takes-less"
  /** too many others are better */
  | "left-out"
  /** a safety gate keeps it out (`no-route.ts`) */
  | "suspect"
  | "transfer-tax"

export interface Candidate {
  readonly pool: string
  readonly dex: string
  readonly tokenIn: string
  readonly tokenOut: string
  readonly lost: Loss
}

/** Why there is no route. */
export type NoRouteReason =
  | Refusal
  | "no-pool"
  | "amount-too-small"
  /** zero, below zero, or more than 256 bits */
  | "bad-amount"
  | "same-token"

export type Route =
  | {
      readonly ok: true
      /** in an order in which they can run: each after those that buy what it sells */
      readonly legs: ReadonlyArray<RouteLeg>
      /** less than offered where liquidity ends */
      readonly amountIn: bigint
      readonly amountOut: bigint
      /** raw units of `tokenOut` that the first unit sold would buy, its fees taken off */
      readonly priceBefore: number
      /** what the gas of all legs costs; null where unknown */
      readonly gasCost: bigint | null
      /** pools that were looked at and are in no leg */
      readonly lost: ReadonlyArray<Candidate>
    }
  | {
      readonly ok: false
      readonly reason: NoRouteReason
      readonly lost: ReadonlyArray<Candidate>
    }
