/** What becomes on the tape of what a transaction tells of pools besides swaps. */
import { idBytes } from "../../src/domain/ids.ts"
import type { BatchBuilder } from "../batch/builder.ts"
import { NULL_I32 } from "../batch/columns.ts"
import { NONE } from "../batch/id-table.ts"
import { BIN_STEP, MIGRATED_TO } from "../pool-parameters.ts"
import { type MintPair, mintsInOrder, pushReserves } from "./swap-events.ts"
import type { PoolFacts, SolanaVenue } from "./venue.ts"

type Told<K extends PoolFacts["kind"]> = Extract<PoolFacts, { readonly kind: K }>

/** A change of liquidity as it is written: all that its amounts are of is known. */
export interface KnownChange {
  readonly venue: SolanaVenue
  readonly pool: string
  readonly owner: string | null
  readonly position: string | null
  /** who paid for the transaction */
  readonly sender: string
  /** in the venue's order of the pool's tokens, as the amounts */
  readonly mints: MintPair
  readonly amounts: Told<"liquidity">["amounts"]
  readonly before: Told<"liquidity">["before"]
}

/** Pushes which position a change is of, where that is told. */
const pushPosition = (
  out: BatchBuilder,
  { pool, position }: Pick<KnownChange, "pool" | "position">,
  place: number
): void => {
  if (position === null) return
  const c = out.columns.PositionNamed
  c.pool.push(out.ids.accountOf(pool))
  c.position.push(out.ids.accountOf(position))
  out.end("PositionNamed", place)
}

/**
 * Pushes a change of liquidity, behind what the pool holds then where its reserves are a price and
 * are told. No event that is read tells a range, or liquidity as a number.
 */
export const pushLiquidity = (out: BatchBuilder, change: KnownChange, place: number): void => {
  const { venue, pool, owner, sender, mints, amounts, before } = change
  const isInOrder = mintsInOrder(...mints)[0] === mints[0]
  const [first, second] = isInOrder ? ([0, 1] as const) : ([1, 0] as const)
  if (before !== undefined && venue.reserves === "price") {
    const after = [before[first] + amounts[first], before[second] + amounts[second]] as const
    pushReserves(out, pool, after, place)
  }
  const c = out.columns.LiquidityChanged
  c.pool.push(out.ids.accountOf(pool))
  c.venueKind.push(out.sym(venue.name))
  c.owner.push(owner === null ? NONE : out.ids.accountOf(owner))
  c.sender.push(out.ids.accountOf(sender))
  c.tickLower.push(NULL_I32)
  c.tickUpper.push(NULL_I32)
  c.liquidity.push(null)
  c.amount0.push(amounts[first])
  c.amount1.push(amounts[second])
  out.end("LiquidityChanged", place)
  pushPosition(out, change, place)
}

/** Pushes the bin step of a pool. */
export const pushBinStep = (out: BatchBuilder, pool: string, step: number, place: number): void => {
  const c = out.columns.PoolParameterSet
  c.pool.push(out.ids.accountOf(pool))
  c.name.push(out.sym(BIN_STEP))
  c.index.push(NULL_I32)
  c.value.push(BigInt(step))
  out.end("PoolParameterSet", place)
}

/** Pushes what a position was paid of fees that it had earned. */
export const pushFees = (
  out: BatchBuilder,
  paid: Pick<KnownChange, "pool" | "owner" | "position" | "mints" | "amounts">,
  place: number
): void => {
  const { pool, owner, mints, amounts } = paid
  const isInOrder = mintsInOrder(...mints)[0] === mints[0]
  const c = out.columns.FeesCollected
  c.pool.push(out.ids.accountOf(pool))
  c.owner.push(owner === null ? NONE : out.ids.accountOf(owner))
  c.recipient.push(NONE)
  c.tickLower.push(NULL_I32)
  c.tickUpper.push(NULL_I32)
  c.amount0.push(amounts[isInOrder ? 0 : 1])
  c.amount1.push(amounts[isInOrder ? 1 : 0])
  out.end("FeesCollected", place)
  pushPosition(out, paid, place)
}

/**
 * Pushes a curve's end: it is sold out, or what it held is in a pool, which is named. Then
 * a curve that is known holds nothing: its last price would stand beside that of the pool for ever.
 */
export const pushGraduated = (
  out: BatchBuilder,
  { pool, to }: Told<"graduated">,
  isKnown: boolean,
  place: number
): void => {
  const c = out.columns.PoolParameterSet
  c.pool.push(out.ids.accountOf(pool))
  c.name.push(out.sym(to === null ? "graduated" : MIGRATED_TO))
  c.index.push(NULL_I32)
  if (to === null) c.value.push(1n)
  else c.value.pushUnsigned(idBytes(to), 0)
  out.end("PoolParameterSet", place)
  if (isKnown && to !== null) pushReserves(out, pool, [0n, 0n], place)
}
