/** What laws of venues of Solana are tried on, and how they word what differs. */
import { createHash } from "node:crypto"
import type { SolanaVenue } from "../../streams/solana/venue.ts"
import type { SolanaVenueLaws } from "../../streams/solana/venue-laws.ts"

/** A venue, its laws, and the account that Anchor derives of its program for calls to itself. */
export interface LawSubject {
  readonly venue: SolanaVenue
  readonly laws: SolanaVenueLaws
  readonly authority: string
}

/** Anchor's discriminator of a name, or the one that the laws of another program tell. */
export const tagOf = (laws: SolanaVenueLaws, space: "event" | "global", name: string): string =>
  laws.tags === undefined
    ? createHash("sha256").update(`${space}:${name}`).digest("hex").slice(0, 16)
    : (laws.tags[name] ?? `no tag of ${name}`)

/** What is compared, by words for what is wrong. */
export type LawTold = { readonly [word: string]: unknown }

export const shown = (value: unknown): string =>
  JSON.stringify(value, (_, one) => (typeof one === "bigint" ? `${one}` : one)) ?? "nothing"

/** What is found otherwise than it should be, or besides. */
export const differences = (found: LawTold, expected: LawTold): ReadonlyArray<string> =>
  [...new Set([...Object.keys(expected), ...Object.keys(found)])]
    .map(word => [word, shown(found[word]), shown(expected[word])] as const)
    .filter(([, is, should]) => is !== should)
    .map(([word, is, should]) => `${word} is ${is}, not ${should}`)
