/**
 * Facts that come later than the first event of what they are of: each is told with the next block.
 * A reorg undoes those of the blocks that it undoes, and those that wait were read before it.
 */
import { forgetOldest } from "./forget-oldest.ts"

/** Tokens of which is remembered which block tells such a fact. */
const MOST_TOLD = 4096

/** What a rollback took out of the log. */
export interface Forgotten {
  /** pools and tokens that the log does not know any more */
  readonly unknown: ReadonlyArray<string>
  /** tokens that it knows, of which it lacks what was told later: to be read again */
  readonly untold: ReadonlyArray<string>
}

interface LateFact {
  /** null where nobody needs to read it again */
  readonly token: string | null
  readonly push: () => void
}

export class LateFacts {
  private waiting: Array<LateFact> = []
  private readonly told = new Map<string, number>()

  /** Notes what is to be told of a token, or of none, and how. */
  add(token: string | null, push: () => void): void {
    this.waiting.push({ token, push })
  }

  /** Has a block tell what waits. */
  tellIn(block: number): void {
    if (this.waiting.length === 0) return
    for (const { token, push } of this.waiting) {
      push()
      if (token === null) continue
      this.told.delete(token)
      this.told.set(token, block)
    }
    forgetOldest(this.told, MOST_TOLD)
    this.waiting = []
  }

  /** Forgets what was told after `block` and what waits; the tokens that it was of. */
  forgetAfter(block: number): ReadonlyArray<string> {
    const tokens = new Set(this.waiting.flatMap(({ token }) => token ?? []))
    this.waiting = []
    for (const [token, at] of this.told) if (at > block) tokens.add(token)
    for (const token of tokens) this.told.delete(token)
    return [...tokens]
  }
}
