/**
 * The order of boards that were served lately, so that their next pages are of the same order
 * while the tape grows. In memory, bounded by rows: the oldest ones go first.
 */

/** Tokens or pools of a board, the first one first. */
export type Order = Uint32Array

/** Rows kept at most, 4 bytes each: the largest boards at some forty positions. */
const MOST_ROWS = 2_000_000
/** What an order costs beside its rows. */
const EACH = 64

export class KeptOrders {
  private readonly most: number
  private readonly orders = new Map<string, Order>()
  private held = 0

  constructor(most = MOST_ROWS) {
    this.most = most
  }

  get(board: string, seq: number): Order | undefined {
    return this.orders.get(`${seq} ${board}`)
  }

  keep(board: string, seq: number, order: Order): Order {
    const name = `${seq} ${board}`
    const before = this.orders.get(name)
    if (before !== undefined) return before
    this.orders.set(name, order)
    this.held += order.length + EACH
    for (const [oldest, { length }] of this.orders) {
      if (this.held <= this.most || oldest === name) break
      this.orders.delete(oldest)
      this.held -= length + EACH
    }
    return order
  }

  /** What was served may be undone: nothing is known any more. */
  clear(): void {
    this.orders.clear()
    this.held = 0
  }
}
