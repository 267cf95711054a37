/**
 * The chain's native unit counts as its wrapped token (spec 1.2): a swap of the native unit, as in
 * pools of Uniswap V4 under the zero address, is a trade and a price of the wrapped token. Their
 * decimals may differ, so amounts are scaled before one is replaced by the other.
 */
import { fromHex, ZERO_ADDRESS } from "../../src/domain/address.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import type { Tokens } from "../tokens/output.ts"

const ZERO = fromHex(ZERO_ADDRESS)

export class NativeUnit {
  private readonly tokens: Tokens
  private readonly wrapping: Uint8Array | null
  /** token ids of the native unit and of its wrapped token; -1 while they are unknown */
  private unit = -1
  private wrapped = -1
  /** number of tokens when the two ids were looked up last */
  private tokensSeen = 0

  constructor(chain: ChainConfig, tokens: Tokens) {
    this.tokens = tokens
    this.wrapping = chain.nativeToken === null ? null : fromHex(chain.nativeToken)
  }

  /** Forgets both ids: after a rollback an id may belong to another token. */
  reset(): void {
    this.unit = -1
    this.wrapped = -1
    this.tokensSeen = 0
  }

  /**
   * Returns the token that one side of a pair counts as. In a pair of the native unit and its
   * wrapped token each counts as itself: wrapping is no trade of a token for itself.
   */
  as(token: number, other: number): number {
    if (token >= this.tokensSeen) this.look()
    return token === this.unit && other !== this.wrapped ? this.wrapped : token
  }

  /** Whether a token is the native unit or its wrapped token. */
  isEither(token: number): boolean {
    if (token >= this.tokensSeen) this.look()
    return token === this.unit || token === this.wrapped
  }

  private look(): void {
    this.tokensSeen = this.tokens.count()
    if (this.unit >= 0 || this.wrapping === null) return
    this.unit = this.tokens.find(ZERO)
    this.wrapped = this.tokens.find(this.wrapping)
    // while the wrapped token is unknown the native unit counts as itself
    if (this.wrapped < 0) this.unit = -1
  }
}
