/**
 * What the engine must know of a chain beforehand: identity, native unit, anchors (the tokens a
 * dollar price may start from), venues by factory, routers, finality. Facts only, from
 * `src/domain/chains/<key>.ts` or a user's own file; everything else is read from the chain.
 */
import { Schema } from "effect"
import { type Address, Hash } from "./address.ts"
import { familyOf } from "./chain-family.ts"
import { Account, idsOf } from "./ids.ts"
import type { Curation } from "./token-list.ts"

const within = (minimum: number, maximum = Number.MAX_SAFE_INTEGER) =>
  Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** Hundredths of a percent of a swap's input: more than all of it is no fee. */
const BasisPoints = Schema.Number.check(Schema.isBetween({ minimum: 0, maximum: 10_000 }))

/** Where dollars come from: `usd` tokens, at $1 on the whole; pools price `native` and `asset`. */
export const Anchor = Schema.Struct({
  address: Account,
  symbol: Schema.String,
  name: Schema.optionalKey(Schema.String),
  decimals: within(0, 255),
  kind: Schema.Literals(["usd", "native", "asset"])
})
export type Anchor = typeof Anchor.Type

/** A deployed venue: the factory that creates its pools and the shape of their contracts. */
export const ChainVenue = Schema.Struct({
  /** stable public id, in lower case, on EVM chains with its version, e.g. `uniswap_v3` */
  id: Schema.String.check(Schema.isPattern(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/)),
  /** venue kind, the name of a folder under streams/evm or streams/solana, e.g. `uniswap-v3` */
  kind: Schema.String,
  factory: Account,
  /** CREATE2 deployer where it is not the factory */
  deployer: Schema.optionalKey(Account),
  /** the contract that holds positions as tokens for others */
  positionManager: Schema.optionalKey(Account),
  initCodeHash: Schema.optionalKey(Hash),
  /** fee in basis points where the code of its pools has one for all (V2 forks, AMM v4) */
  feeBps: Schema.optionalKey(BasisPoints),
  /** fee tiers in 1e-6 with their tick spacing (V3 forks) */
  feeTiers: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({ fee: within(0, 1_000_000), tickSpacing: Schema.NullOr(within(1)) })
    )
  ),
  startBlock: Schema.optionalKey(within(0))
})
export type ChainVenue = typeof ChainVenue.Type

/** What a chain said of a venue that too few sources tell of. Only `proven` ones are on. */
export interface VenueCheck {
  readonly id: string
  readonly kind: string
  readonly factory: string
  /** `refuted`: something else stands there; `unproven`: the chain did not tell (yet) */
  readonly state: "proven" | "refuted" | "unproven"
  /** what proves or refutes it, or what is missing */
  readonly reason: string
}

/** A contract of which too few sources say that others trade through it. */
export const RouterCandidate = Schema.Struct({
  address: Account,
  name: Schema.String,
  /** whether it settles orders of others, so that whoever calls it is not the trader */
  settles: Schema.optionalKey(Schema.Boolean)
})
export type RouterCandidate = typeof RouterCandidate.Type

/** A contract that launches tokens for others, as answers name it. */
const Launchpad = Schema.Struct({ address: Account, name: Schema.String })
export type Launchpad = typeof Launchpad.Type

/** What a chain said of a router candidate. Only `proven` ones are on. */
export interface RouterCheck {
  readonly address: string
  readonly name: string
  readonly settles: boolean
  /** `refuted`: no contract stands there; `unproven`: the chain did not tell (yet) */
  readonly state: "proven" | "refuted" | "unproven"
  readonly reason: string
}

export const ChainConfig = Schema.Struct({
  id: within(1),
  /** how its blocks, accounts and transactions are made; absent: an EVM chain */
  family: Schema.optionalKey(Schema.Literals(["evm", "solana"])),
  /** the hash by which nodes tell that they are of this chain, where they have one (Solana) */
  genesisHash: Schema.optionalKey(Schema.String),
  /** key used in paths, subjects and file names */
  key: Schema.String.check(Schema.isPattern(/^[a-z0-9]+$/)),
  name: Schema.String,
  native: Schema.Struct({ symbol: Schema.String, decimals: within(0, 255) }),
  /** where people look up transactions (`/tx/…`) and addresses (`/address/…`); for answers alone */
  explorer: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^https:\/\/[a-z0-9.-]+$/))),
  /** the token that the zero address stands for on the data routes; null where there is none */
  nativeToken: Schema.NullOr(Account),
  /** in order of preference as the quote side of a pair */
  anchors: Schema.Array(Anchor),
  /** a venue with several factories stands here once for each */
  venues: Schema.Array(ChainVenue),
  /** venues that too few sources tell of: off until the chain proves them */
  candidates: Schema.optionalKey(Schema.Array(ChainVenue)),
  /** contracts that trade on behalf of the transaction's sender */
  routers: Schema.Array(Account),
  /** contracts that settle orders of others: whoever calls them is not the trader */
  settlements: Schema.optionalKey(Schema.Array(Account)),
  /** contracts that are off until the chain proves that they are some */
  routerCandidates: Schema.optionalKey(Schema.Array(RouterCandidate)),
  /** names of launchpads, for answers alone; the registry's sources tell of none so far */
  launchpads: Schema.optionalKey(Schema.Array(Launchpad)),
  /** contracts through which others send what an account ordered, and which log whose it was;
   *  besides ERC-4337's, which are the same on every chain */
  entryPoints: Schema.optionalKey(Schema.Array(Account)),
  /** blocks after which a block cannot be reorganised */
  finalityDepth: within(0),
  blockTimeMs: within(1),
  /** smallest counted trade in dollars; absent where every trade counts and none is declared */
  ingestFloorUsd: Schema.optionalKey(
    Schema.Number.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))
  )
})
export type ChainConfig = typeof ChainConfig.Type & {
  /** what became of the candidates when the chain was asked, here and below */
  readonly venueChecks?: ReadonlyArray<VenueCheck>
  readonly routerChecks?: ReadonlyArray<RouterCheck>
  /** what token lists say, for answers alone: no fold may read it */
  readonly curation?: Curation
  /** true of a simulated chain's log, also where no source runs: nothing on it is real */
  readonly simulated?: boolean
  /** our router contract, through which swaps are built; absent where none is deployed */
  readonly swapRouter?: Address
}

/** Whether a word is the chain's key or its id, in any letter case. */
export const isNamed = ({ key, id }: Pick<ChainConfig, "key" | "id">, word: string): boolean => {
  const wanted = word.toLowerCase()
  return key === wanted || String(id) === wanted
}

/** The token that an account means: that of zeros stands for the chain's native unit. */
export const tokenMeant = (chain: ChainConfig, account: string): string =>
  account === idsOf(chain).zero ? (chain.nativeToken ?? account) : account

/** The token that wraps the chain's native unit; null where there is none. */
export const wrappedNativeOf = (chain: ChainConfig): string | null => {
  const native = chain.anchors.find(({ kind }) => kind === "native")?.address
  return native === undefined ? null : idsOf(chain).parseAccount(native)
}

/** ERC-4337's entry points v0.6, v0.7, v0.8 and v0.9 (viem 2.57.1, account-abstraction). */
const ENTRY_POINTS = [
  "0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789",
  "0x0000000071727de22e5e9d8baf0edac6f37da032",
  "0x4337084d9e255ff0702461cf8895ce9e3b5ff108",
  "0x433709009b8330fda32311df1c2afa402ed8d009"
] as const

/** The chain's entry points, in lower case. */
export const entryPointsOf = (chain: ChainConfig): ReadonlyArray<string> => [
  ...(familyOf(chain).hasEntryPoints ? ENTRY_POINTS : []),
  ...(chain.entryPoints ?? [])
]
