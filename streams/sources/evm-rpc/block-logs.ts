/**
 * The logs of one block, with the proof that none is missing. A bloom that shows no watched topic
 * proves an empty block; otherwise all receipts are fetched: their log indexes must run from 0
 * without a hole and their bloom must equal the header's. Nodes without receipts are asked for the
 * logs, which the bloom can only support. An answer that does not fit is asked for again,
 * elsewhere; what never fits is told as a gap.
 */
import { Effect, Result } from "effect"
import type { RpcError } from "../../../src/platform/rpc-error.ts"
import type { SourceError } from "../../source.ts"
import {
  bloomBits,
  bloomHas,
  bloomOfLogs,
  equalBlooms,
  isEmptyBloom,
  isWithinBloom
} from "./bloom.ts"
import type { Endpoints } from "./endpoints.ts"
import {
  type Header,
  inOrder,
  type Receipt,
  readHeader,
  readLogs,
  readOneReceipt,
  readReceipts,
  type WireLog,
  type WireTx
} from "./wire.ts"

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
}

/** Which logs are wanted. */
export class Watch {
  readonly topics: ReadonlyArray<string>
  private readonly set: ReadonlySet<string>
  private readonly bits: ReadonlyArray<ReturnType<typeof bloomBits>>

  constructor(topics: ReadonlyArray<string>) {
    this.topics = topics
    this.set = new Set(topics)
    this.bits = topics.map(bloomBits)
  }

  wants(log: WireLog): boolean {
    return this.set.has(log.topics[0] ?? "")
  }

  /** Whether the bloom may hold a watched topic. */
  mayHold(bloom: Uint8Array): boolean {
    return this.bits.some(bits => bloomHas(bloom, bits))
  }

  /** Whether the bloom shows a watched topic that no log has. */
  shownButMissing(bloom: Uint8Array, logs: ReadonlyArray<WireLog>): boolean {
    const seen = new Set(logs.map(log => log.topics[0]))
    return this.topics.some(
      (topic, i) =>
        !seen.has(topic) && bloomHas(bloom, this.bits[i] as ReturnType<typeof bloomBits>)
    )
  }
}

/** Tries on which logs that do not fit their block are given up. */
const ATTEMPTS = 5
const FIRST_WAIT_MS = 60

/** What one try gave: a block; that the header is of the chain no more; or what did not fit. */
type Outcome = WireBlock | "moved" | { readonly misfit: string; readonly best: WireBlock | null }

const isMisfit = (
  outcome: Outcome
): outcome is { readonly misfit: string; readonly best: WireBlock | null } =>
  typeof outcome === "object" && "misfit" in outcome

const txsOf = (logs: ReadonlyArray<WireLog>, txs: ReadonlyArray<WireTx>) => {
  const byIndex = new Map(txs.map(tx => [tx.index, tx]))
  const fits = logs.every(log => byIndex.get(log.txIndex)?.hash === log.txHash)
  return fits ? byIndex : null
}

export class BlockLogs {
  private readonly endpoints: Endpoints
  private readonly watch: Watch
  /** Chains exist whose headers leave the bloom empty: it proves nothing until one was seen. */
  private bloomsKept = false
  private bloomsAbsent = false

  constructor(endpoints: Endpoints, watch: Watch) {
    this.endpoints = endpoints
    this.watch = watch
  }

  /** The block of this header; null where the chain has another or none in its place by now. */
  fetch(header: Header): Effect.Effect<WireBlock | null, RpcError | SourceError> {
    const self = this
    return Effect.gen(function* () {
      self.learn(header)
      if (self.provesEmpty(header)) return blockOf(header, [], new Map(), "bloom")
      let misfit = ""
      let best: WireBlock | null = null
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const outcome: Outcome = yield* self.attempt(header)
        if (outcome === "moved") return null
        if (!isMisfit(outcome)) return outcome
        misfit = outcome.misfit
        best = better(best, outcome.best)
        if (yield* self.hasMoved(header)) return null
        // A head may be pushed a moment before its logs can be had.
        if (attempt > 0) yield* self.endpoints.distrust(`block ${header.number}: ${misfit}`)
        yield* Effect.sleep(FIRST_WAIT_MS * 2 ** attempt)
      }
      const kept = best ?? blockOf(header, [], new Map(), "unproven")
      return { ...kept, grade: "unproven", gap: misfit }
    })
  }

  private learn({ bloom }: Header): void {
    if (bloom !== null && !isEmptyBloom(bloom)) this.bloomsKept = true
  }

  /** Whether the header alone shows that the block has no watched log. */
  private provesEmpty({ bloom, txHashes }: Header): boolean {
    if (txHashes?.length === 0) return true
    return bloom !== null && this.bloomsKept && !this.bloomsAbsent && !this.watch.mayHold(bloom)
  }

  private attempt(header: Header): Effect.Effect<Outcome, RpcError | SourceError> {
    return Effect.gen({ self: this }, function* () {
      if (this.endpoints.mayHave("eth_getBlockReceipts")) {
        const outcome = yield* Effect.result(this.byReceipts(header))
        if (Result.isSuccess(outcome)) return outcome.success
        if (outcome.failure._tag === "SourceError") return yield* outcome.failure
        if (outcome.failure.kind !== "unsupported") {
          return { misfit: outcome.failure.message, best: null }
        }
      }
      return yield* this.byLogs(header)
    })
  }

  private byReceipts(header: Header): Effect.Effect<Outcome, RpcError | SourceError> {
    const call = { method: "eth_getBlockReceipts", params: [hexNumber(header.number)] }
    const read = (result: unknown) => (result === null ? "none" : readReceipts(result))
    return Effect.map(
      this.endpoints.request<ReadonlyArray<Receipt> | "none">(call, read),
      receipts =>
        receipts === "none"
          ? { misfit: "no receipts yet", best: null }
          : this.judge(header, receipts)
    )
  }

  /** Whether the receipts are all of the block's, and their logs all of its logs. */
  private judge(header: Header, receipts: ReadonlyArray<Receipt>): Outcome {
    if (receipts.some(receipt => receipt.blockHash !== header.hash)) {
      return { misfit: "receipts of another block", best: null }
    }
    const logs = receipts.flatMap(receipt => receipt.logs)
    const ordered = inOrder(logs)
    const txs = receipts.map(receipt => receipt.tx)
    if (ordered === null || ordered.some(log => log.blockHash !== header.hash)) {
      return { misfit: "receipts with logs that contradict each other", best: null }
    }
    const wanted = ordered.filter(log => this.watch.wants(log))
    const byIndex = txsOf(wanted, txs)
    if (byIndex === null) return { misfit: "logs of unknown transactions", best: null }
    const block = blockOf(header, wanted, byIndex, "receipts")
    const misfit = this.receiptMisfit(header, receipts, ordered)
    return misfit === null ? block : { misfit, best: block }
  }

  private receiptMisfit(
    { bloom, txHashes }: Header,
    receipts: ReadonlyArray<Receipt>,
    logs: ReadonlyArray<WireLog>
  ): string | null {
    if (txHashes !== null && txHashes.length !== receipts.length) {
      return `${receipts.length} receipts for ${txHashes.length} transactions`
    }
    const hole = logs.findIndex((log, i) => log.index !== i)
    if (hole >= 0) return `log ${hole} is missing`
    if (bloom === null) return null
    if (isEmptyBloom(bloom) && logs.length > 0 && !this.bloomsKept) this.bloomsAbsent = true
    if (this.bloomsAbsent) return null
    return equalBlooms(bloomOfLogs(logs), bloom) ? null : "the bloom shows logs that are missing"
  }

  /** Without block receipts: the logs by block hash, and the block for its transactions. */
  private byLogs(header: Header): Effect.Effect<Outcome, RpcError | SourceError> {
    return Effect.gen({ self: this }, function* () {
      const filter = { blockHash: header.hash, topics: [this.watch.topics] }
      const answer = yield* Effect.result(
        this.endpoints.request({ method: "eth_getLogs", params: [filter] }, readLogs)
      )
      if (Result.isFailure(answer)) {
        if (answer.failure._tag === "SourceError") return yield* answer.failure
        return { misfit: answer.failure.message, best: null }
      }
      const logs = inOrder(answer.success)
      if (logs === null || logs.some(log => log.blockHash !== header.hash)) {
        return { misfit: "logs that are not of this block", best: null }
      }
      const wanted = logs.filter(log => this.watch.wants(log))
      const txs = wanted.length === 0 ? [] : yield* this.transactions(header)
      if (txs === "moved") return "moved"
      const byIndex = txsOf(wanted, txs)
      if (byIndex === null) return { misfit: "logs of unknown transactions", best: null }
      const block = blockOf(header, wanted, byIndex, "logs")
      const { bloom } = header
      if (bloom === null || this.bloomsAbsent) return block
      if (!isWithinBloom(bloomOfLogs(wanted), bloom)) {
        return { misfit: "logs that the bloom does not show", best: null }
      }
      if (!this.watch.shownButMissing(bloom, wanted)) return block
      return yield* this.byEachReceipt(header, block)
    })
  }

  private transactions(
    header: Header
  ): Effect.Effect<ReadonlyArray<WireTx> | "moved", RpcError | SourceError> {
    return Effect.map(this.blockNow(header, true), full =>
      full === "none" || full.hash !== header.hash ? "moved" : (full.txs ?? [])
    )
  }

  /** The bloom shows a topic that no log has: by chance, or because a log is missing. */
  private byEachReceipt(
    header: Header,
    block: WireBlock
  ): Effect.Effect<Outcome, RpcError | SourceError> {
    const hashes = header.txHashes
    if (hashes === null || !this.endpoints.mayHave("eth_getTransactionReceipt")) {
      return Effect.succeed({ misfit: "the bloom shows a topic that no log has", best: block })
    }
    const calls = hashes.map(hash => ({ method: "eth_getTransactionReceipt", params: [hash] }))
    return Effect.map(this.endpoints.batch(calls, readOneReceipt), results => {
      const receipts = results.flatMap(result => (Result.isSuccess(result) ? [result.success] : []))
      return receipts.length < hashes.length
        ? { misfit: "the bloom shows a topic that no log has", best: block }
        : this.judge(header, receipts)
    })
  }

  private hasMoved(header: Header): Effect.Effect<boolean, RpcError | SourceError> {
    return Effect.map(
      this.blockNow(header, false),
      now => now === "none" || now.hash !== header.hash
    )
  }

  private blockNow({ number }: Header, withTxs: boolean) {
    const call = { method: "eth_getBlockByNumber", params: [hexNumber(number), withTxs] }
    return this.endpoints.request(call, readHeaderOrNone).pipe(
      Effect.catchIf(
        error => error._tag === "RpcError" && error.kind === "no-state",
        () => Effect.succeed("none" as const)
      )
    )
  }
}

/** The try with more logs is nearer to the truth. */
const better = (a: WireBlock | null, b: WireBlock | null): WireBlock | null =>
  b !== null && (a === null || b.logs.length > a.logs.length) ? b : a

const blockOf = (
  header: Header,
  logs: ReadonlyArray<WireLog>,
  txs: ReadonlyMap<number, WireTx>,
  grade: string
): WireBlock => ({ header, logs, txs, grade, gap: null })

export const hexNumber = (value: number): string => `0x${value.toString(16)}`

/** A header, or "none" where the node has no such block. */
export const readHeaderOrNone = (result: unknown): Header | "none" | null =>
  result === null ? "none" : readHeader(result)
