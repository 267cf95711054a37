/** Objects that queries keep between questions, each made when it is first asked for. */
import type { Keep } from "../query.ts"

export class Kept {
  private readonly made = new Map<Keep<unknown>, unknown>()

  readonly of = <A>(key: Keep<A>): A => {
    const before = this.made.get(key)
    if (before !== undefined) return before as A
    const value = key.make()
    this.made.set(key, value)
    return value
  }

  /** Forgets all: what the folds hold may be another. */
  clear(): void {
    this.made.clear()
  }
}
