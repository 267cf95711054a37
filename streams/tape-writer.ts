/**
 * The one way of facts to the tape. What decodes a family of chains feeds it block by block in
 * chain order (`evm/log-tape-writer.ts`); it puts the facts of new pools and tokens in front of
 * their first event, seals blocks, refuses anything out of order, and cuts batches between blocks.
 */
import { ID_BYTES, type IdForm } from "../src/domain/ids.ts"
import type { EventBatch } from "./batch/batch.ts"
import { BatchBuilder } from "./batch/builder.ts"
import { NONE } from "./batch/id-table.ts"
import { encodedSize } from "./encoded-size.ts"
import { batchOf, eventsOf } from "./event-objects.ts"
import type { FactLookup, PoolFact, PoolStateFact, TokenFact, TransferFact } from "./facts.ts"
import { type KnownAddress, KnownSet } from "./known-set.ts"
import { type Forgotten, LateFacts } from "./late-facts.ts"
import type { LogBlock } from "./source.ts"
import {
  pushGap,
  pushPinned,
  pushPool,
  pushRollback,
  pushState,
  pushToken,
  pushTransfer,
  pushUnpinned
} from "./tape-events.ts"
import { type BlockHead, TapeOrder, type TapeOrderError } from "./tape-order.ts"
import { ToldPins } from "./told-pins.ts"

/** Encoded size above which a batch is cut at the next block's end. */
export const BATCH_BYTES = 96 * 1024

/** Events between two looks at the size of the open batch. */
const SIZE_CHECK_EVENTS = 64

export interface TapeWriterOptions {
  /** how the chain writes identities */
  readonly form: IdForm
  readonly facts: FactLookup
  /** the last block that stands in the log; null for a new one */
  readonly last: LogBlock | null
  readonly knownPools: Iterable<KnownAddress>
  readonly knownTokens: Iterable<KnownAddress>
  /** tokens of which the log says that they are pinned */
  readonly pinned?: Iterable<KnownAddress>
  /** tokens of which the log says that they are not any more */
  readonly unpinned?: Iterable<KnownAddress>
  readonly batchBytes?: number
}

const setPadded = (target: Uint8Array, bytes: Uint8Array): void => {
  target.fill(0, 0, ID_BYTES - bytes.length)
  target.set(bytes, ID_BYTES - bytes.length)
}

export class TapeWriter {
  private readonly form: IdForm
  private readonly facts: FactLookup
  private readonly pools: KnownSet
  protected readonly tokens: KnownSet
  private readonly pins: ToldPins
  protected readonly order: TapeOrder
  private readonly batchBytes: number
  private out: BatchBuilder
  private readonly ready: Array<EventBatch> = []
  private nextSizeCheck = SIZE_CHECK_EVENTS
  /** places in `pools` that were looked up without success, until `factsChanged` */
  private readonly withoutFacts = new Set<number>()
  private block: BlockHead | null = null
  /** the block and transaction stand in the batch once they have an event */
  private blockOpened = false
  private txOpened = false
  private readonly txHash: Uint8Array
  private txIndex = 0
  private readonly txFrom = new Uint8Array(ID_BYTES)
  private readonly txTo = new Uint8Array(ID_BYTES)
  private txHasFrom = false
  private txHasTo = false
  private blockLogs = 0
  /** what is to be told at the beginning of the next block */
  private readonly late = new LateFacts()
  /** logs that became an event, decoded or quarantined */
  logs = 0
  quarantined = 0

  constructor(options: TapeWriterOptions) {
    const { form } = options
    this.form = form
    this.out = new BatchBuilder(null, form)
    this.txHash = new Uint8Array(form.txBytes)
    this.facts = options.facts
    this.pools = new KnownSet(form, options.knownPools)
    this.tokens = new KnownSet(form, options.knownTokens)
    this.pins = new ToldPins(form, options.pinned, options.unpinned)
    this.order = new TapeOrder(form, options.last)
    this.batchBytes = options.batchBytes ?? BATCH_BYTES
  }

  /** The first thing that came out of order; from then on nothing is written. */
  get problem(): TapeOrderError | null {
    return this.order.problem
  }

  /** Number of the last block that ended, -1 before the first. */
  get lastBlock(): number {
    return this.order.lastBlock
  }

  knowsPool(address: string): boolean {
    return this.pools.hasAddress(address)
  }

  knowsToken(address: string): boolean {
    return this.tokens.hasAddress(address)
  }

  /** Facts that were missing may be there now. */
  factsChanged(): void {
    this.withoutFacts.clear()
  }

  /** A known token was read again: told with the next block. */
  tellToken(fact: TokenFact): void {
    this.late.add(fact.token, () => {
      if (this.knowsToken(fact.token)) pushToken(this.out, fact)
    })
  }

  /** A payment of a known token was followed: told with the next block. */
  tellTransfer(fact: TransferFact): void {
    this.late.add(fact.token, () => {
      if (this.knowsToken(fact.token)) pushTransfer(this.out, fact)
    })
  }

  /** A pool's state was read: told with the next block. */
  tellState(fact: PoolStateFact): void {
    this.late.add(null, () => pushState(this.out, fact))
  }

  /**
   * From the next block on all transfers of the token come: told with it, and once more where that
   * is undone. Whatever decodes must watch them by then.
   */
  pin(token: string): void {
    this.pins.pin(token)
  }

  /**
   * From the next block on no transfer of the token comes: told with it, and once more where that
   * is undone. Neither `options.pinned` nor whatever decodes may have it.
   */
  unpin(token: string): void {
    this.pins.unpin(token)
  }

  /** Pinned tokens that the next block tells of. */
  get untoldPins(): Iterable<string> {
    return this.pins.untold
  }

  beginBlock(
    number: number,
    time: number,
    hash: Uint8Array | null,
    parentHash: Uint8Array | null,
    parentNumber = number - 1
  ): void {
    const block = { number, time, hash, parentHash, parentNumber }
    if (!this.order.beginBlock(block)) return
    this.block = block
    this.blockOpened = false
    this.txOpened = false
    this.blockLogs = 0
  }

  /**
   * The sender and the target are null where the source does not know them; those of fewer than 32
   * bytes stand after zeros.
   */
  beginTx(hash: Uint8Array, index: number, from: Uint8Array | null, to: Uint8Array | null): void {
    if (!this.order.beginTx(index)) return
    this.txHash.set(hash)
    this.txIndex = index
    this.txHasFrom = from !== null
    if (from !== null) setPadded(this.txFrom, from)
    this.txHasTo = to !== null
    if (to !== null) setPadded(this.txTo, to)
    this.txOpened = false
    this.out.closeTx()
  }

  /** Whether an event stands at a place of the open transaction: after the one before. */
  follows(place: number): boolean {
    return this.order.log(place)
  }

  /**
   * Puts the facts of the pool in the 32 bytes in front of what comes next, where it is new and
   * they are known. Returns whether it was known before.
   */
  announcePool(account: Uint8Array): boolean {
    const place = this.pools.place(account, 0)
    if (this.pools.has(place)) return true
    this.announce(place, account)
    return false
  }

  /** Puts the facts of a token in front of what comes next, where it is new and they are known. */
  announceToken(token: string): void {
    const fact = this.tokens.hasAddress(token) ? null : this.facts.token(token)
    if (fact !== null) this.asBlockFact(() => this.pushTokenFact(fact))
  }

  /**
   * Returns what takes the events of the open transaction, one log of the chain at a time: after
   * each, `wrote` is to be called.
   */
  events(): BatchBuilder {
    this.openBlock()
    this.openTx()
    return this.out
  }

  /** Returns what takes facts of the open block alone; no transaction is open then. */
  blockFacts(): BatchBuilder {
    this.openBlock()
    this.out.closeTx()
    this.txOpened = false
    return this.out
  }

  /** A log of the open transaction became an event, which may say why it does not decode. */
  wrote(isQuarantined: boolean): void {
    if (isQuarantined) this.quarantined++
    this.logs++
    this.blockLogs++
  }

  /**
   * The newest event tells of a new pool: its tokens' facts follow. Where `isListed`, who made it
   * is of the chain's list and it is known from here on; else it is asked itself with its first
   * event, where that can be.
   */
  created(isListed: boolean): void {
    const { ids, columns } = this.out
    const c = columns.PoolCreated
    const row = c.pool.count - 1
    const block = this.block?.number ?? 0
    if (isListed) this.pools.add(this.pools.place(ids.bytes(c.pool.get(row)), 0), block)
    const unknown = c.tokens
      .get(row)
      .map(ref => this.form.account(ids.bytes(ref)))
      .filter(token => !this.tokens.hasAddress(token))
    if (unknown.length === 0) return
    this.asBlockFact(() => {
      for (const token of unknown) this.pushTokenFact(this.facts.token(token))
    })
  }

  /** Blocks of the open one's past, or itself, could not be proven complete. */
  gap(fromBlock: number, toBlock: number, reason: string): void {
    if (this.problem !== null) return
    this.openBlock()
    this.txOpened = false
    pushGap(this.out, fromBlock, toBlock, reason)
  }

  /**
   * Ends the open block and seals it, unless it is empty and need not be. `grade` says how its
   * completeness was proven: `root` (receipts that give the header's root), `receipts` (all
   * receipts, fitting the bloom), `bloom` (which shows no watched topic), `second` (two endpoints
   * tell the same), `logs` (one node's word, not against the bloom), `range` (its word for final
   * history), `file`, or `unproven`.
   */
  endBlock(grade: string, sealEmpty: boolean): void {
    if (!this.order.endBlock()) return
    if (this.blockOpened || sealEmpty) {
      this.openBlock()
      this.out.closeTx()
      this.out.columns.BlockSealed.logs.push(this.blockLogs)
      this.out.columns.BlockSealed.grade.push(this.out.sym(grade))
      this.out.end("BlockSealed", 0)
      if (this.out.count >= this.nextSizeCheck) this.cutWhenFull()
    }
    this.block = null
  }

  /**
   * Everything after `to` is undone: begins a batch with `Rollback` in the context of block `to`.
   * `fromBlock` is the newest block that was undone. What became known since is forgotten.
   */
  rollback(to: BlockHead, fromBlock: number, reason: string): Forgotten {
    this.flush()
    if (!this.order.rollback(to)) return { unknown: [], untold: [] }
    pushRollback(this.out, to, fromBlock, reason)
    this.withoutFacts.clear()
    this.pins.forgetAfter(to.number)
    const pools = this.pools.forgetAfter(to.number)
    const tokens = this.tokens.forgetAfter(to.number)
    const untold = this.late.forgetAfter(to.number).filter(token => this.knowsToken(token))
    return { unknown: [...pools, ...tokens], untold }
  }

  /** Ends the open batch at the last block's end. Not to be called within a block. */
  flush(): void {
    if (this.out.count === 0 || this.block !== null) return
    const { batch } = this.out
    this.ready.push(batch)
    // a large one is followed by others like it
    this.out = new BatchBuilder(batch.count > SIZE_CHECK_EVENTS ? batch : null, this.form)
    this.nextSizeCheck = SIZE_CHECK_EVENTS
  }

  /** Gives the open block up, as input that ended within it must: the blocks before it stay. */
  abandonBlock(): void {
    const { block } = this
    if (block === null) return
    this.block = null
    const whole = eventsOf(this.out.batch).filter(event => event.block.number < block.number)
    if (whole.length > 0) this.ready.push(batchOf(whole))
    this.out = new BatchBuilder(null, this.form)
  }

  /** The oldest finished batch, null where there is none. */
  take(): EventBatch | null {
    return this.ready.shift() ?? null
  }

  private cutWhenFull(): void {
    this.nextSizeCheck = this.out.count + SIZE_CHECK_EVENTS
    if (encodedSize(this.out.batch) < this.batchBytes) return
    this.block = null
    this.flush()
  }

  private openBlock(): void {
    const { block, out } = this
    if (this.blockOpened || block === null) return
    const hash = block.hash === null ? NONE : out.ids.hash(block.hash)
    const parent = block.parentHash === null ? NONE : out.ids.hash(block.parentHash)
    out.openBlock(block.number, block.time, hash, parent)
    this.blockOpened = true
    if (this.pins.isNews) this.tellPins(block.number)
    this.late.tellIn(block.number)
  }

  private tellPins(block: number): void {
    const tellPin = (token: string) => {
      pushPinned(this.out, token)
      // its supply is one to be explained by transfers from here on
      if (!this.tokens.hasAddress(token)) this.pushTokenFact(this.facts.token(token))
    }
    this.pins.tellIn(block, token => pushUnpinned(this.out, token), tellPin)
  }

  private openTx(): void {
    const { out } = this
    if (this.txOpened) return
    const from = this.txHasFrom ? out.ids.account(this.txFrom) : NONE
    const to = this.txHasTo ? out.ids.account(this.txTo) : NONE
    out.openTx(this.txHash, this.txIndex, from, to)
    this.txOpened = true
  }

  /** Runs `push` outside of the open transaction: facts belong to the block alone. */
  private asBlockFact(push: () => void): void {
    this.openBlock()
    this.out.closeTx()
    push()
    if (this.txOpened) this.out.resumeTx()
  }

  /** Puts a new pool's facts in front of its first event, where they are known. */
  private announce(place: number, account: Uint8Array): void {
    if (this.withoutFacts.has(place)) return
    const fact = this.facts.pool(this.form.account(account))
    if (fact === null) {
      this.withoutFacts.add(place)
      return
    }
    this.pools.add(place, this.block?.number ?? 0)
    this.asBlockFact(() => this.pushPoolFacts(fact))
  }

  private pushPoolFacts(fact: PoolFact): void {
    for (const token of fact.tokens) {
      if (!this.tokens.hasAddress(token)) this.pushTokenFact(this.facts.token(token))
    }
    pushPool(this.out, fact)
  }

  private pushTokenFact(fact: TokenFact | null): void {
    if (fact === null) return
    this.tokens.addAddress(fact.token, this.block?.number ?? 0)
    pushToken(this.out, fact)
  }
}
