/** Lists of numbers by a key, in typed arrays: items are only added, in ascending order. */

import { roomFor } from "./room.ts"

const END = -1

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
    this.heads = roomFor(this.heads, key)
    this.sizes = roomFor(this.sizes, key)
    const newest = (this.heads[key] as number) - 1
    if (newest >= 0 && this.items[newest] === item) return
    const place = this.count++
    this.items = roomFor(this.items, place)
    this.before = roomFor(this.before, place)
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
    const linked = new Uint32Array(this.sizes[key] ?? 0)
    let place = (this.heads[key] ?? 0) - 1
    for (let i = linked.length - 1; place !== END; i--) {
      linked[i] = this.items[place] as number
      place = this.before[place] as number
    }
    return linked
  }

  clear(): void {
    this.heads.fill(0)
    this.sizes.fill(0)
    this.count = 0
  }
}
