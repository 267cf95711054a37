/** What readers of a chain should know for a while. */
import { Effect } from "effect"
import type { StatusBoard } from "../../status-board.ts"

/** Blocks of the chain for which a warning stays. */
const WARNED_BLOCKS = 10_000

/** Slots between two warnings of one kind, where each block may give one: about a minute. */
const SELDOM_SLOTS = 150

/** Says something about a slot in the status, for a while, and in the engine's own lines. */
export const warn = (
  status: StatusBoard<"solana-rpc">,
  words: string,
  slot: number
): Effect.Effect<void> =>
  Effect.suspend(() => {
    status.warn(words, slot + WARNED_BLOCKS)
    return Effect.logWarning(words)
  })

/** Slots at which was warned last, by kind. */
export type WarnedAt = Map<string, number>

/** Warns of what every block may bring: not again of one kind for a while. */
export const warnSeldom = (
  { status, warnedAt }: { status: StatusBoard<"solana-rpc">; warnedAt: WarnedAt },
  kind: string,
  words: string,
  slot: number
): Effect.Effect<void> =>
  Effect.suspend(() => {
    const last = warnedAt.get(kind)
    if (last !== undefined && Math.abs(slot - last) < SELDOM_SLOTS) return Effect.void
    warnedAt.set(kind, slot)
    return warn(status, words, slot)
  })
