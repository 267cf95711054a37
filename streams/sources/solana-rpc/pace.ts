/** How long the chain's slots are, as measured: they became shorter before, and will again. */

interface Sample {
  readonly ms: number
  readonly slot: number
}

/** Samples that are kept: enough to even out looks that came late. */
const SAMPLES = 32

/** Waits between two looks at the head, whatever the pace. */
const SHORTEST_MS = 50
const LONGEST_MS = 2000
const UNMEASURED_MS = 250

export class Pace {
  private readonly givenMs: number | null
  private readonly samples: Array<Sample> = []

  /** With a time between two looks at the head; null for the one that is measured. */
  constructor(givenMs: number | null = null) {
    this.givenMs = givenMs
  }

  /** The head was this slot at a time of the steady clock. */
  sampled(slot: number, ms: number): void {
    const last = this.samples[this.samples.length - 1]
    if (last !== undefined && slot <= last.slot) return
    this.samples.push({ slot, ms })
    if (this.samples.length > SAMPLES) this.samples.shift()
  }

  /** Milliseconds of a slot; null before two heads were seen. */
  get slotMs(): number | null {
    const [first] = this.samples
    const last = this.samples[this.samples.length - 1]
    if (first === undefined || last === undefined || last.slot === first.slot) return null
    return (last.ms - first.ms) / (last.slot - first.slot)
  }

  /** Milliseconds to the next look at the head: about a slot. */
  get pollMs(): number {
    if (this.givenMs !== null) return this.givenMs
    return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, this.slotMs ?? UNMEASURED_MS))
  }
}
