/** Reads what a log lacks from its chain's source, as long as the source makes progress. */
import { Effect } from "effect"
import type { LaneStatus } from "../../engine/lane/status.ts"
import { steadyMillis } from "../platform/elapsed.ts"
import { watchNats } from "../platform/nats-watch.ts"
import { startLane } from "./lane-set.ts"
import { progressBar } from "./progress.ts"
import { checkedChain } from "./proven-chain.ts"
import type { ChainSetting, Settings } from "./settings.ts"

/** What to read again, and with which settings. */
export interface Again {
  readonly folder: string
  readonly natsUrl: string
  readonly setting: ChainSetting
  readonly settings: Settings
  /** number of the last block that was kept */
  readonly block: number
  /** milliseconds without progress after which reading ends */
  readonly patienceMs: number
}

/** How reading ended; `problem` is null where the log holds all blocks that the source had. */
export interface ReadAgain {
  readonly problem: string | null
  readonly seq: number
  readonly block: number | null
  /** number of pinned tokens, and of those whose earlier transfers are all joined */
  readonly pins: number
  readonly whole: number
}

/** Returns a text that changes whenever the source makes progress. */
const standOf = ({ seq, logSeq, source }: LaneStatus): string => {
  const pins = source?.pins.map(({ token, reachedBlock, state }) => [token, reachedBlock, state])
  return JSON.stringify([seq, logSeq, source?.emittedBlock, pins])
}

/** Waits until the source's head is in the tables and returns null, or why reading gave up. */
const waitFor = (
  status: () => LaneStatus,
  { block, patienceMs, setting }: Again,
  show: (share: number) => void
) =>
  Effect.gen(function* () {
    // The head moves on, so the first head of the live source is the target.
    let target: number | null = null
    let [stand, since] = ["", yield* steadyMillis]
    for (;;) {
      const now = yield* steadyMillis
      const told = status()
      const { state, seq, logSeq, source } = told
      const at = told.block ?? 0
      target ??= source?.state === "live" ? source.headBlock : null
      if (target !== null && at >= target && state === "live" && seq === logSeq) return null
      const head = target ?? source?.headBlock ?? null
      if (head !== null && head > block) show(Math.min(1, (at - block) / (head - block)))
      const next = standOf(told)
      if (next !== stand) [stand, since] = [next, now]
      if (now - since > patienceMs) {
        const why = source?.problem ?? told.problem ?? "its nodes tell nothing new"
        return `nothing came from the source of ${setting.chain.key} for ${patienceMs / 1_000} s: ${why}`
      }
      yield* Effect.sleep(100)
    }
  })

/** Runs a lane until it has read all blocks that its source had, or progress stops. */
export const readAgain = (again: Again) =>
  Effect.gen(function* () {
    const { folder, natsUrl, setting, settings } = again
    const chain = yield* checkedChain(setting.chain, setting.endpoints, folder)
    const { silentMs } = yield* watchNats(natsUrl)
    const own = { ...settings, dataDir: folder }
    const { client } = yield* startLane(
      { ...setting, chain },
      { settings: own, natsUrl, serverSilentMs: silentMs, json: false }
    )
    const bar = progressBar(`reading ${chain.key} again`, 1)
    const problem = yield* waitFor(client.status, again, bar.at).pipe(
      Effect.ensuring(Effect.sync(bar.end))
    )
    const { seq, block, source } = client.status()
    const pins = source?.pins.filter(({ state }) => state !== "unpinned") ?? []
    const whole = pins.filter(({ complete }) => complete).length
    return { problem, seq, block, pins: pins.length, whole } satisfies ReadAgain
  }).pipe(Effect.scoped)
