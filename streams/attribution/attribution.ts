/**
 * Whose trade a swap is: an opinion on facts that the log holds (sender and target of the
 * transaction, the swap's caller and recipient, operations of accounts). Provable cases only,
 * everything else is null with the reason, never a guess. The recipe (version 3):
 *
 * 1. Operations of accounts end in the transaction: the swap is the account's whose operation it
 *    stands in (`entry-point`). Outside of any, undone, or the paymaster's own: null.
 * 2. The target settles orders of others: null.
 * 3. The sender called the pool, got its output, or called itself: the sender (`direct`). So did
 *    who called the vault that holds the pool, where no event tells the caller (Balancer V2).
 * 4. The target is a router: the sender (`router`).
 *
 * On Solana the decoder tells the trader: who signed and owns what was paid (`owner`, or `direct`
 * where that is the fee's payer too), else who paid the fee.
 *
 * In 1 and 4 others can swap inside of the trader's swap. Tokens that sell their own fees do so on
 * the way of the seller's tokens to the pool: of swaps of one pool the same way the last is the
 * trader's, those before are null. Hooks of V4 pools swap too: where several contracts call the
 * PoolManager, swaps of those that are no routers are null.
 */

import type { ChainConfig } from "../../src/domain/chain.ts"
import { entryPointsOf } from "../../src/domain/chain.ts"
import { familyOf } from "../../src/domain/chain-family.ts"
import { type EventBatch, KIND } from "../batch/batch.ts"
import { NONE } from "../batch/id-table.ts"
import { kindsThat } from "../pool-venue.ts"
import { type KnownContracts, knownContracts } from "./known-contracts.ts"

/**
 * How a wallet was found or why none was, by the number that the tape's `attribution` holds. Rows
 * outlive versions of this list: add at the end.
 */
export const attributions = [
  "no-transaction",
  "direct",
  "router",
  "entry-point",
  "unknown-contract",
  "settlement",
  "swapped-again",
  "no-operation",
  "paymaster",
  "unknown-caller",
  "owner"
] as const
export type Attributed = (typeof attributions)[number]

const code = Object.fromEntries(attributions.map((name, i) => [name, i])) as {
  readonly [name in Attributed]: number
}

/** Kinds of pools that log one swap in parts, and those whose hooks can swap. */
const inParts = kindsThat(({ swapsInParts }) => swapsInParts === true)
const hooked = kindsThat(({ hasHooks }) => hasHooks === true)
/** Kinds whose pools lie in a vault that is called itself, and tells nobody who called it. */
const inVault = kindsThat(({ callerUntold }) => callerUntold === true)

const ROUTER = 1
const SETTLEMENT = 2
const VAULT = 3

export class Attribution {
  private readonly contracts: KnownContracts
  private readonly entryPoints: KnownContracts
  /** whether the decoder has told who trades */
  private readonly isTold: boolean
  /** reference of the wallet behind the swap last looked at, or `NONE` */
  wallet = NONE
  /** how it was found or why it was not: place in `attributions` */
  how = code["no-transaction"]

  constructor(chain: ChainConfig) {
    const { routers, settlements = [], venues } = chain
    this.isTold = familyOf(chain).trader === "decoder"
    const vaults = venues.filter(({ kind }) => inVault.has(kind))
    this.contracts = knownContracts([
      ...vaults.map(({ factory }) => [factory, VAULT] as const),
      ...routers.map(address => [address, ROUTER] as const),
      ...settlements.map(address => [address, SETTLEMENT] as const)
    ])
    this.entryPoints = knownContracts(entryPointsOf(chain).map(address => [address, 1]))
  }

  reset(): void {
    this.contracts.reset()
    this.entryPoints.reset()
  }

  /** Finds whose trade the swap at place `event` of the batch is. */
  look(batch: EventBatch, event: number): void {
    this.wallet = NONE
    const tx = batch.tx.values[event] as number
    const from = tx === NONE ? NONE : (batch.txs.from.values[tx] as number)
    if (from === NONE) this.how = code["no-transaction"]
    else if (this.isTold) this.byOwner(batch, event, from)
    else if (!this.inOperation(batch, event, tx)) this.bySender(batch, event, tx, from)
  }

  /** The decoder has told the trader: who owns what was paid and signed, else who paid the fee. */
  private byOwner(batch: EventBatch, event: number, from: number): void {
    const trader = batch.columns.SwapExecuted.sender.values[batch.row.values[event] as number]
    this.found(trader as number, trader === from ? "direct" : "owner")
  }

  private found(wallet: number, how: Attributed): void {
    this.wallet = wallet
    this.how = code[how]
  }

  private bySender(batch: EventBatch, event: number, tx: number, from: number): void {
    const row = batch.row.values[event] as number
    const swap = batch.columns.SwapExecuted
    const to = batch.txs.to.values[tx] as number
    const role = to === NONE ? 0 : this.contracts.of(batch, to)
    if (role === SETTLEMENT) this.how = code.settlement
    else if (
      swap.recipient.values[row] === from ||
      swap.sender.values[row] === from ||
      to === from ||
      (role === VAULT && inVault.has(kindOf(batch, row)))
    ) {
      this.found(from, "direct")
    } else if (role !== ROUTER) this.how = code["unknown-contract"]
    else this.foundUnlessNested(batch, event, tx, from, "router")
  }

  /** Takes the wallet for the swap's, unless somebody else may have swapped within its call. */
  private foundUnlessNested(
    batch: EventBatch,
    event: number,
    tx: number,
    wallet: number,
    how: Attributed
  ): void {
    if (swapsAgain(batch, event, tx)) this.how = code["swapped-again"]
    else if (this.mayBeHooks(batch, event, tx)) this.how = code["unknown-caller"]
    else this.found(wallet, how)
  }

  private mayBeHooks(batch: EventBatch, event: number, tx: number): boolean {
    const swap = batch.columns.SwapExecuted
    const row = batch.row.values[event] as number
    if (!hooked.has(kindOf(batch, row))) return false
    const caller = swap.sender.values[row] as number
    if (caller === NONE || caller === batch.txs.to.values[tx]) return false
    if (this.contracts.of(batch, caller) === ROUTER) return false
    return hasOtherCaller(batch, event, tx, 1) || hasOtherCaller(batch, event, tx, -1)
  }

  /** Whether operations of accounts were executed in the transaction; then the swap is theirs. */
  private inOperation(batch: EventBatch, event: number, tx: number): boolean {
    const { OperationsBegun, OperationExecuted } = batch.columns
    if (OperationExecuted.account.count === 0 && OperationsBegun.entryPoint.count === 0) {
      return false
    }
    const before = this.operationEvent(batch, event, tx, -1)
    const after = this.operationEvent(batch, event, tx, 1)
    if (before < 0 && after < 0) return false
    this.how = code["no-operation"]
    if (after < 0 || batch.kind.values[after] !== KIND.OperationExecuted) return true
    const row = batch.row.values[after] as number
    if (OperationExecuted.succeeded.values[row] !== 1) return true
    const entryPoint = OperationExecuted.entryPoint.values[row] as number
    // Forwarders of meta-transactions log no begin. Then nothing of others can stand before the
    // operation only where the transaction calls the forwarder itself.
    const begun = before < 0 ? (batch.txs.to.values[tx] as number) : entryPointAt(batch, before)
    if (begun !== entryPoint) return true
    this.ofOperation(batch, event, tx, row)
    return true
  }

  private ofOperation(batch: EventBatch, event: number, tx: number, operation: number): void {
    const { OperationExecuted, SwapExecuted } = batch.columns
    const row = batch.row.values[event] as number
    const paymaster = OperationExecuted.paymaster.values[operation] as number
    const isPaymasters =
      paymaster !== NONE &&
      (SwapExecuted.recipient.values[row] === paymaster ||
        SwapExecuted.sender.values[row] === paymaster)
    if (isPaymasters) this.how = code.paymaster
    else {
      const account = OperationExecuted.account.values[operation] as number
      this.foundUnlessNested(batch, event, tx, account, "entry-point")
    }
  }

  /** The nearest event of operations of the transaction, in the direction; -1 where none is. */
  private operationEvent(batch: EventBatch, event: number, tx: number, step: 1 | -1): number {
    for (let i = event + step; isWithin(batch, i, tx); i += step) {
      if (isOperation(batch.kind.values[i] as number)) {
        // A log holds what its own list believed: the chain's list decides by now.
        if (this.entryPoints.of(batch, entryPointAt(batch, i)) !== 0) return i
      }
    }
    return -1
  }
}

/** The kind that the swap's event tells. */
const kindOf = (batch: EventBatch, row: number): string =>
  batch.syms[batch.columns.SwapExecuted.venueKind.values[row] as number] as string

const isOperation = (kind: number): boolean =>
  kind === KIND.OperationExecuted || kind === KIND.OperationsBegun

const entryPointAt = (batch: EventBatch, event: number): number => {
  const { OperationsBegun, OperationExecuted } = batch.columns
  const row = batch.row.values[event] as number
  return (
    batch.kind.values[event] === KIND.OperationsBegun
      ? OperationsBegun.entryPoint.values[row]
      : OperationExecuted.entryPoint.values[row]
  ) as number
}

/** Whether the event is the transaction's, or a fact of the block that stands among its events. */
const isWithin = (batch: EventBatch, event: number, tx: number): boolean => {
  if (event < 0 || event >= batch.count) return false
  const own = batch.tx.values[event]
  return own === tx || (own === NONE && batch.kind.values[event] !== KIND.BlockSealed)
}

/** Whether the same pool swaps the same way later in the transaction, or in its operation. */
const swapsAgain = (batch: EventBatch, event: number, tx: number): boolean => {
  const swap = batch.columns.SwapExecuted
  const row = batch.row.values[event] as number
  for (let i = event + 1; isWithin(batch, i, tx); i++) {
    const kind = batch.kind.values[i] as number
    if (isOperation(kind)) return false
    if (kind !== KIND.SwapExecuted) continue
    const other = batch.row.values[i] as number
    if (swap.pool.values[other] !== swap.pool.values[row]) continue
    if (sameWay(batch, row, other)) return !inParts.has(kindOf(batch, row))
  }
  return false
}

const sameWay = (batch: EventBatch, row: number, other: number): boolean => {
  const swap = batch.columns.SwapExecuted
  return (
    swap.amount0In.isZero(row) === swap.amount0In.isZero(other) &&
    swap.token0.values[row] === swap.token0.values[other] &&
    swap.token1.values[row] === swap.token1.values[other] &&
    swap.index0.values[row] === swap.index0.values[other] &&
    swap.index1.values[row] === swap.index1.values[other]
  )
}

/**
 * Whether another contract called a pool of the same kind for a swap, in the same transaction,
 * behind this one (`step` 1) or before it (-1).
 */
const hasOtherCaller = (batch: EventBatch, event: number, tx: number, step: 1 | -1): boolean => {
  const swap = batch.columns.SwapExecuted
  const row = batch.row.values[event] as number
  for (let i = event + step; isWithin(batch, i, tx); i += step) {
    if (batch.kind.values[i] !== KIND.SwapExecuted) continue
    const other = batch.row.values[i] as number
    const sameKind = swap.venueKind.values[other] === swap.venueKind.values[row]
    if (sameKind && swap.sender.values[other] !== swap.sender.values[row]) return true
  }
  return false
}
