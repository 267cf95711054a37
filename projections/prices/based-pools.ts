/** The pools in which a token is the base, by token: the pools that may price it. */
import { Links } from "../../engine/memory/links.ts"
import { roomFor } from "../../engine/memory/room.ts"

export class BasedPools {
  /** by token: the pools whose base it is or was */
  private readonly links = new Links()
  /** by pool: its base; -1 for none */
  private bases = new Int32Array(1024).fill(-1)

  /** Sets a pool's base token. Returns the base that it replaces; -1 for none. */
  put(pool: number, token: number): number {
    this.bases = roomFor(this.bases, pool, -1)
    const before = this.bases[pool] as number
    if (before === token) return -1
    this.bases[pool] = token
    this.links.add(token, pool)
    return before
  }

  /** Returns the slots of a token's pools. The order of pools means nothing. */
  of(token: number): ReadonlyArray<number> {
    const pools = new Set(this.links.of(token))
    return [...pools].filter(pool => this.bases[pool] === token)
  }

  clear(): void {
    this.links.clear()
    this.bases.fill(-1)
  }
}
