/**
 * The chain of the simulated Solana: slots, some of them without a block, blocks with the
 * transactions that were sent, and forks, which go back to a block whose state is kept.
 */
import { createHash } from "node:crypto"
import {
  type Address,
  getSignatureFromTransaction,
  type Transaction as SignedTransaction
} from "@solana/kit"
import { LiteSVM } from "litesvm"
import { toBase58 } from "../../../src/domain/base58.ts"
import type { Genesis } from "./genesis.ts"
import { OUR_PROGRAMS, type Programs } from "./programs.ts"
import { type Message, readMessage, runTransaction, type TransactionJson } from "./recorded.ts"

/** A block as `getBlock` tells it, and its slot, which a node does not tell. */
export interface Block {
  readonly slot: number
  readonly blockHeight: number
  readonly blockTime: number
  readonly blockhash: string
  readonly parentSlot: number
  readonly previousBlockhash: string
  readonly transactions: ReadonlyArray<TransactionJson>
}

/** Blocks that may still be replaced, as on the real chain; whose state is kept. */
export const FINALITY = 32
/** Blocks whose hash a transaction may name. */
export const RECENT = 150
const MOST_PENDING = 1_000
/** Blocks that are kept for readers: more than half an hour of them. */
const KEEP_BLOCKS = 5_000
/** What the first block's hash is made of. */
const GENESIS = toBase58(createHash("sha256").update("simulated").digest())

/** Why a transaction is not taken; the words that nodes say. */
export type Refused = { readonly _tag: "Refused"; readonly reason: string }
const refused = (reason: string): Refused => ({ _tag: "Refused", reason })

/** A block that nobody can read yet, and the transactions that were run for it, in their order. */
export interface Made {
  readonly block: Block
  readonly sent: ReadonlyArray<SignedTransaction>
}

/** A transaction that waits for a block. */
interface Pending {
  readonly transaction: SignedTransaction
  readonly message: Message
}

const hashAfter = (
  previous: string,
  slot: number,
  transactions: ReadonlyArray<TransactionJson>
) => {
  const hash = createHash("sha256").update(`${previous} ${slot}`)
  for (const { transaction } of transactions) hash.update(transaction.signatures.join())
  return toBase58(hash.digest())
}

const signaturesOf = ({ transactions }: Block): ReadonlyArray<string> =>
  transactions.map(({ transaction }) => transaction.signatures[0] as string)

const machineOf = ({ accounts }: Genesis, programs: Programs): LiteSVM => {
  // hashes and repetitions are looked at here, since the machine has no blocks
  const svm = new LiteSVM().withNativeMints().withTransactionHistory(0n)
  for (const [address, elf] of programs) svm.addProgram(address, elf)
  for (const account of accounts) svm.setAccount(account)
  return svm.withBlockhashCheck(false)
}

export class Bank {
  private svm: LiteSVM
  private readonly blocks: Array<Block> = []
  private readonly bySlot = new Map<number, Block>()
  /** of the machine after each of the newest blocks */
  private readonly states: Array<Uint8Array> = []
  private pending: Array<Pending> = []
  /** the block of every transaction that blocks hold, by its signature; null while it waits */
  private readonly signatures = new Map<string, Block | null>()

  constructor(genesis: Genesis, slot: number, unixSeconds: number, programs = OUR_PROGRAMS) {
    this.svm = machineOf(genesis, programs)
    this.publish(this.blockOn(slot, unixSeconds, []))
  }

  get head(): Block {
    return this.blocks[this.blocks.length - 1] as Block
  }

  /** The block of a slot; null where the slot has none, or has not come. */
  at(slot: number): Block | null {
    return this.bySlot.get(slot) ?? null
  }

  /** The newest slot that no fork replaces any more. */
  get finalized(): number {
    return (this.blocks[this.blocks.length - 1 - FINALITY] ?? (this.blocks[0] as Block)).slot
  }

  account(address: Address) {
    return this.svm.getAccount(address)
  }

  get genesisHash(): string {
    return GENESIS
  }

  /** The oldest block that is kept. */
  get first(): Block {
    return this.blocks[0] as Block
  }

  /** Slots that have a block, of a range with both ends. */
  slots(from: number, to: number): ReadonlyArray<number> {
    return this.blocks.map(({ slot }) => slot).filter(slot => slot >= from && slot <= to)
  }

  /** The block that holds a transaction; null where none does. */
  blockOf(signature: string): Block | null {
    return this.signatures.get(signature) ?? null
  }

  private forget(block: Block): void {
    this.bySlot.delete(block.slot)
    for (const signature of signaturesOf(block)) this.signatures.delete(signature)
  }

  /** Runs a transaction whose effects are dropped. */
  simulate(transaction: SignedTransaction, isVerified: boolean) {
    const result = this.svm.withSigverify(isVerified).simulateTransaction(transaction)
    this.svm.withSigverify(true)
    return result
  }

  isRecent(blockhash: string): boolean {
    return this.blocks.slice(-RECENT).some(block => block.blockhash === blockhash)
  }

  /** Takes a transaction into the next block; returns its signature. */
  send(transaction: SignedTransaction): string | Refused {
    const message = readMessage(transaction)
    if (typeof message === "string") return refused(message)
    if (!this.isRecent(message.json.recentBlockhash)) return refused("Blockhash not found")
    const signature = getSignatureFromTransaction(transaction)
    if (this.signatures.has(signature))
      return refused("This transaction has already been processed")
    if (this.pending.length >= MOST_PENDING)
      return refused("too many transactions wait for a block")
    this.signatures.set(signature, null)
    this.pending.push({ transaction, message })
    return signature
  }

  /** Makes the block of a slot, above the head's, of all that was sent. */
  produce(slot: number, unixSeconds: number): Block {
    return this.publish(this.run(slot, unixSeconds).block)
  }

  /** Runs all that was sent for the block of a slot, which must be published next. */
  run(slot: number, unixSeconds: number): Made {
    const clock = this.svm.getClock()
    clock.slot = BigInt(slot)
    clock.unixTimestamp = BigInt(unixSeconds)
    this.svm.setClock(clock)
    // a fork may have taken the block whose hash one names
    const run = this.pending.filter(({ message }) => this.isRecent(message.json.recentBlockhash))
    this.pending = []
    const transactions = run.map(one => runTransaction(this.svm, one.transaction, one.message))
    return {
      block: this.blockOn(slot, unixSeconds, transactions),
      sent: run.map(({ transaction }) => transaction)
    }
  }

  private blockOn(
    slot: number,
    unixSeconds: number,
    transactions: ReadonlyArray<TransactionJson>
  ): Block {
    const parent = this.blocks[this.blocks.length - 1] ?? null
    const previousBlockhash = parent?.blockhash ?? GENESIS
    return {
      ...{ slot, blockTime: unixSeconds, transactions, previousBlockhash },
      blockHeight: parent === null ? 0 : parent.blockHeight + 1,
      blockhash: hashAfter(previousBlockhash, slot, transactions),
      parentSlot: parent?.slot ?? slot - 1
    }
  }

  /** Makes a block that was run the head, which readers see. */
  publish(block: Block): Block {
    this.push(block)
    this.states.push(this.svm.toBytes())
    if (this.states.length > FINALITY + 1) this.states.shift()
    return block
  }

  private push(block: Block): void {
    this.blocks.push(block)
    this.bySlot.set(block.slot, block)
    for (const signature of signaturesOf(block)) this.signatures.set(signature, block)
    if (this.blocks.length > KEEP_BLOCKS) this.forget(this.blocks.shift() as Block)
  }

  /** The oldest block whose state is kept, which no fork replaces where there are enough. */
  get settled(): { readonly slot: number; readonly state: Uint8Array } {
    const { slot } = this.blocks[this.blocks.length - this.states.length] as Block
    return { slot, state: this.states[0] as Uint8Array }
  }

  /** Goes on from blocks of another bank, whose machine was in this state after the last. */
  restore(blocks: ReadonlyArray<Block>, state: Uint8Array): void {
    this.svm = LiteSVM.fromBytes(state).withBlockhashCheck(false)
    for (const block of this.blocks.splice(0)) this.forget(block)
    for (const block of blocks) this.push(block)
    this.states.splice(0, this.states.length, state)
  }

  /**
   * Takes the newest `depth` blocks back, as a leader does that built on an older one. What they
   * held is gone unless it is sent again; returns false where they are final.
   */
  fork(depth: number): boolean {
    const state = this.states[this.states.length - 1 - depth]
    if (state === undefined) return false
    this.states.length -= depth
    for (const block of this.blocks.splice(this.blocks.length - depth, depth)) this.forget(block)
    this.svm = LiteSVM.fromBytes(state).withBlockhashCheck(false)
    return true
  }
}
