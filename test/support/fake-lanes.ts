/**
 * Lanes for tests of the API alone: answers are what the test says, commits happen when it says.
 * Tests of real data use a real lane.
 */
import { Effect, Layer } from "effect"
import { type FramesNotice, type LiveFrame, PRESENT } from "../../engine/frames.ts"
import type { LaneHealth } from "../../engine/lane/lane-health.ts"
import type { LaneTotals } from "../../engine/lane/lane-totals.ts"
import { type Lane, Lanes, LaneUnavailable, lanesOf } from "../../engine/lane/lanes.ts"
import type { LaneStatus } from "../../engine/lane/status.ts"
import type { QueryAnswer, QueryRefusal, QueryRequest } from "../../engine/question.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"

export const NATIVE_TOKEN = `0x${"42".repeat(20)}`

export const chainConfig = (id: number, key: string, name = key): ChainConfig =>
  ({
    id,
    key,
    name,
    native: { symbol: "ETH", decimals: 18 },
    nativeToken: NATIVE_TOKEN,
    anchors: [{ address: NATIVE_TOKEN, symbol: "WETH", decimals: 18, kind: "native" }],
    venues: [],
    routers: [],
    finalityDepth: 64,
    blockTimeMs: 1000,
    // as the source of these lanes is
    simulated: true
  }) as unknown as ChainConfig

const initialStatus = (chain: string): LaneStatus => ({
  chain,
  state: "live",
  problem: null,
  seq: 1,
  logSeq: 1,
  block: 100,
  blockTime: 1_789_999_000,
  counted: { seq: 1, block: 100, blockTime: 1_789_999_000 },
  retentionCutoffDay: null,
  minutesCutoffDay: null,
  events: 10,
  swaps: 5,
  quarantined: [{ reason: "short data", count: 2 }],
  quarantinedLogs: [
    { block: 7, time: 1_789_000_000, tx: "0x77", account: "0xc1", reason: "short data" }
  ],
  gaps: [{ fromBlock: 5, toBlock: 6, reason: "a log is missing" }],
  assurance: "word",
  words: [{ fromBlock: 8, toBlock: 9, grade: "logs", blocks: 2 }],
  rollbacks: 1,
  lastRollbackDepth: 2,
  memoryBytes: 1000,
  projections: [{ name: "candles", version: 1 }],
  source: {
    kind: "devchain",
    description: "a simulated market",
    state: "live",
    problem: null,
    unfit: null,
    waitingSinceMs: null,
    headBlock: 103,
    headToldMs: Date.now(),
    emittedBlock: 100,
    logs: 50,
    quarantined: 2,
    retries: 3,
    grades: {},
    senders: { proven: 0, word: 0 },
    reorgs: 1,
    lastReorgDepth: 2,
    ...{ warnings: [], warned: [], disputed: null },
    lastReorgRecoveryMs: 35,
    endpoints: [],
    decode: null,
    history: null,
    repairs: null,
    pins: []
  },
  warnings: []
})

type Responder = (request: QueryRequest) => unknown | QueryRefusal | LaneUnavailable
type HistoryAnswer = Effect.Success<ReturnType<Lane["history"]>>

export const refusal = (
  status: QueryRefusal["status"],
  code: string,
  message: string
): QueryRefusal => ({
  status,
  code,
  message
})

const isRefusal = (value: unknown): value is QueryRefusal =>
  typeof value === "object" && value !== null && "code" in value && "status" in value

/** A lane whose answers come from `respond`: a JSON value, a refusal, or `LaneUnavailable`. */
export class FakeLane implements Lane {
  readonly config: ChainConfig
  readonly requests: Array<QueryRequest> = []
  readonly wanted: Array<string> = []
  respond: Responder
  state: LaneStatus
  /** frames kept for `history` */
  past: Array<LiveFrame> = []
  oldestSeq = 0
  /** position up to which frames went out before their commit */
  told = 0
  /** runs before an answer of `history`, so a test can commit in between */
  beforeHistory: () => Effect.Effect<void> = () => Effect.void
  private readonly listeners = new Set<(notice: FramesNotice) => void>()

  constructor(config: ChainConfig, respond: Responder = () => ({})) {
    this.config = config
    this.respond = respond
    this.state = initialStatus(config.key)
  }

  readonly seq = () => this.state.seq
  /** times that the position went back */
  wentBack = 0
  readonly setbacks = () => this.wentBack
  /** id of its log */
  logId: string | null = "a1a1a1a1a1a1a1a1"
  readonly log = () => this.logId
  /** counted where the lane stands */
  readonly status = (): LaneStatus => {
    const { seq, block, blockTime } = this.state
    return { ...this.state, counted: { seq, block, blockTime } }
  }
  /** how it is, where the test does not say: well while it is live */
  unwell: LaneHealth | null = null
  readonly health = (): LaneHealth => {
    const { state, problem, source } = this.state
    const ok = state === "live"
    const part = ok ? null : ("lane" as const)
    const known = { ok, state, problem: ok ? null : (problem ?? state), part }
    return this.unwell ?? { ...known, sourceState: source?.state ?? null }
  }

  readonly totals = (): LaneTotals => {
    const { events, swaps, quarantined, source } = this.state
    const { reorgs = 0, retries = 0, endpoints = [] } = source ?? {}
    const calls = endpoints.flatMap(({ endpoint, methods }) =>
      methods.map(counts => ({ endpoint, ...counts }))
    )
    const sum = (of: "ok" | "bad" | "unchecked"): number =>
      (source?.decode?.venues ?? []).reduce((so, venue) => so + venue[of], 0)
    const counts = { ok: sum("ok"), bad: sum("bad"), unchecked: sum("unchecked") }
    const checked = (source?.decode ?? null) === null ? null : counts
    const more = { waiting: 0, logCheck: null, checked }
    return { events, swaps, quarantined, reorgs, retries, calls, ...more }
  }

  readonly query = (request: QueryRequest): Effect.Effect<QueryAnswer, LaneUnavailable> =>
    Effect.suspend((): Effect.Effect<QueryAnswer, LaneUnavailable> => {
      this.requests.push(request)
      const value = this.respond(request)
      const { seq } = this.state
      if (value instanceof LaneUnavailable) return Effect.fail(value)
      if (isRefusal(value)) return Effect.succeed({ ok: false, seq, refusal: value })
      const body = new TextEncoder().encode(JSON.stringify(value))
      return Effect.succeed({ ok: true, seq, body })
    })

  readonly onFrames = (listener: (notice: FramesNotice) => void) => {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }

  /** tokens that were asked for */
  readonly pinned: Array<string> = []
  readonly pin = (token: string) => Effect.sync(() => void this.pinned.push(token))

  readonly wantFrames = (channel: string, key: string, wanted: boolean) => {
    this.wanted.push(`${wanted ? "+" : "-"}${channel} ${key}`)
  }

  readonly history = (
    channel: string,
    key: string,
    fromSeq: number,
    limit: number
  ): Effect.Effect<HistoryAnswer, LaneUnavailable> =>
    Effect.andThen(
      Effect.andThen(this.beforeHistory(), this.untilTold()),
      Effect.sync((): HistoryAnswer => {
        const { seq } = this.state
        const { oldestSeq } = this
        const isTooOld = fromSeq !== PRESENT && fromSeq < oldestSeq
        if (isTooOld) return { oldestSeq, frames: null, complete: true, seq }
        const all = this.past.filter(
          frame => frame.channel === channel && frame.key === key && frame.seq > fromSeq
        )
        const frames = all.slice(0, limit)
        return { oldestSeq, frames, complete: frames.length === all.length, seq }
      })
    )

  /** A lane's history waits for the commit of what it has told. */
  private untilTold(): Effect.Effect<void> {
    const { told } = this
    const wait: Effect.Effect<void> = Effect.suspend(() =>
      this.state.seq >= told ? Effect.void : Effect.andThen(Effect.sleep(1), wait)
    )
    return wait
  }

  /** Tells of a commit at `seq` that is made when the returned function is called. */
  tellEarly(seq: number, frames: ReadonlyArray<Omit<LiveFrame, "seq">>): () => void {
    const since = this.state.seq
    const made = frames.map(frame => ({ ...frame, seq }))
    this.told = seq
    this.tell({ channels: ["trades"], since, seq, frames: made })
    return () => {
      const { channels, ...rest } = this.store(seq, frames)
      this.tell({ channels: channels.filter(one => one !== "trades"), ...rest })
    }
  }

  /** Commits at `seq` with frames of that position, and tells of it. */
  commit(seq: number, frames: ReadonlyArray<Omit<LiveFrame, "seq">> = []): void {
    this.tell(this.store(seq, frames))
  }

  /** Commits without telling: queries and history see it. */
  store(seq: number, frames: ReadonlyArray<Omit<LiveFrame, "seq">> = []): FramesNotice {
    const since = this.state.seq
    this.state = { ...this.state, seq, logSeq: seq }
    const made = frames.map(frame => ({ ...frame, seq }))
    this.past.push(...made)
    return { channels: ["trades", "candles", "prices"], since, seq, frames: made }
  }

  tell(notice: FramesNotice): void {
    for (const listener of this.listeners) listener(notice)
  }
}

/** The service, over these lanes. */
export const fakeLanes = (all: ReadonlyArray<Lane>): Layer.Layer<Lanes> =>
  Layer.succeed(Lanes, lanesOf(all))
