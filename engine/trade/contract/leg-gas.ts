/** What gas a swap through the router contract takes; each leg's part stands in `adapters.ts`. */
import { type AdapterName, factsOfAdapter } from "./adapters.ts"

/** A leg as its gas is told. */
export interface GasLeg {
  readonly kind: AdapterName
  /** ticks or bins that it goes over */
  readonly crossed: number
}

/**
 * What a transaction takes beside its legs, measured: taking the input, paying out, the first
 * storage words of each; where a pool trades also those of a taker who had none of the token.
 */
const BASE = { conversion: 70_000, trade: 84_000 } as const

/** What each token between the sold and the bought one adds, measured. */
const TOKEN_BETWEEN = 8000

const isConversion = ({ kind }: GasLeg): boolean => kind === "wrap" || kind === "unwrap"

/** What a trade takes beside its legs. */
export const TRADE_GAS = BASE.trade

/** About the gas of a transaction with these legs, conversions among them, and so many tokens. */
export const gasOf = (legs: ReadonlyArray<GasLeg>, tokens: number): number => {
  const base = legs.every(isConversion) ? BASE.conversion : BASE.trade
  const between = TOKEN_BETWEEN * Math.max(0, tokens - 2)
  return legs.reduce((sum, { kind, crossed }) => {
    const { gas, crossing = 0 } = factsOfAdapter(kind)
    return sum + gas + crossing * crossed
  }, base + between)
}

/** What a transaction's gas may depend on that an estimate does not know. */
export interface GasDoubts {
  /** of the legs, conversions among them */
  readonly kinds: ReadonlyArray<AdapterName>
  /** how many tokens of the order take something of their transfers */
  readonly taxed: number
}

/**
 * Percent of the told gas that a transaction is given. A call hands on 63/64 of its gas, and what
 * is paid back at the end has to be there before: transactions on the devchain needed up to 128 %
 * of what is told. A tick that nobody crossed before takes 150 % of what is told of one.
 */
const LIMIT_PERCENT = 150n

/** So many ticks or bins more than quoted each leg may go over, as its pool moves meanwhile. */
const MORE_CROSSINGS = 5

/** What a token that takes a fee may do within a transfer: sell the fees it has, as many do. */
const TAXED = 250_000

/** The gas of any call with a margin; what is not used is not paid. */
export const withGasMargin = (gas: bigint): bigint => (gas * LIMIT_PERCENT + 99n) / 100n

/** The gas limit of a transaction for which so much is told. */
export const gasLimitOf = (told: bigint, { kinds, taxed }: GasDoubts): bigint => {
  const ofLegs = kinds.reduce((sum, kind) => {
    const { crossing = 0, first = 0 } = factsOfAdapter(kind)
    return sum + crossing * MORE_CROSSINGS + first
  }, 0)
  return withGasMargin(told) + BigInt(ofLegs + TAXED * taxed)
}
