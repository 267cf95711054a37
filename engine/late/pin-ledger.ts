/**
 * Which transfers of pinned tokens the log holds: from `TokenPinned` on all, and those of the
 * blocks that `TransfersFilled` names.
 */
import { type EventBatch, KIND } from "../../streams/batch/batch.ts"
import type { KnownAddress } from "../../streams/known-set.ts"
import type { BlockRange, PinStatus } from "../../streams/source.ts"
import { beginsWithRollback } from "../log/block-runs.ts"
import { without } from "./gap-ledger.ts"

/** A `TokenPinned` (`reach` null, both blocks its own) or `TransfersFilled` of the real log. */
export interface PinMark extends BlockRange {
  readonly token: string
  readonly reach: string | null
  /** the block it stands in */
  readonly at: number
}

/** Reaches before which there is nothing. */
const isFirst = (reach: string | null): boolean => reach === "creation" || reach === "genesis"

/** A token of the log and what is known of its transfers. */
export interface Pin {
  readonly token: string
  /** transfers are logged from this block on as they come */
  readonly addedBlock: number
  readonly filled: ReadonlyArray<PinMark>
}

/** The first block of the run of blocks that the log holds up to the pin. */
export const floorOf = ({ addedBlock, filled }: Pin): number => {
  let floor = addedBlock
  for (const { fromBlock, toBlock } of filled.toSorted((a, b) => b.toBlock - a.toBlock)) {
    if (toBlock >= floor - 1) floor = Math.min(floor, fromBlock)
  }
  return floor
}

/** The mark before which there is nothing; null where the log does not say. */
export const firstOf = ({ filled }: Pin): PinMark | null =>
  filled.find(({ reach }) => isFirst(reach)) ?? null

/** Whether the log holds every transfer that the token ever had. */
export const isComplete = (pin: Pin): boolean => {
  const first = firstOf(pin)
  return first !== null && floorOf(pin) <= Math.min(first.fromBlock, pin.addedBlock)
}

/** Blocks from `floor` on whose transfers are to be read still, up to `final`. */
export const openBlocks = (
  { addedBlock, filled }: Pin,
  floor: number,
  final: number
): ReadonlyArray<BlockRange> => {
  const whole = { fromBlock: floor, toBlock: Math.min(addedBlock - 1, final) }
  return whole.fromBlock > whole.toBlock ? [] : without([whole], filled)
}

export class PinLedger {
  private marks: ReadonlyArray<PinMark>

  constructor(marks: ReadonlyArray<PinMark> = []) {
    this.marks = marks
  }

  /** Takes a batch that goes to the end of the log. */
  observe(batch: EventBatch): void {
    if (batch.count === 0) return
    if (beginsWithRollback(batch)) {
      const toBlock = batch.columns.Rollback.toBlock.get(0)
      this.marks = this.marks.filter(({ at }) => at <= toBlock)
    }
    const { TokenPinned, TransfersFilled } = batch.columns
    if (TokenPinned.token.count + TransfersFilled.token.count === 0) return
    for (let i = 0; i < batch.count; i++) {
      const kind = batch.kind.get(i)
      const row = batch.row.get(i)
      const at = batch.blocks.number.get(batch.block.get(i))
      if (kind === KIND.TokenPinned) {
        const token = batch.ids.text(TokenPinned.token.get(row)) ?? ""
        this.add({ token, reach: null, fromBlock: at, toBlock: at, at })
      } else if (kind === KIND.TransfersFilled) {
        this.add({
          token: batch.ids.text(TransfersFilled.token.get(row)) ?? "",
          fromBlock: TransfersFilled.fromBlock.get(row),
          toBlock: TransfersFilled.toBlock.get(row),
          reach: batch.syms[TransfersFilled.reach.get(row)] ?? "",
          at
        })
      }
    }
  }

  /** What was put into the log in its place. */
  add(mark: PinMark): void {
    this.marks = [...this.marks, mark]
  }

  /** Pinned tokens in the order in which the log tells of them. */
  get pins(): ReadonlyArray<Pin> {
    const added = new Map<string, number>()
    for (const { token, reach, at } of this.marks) {
      if (reach === null) added.set(token, Math.min(at, added.get(token) ?? at))
    }
    return [...added].map(([token, addedBlock]) => ({
      token,
      addedBlock,
      filled: this.marks.filter(mark => mark.token === token && mark.reach !== null)
    }))
  }

  /** For the source that continues the log. */
  get known(): ReadonlyArray<KnownAddress> {
    return this.pins.map(({ token, addedBlock }) => ({ address: token, block: addedBlock }))
  }
}

/** What is known of a token besides what the log tells. */
export interface PinProgress {
  readonly reachedBlock: number | null
  readonly problem: string | null
}

/** How a token stands; `pin` is null before the log tells of it. */
export const pinStatus = (
  token: string,
  pin: Pin | null,
  { reachedBlock, problem }: PinProgress
): PinStatus => {
  if (pin === null) {
    const nothing = { addedBlock: null, createdBlock: null, floorBlock: null, reachedBlock: null }
    return { token, state: "asked", ...nothing, complete: false, problem }
  }
  const first = firstOf(pin)
  const complete = isComplete(pin)
  const ended = reachedBlock === null && pin.filled.some(({ reach }) => reach === "floor")
  const state = complete
    ? "complete"
    : reachedBlock !== null
      ? "backfilling"
      : ended
        ? "incomplete"
        : "pinned"
  return {
    token,
    state,
    addedBlock: pin.addedBlock,
    createdBlock: first?.reach === "creation" ? first.fromBlock : null,
    floorBlock: floorOf(pin),
    reachedBlock,
    complete,
    problem: complete ? null : problem
  }
}
