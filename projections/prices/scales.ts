/**
 * Raw units of a whole token as of the event in hand. The fold of tokens is ahead by up to a slice,
 * and results must not depend on where slices end.
 */
import type { Tokens } from "../tokens/output.ts"

export class Scales {
  private scales = new Float64Array(1024).fill(Number.NaN)

  /** Returns the raw units of a whole token; NaN while its decimals are unknown. */
  of(token: number): number {
    return token < this.scales.length ? (this.scales[token] as number) : Number.NaN
  }

  set(token: number, scale: number): void {
    if (token >= this.scales.length) {
      const next = new Float64Array(Math.max(token + 1, this.scales.length * 2)).fill(Number.NaN)
      next.set(this.scales)
      this.scales = next
    }
    this.scales[token] = scale
  }

  reload(tokens: Tokens): void {
    this.scales.fill(Number.NaN)
    for (let token = 0; token < tokens.count(); token++) this.set(token, tokens.scale(token))
  }
}
