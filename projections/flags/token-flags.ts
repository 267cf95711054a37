/** The flags of tokens as of now; symbols are read once each. */
import { toHex, ZERO_ADDRESS } from "../../src/domain/address.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import type { Tokens } from "../tokens/output.ts"
import { protectedSymbols, readAs } from "./impostor.ts"

export class TokenFlags {
  private readonly tokens: Tokens
  private readonly protected: ReadonlyMap<string, ReadonlySet<string>>
  /** by token: the symbol that was read, and how people read it */
  private readonly symbols: Array<string | null> = []
  private readonly readings: Array<string> = []

  constructor(chain: ChainConfig, tokens: Tokens) {
    this.tokens = tokens
    this.protected = protectedSymbols(chain)
  }

  addressOf(token: number): string {
    const { address } = this.tokens.columns()
    return toHex(address.subarray(token * 20, token * 20 + 20))
  }

  /** The symbol as people read it; "" where there is none. */
  readingOf(token: number): string {
    const symbol = this.tokens.columns().symbol[token] ?? null
    if (this.symbols[token] !== symbol || this.readings[token] === undefined) {
      this.symbols[token] = symbol
      this.readings[token] = symbol === null ? "" : readAs(symbol)
    }
    return this.readings[token] as string
  }

  /** Whether the token's symbol is an anchor's, which it may be itself. */
  isProtected(token: number): boolean {
    return this.protected.has(this.readingOf(token))
  }

  /** Whether the token bears an anchor's symbol and is another. */
  isImpostor(token: number): boolean {
    const owners = this.protected.get(this.readingOf(token))
    if (owners === undefined) return false
    const address = this.addressOf(token)
    return address !== ZERO_ADDRESS && !owners.has(address)
  }
}
