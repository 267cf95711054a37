/** What a token keeps of its own transfers, and what arrives of one. */

/** Of each transfer of a swap, in millionths of what is sent. */
export interface TransferTaxes {
  readonly fromPool: number
  readonly toTaker: number
  readonly fromTaker: number
  readonly toPool: number
}

/** A token with its taxes beside a pool, since tokens know their pools; addresses in lower case. */
export interface TaxedToken {
  readonly token: string
  /** contract that holds the pool's tokens */
  readonly pool: string
  readonly taxes: TransferTaxes
}

const MILLION = 1_000_000n

/** A tax from what was sent and what arrived of it, in millionths: at least 0. */
export const taxOf = (sent: bigint, received: bigint): number =>
  received >= sent ? 0 : Number(((sent - received) * MILLION + sent / 2n) / sent)

/** What arrives: tokens round the tax down. */
export const afterTax = (amount: bigint, tax: number): bigint =>
  amount - (amount * BigInt(tax)) / MILLION

/** About what has to be sent for so much to arrive. */
export const beforeTax = (amount: bigint, tax: number): bigint =>
  tax === 0 ? amount : (amount * MILLION) / (MILLION - BigInt(tax))

/** Share that two transfers one after the other take. */
const taken = (first: number, second: number): number => 1 - (1 - first / 1e6) * (1 - second / 1e6)

/** Share of an output that a buyer does not get. */
export const buyTax = ({ fromPool, toTaker }: TransferTaxes): number => taken(fromPool, toTaker)

/** Share of an input that the pool does not get. */
export const sellTax = ({ fromTaker, toPool }: TransferTaxes): number => taken(fromTaker, toPool)

export const isTaxed = (taxes: TransferTaxes): boolean => buyTax(taxes) > 0 || sellTax(taxes) > 0
