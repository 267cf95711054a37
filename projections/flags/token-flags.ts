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
    if (this.texts[token] === text) return this.readings[token] as string
    // an array with gaps is a table of hashes
    while (this.texts.length <= token) {
      this.texts.push(null)
      this.readings.push("")
    }
    this.texts[token] = text
    this.readings[token] = text === null ? "" : readAs(text)
    return this.readings[token] as string
  }

  /** The same of all tokens. */
  ofAll(texts: ReadonlyArray<string | null>, count: number): ReadonlyArray<string> {
    for (let token = 0; token < count; token++) this.of(token, texts[token] ?? null)
    return this.readings
  }
}

export class TokenFlags {
  private readonly tokens: Tokens
  private readonly protected: ReadonlyMap<string, ReadonlySet<string>>
  private readonly symbols = new Readings()
  private readonly names = new Readings()
  /** by token: a symbol that is no anchor's, of those that were looked at */
  private readonly plain: Array<string | null | undefined> = []

  constructor(chain: ChainConfig, tokens: Tokens) {
    this.tokens = tokens
    this.protected = protectedSymbols(chain)
  }

  addressOf(token: number): string {
    const { address } = this.tokens.columns()
    return toHex(address.subarray(token * 20, token * 20 + 20))
  }

  /** How people read symbols and names, by token; "" where there is none. */
  readings(): { readonly symbols: ReadonlyArray<string>; readonly names: ReadonlyArray<string> } {
    const { symbol, name } = this.tokens.columns()
    const count = this.tokens.count()
    return { symbols: this.symbols.ofAll(symbol, count), names: this.names.ofAll(name, count) }
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
