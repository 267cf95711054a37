/**
 * What a venue of Solana tells its laws: how its program lists accounts and lays out events of
 * swaps. It says again what `venue.ts` of the same folder declares, so it is written from the
 * program's IDL or source and not from there.
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
  /** data or payloads of creations that tell the pool's fee, here of `FEE_PERCENT`, by name */
  readonly fees?: { readonly [name: string]: ReadonlyArray<FeeTold> }
}

export interface FeeTold {
  readonly bytes: number
  readonly fields: ReadonlyArray<Field>
}
