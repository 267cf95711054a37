/**
 * The chain's native unit and its wrapped token are one market: what trades the one, as Uniswap V4
 * does under the zero address, counts as trades and prices of the other (spec 1.2). Their decimals
 * may differ, so amounts are told apart before.
 */
import { fromHex, ZERO_ADDRESS } from "../../src/domain/address.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import type { Tokens } from "../tokens/output.ts"

const ZERO = fromHex(ZERO_ADDRESS)

export class NativeUnit {
  private readonly tokens: Tokens
  private readonly wrapping: Uint8Array | null
  /** ids, -1 while there are none */
  private unit = -1
  private wrapped = -1
  /** tokens there were when they were last looked for */
  private looked = 0

  constructor(chain: ChainConfig, tokens: Tokens) {
    this.tokens = tokens
    this.wrapping = chain.nativeToken === null ? null : fromHex(chain.nativeToken)
  }

  /** Forgets ids, which a rollback may have given back. */
  reset(): void {
    this.unit = -1
    this.wrapped = -1
    this.looked = 0
  }

  /**
   * The token that one side of a pair counts as. In a pair of the two each stands for itself: to
   * wrap is no trade of the token for itself.
   */
  as(token: number, other: number): number {
    if (token >= this.looked) this.look()
    return token === this.unit && other !== this.wrapped ? this.wrapped : token
  }

  /** Whether a token is the native unit or its wrapped token. */
  isEither(token: number): boolean {
    if (token >= this.looked) this.look()
    return token === this.unit || token === this.wrapped
  }

  private look(): void {
    this.looked = this.tokens.count()
    if (this.unit >= 0 || this.wrapping === null) return
    this.unit = this.tokens.find(ZERO)
    this.wrapped = this.tokens.find(this.wrapping)
    // without a token to count as it stands for itself
    if (this.wrapped < 0) this.unit = -1
  }
}
