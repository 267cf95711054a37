/**
 * Bin steps of pools, basis points. A pool's never changes, so what any block of the log tells
 * counts in all later ones, and in none before: a price follows from what stands ahead of it.
 */
import { forgetOldest } from "../forget-oldest.ts"
import type { KnownStep } from "../source.ts"

/** Pools of which the step is remembered. */
const MOST_STEPS = 1 << 18

export class BinSteps {
  private readonly steps = new Map<string, { readonly step: number; readonly block: number }>()

  /** The step that blocks before this one tell; null where none does. */
  before(pool: string, block: number): number | null {
    const known = this.steps.get(pool)
    return known !== undefined && known.block < block ? known.step : null
  }

  /** Notes that a block tells a pool's step. */
  learn({ pool, step, block }: KnownStep): void {
    const known = this.steps.get(pool)
    if (known !== undefined && known.block <= block) return
    this.steps.set(pool, { step, block })
    forgetOldest(this.steps, MOST_STEPS)
  }

  /** What was told after a block is undone. */
  forgetAfter(block: number): void {
    for (const [pool, known] of this.steps) if (known.block > block) this.steps.delete(pool)
  }
}
