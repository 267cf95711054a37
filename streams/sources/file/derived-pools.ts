/**
 * Pools proven without a node: a factory deploys with CREATE2, so a pool's address follows from
 * its tokens. All pools that the known tokens can have are computed once, when first asked for.
 */
import { fromHex } from "../../../src/domain/address.ts"
import type { ChainConfig, ChainVenue } from "../../../src/domain/chain.ts"
import { ByteTable } from "../../batch/id-table.ts"
import type { PoolFact } from "../../facts.ts"
import type { AnyVenueKind, DerivedPool } from "../../venue.ts"

/** Addresses computed at most, two seconds of work: pairs with an anchor come first. */
const DERIVATION_LIMIT = 100_000

interface Derivation {
  readonly venue: ChainVenue
  readonly pool: DerivedPool
}

export class DerivedPools {
  private readonly chain: ChainConfig
  private readonly kinds: ReadonlyMap<string, AnyVenueKind>
  private readonly tokens: ReadonlyArray<string>
  /** they emit the creation of pools and are none: asking for one must not cost the derivation */
  private readonly factories: ReadonlySet<string>
  private table: ByteTable | null = null
  private readonly found: Array<Derivation> = []
  /** pairs of tokens that were left out because there are too many */
  omittedPairs = 0

  constructor(chain: ChainConfig, kinds: ReadonlyArray<AnyVenueKind>, tokens: Iterable<string>) {
    this.chain = chain
    this.kinds = new Map(kinds.map(kind => [kind.kind, kind]))
    this.tokens = [...new Set([...chain.anchors.map(anchor => anchor.address), ...tokens])]
    const venues = [...chain.venues, ...(chain.candidates ?? [])]
    this.factories = new Set(venues.map(venue => venue.factory))
  }

  /** The pool at this address, null where no known factory and tokens give it. */
  find(address: string): PoolFact | null {
    if (this.factories.has(address)) return null
    this.table ??= this.derive()
    const derivation = this.found[this.table.find(fromHex(address), 0)]
    if (derivation === undefined) return null
    const { venue, pool } = derivation
    return {
      pool: pool.pool,
      venueKind: venue.kind,
      factory: venue.factory,
      tokens: pool.tokens,
      fee: pool.fee,
      tickSpacing: pool.tickSpacing,
      source: "create2",
      ...(pool.parameters && { parameters: pool.parameters })
    }
  }

  private derive(): ByteTable {
    const table = new ByteTable(20)
    for (const [a, b] of this.pairs()) {
      if (this.found.length >= DERIVATION_LIMIT) this.omittedPairs++
      else this.addPools(table, a, b)
    }
    return table
  }

  private addPools(table: ByteTable, a: string, b: string): void {
    for (const venue of this.chain.venues) {
      for (const pool of this.kinds.get(venue.kind)?.derivePools(venue, a, b) ?? []) {
        const place = table.intern(fromHex(pool.pool), 0)
        this.found[place] ??= { venue, pool }
      }
    }
  }

  /** Anchors stand first among the tokens, so pairs with one of them come first. */
  private *pairs(): Generator<readonly [string, string]> {
    const { tokens } = this
    for (let i = 0; i < tokens.length; i++) {
      for (let k = i + 1; k < tokens.length; k++) yield [tokens[i] as string, tokens[k] as string]
    }
  }
}
