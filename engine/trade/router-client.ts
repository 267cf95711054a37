/** The `Trade` service over the port of the router's thread, once one is attached. */
import { Deferred, Effect } from "effect"
import type { ChainConfig } from "../../src/domain/chain.ts"
import type { WorkerHandle } from "../../src/platform/worker.ts"
import type { WantedState } from "../../streams/source.ts"
import type { FromRouter, ToRouter } from "./router-messages.ts"
import { type Trade, TradeUnavailable } from "./trade.ts"

/** Longest wait for an answer; a quote takes some milliseconds. */
const TIMEOUT_MS = 5000
/** How often `look` is to be called: it counts no more than this for silence of the thread. */
export const LOOK_EVERY_MS = 250
/** Silence after which nothing is asked of the thread; no turn of it takes nearly as long. */
const SILENT_MS = 3000
/** Questions under way at most: what takes a millisecond is answered within one second. */
const MOST_ASKED = 1024

type Worker = WorkerHandle<ToRouter, FromRouter>
type Answer = Extract<FromRouter, { readonly type: "quoted" | "status" | "undone" }>

interface Asked {
  readonly chain: string
  readonly waiting: Deferred.Deferred<Answer, TradeUnavailable>
}

export interface RouterClient {
  readonly trade: Pick<Trade["Service"], "quote" | "status" | "undone">
  /** takes a (new) thread on, which follows the chains that the last one did */
  readonly attach: (worker: Worker) => void
  /** has a chain's log followed; begins again where it is already */
  readonly follow: (chain: ChainConfig) => void
  /** the thread is gone: open questions fail */
  readonly lost: (message: string) => void
  /**
   * Pings the thread; returns for how many milliseconds none was answered, 0 for none. While it is
   * silent for long, open questions fail, and others do at once.
   */
  readonly look: () => number
}

const unavailable = (chain: string, message: string, reason: "starting" | "lost" = "lost") =>
  new TradeUnavailable({ chain, reason, message })

type OnWanted = (chain: string, states: ReadonlyArray<WantedState>) => void

class RouterRequests implements RouterClient {
  private readonly wanted: OnWanted
  private worker: Worker | null = null
  private readonly asked = new Map<number, Asked>()
  private readonly chains = new Map<string, ChainConfig>()
  private nextId = 1
  /** for how long a ping has not been answered; null where none is under way */
  private silentMs: number | null = null

  constructor(wanted: OnWanted) {
    this.wanted = wanted
  }

  readonly attach = (worker: Worker): void => {
    this.worker = worker
    this.silentMs = null
    worker.onMessage(message => {
      if (message.type === "heard") {
        if (worker === this.worker) this.silentMs = null
        return
      }
      if (message.type === "wanted") {
        this.wanted(message.chain, message.states)
        return
      }
      const asked = this.asked.get(message.id)
      this.asked.delete(message.id)
      if (asked === undefined) return
      const { chain, waiting } = asked
      const answer =
        message.type === "refused"
          ? Effect.fail(unavailable(chain, message.message, message.reason))
          : Effect.succeed(message)
      Deferred.doneUnsafe(waiting, answer)
    })
    for (const chain of this.chains.values()) worker.post({ type: "follow", chain })
  }

  readonly follow = (chain: ChainConfig): void => {
    this.chains.set(chain.key, chain)
    this.worker?.post({ type: "follow", chain })
  }

  readonly lost = (message: string): void => {
    this.worker = null
    this.silentMs = null
    this.fail(message)
  }

  /** Looks are counted, and not time: where this process was paused, so was the thread. */
  readonly look = (): number => {
    if (this.worker === null) return 0
    if (this.silentMs === null) {
      this.silentMs = 0
      this.worker.post({ type: "ping" })
      return 0
    }
    this.silentMs += LOOK_EVERY_MS
    const silence = this.silence()
    if (silence !== null) this.fail(silence)
    return this.silentMs
  }

  /** Why the thread is not asked, in words; null where it answers. */
  private silence(): string | null {
    const { silentMs } = this
    if (silentMs === null || silentMs < SILENT_MS) return null
    return `the router has not answered for ${Math.floor(silentMs / 1000)} seconds`
  }

  private fail(message: string): void {
    for (const { chain, waiting } of this.asked.values()) {
      Deferred.doneUnsafe(waiting, Effect.fail(unavailable(chain, message)))
    }
    this.asked.clear()
  }

  private ask(chain: string, message: (id: number) => ToRouter) {
    return Effect.suspend(() => {
      const { worker } = this
      if (worker === null) return Effect.fail(unavailable(chain, "the router is being started"))
      const silence = this.silence()
      if (silence !== null) return Effect.fail(unavailable(chain, silence))
      if (this.asked.size >= MOST_ASKED) {
        return Effect.fail(unavailable(chain, `the router is busy: ${MOST_ASKED} questions wait`))
      }
      const id = this.nextId++
      const waiting: Asked["waiting"] = Deferred.makeUnsafe()
      this.asked.set(id, { chain, waiting })
      worker.post(message(id))
      const late = unavailable(chain, `the router did not answer in ${TIMEOUT_MS / 1000} seconds`)
      return Deferred.await(waiting).pipe(
        Effect.timeoutOrElse({ duration: TIMEOUT_MS, orElse: () => Effect.fail(late) }),
        Effect.ensuring(Effect.sync(() => this.asked.delete(id)))
      )
    })
  }

  readonly trade: RouterClient["trade"] = {
    quote: (chain, order) =>
      Effect.flatMap(
        this.ask(chain, id => ({ type: "quote", id, chain, order })),
        answer =>
          answer.type === "quoted"
            ? Effect.succeed(answer.outcome)
            : Effect.die(new Error(`the router answered a quote with ${answer.type}`))
      ),
    status: chain =>
      Effect.flatMap(
        this.ask(chain, id => ({ type: "status", id, chain })),
        answer =>
          answer.type === "status"
            ? Effect.succeed(answer.status)
            : Effect.die(new Error(`the router answered its status with ${answer.type}`))
      ),
    undone: (chain, seq) =>
      Effect.flatMap(
        this.ask(chain, id => ({ type: "undone", id, chain, seq })),
        answer =>
          answer.type === "undone"
            ? Effect.succeed(answer.isUndone)
            : Effect.die(new Error(`the router answered for a position with ${answer.type}`))
      )
  }
}

/** `wanted` is called with pools of a chain whose states the router would have read. */
export const makeRouterClient = (wanted: OnWanted): RouterClient => new RouterRequests(wanted)
