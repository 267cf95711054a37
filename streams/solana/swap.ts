/** A swap on a venue of Solana, and what else a transaction tells of its pools. */
import type { PoolAfter, PoolFacts, SolanaVenue, Unread } from "./venue.ts"

/** One side of a swap, as the pool's vault sees it: what users pay beside it is not in it. */
export interface SwapSide {
  /** the account that holds the pool's part */
  readonly vault: string
  /** whether the vault's lamports are meant, or its tokens */
  readonly native: boolean
  /** null where neither the instruction nor the node tells it; of lamports the native mint */
  readonly mint: string | null
  readonly amount: bigint
  /** the account of the pool's shares of the vault; null where the vault is the pool's own */
  readonly share: string | null
  /** see `SwapFacts.slack` */
  readonly slack: bigint
}

export interface Swap {
  readonly venue: SolanaVenue
  /** of the instruction, see `pathOf` */
  readonly path: number
  /** the place of the swap in an instruction that makes several */
  readonly hop: number
  readonly instruction: string
  readonly pool: string
  /** who owns what was paid: a wallet, or an account of a program that trades for it */
  readonly user: string
  /** the user where it signed, else who paid the transaction's fee */
  readonly trader: string
  readonly in: SwapSide
  readonly out: SwapSide
  /**
   * Whether what came in is the pool's first token, as the venue orders them; null where the
   * instruction's vaults stand as input and output and no event tells.
   */
  readonly inIsFirst: boolean | null
  /** the event believed; null where amounts are those of the instruction's transfers */
  readonly event: string | null
  readonly after: PoolAfter | null
  /** see `SwapFacts.caveat` */
  readonly caveat: string | null
}

/** A pool was created, its liquidity changed, or a curve came to its end. */
export interface PoolEvent {
  readonly venue: SolanaVenue
  /** of the instruction that did it, see `pathOf` */
  readonly path: number
  /** the event's name; the instruction's where no event tells it */
  readonly event: string
  readonly facts: PoolFacts
}

/** Why a swap instruction or an event could not be read. */
type RefusalReason =
  | "an account of the instruction is missing"
  | Unread
  | "an event is of another pool"
  | "more events than swaps"
  | "neither an event nor transfers tell the amounts"

export interface Refusal {
  readonly venue: SolanaVenue
  readonly path: number
  readonly reason: RefusalReason
}

/** Events of a venue in a transaction. */
export interface EventCounts {
  /** events of swaps, each as often as it was told */
  readonly events: number
  /** those of them that belong to no swap instruction */
  readonly noParent: number
  /** events of the venue's program that are of no swap */
  readonly otherEvents: number
}

export interface Decoded {
  readonly swaps: ReadonlyArray<Swap>
  readonly poolEvents: ReadonlyArray<PoolEvent>
  readonly refusals: ReadonlyArray<Refusal>
  /** by the venue's number */
  readonly counts: ReadonlyMap<number, EventCounts>
}
