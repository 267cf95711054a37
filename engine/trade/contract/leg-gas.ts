/**
 * What gas a swap through the router contract takes. What a leg adds was measured on Anvil where
 * the kind's real contracts can be deployed (`leg-gas.test.ts` measures again), in pools that had
 * traded before. Others are told by KyberNetwork/kyberswap-dex-lib (ae6a99aa55, constants beside
 * each pool simulator), or reckoned from the contracts of which they are made.
 */
import type { Adapter } from "./router-call.ts"

/** A leg as its gas is told. */
export interface GasLeg {
  readonly kind: Adapter["kind"]
  /** ticks or bins that it goes over */
  readonly crossed: number
}

interface LegGas {
  /** units of gas that a leg adds */
  readonly leg: number
  /** those of each tick or bin that it goes over */
  readonly crossing: number
}

/** Ticks that were never crossed before cost twice as much as others, which is between both. */
const TICK = 30_000

const GAS: { readonly [K in Adapter["kind"]]: LegGas } = {
  wrap: { leg: 5000, crossing: 0 },
  unwrap: { leg: 13_000, crossing: 0 },
  "uniswap-v2": { leg: 67_500, crossing: 0 },
  "uniswap-v3": { leg: 82_000, crossing: TICK },
  "pancakeswap-v3": { leg: 82_000, crossing: TICK },
  "uniswap-v4": { leg: 70_000, crossing: TICK },
  // a pair of Uniswap V2, the transfer of its fee and calls of its factory
  solidly: { leg: 115_000, crossing: 0 },
  // a pool of Uniswap V3, calls of its factory for both fees, and the share that is staked
  "solidly-cl": { leg: 110_000, crossing: TICK },
  // a pool of Uniswap V3, a new timepoint and the fee that follows from it
  algebra: { leg: 170_000, crossing: TICK },
  // the rest as KyberSwap tells them
  "curve-stable": { leg: 128_000, crossing: 0 },
  "curve-crypto": { leg: 240_000, crossing: 0 },
  "balancer-v2": { leg: 134_000, crossing: 0 },
  "balancer-v3": { leg: 214_000, crossing: 0 },
  "liquidity-book": { leg: 71_000, crossing: 15_000 },
  dodo: { leg: 122_000, crossing: 0 },
  "maverick-v2": { leg: 125_000, crossing: 20_000 }
}

/**
 * What a transaction takes beside its legs, measured: taking the input, paying out, the first
 * storage words of each; where a pool trades also those of a taker who had none of the token.
 */
const BASE = { conversion: 70_000, trade: 84_000 } as const

/** What each token between the sold and the bought one adds, measured. */
const TOKEN_BETWEEN = 8000

const isConversion = ({ kind }: GasLeg): boolean => kind === "wrap" || kind === "unwrap"

/** Whether the router contract has an adapter of that name. */
export const isAdapter = (name: string): name is Adapter["kind"] => Object.hasOwn(GAS, name)

/** What a leg of the adapter adds. */
export const legGasOf = (kind: Adapter["kind"]): number => GAS[kind].leg

/** What a trade takes beside its legs. */
export const TRADE_GAS = BASE.trade

/** About the gas of a transaction with these legs, conversions among them, and so many tokens. */
export const gasOf = (legs: ReadonlyArray<GasLeg>, tokens: number): number => {
  const base = legs.every(isConversion) ? BASE.conversion : BASE.trade
  const between = TOKEN_BETWEEN * Math.max(0, tokens - 2)
  return legs.reduce((sum, { kind, crossed }) => {
    const { leg, crossing } = GAS[kind]
    return sum + leg + crossing * crossed
  }, base + between)
}

/** What a transaction's gas may depend on that an estimate does not know. */
export interface GasDoubts {
  /** of the legs, conversions among them */
  readonly kinds: ReadonlyArray<Adapter["kind"]>
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
  const crossings = kinds.reduce((sum, kind) => sum + GAS[kind].crossing * MORE_CROSSINGS, 0)
  return withGasMargin(told) + BigInt(crossings + TAXED * taxed)
}
