/** The pools in which a token is the base, by token: the pools that may price it. */

import { Links } from "../../engine/memory/links.ts"
import { roomFor } from "../../engine/memory/room.ts"

/** Stands for no token. */
const NOBODY = -1

export class BasedPools {
  private readonly pools = new Links()
  /** by pool: its base */
  private base = new Int32Array(1024).fill(NOBODY)

  /** Sets a pool's base token. Returns the base that it replaces; -1 for none. */
  put(pool: number, token: number): number {
    this.base = roomFor(this.base, pool, NOBODY)
    const before = this.base[pool] as number
    if (before === token) return NOBODY
    this.base[pool] = token
    if (before === NOBODY) this.pools.add(token, pool)
    else this.relink()
    return before
  }

  /** Links all pools anew: a base is corrected where the pool was claimed to be another. */
  private relink(): void {
    this.pools.clear()
    this.base.forEach((token, pool) => {
      if (token !== NOBODY) this.pools.add(token, pool)
    })
  }

  /** Returns a token's pools. Their order means nothing. */
  of(token: number): Uint32Array {
    return this.pools.of(token)
  }

  /** Returns how many pools a token has. */
  countOf(token: number): number {
    return this.pools.sizeOf(token)
  }

  clear(): void {
    this.pools.clear()
    this.base.fill(NOBODY)
  }
}
