/** A lane in the test's process, over a log in memory, as the API is served by it: with copies of tables. */
import { Effect, Exit, Scope } from "effect"
import { allPages } from "../../api/queries.ts"
import type { LaneHealth } from "../../engine/lane/lane-health.ts"
import type { LaneTotals } from "../../engine/lane/lane-totals.ts"
import { type Lane, LaneUnavailable } from "../../engine/lane/lanes.ts"
import type { LaneStatus } from "../../engine/lane/status.ts"
import { Replica } from "../../engine/replica/replica.ts"
import { newFoldSet } from "../../engine/runner/fold-set.ts"
import {
  applySegment,
  commitBeside,
  commitPending,
  loadCore,
  type SendChanges
} from "../../engine/runner/lane-core.ts"
import { openQueries } from "../../engine/runner/queries.ts"
import { beginSending } from "../../engine/runner/sending.ts"
import { compact, compactionFloor } from "../../engine/store/compaction.ts"
import { openStore } from "../../engine/store/store.ts"
import { allProjections } from "../../projections/all.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import type { MemoryLog } from "./memory-log.ts"

const openTables = (config: ChainConfig, log: MemoryLog, file: string, send: SendChanges) =>
  Effect.gen(function* () {
    const folds = newFoldSet(config, allProjections)
    const store = yield* openStore(file, folds.tables, { threads: 1 })
    const core = yield* loadCore(store, folds, log.read, log.joined, { send })
    const queries = yield* openQueries(store, config, folds, core, allPages)
    return { store, core, queries }
  })

type Tables = Effect.Success<ReturnType<typeof openTables>>

const BEFORE: LaneStatus = {
  ...{ chain: "", state: "live", problem: null, seq: 0, logSeq: 0, block: null, blockTime: null },
  counted: { seq: 0, block: null, blockTime: null },
  ...{
    events: 0,
    swaps: 0,
    quarantined: [],
    quarantinedLogs: [],
    gaps: [],
    assurance: null,
    words: [],
    rollbacks: 0,
    lastRollbackDepth: null
  },
  ...{ memoryBytes: 0, projections: [], source: null, warnings: [] },
  ...{ retentionCutoffDay: null, minutesCutoffDay: null }
}

const WELL: LaneHealth = {
  ...{ ok: true, state: "live", problem: null, part: null, sourceState: null }
}

const NO_TOTALS: LaneTotals = {
  ...{ events: 0, swaps: 0, quarantined: [], reorgs: 0, retries: 0, calls: [], waiting: 0 },
  checked: null,
  logCheck: null
}

export class MemoryLane implements Lane {
  readonly config: ChainConfig
  private readonly memory: MemoryLog
  private readonly file: string
  private readonly replica: Replica
  private scope = Scope.makeUnsafe()
  private tables: Tables | null = null
  private state: LaneStatus

  constructor(config: ChainConfig, log: MemoryLog, file = ":memory:") {
    this.config = config
    this.memory = log
    this.file = file
    this.replica = new Replica(config, allProjections)
    this.state = { ...BEFORE, chain: config.key }
  }

  private get open(): Tables {
    if (this.tables === null) throw new Error("the lane is not open")
    return this.tables
  }

  private run<A, E>(effect: Effect.Effect<A, E, Scope.Scope>): Promise<A> {
    return Effect.runPromise(Scope.provide(effect, this.scope))
  }

  readonly seq = () => this.state.seq
  readonly setbacks = () => 0
  readonly log = () => null
  readonly status = (): LaneStatus => {
    const { seq, block, blockTime } = this.state
    return { ...this.state, counted: { seq, block, blockTime } }
  }
  readonly health = () => WELL
  readonly totals = () => NO_TOTALS
  readonly pin = () => Effect.void
  readonly onFrames = () => () => {}
  readonly wantFrames = () => {}
  readonly history: Lane["history"] = () => Effect.fail(this.unavailable("no history"))
  readonly query: Lane["query"] = request =>
    Effect.suspend(() => {
      const copied = this.replica.answer(request)
      if (copied !== null) return Effect.succeed(copied)
      const answer = this.open.queries.answer(request)
      return Effect.mapError(answer, ({ message }) => this.unavailable(message))
    })

  private unavailable(message: string): LaneUnavailable {
    return new LaneUnavailable({ chain: this.config.key, message })
  }

  /** Opens the tables, and again after `close`: what is in them is loaded. */
  async start(): Promise<void> {
    this.scope = Scope.makeUnsafe()
    const send: SendChanges = message => this.replica.receive(message)
    this.tables = await this.run(openTables(this.config, this.memory, this.file, send))
    beginSending(this.open.core)
    await this.look()
    await this.run(this.open.queries.refillTails)
  }

  async close(): Promise<void> {
    if (this.tables !== null) await this.run(this.open.core.writing.ended)
    this.tables = null
    await Effect.runPromise(Scope.close(this.scope, Exit.void))
  }

  /** Segments of the log that are folded, committed or not. */
  get folded(): number {
    return this.open.core.folded.streamSeq
  }

  /** Folds so many more segments of the log. */
  fold(segments: number): Promise<void> {
    const { core } = this.open
    const list = this.memory.segments.slice(this.folded, this.folded + segments)
    return this.run(Effect.forEach(list, one => applySegment(core, one), { discard: true }))
  }

  /** Commits; `behind`, while more may be folded. */
  async commit(behind = false): Promise<void> {
    const { core } = this.open
    await this.run(behind ? commitBeside(core, { after: Effect.void }) : commitPending(core))
    if (!behind) await this.look()
  }

  /** Merges versions that lie a few blocks back. */
  compact(depth: number): Promise<void> {
    const { store } = this.open
    return this.run(
      Effect.gen(function* () {
        const floor = yield* compactionFloor(store, depth)
        if (floor !== null) yield* compact(store, floor, { minTailRows: 1, pieceRows: 40 })
      })
    )
  }

  /** Rows of plain SQL, numbers as such. */
  rows(sql: string): Promise<ReadonlyArray<Record<string, number>>> {
    const { rows } = this.open.queries
    const plain = (value: unknown) => (typeof value === "bigint" ? Number(value) : value)
    return this.run(
      Effect.map(rows(sql), list =>
        list.map(
          row =>
            Object.fromEntries(
              Object.entries(row).map(([name, value]) => [name, plain(value)])
            ) as Record<string, number>
        )
      )
    )
  }

  /** Takes the status of what is committed. */
  private async look(): Promise<void> {
    const { core, queries } = this.open
    const { seq, block, blockTime } = core.committed
    const found = await this.run(queries.answer({ name: "counters", params: {} }))
    const counters = found.ok ? JSON.parse(new TextDecoder().decode(found.body)) : {}
    const { rollbacks, lastRollbackDepth } = core
    const place = seq === 0 ? {} : { block, blockTime }
    const at = { seq, logSeq: this.memory.end.seq, ...place }
    this.state = { ...this.state, ...at, ...counters, rollbacks, lastRollbackDepth }
  }
}
