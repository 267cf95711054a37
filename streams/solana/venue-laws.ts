/**
 * What a venue of Solana tells its laws: how its program lists accounts and lays out events, of
 * swaps and of what else it does to pools. It says again what `venue.ts` of the same folder
 * declares, so it is written from the program's IDL or source and not from there.
 */
import type { Field } from "./made-transaction.ts"

/** A swap as the laws make it, of a pool whose price a bin of a step has. */
export interface LawSwap {
  readonly pool: string
  /** of the token that comes in, and of the other */
  readonly mints: readonly [string, string]
  readonly firstIn: boolean
  /** what the input vault gains, and what of it is kept as a fee, which is `FEE_PERCENT` of it */
  readonly in: bigint
  readonly fee: bigint
  readonly out: bigint
  /** what the pool reckons with of its first and second token: ahead of the swap, and after it */
  readonly before: readonly [bigint, bigint]
  readonly after: readonly [bigint, bigint]
  /** the parts of both that no vault holds */
  readonly virtual: readonly [bigint, bigint]
  /** after the swap: the root of the price times 2^64, and what pools of ranges tell besides */
  readonly root: bigint
  readonly liquidity: bigint
  readonly tick: number
  readonly bin: number
}

/** The fee of swaps that laws make, and of pools that they create. */
export const FEE_PERCENT = 0.25
/** The fee of pools that laws create in the millionths that facts have. */
export const FEE_MILLIONTHS = FEE_PERCENT * 10_000
/** The step of the bins of a pool that laws make, in basis points. */
export const BIN_STEP = 20

/**
 * What an event tells of the pool after the swap: its reserves, with what is virtual of both or of
 * the second token alone; the root of its price, with liquidity and tick or without; its bin, with
 * the bin step or without; or what was traded of the input, for pools of shares.
 */
export type LawAfter =
  | "reserves"
  | "virtual reserves"
  | "virtual quote"
  | "root"
  | "root and liquidity"
  | "bin"
  | "bin and step"
  | "net"

/** One form of an event of a swap. */
export interface LawForm {
  readonly event: string
  readonly bytes: number
  /** where what stands, behind the discriminator */
  readonly fields: (swap: LawSwap) => ReadonlyArray<Field>
  readonly after: LawAfter
  /** whether it tells which of the pool's tokens came in */
  readonly tellsDirection: boolean
  /** the only direction that it tells swaps of; absent where it tells both */
  readonly firstIn?: boolean
}

/** Places of one swap's accounts, from the front. */
export interface LawHop {
  readonly pool: number
  readonly vaults: readonly [number, number]
  readonly mints?: readonly [number, number]
  readonly shares?: readonly [number, number]
  /** the account whose lamports are the second vault */
  readonly lamports?: number
}

/** One form of an instruction that swaps. */
export interface LawCall {
  readonly name: string
  /** how many accounts it lists, where places depend on it; default many */
  readonly accounts?: number
  readonly user: number
  /** of a router none: it trades with any pools, whose vaults no place tells */
  readonly hops: ReadonlyArray<LawHop>
  /** whether vaults and mints stand as input and output; else as the pool's first and second */
  readonly inputFirst?: true
}

/** A pool as the laws make it, and what they have done to it. */
export interface LawPool {
  readonly pool: string
  readonly mints: readonly [string, string]
  readonly owner: string
  readonly position: string
  /** ticks, or basis points, between its prices */
  readonly spacing: number
  /** what is put in, taken out or paid of its two tokens; as deposit of a creation, too */
  readonly amounts: readonly [bigint, bigint]
  /** what it held ahead of that */
  readonly before: readonly [bigint, bigint]
  /** what a position is paid beside, of fees that it had earned */
  readonly fees: readonly [bigint, bigint]
  /** the pool that a curve's liquidity is moved into */
  readonly to: string
}

/**
 * What may be told of a pool, beside amounts: those of liquidity and fees every event tells. The
 * `fee` is `FEE_PERCENT` of swaps, the `deposit` what a creator puts in.
 */
export type LawWord =
  | "pool"
  | "mints"
  | "first mint"
  | "owner"
  | "position"
  | "fee"
  | "spacing"
  | "deposit"
  | "before"
  | "fees"
  | "to"

/** One form of an event of a pool. */
export interface LawPoolForm {
  readonly event: string
  readonly bytes: number
  /** where what stands, behind the discriminator */
  readonly fields: (pool: LawPool) => ReadonlyArray<Field>
  readonly tells: ReadonlyArray<LawWord>
  /** the pool's second mint where no field has it, since it is the same of all such pools */
  readonly secondMint?: string
}

/** One form of an instruction that works on a pool: places of accounts, from the front. */
export interface LawPoolCall {
  readonly name: string
  /** how many accounts it lists, where that matters; default many */
  readonly accounts?: number
  readonly pool: number
  readonly mints?: readonly [number, number]
  /** of the one token that it moves, where it lists no other */
  readonly mint?: number
  /** where it lists no mints: of the accounts that hold the pool's tokens */
  readonly vaults?: readonly [number, number]
  readonly owner?: number
  readonly position?: number
  /** the pool that a curve's liquidity is moved into */
  readonly to?: number
  /** it burns shares of the pool, and lists whose they are at no fixed place */
  readonly burns?: true
  /** it is all that tells what it does, where programs tell no event of it or logs were cut off */
  readonly alone?: true
  /** its data where it tells something of the pool; default some zeros */
  readonly data?: {
    readonly bytes: number
    readonly fields: (pool: LawPool) => ReadonlyArray<Field>
    readonly tells: ReadonlyArray<"fee" | "spacing" | "deposit">
  }
}

/**
 * What a program does to a pool: creates it, adds to it or removes from it, pays fees to a position
 * of it, or ends it as a curve, which is sold out or moved into another pool. The laws have each
 * instruction tell it by each event, and each event told by an instruction that nobody knows.
 */
export interface LawDeed {
  readonly what: "created" | "added" | "removed" | "paid" | "graduated"
  /** of events that are told together the better one first */
  readonly forms: ReadonlyArray<LawPoolForm>
  readonly calls: ReadonlyArray<LawPoolCall>
  /**
   * Whether programs told it by all of these events at once. Said, true or false, where events of
   * two names may tell it, and else not.
   */
  readonly toldTogether?: boolean
}

export interface SolanaVenueLaws {
  readonly program: string
  /** whether the program tells events by calls to itself, with the account that Anchor derives */
  readonly callsItself: boolean
  /** discriminators by name, of a program that is not Anchor's */
  readonly tags?: { readonly [name: string]: string }
  readonly calls: ReadonlyArray<LawCall>
  /** the forms that the laws make; of events that are told together the better one first */
  readonly forms: ReadonlyArray<LawForm>
  /**
   * Whether programs told one swap by all of these events at once. Laws of a venue say it, true or
   * false, where events of two names may tell a swap of one direction, and else do not.
   */
  readonly toldTogether?: boolean
  readonly deeds: ReadonlyArray<LawDeed>
  /** the fee of swaps in basis points where the program's code has one for all of its pools */
  readonly feeBps?: number
}
