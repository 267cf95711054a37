/**
 * The pins of a log: which transfers of pinned tokens it holds. It holds all transfers after
 * `TokenPinned`, and those of the blocks that `TransfersFilled` names.
 */
import { type EventBatch, KIND } from "../../streams/batch/batch.ts"
import type { KnownAddress } from "../../streams/known-set.ts"
import { without } from "../../streams/open-gaps.ts"
import { UNPINNED } from "../../streams/pinned-transfers.ts"
import type { BlockRange, PinStatus } from "../../streams/source.ts"
import { beginsWithRollback } from "../log/block-runs.ts"

/**
 * A `TokenPinned` (`reach` null), `TokenUnpinned` (`reach` is `UNPINNED`) or `TransfersFilled` of
 * the log. The blocks of the first two are those of the event.
 */
export interface PinMark extends BlockRange {
  readonly token: string
  readonly reach: string | null
  /** the block of the event */
  readonly at: number
  /** the lowest grade of the blocks; null for a pin, and in older logs, which do not say */
  readonly grade: string | null
}

/** An `EventsJoined` of the log. */
export interface JoinMark {
  /** seq in the side log of the last event that it joins */
  readonly lastSeq: number
  /** the block of the event */
  readonly at: number
}

/** Whether a reach says that nothing lies before the blocks. */
const isFirst = (reach: string | null): boolean => reach === "creation" || reach === "genesis"

/** A pinned token, and the blocks whose transfers the log holds. */
export interface Pin {
  readonly token: string
  /** transfers are logged from this block on as they come */
  readonly addedBlock: number
  readonly filled: ReadonlyArray<PinMark>
}

/** Returns the first block of the unbroken run of blocks up to the pin that the log holds. */
export const floorOf = ({ addedBlock, filled }: Pin): number => {
  let floor = addedBlock
  for (const { fromBlock, toBlock } of filled.toSorted((a, b) => b.toBlock - a.toBlock)) {
    if (toBlock >= floor - 1) floor = Math.min(floor, fromBlock)
  }
  return floor
}

/** Returns the mark before which there is nothing; null where the log has no such mark. */
export const firstOf = ({ filled }: Pin): PinMark | null =>
  filled.find(({ reach }) => isFirst(reach)) ?? null

/** Whether the log holds every transfer that the token ever had. */
export const isComplete = (pin: Pin): boolean => {
  const first = firstOf(pin)
  return first !== null && floorOf(pin) <= Math.min(first.fromBlock, pin.addedBlock)
}

/** Returns the blocks from `floor` to `final` whose transfers the log lacks. */
export const openBlocks = (
  { addedBlock, filled }: Pin,
  floor: number,
  final: number
): ReadonlyArray<BlockRange> => {
  const whole = { fromBlock: floor, toBlock: Math.min(addedBlock - 1, final) }
  return whole.fromBlock > whole.toBlock ? [] : without([whole], filled)
}

const blocksOf = (block: number): BlockRange => ({ fromBlock: block, toBlock: block })

const NO_GRADE: string | null = null

export class PinLedger {
  private marks: Array<PinMark>
  private joins: Array<JoinMark>

  constructor(marks: ReadonlyArray<PinMark> = [], joins: ReadonlyArray<JoinMark> = []) {
    this.marks = [...marks]
    this.joins = [...joins]
  }

  copy(): PinLedger {
    return new PinLedger(this.marks, this.joins)
  }

  /** Takes a batch that is appended to the log. */
  observe(batch: EventBatch): void {
    if (batch.count === 0) return
    if (beginsWithRollback(batch)) {
      const toBlock = batch.columns.Rollback.toBlock.get(0)
      this.marks = this.marks.filter(({ at }) => at <= toBlock)
      this.joins = this.joins.filter(({ at }) => at <= toBlock)
    }
    const { TokenPinned, TokenUnpinned, TransfersFilled, EventsJoined } = batch.columns
    const pinEvents =
      TokenPinned.token.count + TokenUnpinned.token.count + TransfersFilled.token.count
    if (pinEvents + EventsJoined.hash.count === 0) return
    for (let i = 0; i < batch.count; i++) this.take(batch, i)
  }

  private take(batch: EventBatch, i: number): void {
    const { TokenPinned, TokenUnpinned, TransfersFilled, EventsJoined } = batch.columns
    const kind = batch.kind.get(i)
    const row = batch.row.get(i)
    const at = batch.blocks.number.get(batch.block.get(i))
    const say = (token: number, reach: string | null, blocks = blocksOf(at), grade = NO_GRADE) =>
      this.marks.push({ token: batch.ids.text(token) ?? "", reach, ...blocks, at, grade })
    if (kind === KIND.TokenPinned) say(TokenPinned.token.get(row), null)
    else if (kind === KIND.TokenUnpinned) say(TokenUnpinned.token.get(row), UNPINNED)
    else if (kind === KIND.TransfersFilled) {
      const { token, reach, fromBlock, toBlock, grade } = TransfersFilled
      const blocks = { fromBlock: fromBlock.get(row), toBlock: toBlock.get(row) }
      say(token.get(row), batch.syms[reach.get(row)] ?? "", blocks, grade.get(row))
    } else if (kind === KIND.EventsJoined) {
      this.joins.push({ lastSeq: EventsJoined.lastSeq.get(row), at })
    }
  }

  /** Seq of the last event of the side log that the log has joined; 0 for none. */
  get joinedSeq(): number {
    return this.joins.at(-1)?.lastSeq ?? 0
  }

  /** The pinned tokens, in the order of their pins in the log. */
  get pins(): ReadonlyArray<Pin> {
    const pinByToken = new Map<string, Pin>()
    const filled = new Map<string, Array<PinMark>>()
    for (const mark of this.marks) {
      const { token, reach, at } = mark
      const pin = pinByToken.get(token)
      if (reach === UNPINNED) {
        pinByToken.delete(token)
        filled.delete(token)
      } else if (reach !== null) {
        const marks = filled.get(token)
        if (marks === undefined) filled.set(token, [mark])
        else marks.push(mark)
      } else
        pinByToken.set(token, {
          token,
          addedBlock: Math.min(at, pin?.addedBlock ?? at),
          filled: []
        })
    }
    return [...pinByToken.values()].map(pin => ({ ...pin, filled: filled.get(pin.token) ?? [] }))
  }

  /**
   * Tokens whose pin was taken back and that have no new one, with the block of `TokenUnpinned`.
   */
  get unpinned(): ReadonlyArray<KnownAddress> {
    const last = new Map<string, PinMark>()
    for (const mark of this.marks) {
      if (mark.reach === null || mark.reach === UNPINNED) last.set(mark.token, mark)
    }
    const takenBack = [...last.values()].filter(({ reach }) => reach === UNPINNED)
    return takenBack.map(({ token, at }) => ({ address: token, block: at }))
  }

  /** Whether the token's pin was taken back: then requests may not pin it again. */
  isUnpinned(token: string): boolean {
    return this.unpinned.some(({ address }) => address === token)
  }

  /** The pinned tokens, for the source that continues the log. */
  get known(): ReadonlyArray<KnownAddress> {
    return this.pins.map(({ token, addedBlock }) => ({ address: token, block: addedBlock }))
  }
}

/** What the process knows of a token beside the log. */
export interface PinProgress {
  readonly reachedBlock: number | null
  readonly problem: string | null
  readonly unaudited: string | null
}

const NO_BLOCKS = { addedBlock: null, createdBlock: null, floorBlock: null, reachedBlock: null }

/** Returns the status of a token whose pin was taken back. */
export const unpinnedStatus = (token: string): PinStatus => {
  const problem = "its pin was taken back: its transfers are not logged"
  return { token, state: "unpinned", ...NO_BLOCKS, complete: false, problem, unaudited: null }
}

/** Returns the status of a token; `pin` is null while the log does not hold its pin. */
export const pinStatus = (
  token: string,
  pin: Pin | null,
  { reachedBlock, problem, unaudited }: PinProgress
): PinStatus => {
  if (pin === null) {
    return { token, state: "asked", ...NO_BLOCKS, complete: false, problem, unaudited: null }
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
    problem: complete ? null : problem,
    unaudited
  }
}
