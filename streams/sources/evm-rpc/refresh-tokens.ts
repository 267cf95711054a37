/**
 * Reads again what may have changed of the tokens that trade, and of pinned ones that are minted or
 * burnt, and whether they take a part of transfers. Beside the reading of blocks, which never waits
 * for it; what cannot be had is left.
 */
import { Effect, Result } from "effect"
import type { TransferFact } from "../../facts.ts"
import type { WireBlock } from "./block-proof.ts"
import { readTokens } from "./read-facts.ts"
import type { LaneError, RpcLane } from "./rpc-lane.ts"
import { noteSupplies } from "./supply-changes.ts"
import { checkTransfer, type PaidOut } from "./transfer-check.ts"
import { readOneReceipt } from "./wire.ts"

/** Tokens, and receipts, read at once. */
const AT_ONCE = 16

/** What traded in the blocks at hand. */
export interface Traded {
  readonly tokens: ReadonlySet<string>
  readonly paid: ReadonlyArray<PaidOut>
  /** asks for the tokens of pools that were known before the start; null where there are none */
  readonly forgotten: Effect.Effect<void, LaneError> | null
}

/** Ranges of final history: their state is gone from most nodes, and of no use for refreshing. */
const isHistory = ({ grade }: WireBlock): boolean => grade === "range" || grade === "second"

const readAgain = (lane: RpcLane, tokens: ReadonlyArray<string>, block: number, time: number) =>
  Effect.gen(function* () {
    if (tokens.length === 0) return
    const { reads } = lane.facts
    const missed = Effect.sync(() => {
      for (const token of tokens) reads.changed(token)
    })
    const { reorgs } = lane.status.read()
    const read = yield* readTokens(lane.endpoints, tokens, block).pipe(
      Effect.tapError(() => missed)
    )
    // of a block that was undone meanwhile: another branch may tell others
    if (lane.status.read().reorgs !== reorgs) return yield* missed
    for (const fact of read) {
      reads.read(fact.token, time, fact.decimals !== null)
      lane.writer.tellToken(fact)
    }
  })

const tell = (lane: RpcLane, one: PaidOut, fact: TransferFact | null): void => {
  if (fact === null) return
  lane.facts.reads.checked(one.token)
  lane.writer.tellTransfer(fact)
}

/** Checks what the receipts at hand show; the rest has to be asked for. */
const checkAtHand = (
  lane: RpcLane,
  blocks: ReadonlyArray<WireBlock>,
  paid: ReadonlyArray<PaidOut>
): ReadonlyArray<PaidOut> =>
  paid.filter(one => {
    const all = blocks.find(({ header }) => header.hash === one.log.blockHash)?.all
    if (all === undefined) return true
    const receipt = all.filter(({ txHash }) => txHash === one.log.txHash)
    tell(lane, one, checkTransfer(one, receipt))
    return false
  })

const check = (lane: RpcLane, paid: ReadonlyArray<PaidOut>) =>
  Effect.gen(function* () {
    if (paid.length === 0 || !lane.endpoints.mayHave("eth_getTransactionReceipt")) return
    const calls = paid.map(({ log }) => ({
      method: "eth_getTransactionReceipt",
      params: [log.txHash]
    }))
    const receipts = yield* lane.endpoints.batch(calls, readOneReceipt, { rounds: 2 })
    paid.forEach((one, i) => {
      const receipt = receipts[i]
      if (receipt === undefined || Result.isFailure(receipt)) return
      if (receipt.success === "none") return
      // of the block that was read, not of its fork
      if (receipt.success.blockHash !== one.log.blockHash) return
      lane.facts.reads.looked(one.token)
      tell(lane, one, checkTransfer(one, receipt.success.logs))
    })
  })

/** One payment of each token that is to be checked. */
const unchecked = (lane: RpcLane, paid: ReadonlyArray<PaidOut>): ReadonlyArray<PaidOut> => {
  const byToken = new Map<string, PaidOut>()
  for (const one of paid) {
    if (lane.facts.reads.isUnchecked(one.token)) byToken.set(one.token, one)
  }
  return [...byToken.values()].slice(0, AT_ONCE)
}

/** Begins to read what is due; one such reading at a time. */
export const refreshTokens = (
  lane: RpcLane,
  blocks: ReadonlyArray<WireBlock>,
  { tokens, paid, forgotten }: Traded
): Effect.Effect<void> =>
  Effect.gen(function* () {
    const { reads } = lane.facts
    const last = blocks[blocks.length - 1]
    if (last === undefined) return
    const { number, time } = last.header
    // what happened long ago is in what was read since
    noteSupplies(lane, isHistory(last) && !lane.supplies.isLive ? [] : blocks)
    if (!isHistory(last)) for (const token of tokens) reads.traded(token, time)
    const unseen = checkAtHand(lane, blocks, unchecked(lane, paid))
    if (reads.busy) return
    const due = isHistory(last) ? [] : reads.take(AT_ONCE, time)
    const recalled = isHistory(last) ? null : forgotten
    if (due.length === 0 && unseen.length === 0 && recalled === null) return
    reads.busy = true
    const read = Effect.gen(function* () {
      yield* readAgain(lane, due, number, time)
      yield* check(lane, unseen)
      if (recalled !== null) yield* recalled
    })
    const done = Effect.sync(() => {
      reads.busy = false
    })
    yield* Effect.forkChild(read.pipe(Effect.ignore, Effect.ensuring(done)))
  })
