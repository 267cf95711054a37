/** Facts of pools and tokens as sources prove them, before they become events. */

import type { ChainConfig } from "../src/domain/chain.ts"
import { idsOf } from "../src/domain/ids.ts"
import { forgetOldest } from "./forget-oldest.ts"
import { TokenReads } from "./token-reads.ts"
import type { StateAnswers } from "./venue.ts"

/** What a pool is: see `PoolCreated`. Addresses in lower case. */
export interface PoolFact {
  readonly pool: string
  readonly venueKind: string
  readonly factory: string | null
  readonly tokens: ReadonlyArray<string>
  /** 1e-6 of the input */
  readonly fee: number | null
  readonly tickSpacing: number | null
  readonly source: "call" | "create2"
  /** numbers that the pool's swaps depend on: see `PoolParameterSet` */
  readonly parameters?: ReadonlyArray<PoolParameter>
}

export interface PoolParameter {
  readonly name: string
  readonly index: number | null
  readonly value: bigint
}

/** What a token says of itself: see `TokenSeen`. Null is what could not be read. */
export interface TokenFact {
  readonly token: string
  readonly symbol: string | null
  readonly name: string | null
  readonly decimals: number | null
  readonly totalSupply: bigint | null
  readonly source: "call" | "file" | "registry"
}

/** What a pool sent of a token and what arrived: see `TransferChecked`. */
export interface TransferFact {
  readonly token: string
  readonly pool: string
  readonly tx: string
  readonly sent: bigint
  readonly received: bigint
}

/** What a pool's contracts said of its state: see `PoolStateRead`. */
export interface PoolStateFact {
  readonly pool: string
  readonly venueKind: string
  readonly readBlock: number
  /** Unix seconds */
  readonly readTime: number
  readonly readHash: string
  readonly answers: StateAnswers
}

/** The native unit, which stands as the account of zeros where venues trade it unwrapped. */
export const nativeFact = (chain: ChainConfig): TokenFact => ({
  token: idsOf(chain).zero,
  symbol: chain.native.symbol,
  name: null,
  decimals: chain.native.decimals,
  totalSupply: null,
  source: "registry"
})

/** Where the tape writer finds facts of what it has not seen before. */
export interface FactLookup {
  readonly pool: (address: string) => PoolFact | null
  readonly token: (address: string) => TokenFact | null
}

/** Facts in memory. */
export class FactBook implements FactLookup {
  private readonly pools = new Map<string, PoolFact>()
  private readonly tokens = new Map<string, TokenFact>()
  /** when they are to be read again, where a source can */
  readonly reads = new TokenReads()

  addPool(fact: PoolFact): void {
    this.pools.set(fact.pool, fact)
  }

  addToken(fact: TokenFact): void {
    this.tokens.set(fact.token, fact)
  }

  readonly pool = (address: string): PoolFact | null => this.pools.get(address) ?? null
  readonly token = (address: string): TokenFact | null => this.tokens.get(address) ?? null

  /**
   * Keeps so many pools and tokens at most, the newest. For a source that has written what it told
   * so far, and reads again what it needs.
   */
  trim(most: number): void {
    forgetOldest(this.pools, most)
    forgetOldest(this.tokens, most)
  }

  /** Facts read in blocks that were undone are read again: another branch may tell others. */
  forget(addresses: Iterable<string>): void {
    for (const address of addresses) {
      this.pools.delete(address)
      this.tokens.delete(address)
      this.reads.forget(address)
    }
  }
}
