/**
 * The order of boards that were served lately, so that their next pages are of the same order
 * while the tape grows. In memory, bounded by rows: the oldest ones go first.
 */

import { KeptDescending } from "../../../engine/memory/descending.ts"
import { keep } from "../../../engine/memory/kept.ts"

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
}

export const keptOrders = keep(() => new KeptOrders())

/** Orders kept to be sorted again, some 20 bytes a token or pool each. */
const MOST_SORTED = 24

/** Orders by name, of which few keys change from one position to the next. */
class SortedOrders {
  private readonly orders = new Map<string, KeptDescending>()

  get(name: string): KeptDescending {
    const order = this.orders.get(name) ?? new KeptDescending()
    // the one that was not asked for the longest goes first
    this.orders.delete(name)
    this.orders.set(name, order)
    for (const oldest of this.orders.keys()) {
      if (this.orders.size <= MOST_SORTED) break
      this.orders.delete(oldest)
    }
    return order
  }
}

export const sortedOrders = keep(() => new SortedOrders())
