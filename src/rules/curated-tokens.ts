/** What token lists say of a chain's tokens, by address. */
import type { ChainConfig } from "../domain/chain.ts"
import type { CuratedToken } from "../domain/token-list.ts"
import { readAs } from "./impostor.ts"

export class CuratedTokens {
  /** in the order of the lists; none where no list covers the chain */
  readonly all: ReadonlyArray<CuratedToken>
  private readonly byAddress: ReadonlyMap<string, CuratedToken>
  private readonly stocks: ReadonlyMap<string, string>

  constructor({ curation }: Pick<ChainConfig, "curation">) {
    this.all = curation?.tokens ?? []
    this.byAddress = new Map(this.all.map(token => [token.address, token]))
    const stocks = new Map<string, string>()
    for (const { isStock, symbol, address } of this.all) {
      const reading = readAs(symbol)
      if (isStock && !stocks.has(reading)) stocks.set(reading, address)
    }
    this.stocks = stocks
  }

  /** Whether a list has tokens of the chain. */
  get covers(): boolean {
    return this.all.length > 0
  }

  find(address: string): CuratedToken | undefined {
    return this.byAddress.get(address)
  }

  /** The stock token that owns a ticker, as people read it; undefined where none does. */
  stockOf(reading: string): string | undefined {
    return this.stocks.get(reading)
  }
}

const known = new WeakMap<ChainConfig, CuratedTokens>()

/** The curated tokens of a chain's facts, made once. */
export const curatedTokensOf = (chain: ChainConfig): CuratedTokens => {
  const found = known.get(chain) ?? new CuratedTokens(chain)
  known.set(chain, found)
  return found
}
