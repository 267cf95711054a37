/**
 * Which transfers of pinned tokens the log holds: from `TokenPinned` on all, and those of the
 * blocks that `TransfersFilled` names.
 */
import { type EventBatch, KIND } from "../../streams/batch/batch.ts"
import type { KnownAddress } from "../../streams/known-set.ts"
import { UNPINNED } from "../../streams/pinned-tokens.ts"
import type { BlockRange, PinStatus } from "../../streams/source.ts"
import { beginsWithRollback } from "../log/block-runs.ts"
import { without } from "./gap-ledger.ts"

/**
 * A `TokenPinned` (`reach` null, both blocks its own), `TokenUnpinned` (`UNPINNED`) or
 * `TransfersFilled` of the log.
 */
export interface PinMark extends BlockRange {
  readonly token: string
  readonly reach: string | null
  /** the block it stands in */
  readonly at: number
}

/** An `EventsJoined` of the log. */
export interface JoinMark {
  /** seq of its last event, in the side log */
  readonly lastSeq: number
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

const blocksOf = (block: number): BlockRange => ({ fromBlock: block, toBlock: block })

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

  /** Takes a batch that goes to the end of the log. */
  observe(batch: EventBatch): void {
    if (batch.count === 0) return
    if (beginsWithRollback(batch)) {
      const toBlock = batch.columns.Rollback.toBlock.get(0)
      this.marks = this.marks.filter(({ at }) => at <= toBlock)
      this.joins = this.joins.filter(({ at }) => at <= toBlock)
    }
    const { TokenPinned, TokenUnpinned, TransfersFilled, EventsJoined } = batch.columns
    const said = TokenPinned.token.count + TokenUnpinned.token.count + TransfersFilled.token.count
    if (said + EventsJoined.hash.count === 0) return
    for (let i = 0; i < batch.count; i++) this.take(batch, i)
  }

  private take(batch: EventBatch, i: number): void {
    const { TokenPinned, TokenUnpinned, TransfersFilled, EventsJoined } = batch.columns
    const kind = batch.kind.get(i)
    const row = batch.row.get(i)
    const at = batch.blocks.number.get(batch.block.get(i))
    const textOf = (ref: number): string => batch.ids.text(ref) ?? ""
    if (kind === KIND.TokenPinned) {
      this.marks.push({
        token: textOf(TokenPinned.token.get(row)),
        reach: null,
        ...blocksOf(at),
        at
      })
    } else if (kind === KIND.TokenUnpinned) {
      const token = textOf(TokenUnpinned.token.get(row))
      this.marks.push({ token, reach: UNPINNED, ...blocksOf(at), at })
    } else if (kind === KIND.TransfersFilled) {
      this.marks.push({
        token: textOf(TransfersFilled.token.get(row)),
        fromBlock: TransfersFilled.fromBlock.get(row),
        toBlock: TransfersFilled.toBlock.get(row),
        reach: batch.syms[TransfersFilled.reach.get(row)] ?? "",
        at
      })
    } else if (kind === KIND.EventsJoined) {
      this.joins.push({ lastSeq: EventsJoined.lastSeq.get(row), at })
    }
  }

  /** Seq of the last event of the side log that the log has joined; 0 where it has none. */
  get joinedSeq(): number {
    return this.joins.at(-1)?.lastSeq ?? 0
  }

  /** Pinned tokens in the order in which the log tells of them. */
  get pins(): ReadonlyArray<Pin> {
    const found = new Map<string, Pin>()
    const filled = new Map<string, Array<PinMark>>()
    for (const mark of this.marks) {
      const { token, reach, at } = mark
      const pin = found.get(token)
      if (reach === UNPINNED) {
        found.delete(token)
        filled.delete(token)
      } else if (reach !== null) {
        const marks = filled.get(token)
        if (marks === undefined) filled.set(token, [mark])
        else marks.push(mark)
      } else
        found.set(token, { token, addedBlock: Math.min(at, pin?.addedBlock ?? at), filled: [] })
    }
    return [...found.values()].map(pin => ({ ...pin, filled: filled.get(pin.token) ?? [] }))
  }

  /** Tokens whose pin was taken back and that were not pinned again, and the block that says so. */
  get unpinned(): ReadonlyArray<KnownAddress> {
    const last = new Map<string, PinMark>()
    for (const mark of this.marks) {
      if (mark.reach === null || mark.reach === UNPINNED) last.set(mark.token, mark)
    }
    const found = [...last.values()].filter(({ reach }) => reach === UNPINNED)
    return found.map(({ token, at }) => ({ address: token, block: at }))
  }

  /** Whether requests may not have the token pinned: somebody took its pin back. */
  isUnpinned(token: string): boolean {
    return this.unpinned.some(({ address }) => address === token)
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
  readonly unaudited: string | null
}

const NOTHING = { addedBlock: null, createdBlock: null, floorBlock: null, reachedBlock: null }

/** How a token stands whose pin was taken back. */
export const unpinnedStatus = (token: string): PinStatus => {
  const problem = "its pin was taken back: its transfers are not logged"
  return { token, state: "unpinned", ...NOTHING, complete: false, problem, unaudited: null }
}

/** How a token stands; `pin` is null before the log tells of it. */
export const pinStatus = (
  token: string,
  pin: Pin | null,
  { reachedBlock, problem, unaudited }: PinProgress
): PinStatus => {
  if (pin === null) {
    return { token, state: "asked", ...NOTHING, complete: false, problem, unaudited: null }
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
