/** Blocks of Solana as a source gives them out, with the transactions that somebody reads. */
import type { MalformedTransaction, Transaction } from "./transaction.ts"

/** What a block tells; of its slot nodes say nothing. */
export interface BlockContent {
  readonly hash: string
  readonly parentSlot: number
  readonly parentHash: string
  readonly timeSeconds: number | null
  /** blocks before it; slots without a block do not count */
  readonly height: number | null
  /** of all its transactions in their order */
  readonly signatures: ReadonlyArray<string>
  readonly failed: number
  /** those that name a watched program and did not fail, and those that could not be read */
  readonly transactions: ReadonlyArray<Transaction | MalformedTransaction>
}

/**
 * How a block's transactions are known to be all there are: `second` where another endpoint told of
 * the same signatures, parent, height and time, `word` where one endpoint alone was heard, heads
 * differ or fewer than two told the time that is written, `unproven` where two tell other
 * signatures and no third decides, so that the block has those alone that both tell; `unlogged`
 * where it would be `second`, but of some transactions nobody who was asked tells the log; `file`
 * where a file tells it, and nobody can be asked. None says more of what is in the transactions.
 */
export type BlockGrade = "second" | "word" | "unlogged" | "unproven" | "file"

export interface SolanaBlock extends BlockContent {
  readonly _tag: "Block"
  readonly slot: number
  /** of the block before it that has one, where no node tells its own */
  readonly timeSeconds: number
  readonly grade: BlockGrade
  /** the endpoint that told it; null of files */
  readonly by: string | null
}

/** Some transactions of a block, in their order: all that files of single ones tell of it. */
export interface PartOfBlock extends Pick<BlockContent, "signatures" | "transactions"> {
  readonly _tag: "PartOfBlock"
  readonly slot: number
  readonly timeSeconds: number
  readonly grade: "file"
}

/** As the log's event of this name: what came after `toBlock` (a slot) is no longer the chain's. */
export interface Rollback {
  readonly _tag: "Rollback"
  readonly toBlock: number
  readonly toHash: string
  /** seconds, as its node or the log tells them */
  readonly toTime: number
  /** the newest slot that was given out before */
  readonly fromBlock: number
}

/**
 * What was given out of the blocks of these slots has lost its proof, as whoever told what is in
 * them told others falsely: they are a gap until they are read again.
 */
export interface Doubt {
  readonly _tag: "Doubt"
  readonly fromBlock: number
  readonly toBlock: number
}

/** Ends at a block; where the chain left a branch, `Rollback` comes first, then doubts. */
export type SolanaBatch = ReadonlyArray<Rollback | Doubt | SolanaBlock>
