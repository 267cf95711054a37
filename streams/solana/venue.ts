/** What a venue on Solana declares: its program, its swap instructions, and its events. */

import type { BinStep } from "../../src/math/bins/bin-step.ts"
import type { PoolShape } from "../venue.ts"

/** The pool after a swap, as the venue's own event tells it. */
export type PoolAfter =
  /** what the pool counts as its reserves: of the token that came in, and of the other */
  | {
      readonly kind: "reserves"
      readonly in: bigint
      readonly out: bigint
      /** parts of both that price the pool and are in no vault; absent: vaults hold all of it */
      readonly virtual?: VirtualPart
    }
  /** the square root of the second token's price of the first, times 2^64 */
  | {
      readonly kind: "price"
      readonly sqrtPriceX64: bigint
      readonly liquidity: bigint | null
      readonly tick: number | null
    }
  /** the bin at which the swap ended, and the pool's bin step as far as the swap tells it */
  | { readonly kind: "bin"; readonly bin: number; readonly step: BinStep | null }
  /**
   * reserves are what the pool's shares of lending vaults are worth (`Hop.shares`), if `net`, which
   * is what came in without fees, was traded by constant product
   */
  | { readonly kind: "shares"; readonly net: bigint }

/** Parts of a pool's reserves that no vault holds, of the token that came in and of the other. */
export interface VirtualPart {
  readonly in: bigint
  readonly out: bigint
}

/** What an event says of one swap. */
export interface SwapFacts {
  /** null where the event names none */
  readonly pool: string | null
  /** whether the pool's first token came in; null where the event does not tell */
  readonly firstIn: boolean | null
  /** what the input vault gains */
  readonly amountIn: bigint
  /** what the output vault loses */
  readonly amountOut: bigint
  readonly after: PoolAfter | null
  /** what a vault may gain beyond (or lose less than) the event says, by the venue's rounding */
  readonly slack?: { readonly in: bigint; readonly out: bigint }
  /**
   * A rule about the vaults that no landed transaction has shown. Where it is there, a difference
   * of the vaults says nothing against the event.
   */
  readonly caveat?: string
  /** whether the second token is a token, where swaps of the venue may pay in lamports */
  readonly paysToken?: boolean
}

/** An event of a swap, by its discriminator in `SolanaVenue.swapEvents`. */
export interface SwapEventLayout {
  readonly name: string
  /** bytes that are read; longer payloads are newer versions */
  readonly least: number
  /** of several events of one swap the one with the lowest rank is believed */
  readonly rank: number
  readonly read: (payload: Uint8Array) => SwapFacts
}

/** What the creator of a pool puts in with its creation, of the pool's two tokens. */
export interface Deposit {
  /** null where the instruction has it (`PoolCall.owner`) */
  readonly owner: string | null
  readonly amounts: readonly [bigint, bigint]
}

/** What an event other than a swap's says of a pool, or an instruction where none is told. */
export type PoolFacts =
  | {
      readonly kind: "created"
      readonly pool: string
      /** of lamports the native mint; null where neither event nor instruction names one */
      readonly mints: readonly [string | null, string | null]
      /**
       * what swaps pay at the beginning, in millionths; null where neither event nor instruction
       * tells it, as where the program's code has one for all pools (`SolanaVenue`)
       */
      readonly fee: number | null
      /** the tick spacing, or the bin step in basis points; null where it is not told */
      readonly spacing: number | null
      /** what its creator puts in at once, where the event tells it: liquidity of its own */
      readonly deposit?: Deposit | null
    }
  | {
      readonly kind: "liquidity"
      /** null where the event names only the position, and the instruction is not known */
      readonly pool: string | null
      /** whose liquidity it is, or who may act for its owner; null where it is not told */
      readonly owner: string | null
      readonly position: string | null
      /** of the pool's two tokens; null where the instruction tells none */
      readonly mints: readonly [string | null, string | null]
      /** what the pool gains of its two tokens; below 0 what it pays out, without fees */
      readonly amounts: readonly [bigint, bigint]
      /** the reserves that price it, ahead of the change, where the event tells them */
      readonly before?: readonly [bigint, bigint]
      /** what is paid to the position beside, of fees that it had earned */
      readonly fees?: readonly [bigint, bigint]
    }
  | {
      /** fees that a position had earned are paid to it, of the pool's two tokens */
      readonly kind: "fees"
      readonly pool: string | null
      readonly owner: string | null
      readonly position: string | null
      readonly mints: readonly [string | null, string | null]
      readonly amounts: readonly [bigint, bigint]
    }
  | {
      /** nothing is sold on a curve any more; told again once its liquidity has a pool */
      readonly kind: "graduated"
      /** the curve */
      readonly pool: string
      /** null where neither event nor instruction names it */
      readonly mint: string | null
      /** the pool that its liquidity is in; null until there is one */
      readonly to: string | null
    }

/** Why an event cannot be read. */
export type Unread = "an event is shorter than its layout" | "an event is of an unknown kind"

/** An event of a pool, by its discriminator in `SolanaVenue.poolEvents`. */
export interface PoolEventLayout {
  readonly name: string
  readonly least: number
  /** of an instruction's events of one kind those with the lowest rank are believed; default 0 */
  readonly rank?: number
  /** Returns null where this one tells nothing but a swap. */
  readonly read: (payload: Uint8Array, accounts: ReadonlyArray<string>) => PoolFacts | Unread | null
}

/**
 * What a pool is created with, as the data of the instruction tells it; see `PoolFacts`. A fee that
 * no data tells is null here, also where all pools take the same one.
 */
export interface PoolTerms {
  readonly fee: number | null
  readonly spacing: number | null
  /** what the creator puts in at once, where no event of the instruction tells liquidity */
  readonly deposit?: readonly [bigint, bigint]
}

/**
 * An instruction that works on a pool, by its discriminator in `SolanaVenue.poolCalls`: where its
 * accounts stand, which fill in what its events leave out. What it does is told of itself where
 * none of its events tells it.
 */
export interface PoolCall {
  readonly name: string
  readonly pool: number
  /** of the pool's first and second token */
  readonly mints?: readonly [number, number]
  /** of the one token that the instruction is about: of which amount the event tells */
  readonly mint?: number
  /** where no mints are listed: of the accounts that hold them, whose mints balances tell */
  readonly vaults?: readonly [number, number]
  /** see `PoolFacts` */
  readonly owner?: number
  /** it burns shares of the pool: where its accounts do not tell the owner, theirs is it */
  readonly burns?: true
  readonly position?: number
  /** it creates the pool, with what its data tells */
  readonly creates?: (data: Uint8Array) => PoolTerms
  /** it pays fees to a position: what its `vaults` lose, where no event tells it */
  readonly collects?: true
  /** it moves what a curve holds into a pool, which stands there */
  readonly graduatesTo?: number
}

/** Places in an instruction's list of accounts; below 0 they count from its end. */
export interface Hop {
  readonly pool: number
  /** of the pool's first and second token, or of input and output (`SwapCall.inputFirst`) */
  readonly vaults: readonly [number, number]
  readonly mints?: readonly [number, number]
  /** the pool's shares of the vaults, where these hold what many pools have */
  readonly shares?: readonly [number, number]
  /** the account whose lamports are the second vault, unless the event `paysToken` */
  readonly lamports?: number
}

/** A swap instruction, by its discriminator in `SolanaVenue.swapCalls`. */
export interface SwapCall {
  readonly name: string
  /** the place of the account that owns what is paid */
  readonly user: number
  /** one swap each; none: as many as there are events, by their pools */
  readonly hops: ReadonlyArray<Hop>
  /** whether vaults stand as input and output, whichever way the swap goes */
  readonly inputFirst?: true
}

/**
 * A program and what it tells. A fee that its code has for all pools is no part of it: it stands as
 * `feeBps` in the venue's row (`src/domain/chains/solana.ts`), from where every pool has it that
 * tells none of its own, whether its creation was seen or a swap of it.
 */
export interface SolanaVenue {
  /** the venue's number in the interface's status of the ingest, from 1 without a gap */
  readonly number: number
  readonly name: string
  readonly program: string
  readonly shape: PoolShape
  /**
   * What its pools' reserves say: a `price`, which events of swaps tell (`PoolAfter`), together
   * with what is virtual of them, or `depth` alone. A pool of `depth` weighs what its vaults hold,
   * which is told ahead of each swap where nodes tell balances; its price is the root that the swap
   * tells or its bin has, and where swaps tell none it sets no price
   */
  readonly reserves: "price" | "depth"
  /** whether its pools are curves that the program makes together with their token */
  readonly launches?: true
  /** the account that the program's calls to itself list; null where it tells events by log */
  readonly eventAuthority: string | null
  /** bytes of a discriminator */
  readonly tagBytes: 1 | 8
  readonly swapCalls: { readonly [tag: string]: SwapCall }
  readonly swapEvents: { readonly [tag: string]: SwapEventLayout }
  readonly poolEvents: { readonly [tag: string]: PoolEventLayout }
  readonly poolCalls: { readonly [tag: string]: PoolCall }
}
