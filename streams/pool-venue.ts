/**
 * Which kind of venue a pool belongs to. Kinds share events to the bit, so a log tells a shape
 * only; the factory tells the kind, where the chain's list has it.
 */
import type { ChainConfig, ChainVenue } from "../src/domain/chain.ts"

/** Kinds whose pools log events that another kind decodes, with that kind. */
const decodedBy: { readonly [kind: string]: string } = {
  algebra: "uniswap-v3",
  "pancakeswap-v3": "uniswap-v3",
  solidly: "uniswap-v2",
  "solidly-cl": "uniswap-v3"
}

/** The kind that decodes what the kinds of this shape share. */
export const shapeOf = (kind: string): string => decodedBy[kind] ?? kind

/**
 * The chain's venue with this factory whose pools can have logged events of `kind`; null where
 * there is none: a contract may say of itself what it likes.
 */
export const venueOfPool = (
  chain: ChainConfig,
  factory: string | null,
  kind: string
): ChainVenue | null =>
  chain.venues.find(venue => venue.factory === factory && shapeOf(venue.kind) === shapeOf(kind)) ??
  null

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

/** The kind of a pool that logged events of `kind`: its factory's, else as it looks. */
export const kindOfPool = (chain: ChainConfig, factory: string | null, kind: string): string =>
  venueOfPool(chain, factory, kind)?.kind ?? kind

/** Shapes whose liquidity lies in ranges of the price, as in Uniswap V3. */
const inRanges: ReadonlySet<string> = new Set(["liquidity-book", "maverick-v2", "uniswap-v3"])

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
  const fork = inRanges.has(shapeOf(kind)) ? "v3fork" : "v2fork"
  return venueOfPool(chain, factory, kind)?.id ?? `${fork}_${factory.slice(2, 10)}`
}

/** Kinds whose pools all log through one contract of the chain, which is their factory. */
export const inOneContract: ReadonlySet<string> = new Set([
  "balancer-v2",
  "balancer-v3",
  "uniswap-v4"
])

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
