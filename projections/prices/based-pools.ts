/** The pools in which a token is the base, by token: the pools that may price it. */

import { roomFor } from "../../engine/memory/room.ts"

/** Stands for no pool and no token. */
const END = -1

export class BasedPools {
  /** by token: its first pool; by pool: the next pool with that base, and the base */
  private head = new Int32Array(1024).fill(END)
  private next = new Int32Array(1024).fill(END)
  private base = new Int32Array(1024).fill(END)

  /** Sets a pool's base token. Returns the base that it replaces; -1 for none. */
  put(pool: number, token: number): number {
    this.next = roomFor(this.next, pool, END)
    this.base = roomFor(this.base, pool, END)
    this.head = roomFor(this.head, token, END)
    const before = this.base[pool] as number
    if (before === token) return END
    if (before !== END) this.remove(pool)
    this.base[pool] = token
    this.next[pool] = this.head[token] as number
    this.head[token] = pool
    return before
  }

  private remove(pool: number): void {
    const token = this.base[pool] as number
    const after = this.next[pool] as number
    if (this.head[token] === pool) {
      this.head[token] = after
      return
    }
    let before = this.head[token] as number
    while (this.next[before] !== pool) before = this.next[before] as number
    this.next[before] = after
  }

  /** Returns the token's first pool, -1 for none. The order of pools means nothing. */
  first(token: number): number {
    return this.head[token] ?? END
  }

  /** Returns the next pool with that pool's base; -1 after the last. */
  after(pool: number): number {
    return this.next[pool] as number
  }

  /** Returns the slots of a token's pools. */
  of(token: number): ReadonlyArray<number> {
    const pools: Array<number> = []
    for (let pool = this.first(token); pool !== END; pool = this.after(pool)) pools.push(pool)
    return pools
  }

  clear(): void {
    this.head.fill(END)
    this.next.fill(END)
    this.base.fill(END)
  }
}
