/** Decimals as tokens tell them, and the scales that follow. */
import { roomFor } from "../../engine/memory/room.ts"
import type { EventBatch } from "../../streams/batch/batch.ts"
import { NULL_I32 } from "../../streams/batch/columns.ts"

/** 10^78 exceeds 256 bits: whatever the contract says, no amount has that scale. */
const MOST = 77

/** Decimals that the `TokenSeen` in this row tells; `NULL_I32` where none or absurd ones. */
export const decimalsTold = (batch: EventBatch, row: number): number => {
  const decimals = batch.columns.TokenSeen.decimals.values[row] as number
  return decimals < 0 || decimals > MOST ? NULL_I32 : decimals
}

/** Raw units of one whole token; NaN where decimals are unknown. */
export const scaleOf = (decimals: number): number =>
  decimals === NULL_I32 ? Number.NaN : Number(`1e${decimals}`)

/** Raw units of one whole token, by token; NaN while its decimals are unknown. */
export class Scales {
  private scales = new Float64Array(1024).fill(Number.NaN)

  of(token: number): number {
    return this.scales[token] ?? Number.NaN
  }

  set(token: number, scale: number): void {
    this.scales = roomFor(this.scales, token, Number.NaN)
    this.scales[token] = scale
  }

  clear(): void {
    this.scales.fill(Number.NaN)
  }
}
