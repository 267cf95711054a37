/**
 * The logs of one block, with the proof that none is missing. A bloom without a watched topic
 * proves an empty block; otherwise the receipts are fetched and must fit the header. Nodes without
 * block receipts are asked for the logs and for each receipt; where these are too many, another
 * endpoint's logs must be the same. An answer that does not fit is asked for again, elsewhere; what
 * never fits is told as a gap.
 */
import { Clock, Effect, Result } from "effect"
import { isProof } from "../../../src/domain/assurance.ts"
import type { RpcError } from "../../../src/platform/rpc-error.ts"
import type { SourceError } from "../../source.ts"
import { hexNumber } from "./block-number.ts"
import {
  areOf,
  type BlockProver,
  DIFFER,
  type Doubt,
  isMisfit,
  type Misfit,
  misfit,
  txsOfLogs,
  type WireBlock,
  wireBlock
} from "./block-proof.ts"
import { GIVE_FORGOTTEN } from "./endpoint-calls.ts"
import type { Endpoints } from "./endpoints.ts"
import { secondAnswer } from "./second-answer.ts"
import {
  type Header,
  inOrder,
  joined,
  provenTxs,
  type Receipt,
  readHeader,
  readLogs,
  readOneReceipt,
  readReceipts,
  sameLogs,
  type WireLog
} from "./wire.ts"

/** Tries after which logs that do not fit their block are given up: some, and more an endpoint. */
const ATTEMPTS = 3
const ATTEMPTS_PER_ENDPOINT = 2
/** Tries where one endpoint is all there is and nobody has receipts: more would say the same. */
const ATTEMPTS_UNPROVABLE = 3
const FIRST_WAIT_MS = 60
const LONGEST_WAIT_MS = 1000

/**
 * Transactions up to which each receipt is asked for where block receipts cannot be had: so many
 * always, and up to the others as many as come in half of the time between two blocks.
 */
const EACH_RECEIPT_LIMIT = 100
const FAST_RECEIPT_LIMIT = 1000

/** Blocks that an endpoint may have got since it was last seen to be behind. */
const NEAR_BLOCKS = 8

/** Tries to get a second endpoint's word: it may have the head a moment later. */
const SECOND = { mostTries: 4 }

const RECEIPT_METHODS = ["eth_getBlockReceipts", "eth_getTransactionReceipt"] as const

/** What is told of a node that leaves logs out by chance. */
const CHANGING = "the node tells other logs each time it is asked"

const NONE = Effect.succeed(null)

/** Receipts that nobody alive has are done without. */
const SPARE = { spare: true }

type LaneError = RpcError | SourceError

/** What one try gave; "moved" where the header is of the chain no more. */
type Outcome = WireBlock | (Misfit & { readonly by?: number }) | "moved"

const isLacking = (error: LaneError): boolean =>
  error._tag === "RpcError" && error.kind === "unsupported"

const isUnsupported = (result: Result.Result<unknown, RpcError>): boolean =>
  Result.isFailure(result) && isLacking(result.failure)

/** All that was told of a block in several answers; null of none. */
const allOf = (told: ReadonlyArray<WireBlock>): WireBlock | null => {
  const [most, ...others] = told.toSorted((a, b) => b.logs.length - a.logs.length)
  if (most === undefined) return null
  const txs = new Map(told.flatMap(one => [...one.txs]))
  const logs = others.reduce((all, one) => joined(all, one.logs), most.logs)
  return logs.length === most.logs.length ? most : { ...most, logs, txs }
}

/**
 * A word, be it two nodes', is believed where it holds all that was told before: else its tellers
 * leave logs out.
 */
const withAll = (found: WireBlock, misfits: ReadonlyArray<Misfit>): WireBlock | Misfit => {
  if (isProof(found.grade)) return found
  const before = misfits.flatMap(({ best }) => (best === null ? [] : [best]))
  const all = allOf([found, ...before])
  const isWhole = all === null || all.logs.length === found.logs.length
  return isWhole ? found : misfit(CHANGING, all)
}

export class BlockLogs {
  private readonly endpoints: Endpoints
  private readonly prover: BlockProver
  private readonly blockTimeMs: number
  /** what a receipt took when each of a block's was asked for; null before the first time */
  private receiptMs: number | null = null
  /** nobody had receipts by themselves when they were asked for last */
  private lacksReceipts = false

  constructor(endpoints: Endpoints, prover: BlockProver, blockTimeMs: number) {
    this.endpoints = endpoints
    this.prover = prover
    this.blockTimeMs = blockTimeMs
  }

  /** Whether some endpoint may have receipts. */
  get mayProve(): boolean {
    const [ofBlock, ofOne] = RECEIPT_METHODS
    return this.endpoints.mayHave(ofBlock) || (!this.lacksReceipts && this.endpoints.mayHave(ofOne))
  }

  /** What a header says against the watched logs that were told of its block. */
  doubtOf(header: Header, logs: ReadonlyArray<WireLog>): Doubt {
    return this.prover.doubtOf(header, logs)
  }

  /**
   * The block of this header; null where the chain has another or none in its place by now. With
   * `thorough` a proof is worth any number of calls. Of its senders no more than `mostSenders` are
   * found out by their signatures.
   */
  fetch(
    header: Header,
    thorough = false,
    mostSenders = Number.POSITIVE_INFINITY
  ): Effect.Effect<WireBlock | null, LaneError> {
    return Effect.gen({ self: this }, function* () {
      if (this.prover.provesEmpty(header)) return wireBlock(header, [], new Map(), "bloom")
      // without block receipts the block is asked for anyway
      const isAsked = this.endpoints.mayHave("eth_getBlockReceipts")
      const asked = [this.logsOf(header, thorough), isAsked ? this.fullOf(header) : NONE] as const
      const [block, told] = yield* Effect.all(asked, { concurrency: "unbounded" })
      const full = block?.full ?? told
      return block === null || full === null
        ? block
        : yield* this.withSenders(block, full, mostSenders)
    })
  }

  /** The block with its transactions; null where nobody tells it so, as after a reorg. */
  private fullOf(header: Header): Effect.Effect<Header | null, LaneError> {
    return Effect.gen({ self: this }, function* () {
      for (let tries = 0; tries < ATTEMPTS; tries++) {
        // a head may be pushed a moment before its block can be had
        if (tries > 0) yield* this.endpoints.pause(FIRST_WAIT_MS * 2 ** tries)
        const full = yield* this.blockNow(header, true)
        if (full !== "none" && full.hash === header.hash) return full
      }
      return null
    }).pipe(Effect.catchTag("RpcError", () => Effect.succeed(null)))
  }

  /** The transactions of its logs as the block commits to them, whatever was told of them. */
  private withSenders(
    { full: _, by, ...block }: WireBlock,
    full: Header,
    mostSenders: number
  ): Effect.Effect<WireBlock> {
    const { number } = block.header
    const places = new Set(block.logs.map(({ txIndex }) => txIndex))
    const proven = provenTxs(full, places, mostSenders)
    const isTold = [...proven].every(([place, tx]) => {
      const told = block.txs.get(place)
      return told?.hash === tx.hash && told.from === tx.from && told.to === tx.to
    })
    const reason = `block ${number}: receipts with transactions or senders that are not the block's`
    const blamed = isTold || by === undefined ? Effect.void : this.endpoints.convict(by, reason)
    return Effect.as(blamed, { ...block, txs: new Map([...block.txs, ...proven]) })
  }

  private logsOf(header: Header, thorough: boolean): Effect.Effect<WireBlock | null, LaneError> {
    return Effect.gen({ self: this }, function* () {
      const misfits: Array<Misfit> = []
      let told = header
      for (let attempt = 0; attempt < this.mostAttempts; attempt++) {
        const asked = this.endpoints.current
        const found: Outcome = yield* this.attempt(told, thorough)
        if (found === "moved") return null
        const outcome = isMisfit(found) ? found : withAll(found, misfits)
        if (!isMisfit(outcome)) {
          this.endpoints.trust(asked)
          return outcome
        }
        misfits.push(outcome)
        const now = yield* this.blockNow(header, false)
        if (now === "none" || now.hash !== header.hash) return null
        // What did not fit may be the header's: it may be told otherwise elsewhere.
        told = now
        // A head may be pushed a moment before its logs can be had.
        if (attempt > 0) yield* this.blame(header, outcome, asked)
        yield* this.endpoints.pause(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt))
      }
      return this.conclude(header, misfits)
    })
  }

  private get mostAttempts(): number {
    const { count } = this.endpoints
    const isWord = count === 1 && !this.mayProve
    return isWord ? ATTEMPTS_UNPROVABLE : ATTEMPTS + ATTEMPTS_PER_ENDPOINT * count
  }

  /** Receipts that do not fit are their teller's fault; of several answers nobody knows whose. */
  private blame({ number }: Header, { misfit, by }: Misfit & { by?: number }, asked: number) {
    const reason = `block ${number}: ${misfit}`
    if (by === undefined) return this.endpoints.distrust(asked, reason)
    return this.endpoints.convict(by, reason)
  }

  /** After the last try: all that was told, and that it is not proven. */
  private conclude(header: Header, misfits: ReadonlyArray<Misfit>): WireBlock {
    const told = misfits.flatMap(({ best }) => (best === null ? [] : [best]))
    const most = allOf(told)
    const alike = told.every(block => block.logs.length === most?.logs.length)
    if (most !== null && alike && misfits.every(({ rootOnly }) => rootOnly)) {
      this.prover.ignoreRoots()
      return most
    }
    const block = most ?? wireBlock(header, [], new Map(), "unproven")
    return { ...block, grade: "unproven", gap: misfits[misfits.length - 1]?.misfit ?? "unknown" }
  }

  private attempt(header: Header, thorough: boolean): Effect.Effect<Outcome, LaneError> {
    const { endpoints } = this
    if (!endpoints.mayHave("eth_getBlockReceipts")) return this.byLogs(header, thorough)
    return this.orMisfit(this.byReceipts(header), () => this.byLogs(header, thorough))
  }

  /** An error that is only about this block is a misfit like others; `lacking`: no such method. */
  private orMisfit(
    outcome: Effect.Effect<Outcome, LaneError>,
    lacking: () => Effect.Effect<Outcome, LaneError>
  ): Effect.Effect<Outcome, LaneError> {
    return Effect.catch(outcome, error => {
      if (error._tag === "SourceError") return Effect.fail(error)
      return error.kind === "unsupported" ? lacking() : Effect.succeed(misfit(error.message))
    })
  }

  private byReceipts(header: Header): Effect.Effect<Outcome, LaneError> {
    const call = { method: "eth_getBlockReceipts", params: [hexNumber(header.number)] }
    const read = ([result]: ReadonlyArray<unknown>): ReadonlyArray<Receipt> | "none" | null =>
      result === null ? "none" : readReceipts(result)
    return Effect.map(this.endpoints.all([call], read, SPARE), ({ value, by }) => {
      if (value === "none") return misfit("no receipts yet")
      const outcome = this.prover.judgeReceipts(header, value)
      // none is what a node tells that has forgotten them
      if (isMisfit(outcome) && value.length === 0) return misfit("no receipts", outcome.best)
      return { ...outcome, by }
    })
  }

  /** Without block receipts: the logs by block hash, and the block for its transactions. */
  private byLogs(header: Header, thorough: boolean): Effect.Effect<Outcome, LaneError> {
    const asked = this.logsAsked(header)
    const judged = Effect.gen({ self: this }, function* (): Effect.gen.Return<Outcome, LaneError> {
      const first = yield* asked.calls.length === 0
        ? Effect.succeed(null)
        : this.endpoints.all(asked.calls, asked.read)
      const logs = first === null ? [] : first.value
      if (logs === "foreign") return misfit("logs that are not of this block")
      const full = yield* this.blockNow(header, true)
      if (full === "none" || full.hash !== header.hash) return "moved"
      const txs = txsOfLogs(logs, full.txs ?? [])
      if (txs === null) return misfit("logs of unknown transactions")
      const told = this.prover.judgeLogs(wireBlock(header, logs, txs, "logs"))
      const hashes = full.txHashes ?? []
      const all = isMisfit(told) || hashes.length <= this.receiptLimit(thorough)
      const outcome = all ? yield* this.byEachReceipt(header, hashes, told) : told
      const isOpen = !isMisfit(outcome) && outcome.grade === "logs" && first !== null
      const found = isOpen ? yield* this.compared(outcome, hashes, asked, first.by) : outcome
      return found === "moved" || isMisfit(found) ? found : { ...found, full }
    })
    return this.orMisfit(judged, () => Effect.succeed(misfit("no way to get logs")))
  }

  /** What the filters give of the block; "foreign" where logs are not of it. */
  private logsAsked(header: Header) {
    const { hash } = header
    const calls = this.prover.watch.filtersOf(this.prover.bloomOf(header)).map(filter => ({
      method: "eth_getLogs",
      params: [{ blockHash: hash, ...filter }]
    }))
    const read = (results: ReadonlyArray<unknown>) => {
      const lists = results.map(readLogs)
      if (!lists.every(list => list !== null)) return null
      const logs = inOrder(lists.flat().filter(log => this.prover.watch.wants(log)))
      return logs?.every(log => log.blockHash === hash) === true ? logs : "foreign"
    }
    return { calls, read }
  }

  /**
   * One endpoint's logs, which nothing proves, beside another's. Where they differ each receipt
   * decides, whatever their number.
   */
  private compared(
    block: WireBlock,
    hashes: ReadonlyArray<string>,
    { calls, read }: ReturnType<BlockLogs["logsAsked"]>,
    by: number
  ): Effect.Effect<Outcome, LaneError> {
    return Effect.gen({ self: this }, function* () {
      const { header, logs } = block
      const { endpoints } = this
      // At the head nobody knows yet who has the block.
      const near = header.number - NEAR_BLOCKS
      const other = yield* secondAnswer(endpoints, calls, read, by, near, SECOND)
      if (other === null) return yield* this.askedAgain(block, calls, read)
      if (other.value === "foreign") return block
      if (sameLogs(logs, other.value)) return { ...block, grade: "second" }
      const theirs = { ...block, logs: other.value }
      const isRefuted = isMisfit(this.prover.judgeLogs(theirs))
      if (isRefuted || !areOf(block.txs, other.value)) return block
      const differ = misfit(DIFFER, { ...block, logs: joined(logs, other.value) })
      return yield* this.byEachReceipt(header, hashes, differ)
    })
  }

  /** The word of the only endpoint: one that leaves logs out by chance tells others each time. */
  private askedAgain(
    block: WireBlock,
    calls: ReturnType<BlockLogs["logsAsked"]>["calls"],
    read: ReturnType<BlockLogs["logsAsked"]>["read"]
  ): Effect.Effect<Outcome, LaneError> {
    return Effect.map(this.endpoints.all(calls, read), ({ value }) => {
      if (value === "foreign" || !areOf(block.txs, value)) return misfit(CHANGING, block)
      if (sameLogs(block.logs, value)) return block
      return misfit(CHANGING, { ...block, logs: joined(block.logs, value) })
    })
  }

  /** Transactions of a block up to which each receipt is asked for. */
  private receiptLimit(thorough: boolean): number {
    if (thorough) return Number.POSITIVE_INFINITY
    const inTime = this.blockTimeMs / 2 / (this.receiptMs ?? Number.POSITIVE_INFINITY)
    return Math.max(EACH_RECEIPT_LIMIT, Math.min(FAST_RECEIPT_LIMIT, inTime))
  }

  /** Every receipt by itself; where they cannot be had, what was found without them. */
  private byEachReceipt(
    header: Header,
    hashes: ReadonlyArray<string>,
    without: WireBlock | Misfit
  ): Effect.Effect<WireBlock | Misfit, LaneError> {
    if (!this.endpoints.mayHave("eth_getTransactionReceipt")) return Effect.succeed(without)
    const calls = hashes.map(hash => ({ method: "eth_getTransactionReceipt", params: [hash] }))
    return Effect.gen({ self: this }, function* () {
      const began = yield* Clock.currentTimeMillis
      const results = yield* this.endpoints.batch(calls, readOneReceipt, SPARE)
      this.lacksReceipts = results.every(isUnsupported)
      const took = (yield* Clock.currentTimeMillis) - began
      this.receiptMs = this.lacksReceipts ? null : took / Math.max(1, hashes.length)
      const receipts = results.flatMap(result =>
        Result.isSuccess(result) && result.success !== "none" ? [result.success] : []
      )
      return receipts.length < hashes.length ? without : this.prover.judgeReceipts(header, receipts)
    }).pipe(Effect.catchIf(isLacking, () => Effect.succeed(without)))
  }

  private blockNow({ number }: Header, withTxs: boolean) {
    const call = { method: "eth_getBlockByNumber", params: [hexNumber(number), withTxs] }
    return this.endpoints.request(call, readHeaderOrNone, GIVE_FORGOTTEN).pipe(
      Effect.catchIf(
        error => error._tag === "RpcError" && error.kind === "no-state",
        () => Effect.succeed("none" as const)
      )
    )
  }
}

/** A header, or "none" where the node has no such block. */
export const readHeaderOrNone = (result: unknown): Header | "none" | null =>
  result === null ? "none" : readHeader(result)
