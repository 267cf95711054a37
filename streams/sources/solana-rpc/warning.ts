/** What readers of a chain should know for a while. */
import { Effect } from "effect"
import { sayLately } from "../../endpoints/said.ts"
import type { StatusBoard } from "../../status-board.ts"

/** Blocks of the chain for which a warning stays. */
export const WARNED_BLOCKS = 10_000

type Board = StatusBoard<"solana-rpc">

/** Says something about a slot in the status, for a while; whoever is blamed for it is logged. */
export const show = (status: Board, words: string, slot: number): Effect.Effect<void> =>
  Effect.sync(() => status.warn(words, slot + WARNED_BLOCKS))

/** Says something about a slot in the status, for a while, and in the engine's own lines. */
export const warn = (status: Board, words: string, slot: number): Effect.Effect<void> =>
  Effect.andThen(show(status, words, slot), Effect.logWarning(words))

/**
 * Warns of what every block may bring: the status has the newest of a kind, so that it names who
 * does it now, and the log has a line a minute of each that does it.
 *
 * @param what the kind, and the endpoints that are named
 */
export const warnSeldom = (
  { status }: { readonly status: Board },
  what: readonly [kind: string, ...who: ReadonlyArray<string>],
  words: string,
  slot: number
): Effect.Effect<void> =>
  Effect.suspend(() => {
    const [kind, ...who] = what
    status.warn(words, slot + WARNED_BLOCKS, kind)
    return sayLately(kind, who, words)
  })
