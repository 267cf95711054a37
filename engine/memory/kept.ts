/** Objects that queries keep between questions, each made when it is first asked for. */

/** Names what queries keep between questions, with its type and how it begins. */
export interface Keep<A> {
  readonly make: () => A
}

/** A key of its own: each call names another object. Keys are constants: few objects are kept. */
export const keep = <A>(make: () => A): Keep<A> => ({ make })

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
