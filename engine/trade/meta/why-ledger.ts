/**
 * Why each quote was answered by whom: texts by the quote's id, the newest, bounded in number and
 * in bytes. What falls out is gone; nothing else remembers it.
 */

export interface LedgerLimits {
  readonly entries: number
  /** of ids and texts together */
  readonly bytes: number
}

export const LEDGER_LIMITS: LedgerLimits = { entries: 10_000, bytes: 8 * 1024 * 1024 }

const encoder = new TextEncoder()

const sizeOf = (id: string, text: string): number =>
  encoder.encode(id).length + encoder.encode(text).length

export class WhyLedger {
  private readonly limits: LedgerLimits
  private readonly texts = new Map<string, string>()
  private held = 0

  constructor(limits: LedgerLimits) {
    this.limits = limits
  }

  /** bytes that are held */
  get bytes(): number {
    return this.held
  }

  get(id: string): string | null {
    return this.texts.get(id) ?? null
  }

  /** Keeps a text in place of an earlier one of the id; the oldest go where there are too many. */
  put(id: string, text: string): void {
    this.drop(id)
    this.texts.set(id, text)
    this.held += sizeOf(id, text)
    for (const oldest of this.texts.keys()) {
      if (this.texts.size <= this.limits.entries && this.held <= this.limits.bytes) return
      this.drop(oldest)
    }
  }

  private drop(id: string): void {
    const text = this.texts.get(id)
    if (text === undefined) return
    this.texts.delete(id)
    this.held -= sizeOf(id, text)
  }
}
