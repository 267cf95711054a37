/** Lists of numbers by a key, in typed arrays: items are only added, in ascending order. */

const END = -1

const grown = <A extends Uint32Array | Int32Array>(array: A, length: number): A => {
  const larger = new (array.constructor as new (length: number) => A)(
    Math.max(length, array.length * 2)
  )
  larger.set(array as never)
  return larger
}

export class Links {
  /** by key: place of its newest item plus one, and how many there are */
  private heads = new Uint32Array(1024)
  private sizes = new Uint32Array(1024)
  /** by place: the item, and the place of the one before of the same key */
  private items = new Uint32Array(1024)
  private before = new Int32Array(1024)
  private count = 0

  /** Adds an item to the list of a key; one that is its last already is there. */
  add(key: number, item: number): void {
    if (key >= this.heads.length) {
      this.heads = grown(this.heads, key + 1)
      this.sizes = grown(this.sizes, key + 1)
    }
    const newest = (this.heads[key] as number) - 1
    if (newest >= 0 && this.items[newest] === item) return
    if (this.count === this.items.length) {
      this.items = grown(this.items, this.count + 1)
      this.before = grown(this.before, this.count + 1)
    }
    const place = this.count++
    this.items[place] = item
    this.before[place] = newest
    this.heads[key] = place + 1
    this.sizes[key] = (this.sizes[key] as number) + 1
  }

  /** How many items a key has. */
  sizeOf(key: number): number {
    return this.sizes[key] ?? 0
  }

  /** The items of a key, ascending. */
  of(key: number): Uint32Array {
    const found = new Uint32Array(this.sizes[key] ?? 0)
    let place = (this.heads[key] ?? 0) - 1
    for (let i = found.length - 1; place !== END; i--) {
      found[i] = this.items[place] as number
      place = this.before[place] as number
    }
    return found
  }

  clear(): void {
    this.heads.fill(0)
    this.sizes.fill(0)
    this.count = 0
  }
}
