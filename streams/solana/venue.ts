/** What a venue on Solana declares: its program, its swap instructions, and its events. */

import type { PoolShape } from "../venue.ts"

/** The pool after a swap, as the venue's own event tells it. */
export type PoolAfter =
  /** what the pool counts as its reserves: of the token that came in, and of the other */
  | { readonly kind: "reserves"; readonly in: bigint; readonly out: bigint }
  /** the square root of the second token's price of the first, times 2^64 */
  | {
      readonly kind: "price"
      readonly sqrtPriceX64: bigint
      readonly liquidity: bigint | null
      readonly tick: number | null
    }
  /** the bin at which the swap ended */
  | { readonly kind: "bin"; readonly bin: number }

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

/** What a pool's event other than a swap says. */
export type PoolFacts =
  | {
      readonly kind: "created"
      readonly pool: string
      /** null where the event names none */
      readonly mints: readonly [string, string | null]
    }
  | {
      readonly kind: "liquidity"
      /** null where the event names only the position */
      readonly pool: string | null
      readonly position: string | null
      /** what the pool gains of its two tokens; below 0 what it pays out, without fees */
      readonly amounts: readonly [bigint, bigint]
    }

export interface PoolEventLayout {
  readonly name: string
  readonly least: number
  /** Returns null where the payload ends before what it should have. */
  readonly read: (payload: Uint8Array, accounts: ReadonlyArray<string>) => PoolFacts | null
}

/** Places in an instruction's list of accounts; below 0 they count from its end. */
export interface Hop {
  readonly pool: number
  /** of the pool's first and second token, or of input and output (`SwapCall.inputFirst`) */
  readonly vaults: readonly [number, number]
  readonly mints?: readonly [number, number]
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

export interface SolanaVenue {
  /** the venue's number in the interface's status of the ingest, 1 to 11 */
  readonly number: number
  readonly name: string
  readonly program: string
  readonly shape: PoolShape
  /**
   * What its pools' reserves say: a `price`, which the event of a swap tells then, or `depth`
   * alone, for which what the vaults hold will do
   */
  readonly reserves: "price" | "depth"
  /** the account that the program's calls to itself list; null where it tells events by log */
  readonly eventAuthority: string | null
  /** bytes of a discriminator */
  readonly tagBytes: 1 | 8
  readonly swapCalls: { readonly [tag: string]: SwapCall }
  readonly swapEvents: { readonly [tag: string]: SwapEventLayout }
  readonly poolEvents: { readonly [tag: string]: PoolEventLayout }
}
