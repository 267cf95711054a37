/**
 * Who traded which token in the last 25 hours and when last. It follows from who traded its
 * markets, so it is in memory alone; its slots have no order that anything may depend on.
 */
import { PairIndex } from "./pair-index.ts"

const grown = (array: Uint32Array, capacity: number): Uint32Array<ArrayBuffer> => {
  const next = new Uint32Array(capacity)
  next.set(array)
  return next
}

export class TokenMakers {
  /** slots in use or free are 0..count-1; a free one has no times */
  count = 0
  token = new Uint32Array(1024)
  wallet = new Uint32Array(1024)
  /** Unix seconds of the newest print of each side; 0 for never */
  bought = new Uint32Array(1024)
  sold = new Uint32Array(1024)
  private readonly free: Array<number> = []
  private readonly index = new PairIndex(
    () => this.token,
    () => this.wallet
  )

  lastOf(slot: number): number {
    const [bought, sold] = [this.bought[slot] as number, this.sold[slot] as number]
    return Math.max(bought, sold)
  }

  /** The slot of a pair; a new one's times are 0. */
  slotOf(token: number, wallet: number): number {
    const known = this.index.find(token, wallet)
    if (known >= 0) return known
    const slot = this.free.pop() ?? this.append()
    this.token[slot] = token
    this.wallet[slot] = wallet
    this.index.add(slot)
    return slot
  }

  private append(): number {
    if (this.count === this.token.length) {
      const capacity = this.count * 2
      this.token = grown(this.token, capacity)
      this.wallet = grown(this.wallet, capacity)
      this.bought = grown(this.bought, capacity)
      this.sold = grown(this.sold, capacity)
    }
    return this.count++
  }

  /**
   * Forgets pairs that traded last before `since`; `ended` gets the slots of those that traded last
   * in `[from, to)`.
   */
  advance(since: number, from: number, to: number, ended: (slot: number) => void): void {
    for (let slot = 0; slot < this.count; slot++) {
      const last = this.lastOf(slot)
      if (last >= from && last < to) ended(slot)
      if (last === 0 || last >= since) continue
      this.index.remove(slot)
      this.bought[slot] = 0
      this.sold[slot] = 0
      this.free.push(slot)
    }
  }

  clear(): void {
    this.index.clear()
    this.bought.fill(0)
    this.sold.fill(0)
    this.free.length = 0
    this.count = 0
  }
}
