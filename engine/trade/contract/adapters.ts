/**
 * The adapters of the router contract, each with all that is known of it: its number, what it is
 * told of a leg besides pool and tokens, and its gas. Most are called like the venue kind that they
 * trade with; other kinds name the one that trades with them (`tradedAs` of `VenueKind`).
 *
 * What a leg adds to the gas of a transaction was measured on Anvil where the kind's real contracts
 * can be deployed (`leg-gas.test.ts` measures again), in pools that had traded before. Others are
 * told by KyberNetwork/kyberswap-dex-lib (ae6a99aa55, constants beside each pool simulator), or
 * reckoned from the contracts of which they are made.
 */
import { Predicate } from "effect"
import { encodeAbiParameters } from "viem"
import type { TradePool } from "../pools/pool-market.ts"

type Hex = `0x${string}`

/** A pool as a leg sells to it: from the token at one place to that at another. */
export interface SoldPool extends Pick<TradePool, "pool" | "facts" | "state"> {
  readonly from: number
  readonly to: number
  /** the factory that has to know the pool; null where nobody asks */
  readonly factory: Hex | null
}

/** Where a factory is asked for the pool by its tokens and a number. */
interface Known {
  readonly factory: Hex | null
}

interface Fee {
  /** 1e-6 of the input */
  readonly fee: number
}

interface Places {
  readonly from: number
  readonly to: number
}

interface Side {
  /** whether the pair's first token is sold: X, the base token, A */
  readonly sellsFirst: boolean
}

/** What each adapter is told besides pool and tokens. */
interface Told {
  /** the pool is the wrapped native token, here and in `unwrap` */
  readonly wrap: unknown
  readonly unwrap: unknown
  readonly "uniswap-v2": Fee
  readonly solidly: unknown
  readonly "uniswap-v3": Fee & Known
  readonly "pancakeswap-v3": Fee & Known
  readonly "solidly-cl": { readonly tickSpacing: number } & Known
  readonly algebra: Known
  /** the pool is the PoolManager */
  readonly "uniswap-v4": Fee & {
    readonly tickSpacing: number
    readonly hooks: Hex
    readonly hookData: Hex
  }
  readonly "curve-stable": Places
  readonly "curve-crypto": Places
  /** the pool is the vault, here and in `balancer-v3` */
  readonly "balancer-v2": { readonly poolId: Hex }
  readonly "balancer-v3": { readonly vaultPool: Hex }
  readonly "liquidity-book": Side
  readonly dodo: Side
  readonly "maverick-v2": Side
}

export type AdapterName = keyof Told

/** Conversions of the native unit, which are of no pool. */
type Conversion = "wrap" | "unwrap"

type PoolAdapter = Exclude<AdapterName, Conversion>

/** An adapter by its name, and what it is told. */
export type Adapter =
  | { readonly kind: Conversion }
  | { readonly [K in PoolAdapter]: { readonly kind: K } & Told[K] }[PoolAdapter]

/** Methods, not function properties, so that facts of any adapter are `AdapterFacts<unknown>`. */
interface AdapterFacts<T> {
  /** as `RouterTypes.sol` has it */
  readonly number: number
  /** units of gas that a leg adds */
  readonly gas: number
  /** those of each tick or bin that it goes over; absent: it goes over none */
  readonly crossing?: number
  /** what a pool's first trade may add: it writes words that others change; absent: nothing */
  readonly first?: number
  /** declared where the pool counts what arrived, be it less than was sent (`PaidFirst.sol`) */
  readonly countsArrival?: true
  /** what it is told of a pool; null where that is not known. Absent: it trades with none */
  told?(sold: SoldPool): T | null
  /** what it is told of a pool, as the contract takes it; absent: it takes nothing */
  data?(told: T): Hex
}

const words = (types: ReadonlyArray<string>, values: ReadonlyArray<unknown>): Hex =>
  encodeAbiParameters(
    types.map(type => ({ type })),
    values
  )

/** Asks the factory for the pool of the leg's tokens and this number. */
const known = (factory: Hex | null, number: number): Hex =>
  factory === null ? "0x" : words(["address", "uint24"], [factory, number])

/** Whether a state says that its pool has hooks, as a number. */
const hooksIn = (state: unknown): bigint | null => {
  const hooks = Predicate.hasProperty(state, "hooks") ? state.hooks : null
  return typeof hooks === "bigint" ? hooks : null
}

const ofFee: Pick<AdapterFacts<Fee & Known>, "told" | "data"> = {
  told: ({ facts: { fee }, factory }) => (fee === null ? null : { fee, factory }),
  data: ({ fee, factory }) => known(factory, fee)
}

const ofPlaces: Pick<AdapterFacts<Places>, "told" | "data"> = {
  told: ({ from, to }) => ({ from, to }),
  data: ({ from, to }) => words(["uint256", "uint256"], [BigInt(from), BigInt(to)])
}

const ofSide: Pick<AdapterFacts<Side>, "told" | "data"> = {
  told: ({ from }) => ({ sellsFirst: from === 0 }),
  data: ({ sellsFirst }) => words(["bool"], [sellsFirst])
}

const v4Told = ({ facts, state }: SoldPool): Told["uniswap-v4"] | null => {
  const hooks = hooksIn(state)
  const { fee, tickSpacing } = facts
  if (hooks === null || fee === null || tickSpacing === null) return null
  const address = `0x${hooks.toString(16).padStart(40, "0")}` as const
  return { fee, tickSpacing, hooks: address, hookData: "0x" }
}

/** Ticks that were never crossed before cost twice as much as others, which is between both. */
const TICK = 30_000

/** Two words of sums over time, zero until the first trade of a later second than the pool's. */
const PRICE_SUMS = 45_000

const FACTS: { readonly [K in AdapterName]: AdapterFacts<Told[K]> } = {
  wrap: { number: 0, gas: 5000 },
  unwrap: { number: 1, gas: 13_000 },
  "uniswap-v2": {
    ...{ number: 2, gas: 67_500, first: PRICE_SUMS, countsArrival: true },
    told: ({ facts: { fee } }) => (fee === null ? null : { fee }),
    data: ({ fee }) => words(["uint256"], [BigInt(fee)])
  },
  // a pair of Uniswap V2, the transfer of its fee and calls of its factory
  solidly: {
    ...{ number: 3, gas: 115_000, first: PRICE_SUMS, countsArrival: true },
    told: () => ({})
  },
  "uniswap-v3": { number: 4, gas: 82_000, crossing: TICK, ...ofFee },
  // its pools differ from those in the name of their callback alone
  "pancakeswap-v3": { number: 4, gas: 82_000, crossing: TICK, ...ofFee },
  "solidly-cl": {
    // a pool of Uniswap V3, calls of its factory for both fees, and the share that is staked
    ...{ number: 5, gas: 110_000, crossing: TICK },
    told: ({ facts: { tickSpacing }, factory }) =>
      tickSpacing === null ? null : { tickSpacing, factory },
    data: ({ tickSpacing, factory }) => known(factory, tickSpacing)
  },
  algebra: {
    // a pool of Uniswap V3, a new timepoint and the fee that follows from it
    ...{ number: 6, gas: 170_000, crossing: TICK },
    told: ({ factory }) => ({ factory }),
    data: ({ factory }) => known(factory, 0)
  },
  "uniswap-v4": {
    ...{ number: 7, gas: 70_000, crossing: TICK },
    told: v4Told,
    data: ({ fee, tickSpacing, hooks, hookData }) =>
      words(["uint24", "int24", "address", "bytes"], [fee, tickSpacing, hooks, hookData])
  },
  // gas of the rest as KyberSwap tells it
  "curve-stable": { number: 8, gas: 128_000, ...ofPlaces },
  "curve-crypto": { number: 9, gas: 240_000, ...ofPlaces },
  "balancer-v2": {
    ...{ number: 10, gas: 134_000 },
    told: ({ pool }) => ({ poolId: pool as Hex }),
    data: ({ poolId }) => words(["bytes32"], [poolId])
  },
  "balancer-v3": {
    ...{ number: 11, gas: 214_000 },
    told: ({ pool }) => ({ vaultPool: pool as Hex }),
    data: ({ vaultPool }) => words(["address"], [vaultPool])
  },
  "liquidity-book": {
    ...{ number: 12, gas: 71_000, crossing: 15_000, countsArrival: true },
    ...ofSide
  },
  dodo: { number: 13, gas: 122_000, countsArrival: true, ...ofSide },
  "maverick-v2": {
    ...{ number: 14, gas: 125_000, crossing: 20_000, countsArrival: true },
    ...ofSide
  }
}

export const ADAPTER_NAMES = Object.keys(FACTS) as ReadonlyArray<AdapterName>

/** Whether the router contract has an adapter of that name. */
export const isAdapter = (name: string): name is AdapterName => Object.hasOwn(FACTS, name)

/** What is known of an adapter by its name alone. */
export const factsOfAdapter = (name: AdapterName): AdapterFacts<unknown> => FACTS[name]

/** The adapter with what it is told of a pool; null where that is not known. */
export const adapterFor = (kind: AdapterName, sold: SoldPool): Adapter | null => {
  const told = factsOfAdapter(kind).told?.(sold) ?? null
  return told === null ? null : ({ kind, ...(told as object) } as Adapter)
}

/** What the adapter is told, as the contract takes it. */
export const dataOf = (adapter: Adapter): Hex =>
  factsOfAdapter(adapter.kind).data?.(adapter) ?? "0x"
