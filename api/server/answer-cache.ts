/**
 * Encoded answers by exact URL, each with a check of whether it is still true: a lane's answer is
 * while the lane stands at the position it reflects. Bounded by bytes and entries; the least
 * recently used go first, found by a second chance: a hit only sets a flag, so reading stays cheap.
 */
import { hasPassed } from "../../src/platform/elapsed.ts"
import type { BucketName } from "../../src/rules/plans.ts"
import type { StillTrue } from "../answering.ts"
import type { RouteMeter } from "../route-meters.ts"
import type { Answer } from "./answer.ts"

export interface CachedAnswer {
  readonly answer: Answer
  readonly bucket: BucketName
  readonly meter: RouteMeter
}

interface Entry extends CachedAnswer {
  readonly stillTrue: StillTrue
  bytes: number
  /** how long it may be given when it is not true any more; when it was last known to be true */
  readonly staleMs: number
  trueAt: number
  used: boolean
}

export interface CacheLimits {
  readonly maxBytes: number
  readonly maxEntries: number
}

/** Object, map slot, headers and key of an entry, roughly. */
const ENTRY_OVERHEAD_BYTES = 512

export class AnswerCache {
  private readonly entries = new Map<string, Entry>()
  private readonly limits: CacheLimits
  private readonly nowMs: () => number
  private held = 0
  hits = 0

  constructor(limits: CacheLimits, nowMs: () => number = Date.now) {
    this.limits = limits
    this.nowMs = nowMs
  }

  get size(): number {
    return this.entries.size
  }

  /** Bytes held, overhead included. */
  get bytes(): number {
    return this.held
  }

  /** The answer to a URL, unless it is unknown or out of date. */
  get(url: string): CachedAnswer | undefined {
    const entry = this.entries.get(url)
    if (entry === undefined || !entry.stillTrue()) return undefined
    entry.used = true
    if (entry.staleMs > 0) entry.trueAt = this.nowMs()
    this.hits++
    return entry
  }

  /** An answer that is out of date, where it may be given while a new one is made. */
  stale(url: string): CachedAnswer | undefined {
    const entry = this.entries.get(url)
    if (entry === undefined || entry.staleMs === 0) return undefined
    if (hasPassed(entry.trueAt, this.nowMs(), entry.staleMs + 1)) return undefined
    this.hits++
    return entry
  }

  /** Keeps an answer, in place of the former one of this URL. */
  set(url: string, cached: CachedAnswer, stillTrue: StillTrue, staleMs = 0): void {
    this.remove(url)
    const bytes = cached.answer.body.byteLength + url.length * 2 + ENTRY_OVERHEAD_BYTES
    if (bytes > this.limits.maxBytes) return
    this.makeRoom(bytes)
    const { answer, bucket, meter } = cached
    const trueAt = staleMs > 0 ? this.nowMs() : 0
    const kept = { answer, bucket, meter, stillTrue, bytes, staleMs }
    this.entries.set(url, { ...kept, trueAt, used: false })
    this.held += bytes
  }

  /** Counts bytes that an answer holds more than when it was kept. */
  grow(url: string, answer: Answer, bytes: number): void {
    const entry = this.entries.get(url)
    if (entry?.answer !== answer) return
    entry.bytes += bytes
    this.held += bytes
    this.makeRoom(0)
  }

  private makeRoom(bytes: number): void {
    const { maxBytes, maxEntries } = this.limits
    for (const [url, entry] of this.entries) {
      if (this.held + bytes <= maxBytes && this.entries.size < maxEntries) return
      this.remove(url)
      if (!entry.used) continue
      // A second chance: back to the end of the line, which this loop reaches at the latest then.
      entry.used = false
      this.entries.set(url, entry)
      this.held += entry.bytes
    }
  }

  private remove(url: string): void {
    const entry = this.entries.get(url)
    if (entry === undefined) return
    this.entries.delete(url)
    this.held -= entry.bytes
  }
}
