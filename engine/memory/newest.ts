/** What follows from a number that grows, such as a position or an hour: the newest one's alone. */
export class Newest<A> {
  private made: { readonly at: number; readonly value: A } | null = null

  /** What was made of the number, which is made where it was not. */
  at(at: number, make: () => A): A {
    if (this.made?.at !== at) this.made = { at, value: make() }
    return this.made.value
  }

  /** What was made of the number; undefined where nothing was. */
  find(at: number): A | undefined {
    return this.made?.at === at ? this.made.value : undefined
  }
}
