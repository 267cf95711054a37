/**
 * Whether logs are all of a block's. The header commits to its receipts by a root and shows the
 * topics and addresses of its logs in a bloom. Both are used where the chain keeps them: some
 * leave the bloom empty, some hash receipts in a way of their own, which a prover learns.
 */
import { ROOT_GRADE, ROOTLESS_GRADE } from "../../../src/domain/assurance.ts"
import { bloomOfLogs, equalBlooms, isEmptyBloom, isWithinBloom } from "./bloom.ts"
import { receiptsRoot } from "./receipts-root.ts"
import type { ChainSeals } from "./sealed-endpoint.ts"
import type { Watch } from "./watch.ts"
import { type Header, inOrder, type Receipt, type WireLog, type WireTx } from "./wire.ts"

/** A block with its watched logs, ready to be written. */
export interface WireBlock {
  readonly header: Header
  /** in order */
  readonly logs: ReadonlyArray<WireLog>
  /** transactions of the logs by index */
  readonly txs: ReadonlyMap<number, WireTx>
  /** see `TapeWriter.endBlock` */
  readonly grade: string
  /** why the logs are not proven complete; null where they are */
  readonly gap: string | null
  /** all logs of its transactions, also those that are not watched, where receipts told them */
  readonly all?: ReadonlyArray<WireLog>
  /** the block in full, where that was told */
  readonly full?: Header
  /** place of the endpoint that told the receipts */
  readonly by?: number
}

/** Why a block is a gap about which no proof can be had. */
export const DIFFER = "two endpoints tell different logs"

/** What does not fit, and the block as far as it can be told. */
export interface Misfit {
  readonly misfit: string
  readonly best: WireBlock | null
  /** everything fits but the receipts root, on a chain whose roots were never seen to fit */
  readonly rootOnly: boolean
}

export const isMisfit = <A>(outcome: A | Misfit): outcome is Misfit =>
  typeof outcome === "object" && outcome !== null && "misfit" in outcome

export const misfit = (reason: string, best: WireBlock | null = null): Misfit => ({
  misfit: reason,
  best,
  rootOnly: false
})

const ROOT_MISFITS = {
  bare: "the receipts lack fields that their root is made of",
  other: "the receipts do not give the root"
} as const

/** The root of a block without transactions: of the empty trie. */
const NO_RECEIPTS = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421"

export const wireBlock = (
  header: Header,
  logs: ReadonlyArray<WireLog>,
  txs: ReadonlyMap<number, WireTx>,
  grade: string
): WireBlock => ({ header, logs, txs, grade, gap: null })

/** Transactions by index; null where a log names one that is not among them. */
export const txsOfLogs = (
  logs: ReadonlyArray<WireLog>,
  txs: ReadonlyArray<WireTx>
): ReadonlyMap<number, WireTx> | null => {
  const byIndex = new Map(txs.map(tx => [tx.index, tx]))
  return areOf(byIndex, logs) ? byIndex : null
}

/** Whether each log is of one of these transactions. */
export const areOf = (txs: ReadonlyMap<number, WireTx>, logs: ReadonlyArray<WireLog>): boolean =>
  logs.every(log => txs.get(log.txIndex)?.hash === log.txHash)

/**
 * All logs of a block with the places that they have in it. A root commits to their order alone:
 * the numbers that a node tells beside it may be others.
 */
const inPlace = (logs: ReadonlyArray<WireLog>): ReadonlyArray<WireLog> =>
  logs.map((log, i) => (log.index === i ? log : { ...log, index: i }))

/**
 * What a header says against logs that were told of its block: nothing; that it shows something
 * wanted which they lack (`shown`); or neither: its bloom is blank, absent or full (`untold`).
 */
export type Doubt = "none" | "shown" | "untold"

export class BlockProver {
  readonly watch: Watch
  private readonly seals: ChainSeals
  private bloomsKept = false
  private bloomsAbsent = false
  private ignoresRoots = false

  constructor(watch: Watch, seals: ChainSeals) {
    this.watch = watch
    this.seals = seals
  }

  /** The chain's roots are not made as Ethereum's are: several did not fit, and none ever did. */
  private get rootsOdd(): boolean {
    return this.ignoresRoots && !this.seals.receiptsFit
  }

  /**
   * Whether the header alone shows that the block has no watched log. A node that leaves something
   * out tells no transactions or no bloom: then the header has to be shown to be the block's own,
   * or to commit to no receipts.
   */
  provesEmpty(header: Header): boolean {
    const { txHashes } = header
    const bloom = this.bloomOf(header)
    if (bloom !== null && !isEmptyBloom(bloom)) this.bloomsKept = true
    if (txHashes?.length === 0) return this.mayLackReceipts(header)
    if (bloom === null || !this.bloomsKept || this.bloomsAbsent) return false
    return !this.watch.mayHold(bloom) && !this.watch.mayHoldTransfer(bloom)
  }

  /** The bloom, unless it is blank and may be so because a node leaves it out. */
  bloomOf({ bloom, sealed, receiptsRoot }: Header): Uint8Array | null {
    if (bloom === null || !isEmptyBloom(bloom)) return bloom
    return sealed === true || receiptsRoot === NO_RECEIPTS ? bloom : null
  }

  /** What the header says against the watched logs that were told. */
  doubtOf(header: Header, logs: ReadonlyArray<WireLog>): Doubt {
    if (this.provesEmpty(header)) return logs.length === 0 ? "none" : "shown"
    const bloom = this.bloomOf(header)
    if (bloom === null || isEmptyBloom(bloom) || this.bloomsAbsent) return "untold"
    if (!this.watch.showsBesides(bloom, logs)) return "none"
    return this.watch.isTelling(bloom) ? "shown" : "untold"
  }

  /** A root that is the block's own says it, whatever was learned of others. */
  private mayLackReceipts({ receiptsRoot: root, sealed }: Header): boolean {
    return root === null || root === NO_RECEIPTS || (this.rootsOdd && sealed !== true)
  }

  /** Takes receipts without their root, as long as none is seen to fit. */
  ignoreRoots(): void {
    this.ignoresRoots = true
  }

  /** Judges what should be all receipts of the block. */
  judgeReceipts(header: Header, receipts: ReadonlyArray<Receipt>): WireBlock | Misfit {
    const byIndex = receipts.toSorted((a, b) => a.tx.index - b.tx.index)
    if (receipts.some(receipt => receipt.blockHash !== header.hash)) {
      return misfit("receipts of another block")
    }
    const logs = inOrder(receipts.flatMap(receipt => receipt.logs))
    if (logs === null || logs.some(log => log.blockHash !== header.hash)) {
      return misfit("receipts with logs that contradict each other")
    }
    const txs = txsOfLogs(
      logs,
      receipts.map(receipt => receipt.tx)
    )
    if (txs === null) return misfit("logs of unknown transactions")
    const block = this.wanted(wireBlock(header, logs, txs, ROOTLESS_GRADE))
    const { txHashes } = header
    const count = byIndex.length
    if (txHashes !== null && txHashes.length !== count) {
      return misfit(`${count} receipts for ${txHashes.length} transactions`, block)
    }
    if (byIndex.some((receipt, i) => receipt.tx.index !== i)) {
      return misfit("receipts are missing", block)
    }
    const root = this.compareRoot(header, byIndex, logs)
    if (root === "fits") {
      // no receipts say nothing of how the chain hashes those that there are
      const grade = receipts.length === 0 ? "bloom" : ROOT_GRADE
      return this.wanted(wireBlock(header, inPlace(logs), txs, grade))
    }
    const reason = this.logsMisfit(header, logs)
    if (reason !== null) return misfit(reason, block)
    if (root === null) return block
    return { ...misfit(ROOT_MISFITS[root], block), rootOnly: !this.seals.receiptsFit }
  }

  /** A block with all logs of its transactions, as one with those that are wanted. */
  private wanted(block: WireBlock): WireBlock {
    const { logs } = block
    return { ...block, logs: logs.filter(log => this.watch.wants(log)), all: logs }
  }

  /**
   * Whether the receipts give the header's root, or lack fields that it is made of; null where
   * there is none, and where it does not fit on a chain whose roots never did.
   */
  private compareRoot(
    { receiptsRoot: root, bloom }: Header,
    receipts: ReadonlyArray<Receipt>,
    logs: ReadonlyArray<WireLog>
  ): "fits" | keyof typeof ROOT_MISFITS | null {
    if (root === null) return null
    const logsOf: ReadonlyArray<Array<WireLog>> = receipts.map(() => [])
    for (const log of logs) logsOf[log.txIndex]?.push(log)
    const computed = receiptsRoot(
      receipts.map(({ consensus }, i) => ({ consensus, logs: logsOf[i] ?? [] }))
    )
    if (computed !== root) {
      if (this.rootsOdd) return null
      return computed === null ? "bare" : "other"
    }
    if (receipts.length > 0) this.seals.receiptsFit = true
    const isAbsent = bloom !== null && isEmptyBloom(bloom) && logs.length > 0
    // where others have one, the node left it out
    if (isAbsent && !this.bloomsKept) this.bloomsAbsent = true
    return "fits"
  }

  private logsMisfit({ bloom }: Header, logs: ReadonlyArray<WireLog>): string | null {
    const hole = logs.findIndex((log, i) => log.index !== i)
    if (hole >= 0) return `log ${hole} is missing`
    if (bloom === null || this.bloomsAbsent) return null
    if (isEmptyBloom(bloom) && logs.length > 0 && !this.bloomsKept) {
      this.bloomsAbsent = true
      return null
    }
    return equalBlooms(bloomOfLogs(logs), bloom) ? null : "the bloom shows logs that are missing"
  }

  /**
   * Judges watched logs without receipts: the bloom must show them, and nothing watched besides,
   * unless it is too full to tell. That a topic has all its logs it cannot show.
   */
  judgeLogs(block: WireBlock): WireBlock | Misfit {
    const { bloom } = block.header
    if (bloom === null || this.bloomsAbsent) return block
    if (!isWithinBloom(bloomOfLogs(block.logs), bloom)) {
      return misfit("logs that the bloom does not show")
    }
    const isLacking = this.watch.showsBesides(bloom, block.logs) && this.watch.isTelling(bloom)
    return isLacking ? misfit("the bloom shows a log that was not told", block) : block
  }
}
