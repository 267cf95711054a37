/** The flags of tokens as of now. */
import { toHex, ZERO_ADDRESS } from "../../src/domain/address.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import type { Tokens } from "../tokens/output.ts"
import { protectedSymbols, readAs } from "./impostor.ts"

/** How people read a text of each token, which is found out once for each text. */
class Readings {
  private readonly texts: Array<string | null> = []
  private readonly readings: Array<string> = []

  of(token: number, text: string | null): string {
    if (this.texts[token] !== text || this.readings[token] === undefined) {
      this.texts[token] = text
      this.readings[token] = text === null ? "" : readAs(text)
    }
    return this.readings[token] as string
  }
}

export class TokenFlags {
  private readonly tokens: Tokens
  private readonly protected: ReadonlyMap<string, ReadonlySet<string>>
  private readonly symbols = new Readings()
  private readonly names = new Readings()

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
    return this.symbols.of(token, this.tokens.columns().symbol[token] ?? null)
  }

  /** The name as people read it; "" where there is none. */
  nameOf(token: number): string {
    return this.names.of(token, this.tokens.columns().name[token] ?? null)
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
