/**
 * What a venue kind fulfils: one folder under `streams/evm/`, one value of this type, listed in
 * `streams/evm/venue-kinds.ts`. Decoding, folding and quoting are pure; the laws in `test/laws`
 * run over every listed kind. What the rest of the house must know of a kind is a field here: no
 * file outside the folders names one.
 *
 * Fees. Facts, `PoolCreated` and `SwapExecuted` hold them as whole numbers of 1e-6 of the input
 * (3000 is 0.3 %), null where there is no fixed or told one. A contract that counts in other units
 * is converted where that is exact; where it may not be, the event's own number is kept as a
 * parameter with `fee` in its name (the laws take those for fees), null in the column, and the
 * quote counts with the parameter: a rounded fee is a wrong quote. A fee that all pools of a venue
 * take comes from the venue's row, as `feeBps` (1e-4), and reaches the quote as `facts.fee`.
 * A quote takes its fee from there and from parameters, never from `fee` of `SwapExecuted`, which
 * says what that swap paid: where the next one pays it too, the decoder pushes it as a parameter.
 */
import type { ChainVenue } from "../src/domain/chain.ts"
import type { PriceCurve } from "../src/math/price-curve/curve.ts"
import type { BatchBuilder } from "./batch/builder.ts"
import type { Event, EventOf } from "./event.ts"
import type { RawLog } from "./evm/raw-log.ts"
import type { PoolFact, PoolParameter } from "./facts.ts"

/** Decodes one event of a venue kind by slicing words. */
export interface EventDecoder {
  /** human-readable ABI, e.g. `event Sync(uint112 reserve0, uint112 reserve1)`: the reference
   *  that tests hand to viem, and the source of `topic0` */
  readonly abi: string
  /** `0x` and 64 hex digits */
  readonly topic0: string
  /** pushes what the log tells, one event or some, and returns null; or returns why the log is not
   *  this event and pushes nothing. Reasons are short constant texts. Never throws.
   *  `isListed` (true where absent): whether the emitter is a factory of the chain's list. Who is
   *  none may log that any pool is his: `PoolCreated` says that he did, and nothing else is
   *  taken */
  readonly decode: (log: RawLog, out: BatchBuilder, isListed?: boolean) => string | null
  /** true where the emitter is the pool itself, so that its facts must be known or read: of a pool
   *  whose events all say false nobody asks what it is */
  readonly emitterIsPool: boolean
  /** true where the venue's own contract, its `factory`, logs it for all pools: nobody else is
   *  believed */
  readonly fromFactory?: boolean
  /** where the log itself names the tokens of a swap: in two words one after the other, the first
   *  at this byte */
  readonly tokens?: { readonly in: "topics" | "data"; readonly at: number }
  /** declared where the emitter holds all pools (`oneContract`) and the first indexed argument
   *  names the pool: its bytes, 20 of an address at the word's end, or 32 of an id */
  readonly namesPool?: 20 | 32
}

/** What must be known of a pool to fold and quote it. */
export interface PoolFacts {
  readonly pool: string
  readonly tokens: ReadonlyArray<string>
  /** 1e-6 of the input; null where unknown or dynamic */
  readonly fee: number | null
  readonly tickSpacing: number | null
  /** of each token, in the pool's order; null where unknown. Scaled curves need them */
  readonly decimals: ReadonlyArray<number | null>
}

/** Why there is no quote. */
export type Refusal = "no-liquidity" | "unknown-state" | "too-large"

export type Quote =
  | {
      readonly ok: true
      /** raw units of the bought token */
      readonly amountOut: bigint
      /** raw units taken of the sold one: less than offered where liquidity ends */
      readonly amountIn: bigint
    }
  | { readonly ok: false; readonly reason: Refusal }

export const refused = (reason: Refusal): Quote => ({ ok: false, reason })

/** A swap as its event tells it; tokens by their place in the pool's list, amounts in raw units. */
export interface SwapSides {
  readonly tokenIn: number
  readonly tokenOut: number
  readonly amountIn: bigint
  readonly amountOut: bigint
}

/**
 * What `streams/quote-check` is told of states, so that it can judge swaps of logs that begin
 * midway, and swaps that are no plain sales. Each part is optional: where it is absent such swaps
 * are not judged, or count as others.
 */
export interface StateCheck<S> {
  /** what a quote on the state lacks: all of it, as nothing was told, or the ticks of a range */
  lacks?(state: S): "state" | "ticks" | null
  /** raw units of both tokens, where a swap changes them by its amounts: so holes in a log show */
  reserves?(state: S): readonly [bigint, bigint] | null
  /** true where a pool pays what the caller asks for, if its curve allows so much */
  readonly paysWhatIsAsked?: true
  /** what a swap takes and pays that has more to sell than the way to this price takes */
  quoteUntil?(state: S, facts: PoolFacts, tokenIn: number, sqrtPriceX96: bigint): Quote
  /**
   * A state to quote on in place of one that lacks ticks, if the swap crossed none; null where it
   * cannot have been so. `fits`: whether what the swap paid leads from price to price whatever the
   * fee is; else ticks were crossed out and back, or events are missing.
   */
  withoutTicks?(
    state: S,
    facts: PoolFacts,
    swap: EventOf<"SwapExecuted">
  ): { readonly state: S; readonly fits: (sides: SwapSides) => boolean } | null
}

/**
 * A pool's state as a value: `fold` never changes its argument. Methods, not function properties,
 * so that a kind of any state type is an `AnyVenueKind`.
 */
export interface PoolModel<S> {
  /** the state before anything is known of the pool */
  initial(facts: PoolFacts): S
  /**
   * State after an event of this pool; events of other kinds or pools give the state unchanged.
   * They come in the order in which the decoder pushed them, those of one log one after the other.
   * A swap finds the state before its log, or, where the same transaction logged `ReservesSynced`
   * directly ahead of it (with taken fees before that), the state before the log of that: nothing
   * else may stand between the two. `streams/quote-check` judges the quote on that state.
   * `PoolCreated` of `source: "log"` is the beginning of an empty pool, where nothing of it is
   * known yet. With another source the pool was found later, or anybody claimed it: it may hold
   * anything.
   */
  fold(state: S, event: Event): S
  /** exact output for an exact input, in the contract's own integer arithmetic; tokens by their
   *  place in `facts.tokens` */
  quote(state: S, facts: PoolFacts, tokenIn: number, tokenOut: number, amountIn: bigint): Quote
  /** the input that buys exactly `amountOut`, where pools of the kind sell so */
  quoteOutput?(
    state: S,
    facts: PoolFacts,
    tokenIn: number,
    tokenOut: number,
    amountOut: bigint
  ): Quote
  /** how many ticks or bins a sale goes over, each of which costs gas; 0 where it has no quote.
   *  Absent: what a sale costs does not depend on how much is sold */
  crossed?(state: S, facts: PoolFacts, tokenIn: number, tokenOut: number, amountIn: bigint): number
  /**
   * What quotes of up to `most` raw units come to, and perhaps of more, in floating point; null
   * where they are refused whatever the amount is. All that it sells is at most what the pool
   * holds: the last piece ends there. Splits are found on it, and settled by
   * `quote`. Kinds without it are sampled by their quotes.
   */
  curve?(
    state: S,
    facts: PoolFacts,
    tokenIn: number,
    tokenOut: number,
    most: number
  ): PriceCurve | null
  /** true where quotes depend on the time, which the state takes from the newest event it saw, the
   *  end of a block (`BlockSealed`) among them */
  readonly byTime?: true
  readonly check?: StateCheck<S>
}

/**
 * A contract call that tells a fact of a pool. Of an answer of several words one counts, the first
 * where `word` says no other; a struct or fixed list is its members, a word each. An answer without
 * that word, or a refusal, tells nothing.
 */
export interface PoolCall {
  /** `token`: the token at place `index` (of several such calls the first answered counts);
   *  `tokens`: all of them, as an array whose offset is the first word;
   *  `parameter`: a number that becomes `PoolParameterSet`, see `name` */
  readonly fact:
    | "factory"
    | "token0"
    | "token1"
    | "fee"
    | "tickSpacing"
    | "token"
    | "tokens"
    | "parameter"
  /** human-readable ABI, e.g. `function token0() view returns (address)` */
  readonly abi: string
  /** one word each, not negative */
  readonly args?: ReadonlyArray<bigint>
  /** which word of the answer tells it, from 0 */
  readonly word?: number
  /** the parameter's name, as the kind's fold knows it */
  readonly name?: string
  /** place of a token, or of a parameter in its list */
  readonly index?: number
}

/** A call of a factory that tells which pool it made: of itself a contract can say anything. */
export interface FactoryCall {
  /** human-readable ABI */
  readonly abi: string
  /** what comes first in the call: both tokens, or the pool */
  readonly asks: "tokens" | "pool"
  /**
   * one word each after those, not negative; null where the call would tell nothing; "foreign"
   * where the pool does not tell what all pools of the kind do
   */
  readonly args: (fact: PoolFact, venue: ChainVenue) => ReadonlyArray<bigint> | null | "foreign"
  /**
   * the words that the answer has if the factory made the pool, at any places; the pool's address
   * where absent, null where an answer means that this factory cannot tell
   */
  readonly expects?: (fact: PoolFact) => ReadonlyArray<bigint> | null
}

/** A pool address re-computed from its factory, tokens and parameters. */
export interface DerivedPool {
  readonly pool: string
  readonly tokens: readonly [string, string]
  readonly fee: number | null
  readonly tickSpacing: number | null
  /** numbers that the address proves too */
  readonly parameters?: ReadonlyArray<PoolParameter>
}

/**
 * What pools look like from outside: `v2` has reserves of both tokens, `v3` liquidity in ranges of
 * the price, `v4` such ranges in one contract, `bins` liquidity in steps of the price; `other` is
 * none of these. Tokens' pools are counted by it, and unknown factories named.
 */
export type PoolShape = "v2" | "v3" | "v4" | "bins" | "other"

/**
 * What the reserves of a kind's `ReservesSynced` say. `price`: reserve 1 over reserve 0 is the
 * price of token 0 at the margin, as of constant products; `depth`: it is not, the pool only weighs
 * by them; `unless`: the price, but of pools with a parameter of that name other than 0 depth, as
 * where one kind has plain pools and pools with a curve. Each kind that logs a parameter of this
 * name declares it, since it means this in all of them.
 */
export type ReservesMeaning = "price" | "depth" | { readonly unless: string }

/**
 * A question to a contract about a pool's state. All of one read are asked at one and the same
 * block, never at a newer one.
 */
export interface StateCall {
  /** address in lower case; the pool's own where absent */
  readonly to?: string
  /** human-readable ABI, e.g. `function tickBitmap(int16) view returns (uint256)` */
  readonly abi: string
  /** one word each; numbers below zero as their 256 bits, so as numbers above it */
  readonly args?: ReadonlyArray<bigint>
}

/** The words of an answer as unsigned numbers, all of them; null where the contract refused. */
export type StateAnswer = ReadonlyArray<bigint> | null

/** Answers to the calls of each round so far, in their order. */
export type StateAnswers = ReadonlyArray<ReadonlyArray<StateAnswer>>

/** Whose state is read, and when. */
export interface StateQuestion<S> {
  readonly facts: PoolFacts
  /** the contract that made the pool, which is the one that holds it in kinds of `oneContract` */
  readonly factory: string | null
  /** the state by the pool's events up to the block: `initial` where none are known. What no call
   *  tells is taken from it */
  readonly known: S
  /** Unix seconds of the block whose state is read */
  readonly time: number
}

/**
 * How a pool's state is read from its contracts, where its events are not known from the first on
 * or do not tell it. Both functions are pure, and the number of calls is bounded whatever a pool
 * answers. A reader asks round by round:
 *
 *     const answers = []
 *     for (;;) {
 *       const calls = read.calls(question, answers)
 *       if (calls.length === 0) break
 *       answers.push(await askAllAtTheBlock(calls))
 *     }
 *     const state = read.state(question, answers)
 *
 * The state is the one that a fold of the pool's whole log has at the end of the block, and is
 * folded on from there, or a part of it that refuses quotes which lead out of the part. So a state
 * holds nothing twice: not what follows from other parts of it, nor how it came about, which no
 * read can tell; the laws hold both states to one value.
 */
export interface StateRead<S> {
  /** the calls of the next round; none where nothing is left to ask, or nothing can be asked */
  calls(question: StateQuestion<S>, answers: StateAnswers): ReadonlyArray<StateCall>
  /** null where an answer is missing that the state needs, or the answers contradict each other */
  state(question: StateQuestion<S>, answers: StateAnswers): S | null
}

export interface VenueKind<S> {
  /** the folder's name, e.g. `uniswap-v3` */
  readonly kind: string
  /** what facts about chains (`scripts/generate-chains.mjs`) call it; absent: `kind` with `_` for
   *  `-` */
  readonly registryName?: string
  /** true where a venue's pools all take one fee, which its row tells (`feeBps`), and nothing
   *  else does */
  readonly hasVenueFee?: true
  /** declared by kinds whose pools log `ReservesSynced`: `projections/prices` goes by it */
  readonly reserves?: ReservesMeaning
  readonly shape: PoolShape
  /**
   * The kind that decodes what pools of this one log too, where there is one: contracts that share
   * events share their topics, and a log alone looks like that kind's. Its factory tells which of
   * the two a pool is of. Events that are shared are decoded there alone.
   */
  readonly decodedAs?: string
  /**
   * Declared where no event tells of new pools (`PoolCreated`), neither of this kind nor of the one
   * it is decoded as: a pool is known once its own calls tell its tokens and its factory
   */
  readonly poolsByCalls?: true
  /**
   * The kind whose adapter of the router contract (`engine/trade/contract`) trades with pools of
   * this one too, since they are called the same; absent: the adapter of its own name. A kind
   * without any is quoted, but in no route (`not-executable`), as its README says. Where the
   * adapter is told a fee it is that of the facts, so a pair whose fee only its state tells needs
   * an adapter of its own.
   */
  readonly tradedAs?: string
  /**
   * Where one contract of the chain logs for all pools and is their factory, so that nobody else is
   * believed: `all` of the events, or their `swaps` while pools log other things themselves
   */
  readonly oneContract?: "all" | "swaps"
  /**
   * Why pools of the kind are never quoted, in a few words, where events and calls do not tell what
   * a quote would need: every quote is `unknown-state`, and the laws take swaps of `VenueLaws`
   */
  readonly neverQuotes?: string
  /** true where one swap may be several `SwapExecuted` in a row, whose sums it is */
  readonly swapsInParts?: true
  /** true where contracts that a pool calls during a swap can swap too */
  readonly hasHooks?: true
  /** true where the contract that holds the pools is called itself and no event tells by whom */
  readonly callerUntold?: true
  readonly events: ReadonlyArray<EventDecoder>
  readonly pool: PoolModel<S>
  /** how pools older than the log are quoted: of every kind that quotes (test/laws) */
  readonly stateRead?: StateRead<S>
  /** calls that tell a pool's facts; the first must be answered, the others may be missing. Where
   *  events name the pool (`namesPool`) they ask the contract that holds it, the pool first */
  readonly poolCalls: ReadonlyArray<PoolCall>
  /**
   * How a factory is asked whether it made a pool; of several the first that is answered counts.
   * Absent, no factory is asked: where the pool's address does not follow from `derivePools`, its
   * own word of its factory counts, and any contract that names a listed one is a pool of that
   * venue, with its swaps and prices. So where `poolCalls` tell a factory these are declared, or
   * `factoryUnasked` says why not
   */
  readonly factoryCalls?: ReadonlyArray<FactoryCall>
  /** why the factory that `poolCalls` tell cannot be asked, in a few words: no function of it tells
   *  which pools it made */
  readonly factoryUnasked?: string
  /** every pool the factory can have made of two tokens (CREATE2); empty without init code hash */
  readonly derivePools: (
    venue: ChainVenue,
    tokenA: string,
    tokenB: string
  ) => ReadonlyArray<DerivedPool>
}

/** A venue kind whose state type does not matter to the caller; its states are `unknown`. */
export type AnyVenueKind = VenueKind<unknown>

/** What folds go by of a kind, of whatever family of chains. */
export type KindTraits = Pick<
  AnyVenueKind,
  | "kind"
  | "shape"
  | "reserves"
  | "decodedAs"
  | "oneContract"
  | "swapsInParts"
  | "hasHooks"
  | "callerUntold"
> & {
  /**
   * Its pools are curves of a launch program: it makes the token with the curve, so that the token
   * trades nowhere before, and its rules alone move the price
   */
  readonly launches?: boolean
}
