/**
 * What the engine must know of a chain beforehand: identity, native unit, anchors (the tokens a
 * dollar price may start from), venues by factory, routers, finality. Facts only, from
 * `src/domain/chains/<key>.ts` or a user's own file; everything else is read from the chain.
 */
import { Schema } from "effect"
import { Address, Hash } from "./address.ts"

/** Where dollars come from: `usd` tokens count as $1; `native` and `asset` are priced by pools. */
export const Anchor = Schema.Struct({
  address: Address,
  symbol: Schema.String,
  name: Schema.optionalKey(Schema.String),
  decimals: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 })),
  kind: Schema.Literals(["usd", "native", "asset"])
})
export type Anchor = typeof Anchor.Type

/** A deployed venue: the factory that creates its pools and the shape of their contracts. */
export const ChainVenue = Schema.Struct({
  /** stable public id, e.g. `uniswap_v3` */
  id: Schema.String.check(Schema.isPattern(/^[a-z0-9_]+$/)),
  /** venue kind, the name of a folder under streams/evm, e.g. `uniswap-v3` */
  kind: Schema.String,
  factory: Address,
  /** CREATE2 deployer where it is not the factory */
  deployer: Schema.optionalKey(Address),
  /** the contract that holds positions as tokens for others */
  positionManager: Schema.optionalKey(Address),
  initCodeHash: Schema.optionalKey(Hash),
  /** fee in basis points where the kind has one fee (V2 forks) */
  feeBps: Schema.optionalKey(Schema.Number),
  /** fee tiers in 1e-6 with their tick spacing (V3 forks) */
  feeTiers: Schema.optionalKey(
    Schema.Array(Schema.Struct({ fee: Schema.Int, tickSpacing: Schema.NullOr(Schema.Int) }))
  ),
  startBlock: Schema.optionalKey(Schema.Int)
})
export type ChainVenue = typeof ChainVenue.Type

export const ChainConfig = Schema.Struct({
  id: Schema.Int,
  /** key used in paths, subjects and file names */
  key: Schema.String.check(Schema.isPattern(/^[a-z0-9]+$/)),
  name: Schema.String,
  native: Schema.Struct({ symbol: Schema.String, decimals: Schema.Int }),
  /** the token that the zero address stands for on the data routes; null where there is none */
  nativeToken: Schema.NullOr(Address),
  /** in order of preference as the quote side of a pair */
  anchors: Schema.Array(Anchor),
  venues: Schema.Array(ChainVenue),
  /** contracts that trade on behalf of the transaction's sender */
  routers: Schema.Array(Address),
  /** blocks after which a block cannot be reorganised */
  finalityDepth: Schema.Int,
  blockTimeMs: Schema.Int,
  /** smallest counted trade in dollars; absent where every trade counts and none is declared */
  ingestFloorUsd: Schema.optionalKey(Schema.Number)
})
export type ChainConfig = typeof ChainConfig.Type
