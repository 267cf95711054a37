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
