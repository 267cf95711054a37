/**
 * Where dollars come from. A chain's anchors are ranked: `usd` tokens (see `dollar-basket.ts`),
 * then the native token and other assets, which pools against better-ranked anchors price. In a
 * pair the better-ranked side is the quote.
 */

import { fromHex, ZERO_ADDRESS } from "../../src/domain/address.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import type { Tokens } from "../tokens/output.ts"

const NOT_AN_ANCHOR = 255
export const USD = 0
const NATIVE = 1
const ASSET = 2

export class Anchors {
  private readonly byAddress: ReadonlyArray<{ readonly bytes: Uint8Array; readonly rank: number }>
  private readonly tokens: Tokens
  /** rank by token id; filled as tokens appear */
  private ranks = new Uint8Array(1024).fill(NOT_AN_ANCHOR)
  private known = 0

  constructor(chain: ChainConfig, tokens: Tokens) {
    this.tokens = tokens
    const listed = chain.anchors.map((anchor, place) => ({
      bytes: fromHex(anchor.address),
      rank:
        (anchor.kind === "usd" ? USD : anchor.kind === "native" ? NATIVE : ASSET) * 64 +
        Math.min(place, 63)
    }))
    // Unwrapped, the native unit is the zero address, and worth what its token is.
    const native = listed[chain.anchors.findIndex(({ address }) => address === chain.nativeToken)]
    this.byAddress =
      native === undefined
        ? listed
        : [...listed, { bytes: fromHex(ZERO_ADDRESS), rank: native.rank }]
  }

  /** 0..63 a dollar, above: priced by pools; 255: not an anchor. Lower quotes higher. */
  rank(token: number): number {
    if (token >= this.known) this.refresh(token + 1)
    return this.ranks[token] as number
  }

  isUsd(token: number): boolean {
    return this.rank(token) < 64
  }

  isAnchor(token: number): boolean {
    return this.rank(token) !== NOT_AN_ANCHOR
  }

  /** The side that is not the quote; the known one where the other is `NONE`. */
  baseOf(token0: number, token1: number): number {
    if (token0 === NONE || token1 === NONE) return token0 === NONE ? token1 : token0
    return this.rank(token0) <= this.rank(token1) ? token1 : token0
  }

  /** Forgets token ids, which a rollback may have given back. */
  reset(): void {
    this.ranks.fill(NOT_AN_ANCHOR)
    this.known = 0
  }

  private refresh(count: number): void {
    if (this.ranks.length < count) {
      const next = new Uint8Array(count * 2).fill(NOT_AN_ANCHOR)
      next.set(this.ranks)
      this.ranks = next
    }
    const { address } = this.tokens.columns()
    for (let token = this.known; token < count; token++) {
      const at = token * 20
      const found = this.byAddress.find(anchor =>
        anchor.bytes.every((byte, i) => byte === address[at + i])
      )
      this.ranks[token] = found?.rank ?? NOT_AN_ANCHOR
    }
    this.known = count
  }
}
