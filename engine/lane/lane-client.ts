/** A lane as the serving thread holds it: requests to its worker, and what the worker tells. */
import { Clock, Deferred, Effect } from "effect"
import type { ChainConfig } from "../../src/domain/chain.ts"
import type { WorkerHandle } from "../../src/platform/worker.ts"
import type { SourceStatus, WantedState } from "../../streams/source.ts"
import { StatusBoard } from "../../streams/status-board.ts"
import type { FramesNotice } from "../frames.ts"
import type { Projection } from "../projection.ts"
import type { QueryAnswer, QueryRequest } from "../question.ts"
import { isForReplica, type Position } from "../replica/messages.ts"
import { Replica } from "../replica/replica.ts"
import { Signal } from "../runner/signal.ts"
import type { LaneHealth } from "./lane-health.ts"
import { LaneInbox } from "./lane-inbox.ts"
import { LaneRequests } from "./lane-requests.ts"
import { type LaneTotals, Totals } from "./lane-totals.ts"
import { LaneWatch } from "./lane-watch.ts"
import type { Lane, LaneUnavailable } from "./lanes.ts"
import type { LogCheck } from "./log-check.ts"
import type { FromLane, ToLane } from "./messages.ts"
import { PinRequests } from "./pin-requests.ts"
import { sinceStart } from "./source-run.ts"
import { withSourceWords } from "./source-words.ts"
import type { LaneStatus } from "./status.ts"

const startingStatus = (chain: ChainConfig): LaneStatus => ({
  chain: chain.key,
  state: "starting",
  problem: null,
  seq: 0,
  logSeq: 0,
  block: null,
  blockTime: null,
  counted: { seq: 0, block: null, blockTime: null },
  retentionCutoffDay: null,
  minutesCutoffDay: null,
  events: 0,
  swaps: 0,
  quarantined: [],
  quarantinedLogs: [],
  gaps: [],
  assurance: null,
  words: [],
  rollbacks: 0,
  lastRollbackDepth: null,
  memoryBytes: 0,
  projections: [],
  source: null,
  warnings: []
})

export interface LaneClient extends Lane {
  /** completes when the lane has folded what stood in the log at its start */
  readonly caughtUp: Effect.Effect<void>
  /** takes the chain's facts as its log tells them now */
  readonly configure: (chain: ChainConfig) => void
  /** waits until the chain is another than the one given */
  readonly reconfigured: (chain: ChainConfig) => Effect.Effect<void>
  /** waits until the lane's state is `failed` */
  readonly failed: Effect.Effect<void>
  /** a query of the tables that have folded most of the log, which readers may not have yet */
  readonly newest: (request: QueryRequest) => Effect.Effect<QueryAnswer, LaneUnavailable>
  /** where the log began when the tables were new, known once caught up; null for new ones */
  readonly firstBlock: () => number | null
  /** takes a (new) worker on; frames wanted of the last one are wanted of it too */
  readonly attach: (worker: WorkerHandle<ToLane, FromLane>) => void
  /** the worker is gone: open requests fail, the status says so */
  readonly lost: (message: string) => void
  readonly setSource: (status: SourceStatus) => void
  /** the source's thread lives */
  readonly sourcePulse: () => void
  /** the source is gone, and why; it is started again */
  readonly sourceLost: (message: string, kind: SourceStatus["kind"]) => void
  /** so many milliseconds have passed, and for so many the log's server has not answered */
  readonly tick: (elapsedMs: number, serverSilentMs: number) => void
  /** what the looking through its log has found */
  readonly checked: (check: LogCheck) => void
  /** takes a (new) source on, by what asks it for transfers of tokens and for states of pools */
  readonly attachSource: (
    pin: (tokens: ReadonlyArray<string>) => void,
    readStates?: (wanted: ReadonlyArray<WantedState>) => void
  ) => void
  /** asks the source to read states of pools; nothing happens where there is none */
  readonly readStates: (wanted: ReadonlyArray<WantedState>) => void
}

type Worker = WorkerHandle<ToLane, FromLane>

/** What the worker has told so far. */
class LaneView {
  private newest: LaneStatus
  /** rung after each status */
  readonly changed = new Signal()
  setbacks = 0
  log: string | null = null
  source: SourceStatus | null = null
  /** what the sources before this one told in the end */
  private before: SourceStatus | null = null
  readStates: ((wanted: ReadonlyArray<WantedState>) => void) | null = null
  readonly watch = new LaneWatch()
  readonly totals = new Totals()
  firstBlock: number | null = null
  worker: Worker | null = null
  inbox: LaneInbox | null = null
  readonly wanted = new Map<string, ToLane>()
  readonly listeners = new Set<(notice: FramesNotice) => void>()

  config: ChainConfig

  constructor(config: ChainConfig) {
    this.config = config
    this.newest = startingStatus(config)
  }

  readonly configure = (config: ChainConfig): void => {
    this.config = config
    this.changed.ring()
  }

  readonly tick = (elapsedMs: number, serverSilentMs: number, nowMs: number): void => {
    this.watch.server(serverSilentMs)
    this.watch.tick(elapsedMs, this.told, this.config, nowMs)
  }

  get status(): LaneStatus {
    return this.newest
  }

  set status(status: LaneStatus) {
    this.newest = status
    this.changed.ring()
  }

  private advance({ seq, block, blockTime }: Position, anew = false): void {
    if (anew && this.status.seq > 0) this.setbacks++
    const logSeq = Math.max(this.status.logSeq, seq)
    const place = seq === 0 ? { block: null, blockTime: null } : { block, blockTime }
    this.stand({ ...this.status, ...place, seq, logSeq })
  }

  private stand(status: LaneStatus): void {
    this.totals.seeLane(status)
    if (status.seq < this.status.seq) this.setbacks++
    this.status = status
  }

  /** Takes a message that answers nothing; false for one that does. */
  receive(message: FromLane, caughtUp: () => void): boolean {
    if (message.type === "position") this.advance(message.at, message.anew)
    else if (message.type === "frames") {
      for (const listener of this.listeners) listener(message.notice)
    } else if (message.type === "log") {
      if (this.log !== null && this.log !== message.log) this.setbacks++
      this.log = message.log
    } else if (message.type === "status") this.stand(message.status)
    else if (message.type === "pulse") this.watch.lanePulse(message.tablesSilentMs)
    else if (message.type === "caught-up") {
      this.firstBlock = message.firstBlock
      if (message.isSeen) {
        this.advance(message.at)
        this.status = { ...this.status, state: "live", problem: null }
      }
      caughtUp()
    } else return message.type === "stopped"
    return true
  }

  /** What its parts have told, the source as it told it. */
  get told(): LaneStatus {
    return withSourceWords({ ...asCounted(this.status), source: this.source }, this.config)
  }

  /** What its parts have told, with what became of the source. */
  get shown(): LaneStatus {
    const source = this.watch.shown(this.source)
    return withSourceWords({ ...this.status, source }, this.config)
  }

  health(isHistory: boolean, nowMs: number): LaneHealth {
    const told = isHistory ? withoutSource(this.status) : this.told
    return this.watch.health(told, this.config, nowMs)
  }

  setSource(source: SourceStatus): void {
    this.watch.sourcePulse()
    this.source = sinceStart(this.before, source)
    this.totals.seeSource(this.source)
  }

  sourceStarted(readStates: LaneView["readStates"]): void {
    this.readStates = readStates
    this.watch.sourceStarted()
    this.before = this.source
  }

  sourceLost(message: string, kind: SourceStatus["kind"]): void {
    this.source ??= new StatusBoard(kind, "").read()
    this.watch.sourceDied(message)
  }

  readonly checked = (check: LogCheck): void => {
    this.watch.logCheck = check
  }

  /** What it has done, with so many questions that wait. */
  done(waiting: number): LaneTotals {
    return { ...this.totals.read(), waiting, logCheck: this.watch.logCheck }
  }

  want(channel: string, key: string, isWanted: boolean): void {
    const message: ToLane = { type: "want", channel, key, wanted: isWanted }
    if (isWanted) this.wanted.set(`${channel} ${key}`, message)
    else this.wanted.delete(`${channel} ${key}`)
    this.worker?.post(message)
  }
}

/**
 * The position of what is counted, once anything is: rows of status show that one, so a lane is not
 * well before they do. It is folded, and readers of memory have it.
 */
const asCounted = (status: LaneStatus): LaneStatus =>
  status.counted.seq > 0 ? { ...status, ...status.counted } : status

/** What a lane whose log has no source is, once it has folded all of it. */
const withoutSource = (status: LaneStatus): LaneStatus =>
  status.state === "live" ? { ...status, state: "history" } : status

/** Hands what the worker tells to whom it concerns. */
const receiver =
  (view: LaneView, replica: Replica, requests: LaneRequests, caughtUp: () => void) =>
  (message: FromLane): void => {
    if (isForReplica(message)) {
      replica.receive(message)
      return
    }
    // the copies are of the log before
    if (message.type === "log" && message.log !== view.log) replica.forget()
    if (!view.receive(message, caughtUp)) requests.settle(message)
  }

/**
 * The `Lane` interface over a worker's port, once one is attached. It holds copies of tables of the
 * given projections; the worker must be told to feed them. `isHistory`: no source writes its log.
 */
export const makeLaneClient = (
  config: ChainConfig,
  projections: ReadonlyArray<Projection> = [],
  isHistory = false
): Effect.Effect<LaneClient> =>
  Effect.gen(function* () {
    const caught = yield* Deferred.make<void>()
    const view = new LaneView(config)
    const replica = new Replica(config, projections)
    const pins = new PinRequests(config)
    const requests = new LaneRequests(config.key, () => view.worker)
    const caughtUp = () => Effect.runFork(Deferred.succeed(caught, undefined))
    const clock = yield* Clock.Clock
    const receive = receiver(view, replica, requests, caughtUp)
    return {
      get config() {
        return view.config
      },
      configure: view.configure,
      reconfigured: chain => view.changed.until(() => view.config !== chain),
      seq: () => view.status.seq,
      setbacks: () => view.setbacks,
      log: () => view.log,
      status: () => (isHistory ? withoutSource(view.status) : view.shown),
      health: () => view.health(isHistory, clock.currentTimeMillisUnsafe()),
      query: request =>
        Effect.suspend(() => {
          const copied = view.worker === null ? null : replica.answer(request)
          return copied === null ? requests.query(request) : Effect.succeed(copied)
        }),
      newest: requests.newest,
      totals: () => view.done(requests.waiting),
      onFrames: listener => {
        view.listeners.add(listener)
        return () => view.listeners.delete(listener)
      },
      wantFrames: (channel, key, wanted) => view.want(channel, key, wanted),
      history: (channel, key, fromSeq, limit) => requests.history({ channel, key, fromSeq, limit }),
      pin: pins.pin,
      readStates: wanted => view.readStates?.(wanted),
      attachSource: (pin, readStates) => {
        view.sourceStarted(readStates ?? null)
        pins.attach(pin)
      },
      caughtUp: Deferred.await(caught),
      failed: view.changed.until(() => view.status.state === "failed"),
      firstBlock: () => view.firstBlock,
      attach: worker => {
        view.worker = worker
        view.watch.laneStarted()
        view.inbox?.close()
        view.inbox = new LaneInbox(receive)
        worker.onMessage(view.inbox.receive)
        for (const message of view.wanted.values()) worker.post(message)
      },
      lost: message => {
        view.worker = null
        view.inbox?.close()
        replica.forget()
        view.status = { ...view.status, state: "failed", problem: message }
        requests.failAll(message)
      },
      setSource: source => view.setSource(source),
      checked: view.checked,
      sourcePulse: () => view.watch.sourcePulse(),
      sourceLost: (message, kind) => view.sourceLost(message, kind),
      tick: (elapsedMs, serverSilentMs) =>
        view.tick(elapsedMs, serverSilentMs, clock.currentTimeMillisUnsafe())
    }
  })
