/**
 * Which kind of venue a pool belongs to. Kinds share events to the bit, so a log tells a shape
 * only; the factory tells the kind, where the chain's list has it.
 */
import type { ChainConfig, ChainVenue } from "../src/domain/chain.ts"
import type { EventOf } from "./event.ts"
import { venueKinds } from "./evm/venue-kinds.ts"
import { solanaKinds } from "./solana/kinds.ts"
import type { AnyVenueKind, KindTraits, PoolFacts, PoolShape } from "./venue.ts"

const byName: ReadonlyMap<string, AnyVenueKind> = new Map(venueKinds.map(kind => [kind.kind, kind]))

/** The kind of that name; undefined where none is listed, as a log of old may tell. */
export const kindNamed = (kind: string): AnyVenueKind | undefined => byName.get(kind)

/** What folds go by of the kinds of all families of chains. */
const allKinds: ReadonlyArray<KindTraits> = [...venueKinds, ...solanaKinds]

const shapes: ReadonlyMap<string, PoolShape> = new Map(
  allKinds.map(({ kind, shape }) => [kind, shape])
)

/** The shape of the kind of that name; undefined where none is listed. */
export const shapeOfKind = (kind: string): PoolShape | undefined => shapes.get(kind)

/** Names of the listed kinds of which that is true. */
export const kindsThat = (is: (kind: KindTraits) => boolean): ReadonlySet<string> =>
  new Set(allKinds.filter(is).map(({ kind }) => kind))

/** Kinds whose reserves weigh a pool and are no price. */
export const kindsOfDepth = kindsThat(({ reserves }) => reserves === "depth")

/** Kinds whose pools are curves of launch programs. */
export const launchKinds = kindsThat(({ launches }) => launches === true)

/** Names of parameters that say, where they are not 0, that a pool's reserves are no price. */
export const pricelessParameters: ReadonlySet<string> = new Set(
  venueKinds.flatMap(({ reserves }) => (typeof reserves === "object" ? [reserves.unless] : []))
)

/** Kinds of which a parameter says whether a pool's reserves are a price. */
export const kindsOfTwoCurves = kindsThat(({ reserves }) => typeof reserves === "object")

/** The kind that decodes what pools of this one share with it: itself where there is no other. */
export const decodedAs = (kind: string): string => byName.get(kind)?.decodedAs ?? kind

/**
 * The chain's venue with this factory whose pools can have logged events of `kind`; null where
 * there is none: a contract may say of itself what it likes.
 */
export const venueOfPool = (
  chain: ChainConfig,
  factory: string | null,
  kind: string
): ChainVenue | null =>
  chain.venues.find(
    venue => venue.factory === factory && decodedAs(venue.kind) === decodedAs(kind)
  ) ?? null

/**
 * Whether nobody but the factory that logs it says so, and the chain's list does not have it.
 * Anybody can log that a pool is his, so such a word counts for pools of which nothing is known.
 */
export const isClaim = (
  chain: ChainConfig,
  source: string,
  factory: string | null,
  kind: string
): boolean => source === "log" && venueOfPool(chain, factory, kind) === null

/** What a pool's creation tells of it; a fee that all pools of its venue take is the venue's. */
export const factsOfCreated = (
  chain: ChainConfig,
  { pool, factory, venueKind, tokens, fee, tickSpacing }: EventOf<"PoolCreated">,
  decimalsOf: (token: string) => number | null
): PoolFacts => {
  const feeBps = venueOfPool(chain, factory, venueKind)?.feeBps
  return {
    pool,
    tokens,
    fee: fee ?? (feeBps === undefined ? null : Math.round(feeBps * 100)),
    tickSpacing,
    decimals: tokens.map(decimalsOf)
  }
}

/** The kind of a pool that logged events of `kind`: its factory's, else as it looks. */
export const kindOfPool = (chain: ChainConfig, factory: string | null, kind: string): string =>
  venueOfPool(chain, factory, kind)?.kind ?? kind

/** Kinds whose liquidity lies in ranges of the price; one contract has no forks. */
const inRanges = kindsThat(({ shape }) => shape === "v3" || shape === "bins")

/** Kinds whose liquidity lies in bins of a price each. */
export const inBins = kindsThat(({ shape }) => shape === "bins")

/**
 * Public id of a pool's venue: the chain's own, else the first eight digits of the unknown factory
 * after `v3fork_` where liquidity lies in ranges and `v2fork_` where it does not; null where the
 * factory is not known either.
 */
export const venueIdOf = (
  chain: ChainConfig,
  factory: string | null,
  kind: string
): string | null => {
  if (factory === null) return null
  const fork = inRanges.has(kind) ? "v3fork" : "v2fork"
  return venueOfPool(chain, factory, kind)?.id ?? `${fork}_${factory.slice(2, 10)}`
}

/** Kinds whose pools all log through one contract of the chain, which is their factory. */
export const inOneContract = kindsThat(({ oneContract }) => oneContract !== undefined)

/**
 * The venue of a pool that logged events of `kind` and whose creation is not known: of the kinds
 * in one contract only that contract is believed, so where the chain has one it is the pool's.
 * Null for other kinds.
 */
export const venueOfOneContract = (chain: ChainConfig, kind: string): ChainVenue | null => {
  if (!inOneContract.has(kind)) return null
  const [venue, other] = chain.venues.filter(one => one.kind === kind)
  return other === undefined ? (venue ?? null) : null
}
