/** What a source writes down about itself for `/status`. */
import { PushedHeads } from "./endpoints/pushed-heads.ts"
import type { Asked } from "./endpoints/waiting.ts"
import type { EndpointStatus, HistoryStatus, SourceStatus, Warned } from "./source.ts"

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** Of so many heads that were told last the highest counts. */
const HEADS_KEPT = 8
/** Warnings at once at most: the newest. */
export const WARNINGS_KEPT = 3

export class StatusBoard<Kind extends string = SourceStatus["kind"]> {
  private readonly current: Mutable<SourceStatus<Kind>>
  /** the state to go back to when a problem is over */
  private calm: SourceStatus["state"] = "starting"
  private readonly grades: { [grade: string]: number } = {}
  private readonly senders = { proven: 0, word: 0 }
  private endpoints: () => ReadonlyArray<EndpointStatus> = () => []
  /** where the branch ended that a reorg replaced, and when that was found; null once made up */
  private replaced: { readonly block: number; readonly sinceMs: number } | null = null
  /** the last that were told: one that was no block of the chain is forgotten with time */
  private readonly heads: Array<number> = []
  /** the highest of all that were told, and the sockets that should push such */
  private newestHead = -1
  private readonly sockets: Array<PushedHeads> = []
  /** oldest first, each until the log is as far as a block */
  private readonly warned: Array<Warned> = []
  /** endpoints that stand on another branch than the log, in words, as long as they do */
  elsewhere: ReadonlyArray<string> = []
  /** that as many stand there as on the log's branch, or more, in words; null where they do not */
  disputed: string | null = null
  /** the newest block was asked for in vain, and is asked for again */
  private isHeadless = false
  /** the questions that are open, the oldest first; when any, and one for the head, was answered */
  private readonly open: Array<Asked> = []
  private answeredMs = 0
  private headAnsweredMs = 0

  constructor(kind: Kind, description: string) {
    this.current = {
      kind,
      description,
      state: "starting",
      problem: null,
      unfit: null,
      waitingSinceMs: null,
      headBlock: null,
      emittedBlock: null,
      headToldMs: null,
      logs: 0,
      quarantined: 0,
      retries: 0,
      reorgs: 0,
      lastReorgDepth: null,
      lastReorgRecoveryMs: null,
      grades: {},
      senders: this.senders,
      endpoints: [],
      decode: null,
      history: null,
      repairs: null,
      pins: [],
      warnings: [],
      warned: [],
      disputed: null
    }
  }

  /** Where the source is; a problem stays shown until it is over. */
  enter(state: SourceStatus["state"]): void {
    this.calm = state
    if (this.current.state !== "retrying") this.current.state = state
    if (state === "ended" || state === "stopped") this.current.state = state
  }

  /** Somebody outside was asked something. */
  asked(question: Asked): void {
    this.open.push(question)
    this.noteWaiting()
  }

  /**
   * A question is over. Only an answer shows that somebody is there: one that failed, or that
   * nobody waits for any more, ends no silence. And who answers others, but tells no newest block,
   * is silent on that.
   */
  ended(question: Asked, isAnswered: boolean, nowMs: number): void {
    this.open.splice(this.open.indexOf(question), 1)
    if (isAnswered) this.answeredMs = nowMs
    if (isAnswered && question.isHead) this.headAnsweredMs = nowMs
    this.noteWaiting()
  }

  private noteWaiting(): void {
    const since = (isHead: boolean, answeredMs: number): ReadonlyArray<number> => {
      const oldest = this.open.find(question => question.isHead === isHead)
      return oldest === undefined ? [] : [Math.max(oldest.atMs, answeredMs)]
    }
    const all = [...since(true, this.headAnsweredMs), ...since(false, this.answeredMs)]
    this.current.waitingSinceMs = all.length === 0 ? null : Math.min(...all)
  }

  /** Something failed and is tried again; `isHead`: which block is the newest. */
  retrying(problem: string, isHead = false): void {
    this.isHeadless ||= isHead
    this.current.state = "retrying"
    this.current.problem = problem
    this.current.retries++
  }

  /** Answers did not fit together: why no block may come of them. */
  misfit(reason: string): void {
    this.current.unfit = reason
  }

  /**
   * The last try succeeded. While no node tells its newest block, another answer, such as null for
   * some block, does not say that the chain can be read.
   */
  recovered(isHead: boolean): void {
    if (isHead) this.isHeadless = false
    if (this.isHeadless || this.current.state !== "retrying") return
    this.current.state = this.calm
    this.current.problem = null
  }

  /** Nobody asks for the newest block any more. */
  headDropped(): void {
    this.isHeadless = false
  }

  /** The source stopped for good, and why. */
  stopped(problem: string): void {
    this.current.state = "stopped"
    this.current.problem = problem
  }

  /**
   * Somebody told now (ms since 1970) that this is the chain's newest block; who lags behind others
   * is not heeded.
   */
  sawHead(block: number, nowMs: number): void {
    this.current.headToldMs = nowMs
    this.headIs(block)
    if (block <= this.newestHead) return
    this.newestHead = block
    for (const socket of this.sockets) socket.moved()
  }

  /** A socket at an address (host and port) pushes heads: what it pushes is to be told to it. */
  pushes(label: string): PushedHeads {
    const socket = new PushedHeads(label)
    this.sockets.push(socket)
    return socket
  }

  private headIs(block: number): void {
    this.heads.push(block)
    if (this.heads.length > HEADS_KEPT) this.heads.shift()
    this.current.headBlock = Math.max(this.current.emittedBlock ?? -1, ...this.heads)
  }

  emitted(block: number, logs: number, quarantined: number): void {
    this.current.unfit = null
    this.current.emittedBlock = block
    this.current.logs = logs
    this.current.quarantined = quarantined
  }

  /** A block was written that is known in this way. */
  wrote(grade: string): void {
    this.grades[grade] = (this.grades[grade] ?? 0) + 1
  }

  /** A transaction was written, its hash and sender proven or told. */
  wroteSender(isProven: boolean): void {
    if (isProven) this.senders.proven++
    else this.senders.word++
  }

  /** So many blocks were replaced, up to this one; found at this time (ms since 1970). */
  reorged(depth: number, block: number, sinceMs: number): void {
    this.current.reorgs++
    this.current.lastReorgDepth = depth
    this.current.lastReorgRecoveryMs = null
    // the branch that stands now may be shorter
    this.heads.length = 0
    this.newestHead = -1
    this.headIs(block - depth)
    // one within another goes on from the first
    this.replaced ??= { block, sinceMs }
  }

  /** Something that readers should know, until a block is sent on, or another of its kind is. */
  warn(text: string, untilBlock: number, kind: string | null = null): void {
    const same = this.warned.findIndex(one => kind !== null && one.kind === kind)
    if (same >= 0) this.warned.splice(same, 1)
    this.warned.push({ text, untilBlock, kind })
    if (this.warned.length > WARNINGS_KEPT) this.warned.shift()
  }

  /** What stands now was sent on up to a block (ms since 1970). */
  reached(block: number, nowMs: number): void {
    if (this.replaced === null || block < this.replaced.block) return
    this.current.lastReorgRecoveryMs = nowMs - this.replaced.sinceMs
    this.replaced = null
  }

  /** How far the history is that is read before the head is followed. */
  history(status: HistoryStatus | null): void {
    this.current.history = status
  }

  /** Where to ask how the endpoints fare. */
  watchEndpoints(look: () => ReadonlyArray<EndpointStatus>): void {
    this.endpoints = look
  }

  readonly read = (): SourceStatus<Kind> => {
    const reached = this.current.emittedBlock ?? 0
    const warned = this.warned.filter(({ untilBlock }) => reached < untilBlock)
    return {
      ...this.current,
      grades: { ...this.grades },
      senders: { ...this.senders },
      endpoints: this.endpoints(),
      warnings: [
        ...warned.map(({ text }) => text),
        ...this.elsewhere,
        ...this.sockets.flatMap(({ warning }) => warning ?? [])
      ],
      warned,
      disputed: this.disputed
    }
  }
}
