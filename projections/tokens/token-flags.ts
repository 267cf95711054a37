/** The flags of tokens as of now. */
import { ZERO_ADDRESS } from "../../src/domain/address.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { protectedSymbols } from "../../src/rules/impostor.ts"
import type { Tokens } from "./output.ts"

export class TokenFlags {
  private readonly tokens: Tokens
  private readonly protected: ReadonlyMap<string, ReadonlySet<string>>
  /** by token: a symbol that is no anchor's, of those that were looked at */
  private readonly plain: Array<string | null | undefined> = []

  constructor(chain: ChainConfig, tokens: Tokens) {
    this.tokens = tokens
    this.protected = protectedSymbols(chain)
  }

  addressOf(token: number): string {
    return this.tokens.addressOf(token)
  }

  /** The symbol as people read it; "" where there is none. */
  readingOf(token: number): string {
    return this.tokens.symbols.of(token)
  }

  /** The name as people read it; "" where there is none. */
  nameOf(token: number): string {
    return this.tokens.names.of(token)
  }

  /** Whether the token's symbol is an anchor's, which it may be itself. */
  isProtected(token: number): boolean {
    return this.protected.has(this.readingOf(token))
  }

  /** Whether the token bears an anchor's symbol and is another. */
  isImpostor(token: number): boolean {
    const symbol = this.tokens.columns().symbol[token] ?? null
    if (this.plain[token] === symbol) return false
    const owners = this.protected.get(this.readingOf(token))
    if (owners === undefined) {
      while (this.plain.length <= token) this.plain.push(undefined)
      this.plain[token] = symbol
      return false
    }
    const address = this.addressOf(token)
    return address !== ZERO_ADDRESS && !owners.has(address)
  }
}
