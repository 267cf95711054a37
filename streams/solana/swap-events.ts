/** What a swap becomes on the tape. Amounts and prices are those of the pool's tokens in order. */
import { idBytes } from "../../src/domain/ids.ts"
import type { BatchBuilder } from "../batch/builder.ts"
import { NULL_I32 } from "../batch/columns.ts"
import { NONE } from "../batch/id-table.ts"
import { forgetOldest } from "../forget-oldest.ts"
import { VIRTUAL_RESERVE } from "../pool-parameters.ts"
import { CONTRADICTED_SWAP } from "../quarantine-kind.ts"
import type { Swap, SwapSide } from "./swap.ts"
import { pathText, type Transaction } from "./transaction.ts"
import type { BadCheck, VaultCheck } from "./vault-check.ts"

/** Where a swap stands: its block, and its place in that. */
export interface SwapPlace {
  readonly block: number
  readonly place: number
}

/** The mints of a pool's two tokens. */
export type MintPair = readonly [string, string]

const isBefore = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) < 0

/**
 * Returns two mints in the order of their bytes. Venues order the tokens of a pool each in its own
 * way, and not every swap tells which: an order that follows from the mints is that of all nodes.
 */
export const mintsInOrder = (one: string, other: string): MintPair =>
  isBefore(idBytes(one), idBytes(other)) ? [one, other] : [other, one]

/** 2^96 * 2^64: divided by a root times 2^64 it is the root the other way round, times 2^96. */
const TURNED = 1n << 160n

/** The root of the price of the pool's first token, times 2^96; null where no order is told. */
const rootOf = ({ after, inIsFirst }: Swap, is0In: boolean) => {
  if (after?.kind !== "price" || inIsFirst === null || after.sqrtPriceX64 === 0n) return null
  const isSame = inIsFirst === is0In
  const tick = after.tick === null ? null : isSame ? after.tick : -after.tick
  const root = isSame ? after.sqrtPriceX64 << 32n : TURNED / after.sqrtPriceX64
  return { root, tick, liquidity: after.liquidity }
}

/** What a vault held at the end of the transaction; null where no node told it. */
const heldBy = ({ tokenBalances, hasBalances }: Transaction, { vault, native }: SwapSide) =>
  native || !hasBalances ? null : (tokenBalances.get(vault)?.after ?? null)

/**
 * Returns the reserves of a swap's pool, of what came in and of the other: those that its event
 * tells, which are a price with what is virtual of them, or else what its vaults hold, which weighs
 * the pool.
 */
const reservesOf = (
  transaction: Transaction,
  { venue, after, ...swap }: Swap
): readonly [bigint, bigint] | null => {
  if (venue.reserves === "price") {
    if (after?.kind !== "reserves") return null
    const { in: into, out: from, virtual } = after
    return [into - (virtual?.in ?? 0n), from - (virtual?.out ?? 0n)]
  }
  const [into, from] = [heldBy(transaction, swap.in), heldBy(transaction, swap.out)]
  return into === null || from === null ? null : [into, from]
}

/** Pushes what a pool holds, of its two tokens in order. */
export const pushReserves = (
  out: BatchBuilder,
  pool: string,
  [reserve0, reserve1]: readonly [bigint, bigint],
  place: number
): void => {
  const c = out.columns.ReservesSynced
  c.pool.push(out.ids.accountOf(pool))
  c.reserve0.push(reserve0)
  c.reserve1.push(reserve1)
  out.end("ReservesSynced", place)
}

/** What was last written of a pool's virtual reserves, and in which block. */
interface WrittenVirtual {
  readonly block: number
  readonly parts: readonly [bigint, bigint]
}

/** By pool. */
export type VirtualReserves = Map<string, WrittenVirtual>

/** Pools of which that is remembered. */
const MOST_VIRTUAL = 65_536

/** What of a pool's reserves is virtual, of its first token and its second; null: not told. */
const virtualOf = ({ after }: Swap, is0In: boolean): readonly [bigint, bigint] | null => {
  if (after?.kind !== "reserves" || after.virtual === undefined) return null
  const { in: into, out: from } = after.virtual
  return is0In ? [into, from] : [from, into]
}

/**
 * Pushes what prices a pool and is in none of its vaults: in each block that tells it, once, as a
 * block that is read again by itself has to come out as it did. That there is none is told of a
 * pool that had some.
 */
const pushVirtual = (
  out: BatchBuilder,
  virtuals: VirtualReserves,
  pool: string,
  parts: readonly [bigint, bigint],
  at: SwapPlace
): void => {
  const was = virtuals.get(pool)
  const isSame = was?.parts[0] === parts[0] && was.parts[1] === parts[1]
  const isNone = parts[0] === 0n && parts[1] === 0n
  if (isSame ? isNone || was?.block === at.block : isNone && was === undefined) return
  virtuals.set(pool, { block: at.block, parts })
  forgetOldest(virtuals, MOST_VIRTUAL)
  const c = out.columns.PoolParameterSet
  for (const [index, value] of parts.entries()) {
    c.pool.push(out.ids.accountOf(pool))
    c.name.push(out.sym(VIRTUAL_RESERVE))
    c.index.push(index)
    c.value.push(value)
    out.end("PoolParameterSet", at.place)
  }
}

/** Pushes what the pool holds after a swap, where that is told. */
const pushHeld = (
  out: BatchBuilder,
  transaction: Transaction,
  swap: Swap,
  is0In: boolean,
  place: number
): void => {
  const reserves = reservesOf(transaction, swap)
  if (reserves === null) return
  const [into, from] = reserves
  pushReserves(out, swap.pool, is0In ? [into, from] : [from, into], place)
}

/** Of one side of a swap, as words: how much of which mint. */
const sideText = ({ amount, mint, native }: SwapSide): string =>
  native ? `${amount} lamports` : `${amount} of ${mint ?? "an unknown mint"}`

/**
 * Returns why a swap is quarantined that balances contradict: which vault, by how much, and what
 * the swap says, so that both can be looked up with the signature of the transaction.
 */
export const contradiction = (
  { venue, path, pool, in: into, out: from }: Swap,
  { vault, difference }: BadCheck
): string => {
  const [units, than] = difference < 0n ? [-difference, "less"] : [difference, "more"]
  return (
    `${CONTRADICTED_SWAP}: vault ${vault} gained ${units} ${than} than its swaps say ` +
    `(${venue.name}, pool ${pool}, instruction ${pathText(path)}: ` +
    `${sideText(into)} in, ${sideText(from)} out)`
  )
}

/** A check of a swap that becomes a fact. */
type BelievedCheck = Exclude<VaultCheck, BadCheck>

/** Pushes why balances cannot tell whether a swap is right; nothing where they bear it out. */
const pushDoubt = (out: BatchBuilder, pool: string, check: BelievedCheck, place: number): void => {
  if (check.verdict === "ok") return
  const c = out.columns.SwapDoubted
  c.pool.push(out.ids.accountOf(pool))
  c.verdict.push(out.sym(check.verdict))
  c.reason.push(out.sym(check.reason))
  out.end("SwapDoubted", place)
}

/**
 * Pushes a swap whose mints are known, with what its pool holds and why it may be doubted.
 *
 * @param virtuals what was written of virtual reserves, to which those of this swap are added
 */
export const pushSwap = (
  out: BatchBuilder,
  virtuals: VirtualReserves,
  transaction: Transaction,
  swap: Swap,
  check: BelievedCheck,
  at: SwapPlace
): void => {
  const { place } = at
  const is0In = mintsInOrder(swap.in.mint ?? "", swap.out.mint ?? "")[0] === swap.in.mint
  const virtual = virtualOf(swap, is0In)
  if (virtual !== null) pushVirtual(out, virtuals, swap.pool, virtual, at)
  pushHeld(out, transaction, swap, is0In, place)
  const c = out.columns.SwapExecuted
  c.pool.push(out.ids.accountOf(swap.pool))
  c.venueKind.push(out.sym(swap.venue.name))
  c.sender.push(out.ids.accountOf(swap.trader))
  c.recipient.push(out.ids.accountOf(swap.user))
  c.amount0In.push(is0In ? swap.in.amount : 0n)
  c.amount0Out.push(is0In ? 0n : swap.out.amount)
  c.amount1In.push(is0In ? 0n : swap.in.amount)
  c.amount1Out.push(is0In ? swap.out.amount : 0n)
  const price = rootOf(swap, is0In)
  c.sqrtPriceX96.push(price?.root ?? null)
  c.liquidity.push(price?.liquidity ?? null)
  c.tick.push(price?.tick ?? NULL_I32)
  c.fee.push(NULL_I32)
  c.token0.push(NONE)
  c.token1.push(NONE)
  c.index0.push(NULL_I32)
  c.index1.push(NULL_I32)
  out.end("SwapExecuted", place)
  pushDoubt(out, swap.pool, check, place)
}
