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

/** The kind of a pool that logged events of `kind`: its factory's, else as it looks. */
export const kindOfPool = (chain: ChainConfig, factory: string | null, kind: string): string =>
  venueOfPool(chain, factory, kind)?.kind ?? kind

const forks: { readonly [shape: string]: string } = {
  "uniswap-v2": "v2fork",
  "uniswap-v3": "v3fork"
}

/**
 * Public id of a pool's venue: the chain's own, else by shape and the first eight digits of the
 * unknown factory; null where the factory is not known either.
 */
export const venueIdOf = (
  chain: ChainConfig,
  factory: string | null,
  kind: string
): string | null => {
  if (factory === null) return null
  const venue = venueOfPool(chain, factory, kind)
  return venue?.id ?? `${forks[shapeOf(kind)] ?? "fork"}_${factory.slice(2, 10)}`
}
