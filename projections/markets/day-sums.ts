/** Sums over the hours of the last day by id of a token or a market. */

export class DaySums<Name extends string> {
  private readonly names: ReadonlyArray<Name>
  private capacity = 1024
  columns: { readonly [name in Name]: Float64Array }

  constructor(names: ReadonlyArray<Name>) {
    this.names = names
    this.columns = this.empty(this.capacity)
  }

  private empty(capacity: number): { readonly [name in Name]: Float64Array } {
    return Object.fromEntries(
      this.names.map(name => [name, new Float64Array(capacity)])
    ) as unknown as { readonly [name in Name]: Float64Array }
  }

  /** Makes room for an id. */
  reserve(id: number): void {
    if (id < this.capacity) return
    this.capacity = Math.max(id + 1, this.capacity * 2)
    const grown = this.empty(this.capacity)
    for (const name of this.names) grown[name].set(this.columns[name])
    this.columns = grown
  }

  /** Adds the values `sign` times. */
  add(id: number, values: { readonly [name in Name]?: number }, sign: 1 | -1): void {
    this.reserve(id)
    for (const name of this.names) {
      const value = values[name]
      if (value !== undefined)
        this.columns[name][id] = (this.columns[name][id] as number) + sign * value
    }
  }

  clear(): void {
    for (const name of this.names) this.columns[name].fill(0)
  }
}
