/** A lane in the test's own process, without the serving thread: what it is told and what it posts. */
import { Effect, Fiber, Logger } from "effect"
import { runLane } from "../../engine/lane/lane-host.ts"
import { type Upkeep, upkeepDefaults } from "../../engine/lane/lane-open.ts"
import type { LanePhase } from "../../engine/lane/lane-state.ts"
import type { FromLane, ToLane } from "../../engine/lane/messages.ts"
import type { LaneStatus } from "../../engine/lane/status.ts"
import type { Page, Projection } from "../../engine/projection.ts"
import type { LaneLog } from "../../engine/runner/lane-log.ts"
import { testChain } from "./chain-config.ts"
import { eventually } from "./engine.ts"
import { PATIENCE_MS } from "./patience.ts"

export interface HostedOptions {
  readonly file: string
  readonly projections: ReadonlyArray<Projection>
  readonly pages?: ReadonlyArray<Page>
  readonly log: LaneLog
  /** may throw as a port does */
  readonly send?: (message: FromLane) => void
  /** the thread of DuckDB; without it, it runs on the test's */
  readonly database?: URL
  /** events that are folded again in place at most */
  readonly inPlaceEvents?: number
  readonly isHistory?: boolean
  readonly firstPauseMs?: number
  readonly reopeningMs?: number
  /** where it is not the default */
  readonly upkeep?: Partial<Upkeep>
}

/** Starts a lane of the test's chain. */
export const hostLane = ({ send, upkeep, pages = [], ...options }: HostedOptions) => {
  const posted: Array<FromLane> = []
  const lines: Array<string> = []
  /** its states one after the other, from the first event on */
  const phases: Array<LanePhase> = []
  let tell: (message: ToLane) => void = () => {}
  const logger = Logger.make(({ message }) => {
    lines.push(String(message))
  })
  const fiber = Effect.runFork(
    runLane({
      ...options,
      pages,
      chain: testChain,
      threads: 1,
      upkeep: { ...upkeepDefaults, ...upkeep },
      isCopied: false,
      observe: (from, _, to) => {
        if (to !== from) phases.push(to)
      },
      port: {
        post: message => {
          send?.(message)
          posted.push(message)
        },
        onMessage: listener => {
          tell = listener
        },
        close: () => {}
      }
    }).pipe(Effect.scoped, Effect.provide(Logger.layer([logger])))
  )
  return {
    fiber,
    lines,
    phases,
    posted,
    tell: (message: ToLane) => tell(message),
    /** the first message of a type, waited for */
    posts: <T extends FromLane["type"]>(type: T) =>
      eventually(
        type,
        () =>
          (posted.find(one => one.type === type) as Extract<FromLane, { type: T }> | undefined) ??
          null,
        PATIENCE_MS,
        10
      ),
    /** the first status that fits, waited for */
    status: (what: string, fits: (status: LaneStatus) => boolean) =>
      eventually(
        what,
        () => posted.flatMap(one => (one.type === "status" ? [one.status] : [])).find(fits) ?? null,
        PATIENCE_MS,
        10
      ),
    stop: () => Effect.runPromise(Fiber.interrupt(fiber))
  }
}
