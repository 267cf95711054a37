/** Below it, one more is still exact. */
const SPILL = 2 ** 52

/** A sum of whole numbers of up to 2^52 each: exact, and rounded once where it is read. */
export class WholeSum {
  private low = 0
  private high = 0n

  add(value: number): void {
    this.low += value
    if (this.low < SPILL) return
    this.high += BigInt(this.low)
    this.low = 0
  }

  get value(): number {
    return this.high === 0n ? this.low : Number(this.high + BigInt(this.low))
  }
}
