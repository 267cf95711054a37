/**
 * Who told what is in blocks. Nothing in a block commits to it, and others are asked for samples of
 * it alone, so what one endpoint told is worth what that endpoint is. Where it is found to have
 * told a block otherwise than it is, all that it told has lost its proof, and is read again.
 */
import { forgetOldest } from "../../forget-oldest.ts"
import type { Doubt } from "../../solana/block.ts"

/** Blocks of which the teller is remembered: as many as the audit has samples of. */
const KEPT = 32_768
/** Slots in which one doubt goes on where others told the blocks between. */
const JOINED_SLOTS = 16
/** How long nothing is believed on the word of an endpoint that told a block otherwise. */
const UNTRUSTED_MS = 3_600_000
/** Slots behind the head after which no rollback is expected to undo what was said. */
const SETTLED_SLOTS = 4_096

/** Blocks that lost their proof, by their slots. */
interface Lost {
  readonly by: string
  readonly slots: ReadonlyArray<number>
  /** the slot with which the log is told; null before that */
  readonly at: number | null
}

/** Blocks of one endpoint that are to be read again. */
export interface LostOf {
  readonly by: string
  readonly blocks: number
  readonly doubts: ReadonlyArray<Doubt>
}

/** @param slots in order */
const doubtsOf = (slots: ReadonlyArray<number>): ReadonlyArray<Doubt> => {
  const found: Array<Doubt> = []
  for (const slot of slots) {
    const last = found[found.length - 1]
    const isNear = last !== undefined && slot - last.toBlock <= JOINED_SLOTS
    if (isNear) found[found.length - 1] = { ...last, toBlock: slot }
    else found.push({ _tag: "Doubt", fromBlock: slot, toBlock: slot })
  }
  return found
}

export class Tellers {
  /** by slot the address that told the block; null where that one's word is worth nothing */
  private readonly told = new Map<number, string | null>()
  /** by address until when it is not believed alone, by the steady clock */
  private readonly untrusted = new Map<string, number>()
  private lost: ReadonlyArray<Lost> = []

  /** The addresses that are not believed alone. */
  doubted(nowMs: number): ReadonlySet<string> {
    return new Set([...this.untrusted].flatMap(([by, until]) => (until > nowMs ? [by] : [])))
  }

  /** Whether a block is still what an address told of it, as far as is remembered. */
  stands(slot: number, by: string): boolean {
    const teller = this.told.get(slot)
    return teller === undefined || teller === by
  }

  /**
   * A block was given out as an address told it.
   *
   * @param isWord it is said to be no more than that, and is read again anyway
   */
  saw(slot: number, by: string, isWord: boolean, nowMs: number): void {
    // it was asked for before its teller was found out
    const isLost = !isWord && this.doubted(nowMs).has(by)
    this.told.delete(slot)
    this.told.set(slot, isLost ? null : by)
    forgetOldest(this.told, KEPT)
    if (isLost) this.lose(by, [slot])
  }

  /** An address told a block otherwise than it is: what it told of others is in doubt. */
  lied(by: string, nowMs: number): void {
    this.untrusted.set(by, nowMs + UNTRUSTED_MS)
    const slots = [...this.told].flatMap(([slot, teller]) => (teller === by ? [slot] : []))
    for (const slot of slots) this.told.set(slot, null)
    if (slots.length > 0) this.lose(by, slots)
  }

  private lose(by: string, slots: ReadonlyArray<number>): void {
    this.lost = [...this.lost, { by, slots, at: null }]
  }

  /** Takes what the log is to be told with the block of a slot. */
  takeLost(at: number): ReadonlyArray<LostOf> {
    const open = this.lost.filter(one => one.at === null)
    this.lost = this.lost
      .map(one => ({ ...one, at: one.at ?? at }))
      .filter(one => one.at > at - SETTLED_SLOTS)
    return [...new Set(open.map(({ by }) => by))].map(by => {
      const slots = open.flatMap(one => (one.by === by ? one.slots : []))
      return { by, blocks: slots.length, doubts: doubtsOf(slots.sort((a, b) => a - b)) }
    })
  }

  /** The log goes back to a slot: what it was told with later blocks is to be told again. */
  cutAfter(slot: number): void {
    for (const one of this.told.keys()) if (one > slot) this.told.delete(one)
    this.lost = this.lost.flatMap(({ by, slots, at }) => {
      const left = slots.filter(one => one <= slot)
      if (left.length === 0) return []
      return [{ by, slots: left, at: at === null || at > slot ? null : at }]
    })
  }
}
