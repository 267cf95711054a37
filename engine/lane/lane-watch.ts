/**
 * What the serving thread notes of a lane's parts as time goes by: how long each has been silent,
 * and what died. Time is counted in ticks, so that a pause of this very thread, or of the whole
 * machine, is nobody's silence.
 */

import type { NamedChain } from "../../src/domain/shown-chain.ts"
import type { SourceStatus } from "../../streams/source.ts"
import { unprovenOf } from "../late/gap-words.ts"
import { healthOf, type LaneFacts, type LaneHealth } from "./lane-health.ts"
import type { LogCheck } from "./log-check.ts"
import type { LaneStatus } from "./status.ts"

/** Between two pulses of a part, and two ticks. */
export const PULSE_MS = 500
/** A tick that came later was held up here: it counts as this much. */
const LONGEST_TICK_MS = 1000
/** What a new thread may take until its first pulse: it loads all of its program. */
const LOADING_MS = 20_000
/** A source that lived for so long is well, even where its chain has nothing new. */
const WELL_MS = 30_000
interface WatchedChain extends NamedChain {
  readonly blockTimeMs: number
}

/** By then it is known what the one before it added to the log: that is no sign of the new one. */
const SETTLED_MS = 2_000

export class LaneWatch {
  private laneSilentMs = 0
  private tablesSilentMs = 0
  private sourceSilentMs = 0
  private serverSilentMs = 0
  private sourceTroubleMs = 0
  /** for how long the source has waited for the answer that it waits for */
  private waitedMs = 0
  private waitingSinceMs: number | null = null
  private sourceCalmMs = Number.POSITIVE_INFINITY
  /** when the newest head was told, by this source and, at its start, by the one before it */
  private headToldMs: number | null = null
  private toldBeforeMs: number | null = null
  private headKnownMs = 0
  private unreadMs = 0
  private block: number | null = null
  private blockStillMs = 0
  private stuckMs = 0
  /** what the tables lack when they are first heard of has been missing for long */
  private gapMs = Number.POSITIVE_INFINITY
  /** whether something was in trouble at the last tick */
  private isInTrouble = false
  logCheck: LogCheck | null = null
  /** the committed position at the last tick, and the source's last block */
  private stood = 0
  private emitted: number | null = null
  /** why the last source died, and where the log ends by what it added to it */
  private failure: { readonly message: string; logSeq: number } | null = null
  /** how long the next has lived, less than nothing before it begins */
  private livedMs = 0

  /** A new thread of the lane begins. */
  laneStarted(): void {
    this.laneSilentMs = -LOADING_MS
    this.tablesSilentMs = 0
  }

  lanePulse(tablesSilentMs: number): void {
    this.laneSilentMs = 0
    this.tablesSilentMs = tablesSilentMs
  }

  sourceStarted(): void {
    this.sourceSilentMs = -LOADING_MS
    this.livedMs = 0
    this.toldBeforeMs = this.headToldMs
  }

  sourcePulse(): void {
    this.sourceSilentMs = 0
  }

  sourceDied(message: string): void {
    this.failure = { message, logSeq: 0 }
    this.livedMs = Number.NEGATIVE_INFINITY
  }

  server(silentMs: number): void {
    this.serverSilentMs = silentMs
  }

  /** So many milliseconds have passed. */
  tick(elapsedMs: number, status: LaneStatus, chain: WatchedChain, nowMs: number): void {
    const passed = Math.min(elapsedMs, LONGEST_TICK_MS)
    this.laneSilentMs += passed
    this.sourceSilentMs += passed
    this.livedMs += passed
    const { source, seq, logSeq } = status
    const isTroubled = source?.state === "retrying" || source?.state === "blocked"
    // a question that ends in a failure was trouble for as long as nobody answered it
    const before = this.sourceTroubleMs > 0 ? this.sourceTroubleMs : this.waitedMs
    this.sourceTroubleMs = isTroubled ? before + passed : 0
    this.noteWaiting(passed, source?.waitingSinceMs ?? null)
    this.sourceCalmMs = isTroubled ? 0 : this.sourceCalmMs + passed
    this.noteHead(passed, source?.headToldMs ?? null)
    const isUnread = source !== null && (source.headBlock ?? 0) > (source.emittedBlock ?? 0)
    const isStill = source?.emittedBlock === this.emitted
    this.unreadMs = isUnread && isStill ? this.unreadMs + passed : 0
    this.emitted = source?.emittedBlock ?? null
    this.blockStillMs = status.block === this.block ? this.blockStillMs + passed : 0
    this.block = status.block
    this.stuckMs = logSeq > seq && seq === this.stood ? this.stuckMs + passed : 0
    this.stood = seq
    // what comes to light during trouble is part of it: the lane is not well before it is mended
    if (unprovenOf(status.gaps).length > 0) {
      this.gapMs += this.isInTrouble ? Number.POSITIVE_INFINITY : passed
    } else if (status.assurance !== null) this.gapMs = 0
    this.endFailure(logSeq)
    this.isInTrouble = this.health(status, chain, nowMs).part !== null
  }

  private noteHead(passed: number, toldMs: number | null): void {
    this.headToldMs = toldMs
    const isTold = toldMs !== null && toldMs !== this.toldBeforeMs
    this.headKnownMs = isTold ? this.headKnownMs + passed : 0
  }

  private noteWaiting(passed: number, sinceMs: number | null): void {
    const isSame = sinceMs !== null && sinceMs === this.waitingSinceMs
    this.waitedMs = isSame ? this.waitedMs + passed : 0
    this.waitingSinceMs = sinceMs
  }

  /** A failure is over once another source has added to the log, or has lived for long enough. */
  private endFailure(logSeq: number): void {
    const { failure, livedMs } = this
    if (failure === null) return
    if (livedMs <= SETTLED_MS) failure.logSeq = logSeq
    else if (logSeq > failure.logSeq || livedMs > WELL_MS) this.failure = null
  }

  /** A source's status as it is to be shown. */
  shown(source: SourceStatus | null): SourceStatus | null {
    return source === null || this.failure === null
      ? source
      : { ...source, state: "failed", problem: this.failure.message }
  }

  health(status: LaneStatus, chain: WatchedChain, nowMs: number): LaneHealth {
    const facts: LaneFacts = {
      status,
      chain,
      blockTimeMs: chain.blockTimeMs,
      nowMs,
      laneSilentMs: this.laneSilentMs,
      tablesSilentMs: this.tablesSilentMs,
      sourceSilentMs: this.sourceSilentMs,
      serverSilentMs: this.serverSilentMs,
      sourceFailure: this.failure?.message ?? null,
      sourceTroubleMs: this.sourceTroubleMs,
      sourceCalmMs: this.sourceCalmMs,
      sourceLivedMs: this.livedMs,
      headKnownMs: this.headKnownMs,
      unreadMs: this.unreadMs,
      blockStillMs: this.blockStillMs,
      stuckMs: this.stuckMs,
      gapMs: this.gapMs,
      logProblem: this.logCheck?.problem ?? null
    }
    return healthOf(facts)
  }
}
