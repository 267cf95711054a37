/** How an endpoint fares: latency, errors, lag behind the best head, answers that were wrong. */
import type { EndpointStatus } from "../source.ts"

/** Weight of the newest sample in a moving mean. */
const NEWEST = 0.2
/** Assumed of an endpoint that was not asked yet. */
const UNKNOWN_MS = 150
/** What one wrong answer costs it, and how much of that is forgiven at each comparison. */
const WRONG_MS = 2000
const FORGIVEN = 0.05
/** An endpoint of which every call fails costs so many times its latency. */
const ERROR_FACTOR = 20
/** Behind one address there may be several nodes, so a method that is denied is asked for again. */
const DENIED_MS = 300_000
/** What is too old for a node may be kept by another one behind its address. */
const GONE_MS = 300_000

/** What was asked of an endpoint, and what came of it, by whoever asked. */
class EndpointCounts {
  calls = 0
  errors = 0
  wrong = 0
  /** calls and failures of each method */
  readonly methods = new Map<string, { calls: number; errors: number }>()
}

export class EndpointHealth {
  /** host and port */
  readonly label: string
  private readonly counts: EndpointCounts
  /** it serves the right chain */
  verified = false
  /** times it told of another chain, and when last; only before it is verified */
  denials = 0
  private deniedAt = Number.NEGATIVE_INFINITY
  /** failures in a row; and silences, and answers that did not fit since the last that did */
  failures = 0
  strikes = 0
  /** it is not asked before (ms of the steady clock, as all times here) */
  restUntil = 0
  /** when it was last asked for what is needed, by itself or beside one that was silent */
  askedAt = 0
  takesBatches = true
  /** it told a header with all its fields */
  tellsWholeHeaders = false
  /** methods that it says it does not have, and until when that is believed */
  private readonly denied = new Map<string, number>()
  /** the oldest block that it has, as far as it said, and until when that is believed */
  private kept = { from: 0, untilMs: 0 }
  /** of small calls, in milliseconds; null before the first */
  latencyMs: number | null = null
  /** how long answers take that come, by what is asked, in milliseconds: moving means */
  private readonly usual = new Map<string, number>()
  /** when the newest question was asked that it has answered, by what was asked */
  private readonly answered = new Map<string, number>()
  /** share of failed calls, the newest counting most */
  errorRate = 0
  /** newest block it told of */
  head: number | null = null
  problem: string | null = null

  constructor(label: string, counts = new EndpointCounts()) {
    this.label = label
    this.counts = counts
  }

  /**
   * Makes the health of this endpoint for those who read old blocks beside the head. A node may
   * have forgotten what they ask for, and whatever that says of it the head does not wait for it:
   * only the counts are common.
   */
  beside(): EndpointHealth {
    return new EndpointHealth(this.label, this.counts)
  }

  /** A method was called, and answered or not. */
  asked(method: string, isAnswered: boolean): void {
    const { methods } = this.counts
    const counts = methods.get(method) ?? { calls: 0, errors: 0 }
    counts.calls++
    if (!isAnswered) counts.errors++
    methods.set(method, counts)
  }

  succeeded(): void {
    this.counts.calls++
    this.failures = 0
    this.problem = null
    this.errorRate *= 1 - NEWEST
  }

  failed(problem: string): void {
    this.counts.calls++
    this.counts.errors++
    this.problem = problem
    this.errorRate += (1 - this.errorRate) * NEWEST
  }

  /** It told of another chain; what was asked before the last such answer counts as the same. */
  deniedChain(askedAt: number, now: number): void {
    if (askedAt <= this.deniedAt) return
    this.denials++
    this.deniedAt = now
  }

  /** It says that it has no such method. */
  denies(method: string, now: number): void {
    this.denied.set(method, now + DENIED_MS)
  }

  lacks(method: string): boolean {
    return this.denied.has(method)
  }

  /** The method is asked for again. */
  askAgain(method: string): void {
    this.denied.delete(method)
  }

  /** Forgets what was denied long ago. */
  forgetDenials(now: number): void {
    for (const [method, until] of this.denied) if (until <= now) this.denied.delete(method)
  }

  /** It says that it has no blocks older than this one any more. */
  keepsFrom(block: number, now: number): void {
    const { from, untilMs } = this.kept
    this.kept = { from: untilMs > now ? Math.max(block, from) : block, untilMs: now + GONE_MS }
  }

  /** Whether it may have a block; it is not asked for long for what it said is too old. */
  keeps(block: number | null, now: number): boolean {
    const { from, untilMs } = this.kept
    return block === null || block >= from || untilMs <= now
  }

  /** An answer that contradicts a proof. */
  lied(problem: string): void {
    this.counts.wrong++
    this.strikes++
    this.problem = problem
  }

  /**
   * It is trusted less, whoever is to blame: an answer did not fit others, or none came for so long
   * that another endpoint was asked, or nobody any more.
   */
  doubted(problem: string): void {
    this.strikes++
    this.problem = problem
  }

  /** It has been asked, and has not answered for long. */
  foundSilent(problem: string): void {
    this.problem ??= problem
  }

  /** Whether it answered a question that was asked later; null for one of any kind. */
  hasAnswered(kind: string | null, askedAt: number): boolean {
    const answered = kind === null ? [...this.answered.values()] : [this.answered.get(kind) ?? 0]
    return answered.some(at => at > askedAt)
  }

  /** An answer of a kind, asked for at a time, took so long. */
  took(kind: string, ms: number, askedAt: number): void {
    this.answered.set(kind, Math.max(askedAt, this.answered.get(kind) ?? 0))
    const before = this.usual.get(kind) ?? ms
    this.usual.set(kind, before + (ms - before) * NEWEST)
  }

  /**
   * An answer of a kind did not come in `ms`, and nobody waits for it any more: the next is waited
   * for longer, or one that became slow would never be heard, but for no longer than `mostMs`.
   */
  gaveUp(kind: string, ms: number, mostMs: number): void {
    const before = this.usual.get(kind) ?? ms
    if (before >= mostMs && this.usual.has(kind)) return
    this.usual.set(kind, Math.min(mostMs, before + (ms - before) * NEWEST))
  }

  /** How long answers of a kind take; null before the first. */
  usualMs(kind: string): number | null {
    return this.usual.get(kind) ?? null
  }

  /** A small call took so long and told of this head. */
  sampled(latencyMs: number, head: number): void {
    const before = this.latencyMs ?? latencyMs
    this.latencyMs = before + (latencyMs - before) * NEWEST
    this.head = head
  }

  /** Old mistakes count less. */
  forgive(): void {
    this.strikes = Math.max(0, this.strikes - FORGIVEN)
  }

  /** What asking it costs, in milliseconds: the lowest is asked first. */
  score(bestHead: number | null, blockTimeMs: number): number {
    const lag = this.lag(bestHead) ?? 0
    const latency = this.latencyMs ?? UNKNOWN_MS
    // one block behind is the time between two looks
    return (
      latency * (1 + ERROR_FACTOR * this.errorRate) +
      Math.max(0, lag - 1) * blockTimeMs +
      this.strikes * WRONG_MS
    )
  }

  lag(bestHead: number | null): number | null {
    return bestHead === null || this.head === null ? null : Math.max(0, bestHead - this.head)
  }

  status(
    bestHead: number | null,
    blockTimeMs: number,
    inUse: boolean,
    now: number
  ): EndpointStatus {
    const restMs = Math.max(0, this.restUntil - now)
    const rounded = (value: number) => Math.round(value * 10) / 10
    return {
      endpoint: this.label,
      state: restMs > 0 ? "resting" : inUse ? "in-use" : this.verified ? "ready" : "untried",
      score: rounded(this.score(bestHead, blockTimeMs)),
      latencyMs: this.latencyMs === null ? null : rounded(this.latencyMs),
      errorRate: Math.round(this.errorRate * 1000) / 1000,
      lagBlocks: this.lag(bestHead),
      calls: this.counts.calls,
      errors: this.counts.errors,
      wrongAnswers: this.counts.wrong,
      restMs: Math.round(restMs),
      methods: [...this.counts.methods].map(([method, counts]) => ({ method, ...counts })),
      problem: this.problem
    }
  }
}

/** The newest head that any of them told of. */
export const bestHeadOf = (all: ReadonlyArray<EndpointHealth>): number | null =>
  all.reduce<number | null>(
    (best, { head }) => (head === null ? best : Math.max(best ?? head, head)),
    null
  )
