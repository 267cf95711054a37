/**
 * The ranks of a chain's anchors, from which all dollar prices start: `usd` tokens first (see
 * `dollar-basket.ts`), then the native token, then other assets. Pools against better-ranked
 * anchors price those behind. In a pair the better-ranked side is the quote.
 *
 * The chain's native unit counts as its wrapped token (spec 1.2): a swap of the native unit, as in
 * pools of Uniswap V4 under the zero address, is a trade and a price of the wrapped token. Their
 * decimals may differ, so amounts are scaled before one is replaced by the other.
 */

import { roomFor } from "../../engine/memory/room.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { ID_BYTES, idBytes } from "../../src/domain/ids.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import type { Tokens } from "../tokens/output.ts"

const ZERO = new Uint8Array(ID_BYTES)
const NOT_AN_ANCHOR = 255
export const USD = 0
const NATIVE = 1
const ASSET = 2

export class Anchors {
  private readonly byAddress: ReadonlyArray<{ readonly bytes: Uint8Array; readonly rank: number }>
  private readonly tokens: Tokens
  /** by token id: its rank, known for the first `rankedTokens` */
  private ranks = new Uint8Array(1024).fill(NOT_AN_ANCHOR)
  private rankedTokens = 0
  private readonly wrapping: Uint8Array | null
  /** token ids of the native unit and of its wrapped token; -1 while they are unknown */
  private unit = -1
  private wrapped = -1

  constructor(chain: ChainConfig, tokens: Tokens) {
    this.tokens = tokens
    const listed = chain.anchors.map((anchor, place) => ({
      bytes: idBytes(anchor.address),
      rank:
        (anchor.kind === "usd" ? USD : anchor.kind === "native" ? NATIVE : ASSET) * 64 +
        Math.min(place, 63)
    }))
    // the native unit has the zero address as its token, and the rank of its wrapped token
    const native = listed[chain.anchors.findIndex(({ address }) => address === chain.nativeToken)]
    this.byAddress = native === undefined ? listed : [...listed, { bytes: ZERO, rank: native.rank }]
    this.wrapping = chain.nativeToken === null ? null : idBytes(chain.nativeToken)
  }

  /**
   * Returns a token's rank: 0 to 63 for a dollar, above that for an anchor that pools price, 255
   * for no anchor. Of two tokens the one with the lower rank is the quote.
   */
  rank(token: number): number {
    if (token >= this.rankedTokens) this.refresh(token + 1)
    return this.ranks[token] as number
  }

  isUsd(token: number): boolean {
    return this.rank(token) < 64
  }

  isAnchor(token: number): boolean {
    return this.rank(token) !== NOT_AN_ANCHOR
  }

  /** Returns the token that is not the quote; where one token is `NONE`, the other. */
  baseOf(token0: number, token1: number): number {
    if (token0 === NONE || token1 === NONE) return token0 === NONE ? token1 : token0
    return this.rank(token0) <= this.rank(token1) ? token1 : token0
  }

  /**
   * Returns the token that one side of a pair counts as. In a pair of the native unit and its
   * wrapped token each counts as itself: wrapping is no trade of a token for itself.
   */
  as(token: number, other: number): number {
    if (token >= this.rankedTokens) this.refresh(token + 1)
    return token === this.unit && other !== this.wrapped ? this.wrapped : token
  }

  /** Whether a token is priced by its own pools and prints alone: no anchor, no native unit. */
  isOwn(token: number): boolean {
    return !this.isAnchor(token) && token !== this.unit && token !== this.wrapped
  }

  /** Forgets all tokens: after a rollback an id may belong to another one. */
  reset(): void {
    this.ranks.fill(NOT_AN_ANCHOR)
    this.rankedTokens = 0
    this.unit = -1
    this.wrapped = -1
  }

  private refresh(count: number): void {
    this.ranks = roomFor(this.ranks, count - 1, NOT_AN_ANCHOR)
    const { address } = this.tokens.columns()
    for (let token = this.rankedTokens; token < count; token++) {
      const at = token * ID_BYTES
      const anchor = this.byAddress.find(candidate =>
        candidate.bytes.every((byte, i) => byte === address[at + i])
      )
      this.ranks[token] = anchor?.rank ?? NOT_AN_ANCHOR
    }
    this.rankedTokens = count
    if (this.unit >= 0 || this.wrapping === null) return
    this.unit = this.tokens.find(ZERO)
    this.wrapped = this.tokens.find(this.wrapping)
    // while the wrapped token is unknown the native unit counts as itself
    if (this.wrapped < 0) this.unit = -1
  }
}
