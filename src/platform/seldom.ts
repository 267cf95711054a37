/** What happens again and again is said once a while, of each kind. */
import { Effect } from "effect"
import { steadyMillis } from "./elapsed.ts"

/** Kinds that are remembered: those that were said longest ago are forgotten. */
const MOST = 100

export class Seldom<Kind> {
  private readonly saidMs: Map<Kind, number>
  private readonly spanMs: number

  /**
   * @param spanMs how long a kind is not said again
   * @param before what was said before, as `said` tells it
   */
  constructor(spanMs: number, before: ReadonlyArray<readonly [Kind, number]> = []) {
    this.spanMs = spanMs
    this.saidMs = new Map(before)
  }

  /** When each kind was said last, by the steady clock, which all threads share. */
  get said(): ReadonlyArray<readonly [Kind, number]> {
    return [...this.saidMs]
  }

  /** Whether a kind is to be said now, by a clock that only runs on; then it counts as said. */
  isDue(kind: Kind, nowMs: number): boolean {
    const lastMs = this.saidMs.get(kind)
    if (lastMs !== undefined && nowMs - lastMs < this.spanMs) return false
    this.saidMs.delete(kind)
    this.saidMs.set(kind, nowMs)
    const [oldest] = this.saidMs.keys()
    if (this.saidMs.size > MOST) this.saidMs.delete(oldest as Kind)
    return true
  }

  /** Says something, where its kind is due. */
  say(kind: Kind, words: Effect.Effect<void>): Effect.Effect<void> {
    return Effect.flatMap(steadyMillis, now => (this.isDue(kind, now) ? words : Effect.void))
  }
}
