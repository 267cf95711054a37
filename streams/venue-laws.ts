/**
 * What a venue kind tells the laws of itself, in `<kind>.laws.ts` of its folder: an independent
 * reading of its events, pools to fold and quote, and what a pool logs for a swap. Only tests read
 * it; `test/laws/venue.laws.test.ts` runs over every listed kind. Folders of events that are no
 * venue have a reading only.
 */
import type { Event, EventFields, EventKind } from "./event.ts"
import type { PoolFacts, StateAnswer, StateCall } from "./venue.ts"

/** Arguments of an event as viem decodes them, by name. */
export type EventArgs = { readonly [name: string]: EventArg }

export type EventArg =
  | bigint
  | number
  | string
  | boolean
  | ReadonlyArray<EventArg>
  | { readonly [name: string]: EventArg }

/** An event's kind and its own fields, without block, transaction and position. */
export type EventMeaning = {
  [K in EventKind]: { readonly kind: K } & EventFields<K>
}[EventKind]

/** A source of chance; the laws give one that prints its seed. */
export interface Chance {
  /** an integer in [min, max] */
  readonly integer: (min: number, max: number) => number
  /** an unsigned integer of up to so many bits */
  readonly bits: (count: number) => bigint
}

/**
 * A pool with the events that made it what it is; they leave it with liquidity. No swap is among
 * them, for the laws judge each that they see: what swaps would have left is told by other events.
 */
export interface LawPool {
  readonly facts: PoolFacts
  readonly history: ReadonlyArray<Event>
}

/** A swap as a quote tells it; tokens by their place in the pool. */
export interface LawSwap {
  readonly tokenIn: number
  readonly tokenOut: number
  readonly amountIn: bigint
  readonly amountOut: bigint
}

/** A call with the contract that gets it: the pool where `to` was absent. */
export type SentCall = StateCall & { readonly to: string }

/** The contract that made the pools of the laws; in kinds of `oneContract` it holds them. */
export const LAW_FACTORY = `0x${"fa".repeat(20)}`

/** An independent reading of events. */
export interface EventLaws {
  /** the folder's name */
  readonly kind: string
  /**
   * By the event's ABI text: what a log of that emitter means; more events than one as a list; null
   * where no contract of the kind can have logged these arguments.
   */
  readonly meanings: {
    readonly [abi: string]: (
      args: EventArgs,
      emitter: string
    ) => EventMeaning | ReadonlyArray<EventMeaning> | null
  }
}

export interface VenueLaws extends EventLaws {
  /** name of the argument that names the pool, where one contract logs for all pools */
  readonly poolArgument?: string
  /** given with `decodedAs`, and only then: signatures of that kind's events that contracts of this
   *  one log to the bit, as their source has them, e.g. `Sync(uint112,uint112)` */
  readonly sharedEvents?: ReadonlyArray<string>
  /** arguments of events and parameters with `fee` in their name on which no quote depends, each
   *  with the reason in a few words; all others are read, and change quotes */
  readonly feesBeside?: { readonly [name: string]: string }
  /** a pool made by chance; over many of them, all that a pool of the kind can be like, also what
   *  is seldom: lopsided, amplified, with and without a parameter. What none of them is no law
   *  tries */
  readonly pool: (chance: Chance) => LawPool
  /** what the pool holds of each token after its history: no quote may promise more. Kinds that
   *  never quote are not asked */
  readonly holdings: (pool: LawPool) => ReadonlyArray<bigint>
  /** bits in which the contract keeps what it holds of a token, by its source, where they are fewer
   *  than 256: a swap after which it would hold more is refused (`too-large`) */
  readonly holdingBits?: number
  /**
   * What the contract at `to` answers to a call of `stateRead` after the pool's history, by the
   * events and not by the fold; null where it refuses, as every contract does that is neither the
   * pool nor `LAW_FACTORY`. The state read is then held to the state folded.
   * Absent: a test of the folder's own holds the read to what contracts answered.
   */
  readonly stateAnswers?: (pool: LawPool, call: SentCall) => StateAnswer
  /**
   * What the contract at `to` answers to a call of `poolCalls` or `factoryCalls`, by what its
   * source says of the function and not by the fact that the call is for; null where it refuses.
   * Absent of kinds without such calls alone.
   */
  readonly factAnswers?: (pool: LawPool, call: SentCall) => StateAnswer
  /** raw units by which the contract's own rounding can let a swap get more than the same one just
   *  before, or than a somewhat larger one; none where absent */
  readonly rounding?: bigint
  /** raw units that a swap there and back can earn by it; none where absent */
  readonly dust?: bigint
  /** given by kinds that never quote: a swap that the pool can run, of thousands of raw units and
   *  small beside what it holds */
  readonly swap?: (pool: LawPool, chance: Chance) => LawSwap
  /** what the contract logs when the swap runs after the history, in its order (`PoolModel.fold`
   *  says what depends on it); from formulas of its own where the events tell more than amounts */
  readonly swapEvents: (pool: LawPool, swap: LawSwap) => ReadonlyArray<Event>
}

const nowhere = {
  block: { number: 1, time: 1, hash: null, parentHash: null },
  tx: null,
  logIndex: 0
} as const

/** The meaning as an event of an arbitrary block. */
export const eventOf = (meaning: EventMeaning): Event => ({ ...nowhere, ...meaning }) as Event
