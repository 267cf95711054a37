/**
 * Fills a batch in log order: open a block, open a transaction, push events. A decoder validates a
 * log whole, then pushes its columns and calls `end` once: a batch never holds half an event.
 */
import type { IdForm } from "../../src/domain/ids.ts"
import type { EventKind } from "../event.ts"
import { type EventBatch, KIND, newBatch } from "./batch.ts"
import { type IdTable, NONE } from "./id-table.ts"

export class BatchBuilder {
  readonly batch: EventBatch
  private readonly symRefs = new Map<string, number>()
  private readonly rows = new Uint32Array(64)
  private blockOpen = -1
  private txOpen = NONE

  /** `like`: a batch of the chain that this one will be about as large as. */
  constructor(like: EventBatch | null = null, form?: IdForm) {
    this.batch = newBatch(like, form)
  }

  /** Addresses and hashes of the batch. */
  get ids(): IdTable {
    return this.batch.ids
  }

  get columns(): EventBatch["columns"] {
    return this.batch.columns
  }

  get count(): number {
    return this.batch.count
  }

  /** Reference of a short repeated text. */
  sym(text: string): number {
    const known = this.symRefs.get(text)
    if (known !== undefined) return known
    const ref = this.batch.syms.length
    this.batch.syms.push(text)
    this.symRefs.set(text, ref)
    return ref
  }

  /** Begins a block; hash references may be `NONE`. Time in Unix seconds. */
  openBlock(number: number, time: number, hash: number, parentHash: number): void {
    const { blocks } = this.batch
    blocks.number.push(number)
    blocks.time.push(time)
    blocks.hash.push(hash)
    blocks.parentHash.push(parentHash)
    this.blockOpen = blocks.count++
    this.txOpen = NONE
  }

  /** Begins a transaction of the open block by its hash; `from` and `to` may be `NONE`. */
  openTx(hash: Uint8Array, index: number, from: number, to: number): void {
    const { txs } = this.batch
    txs.hash.push(hash, 0)
    txs.index.push(index)
    txs.from.push(from)
    txs.to.push(to)
    this.txOpen = txs.count++
  }

  /** Leaves the open transaction: the next events belong to the block only. */
  closeTx(): void {
    this.txOpen = NONE
  }

  /** Back into the block's last transaction after `closeTx`. */
  resumeTx(): void {
    this.txOpen = this.batch.txs.count - 1
  }

  /** Ends one event whose columns have just been pushed. */
  end(kind: EventKind, logIndex: number): void {
    const batch = this.batch
    const id = KIND[kind]
    batch.kind.push(id)
    batch.row.push(this.rows[id] as number)
    this.rows[id] = (this.rows[id] as number) + 1
    batch.block.push(this.blockOpen)
    batch.tx.push(this.txOpen)
    batch.logIndex.push(logIndex)
    batch.count++
  }
}
