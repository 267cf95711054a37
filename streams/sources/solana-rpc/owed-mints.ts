/** Mints of which no node has told what they say of themselves, and when each is asked for next. */
import { forgetOldest } from "../../forget-oldest.ts"

/** Mints that are remembered as asked for in vain, and as those that do not exist. */
export const MOST_KEPT = 4096

/** A mint is asked for again after so long, and after three times as long each time. */
const FIRST_AGAIN_MS = 10_000
const LONGEST_AGAIN_MS = 900_000

/** Answers that no such account exists, after which none is asked for. */
const MOST_ANSWERS = 3

interface Owed {
  /** as balances of a block tell them */
  readonly decimals: number | null
  /** times that it was asked for, and those that nodes answered that it does not exist */
  asked: number
  answers: number
  dueMs: number
}

export class OwedMints {
  private readonly owed = new Map<string, Owed>()
  private readonly none = new Set<string>()

  get size(): number {
    return this.owed.size
  }

  /** Notes a mint that is not known; one that does not exist is not owed. */
  add(mint: string, decimals: number | null): void {
    if (this.none.has(mint) || this.owed.has(mint)) return
    this.owed.set(mint, { decimals, asked: 0, answers: 0, dueMs: 0 })
    forgetOldest(this.owed, MOST_KEPT)
  }

  /** Decimals of mints as far as balances told them. */
  decimalsOf(mints: ReadonlyArray<string>): ReadonlyMap<string, number> {
    return new Map(
      mints.flatMap(mint => {
        const decimals = this.owed.get(mint)?.decimals ?? null
        return decimals === null ? [] : [[mint, decimals] as const]
      })
    )
  }

  /** Every mint that is owed, with its decimals as far as balances told them. */
  get all(): ReadonlyArray<readonly [string, number | null]> {
    return [...this.owed].map(([mint, { decimals }]) => [mint, decimals] as const)
  }

  isDue(mint: string, nowMs: number): boolean {
    const one = this.owed.get(mint)
    return one !== undefined && one.dueMs <= nowMs
  }

  /** Mints that are due, of which the first became owed first. */
  due(nowMs: number, most: number): ReadonlyArray<string> {
    const found: Array<string> = []
    for (const [mint, { dueMs }] of this.owed) {
      if (found.length === most) break
      if (dueMs <= nowMs) found.push(mint)
    }
    return found
  }

  /** Notes that mints are asked for now: none of them is due for a while. */
  ask(mints: ReadonlyArray<string>, nowMs: number): void {
    for (const mint of mints) {
      const one = this.owed.get(mint)
      if (one === undefined) continue
      one.dueMs = nowMs + Math.min(LONGEST_AGAIN_MS, FIRST_AGAIN_MS * 3 ** one.asked)
      one.asked++
    }
  }

  /** A node told what the mint says of itself. */
  told(mint: string): void {
    this.owed.delete(mint)
  }

  /** Nodes answered that there is no such mint. */
  missing(mint: string): void {
    const one = this.owed.get(mint)
    if (one === undefined) return
    one.answers++
    if (one.answers < MOST_ANSWERS) return
    this.owed.delete(mint)
    this.none.add(mint)
    forgetOldest(this.none, MOST_KEPT)
  }
}
