/** What readers of a chain should know for a while. */
import { Effect } from "effect"
import type { Seldom } from "../../../src/platform/seldom.ts"
import type { StatusBoard } from "../../status-board.ts"

/** Blocks of the chain for which a warning stays. */
const WARNED_BLOCKS = 10_000

/** Between two warnings of one kind, where each block may give one. */
export const SELDOM_MS = 60_000

/** Says something about a slot in the status, for a while; whoever is blamed for it is logged. */
export const show = (
  status: StatusBoard<"solana-rpc">,
  words: string,
  slot: number
): Effect.Effect<void> => Effect.sync(() => status.warn(words, slot + WARNED_BLOCKS))

/** Says something about a slot in the status, for a while, and in the engine's own lines. */
export const warn = (
  status: StatusBoard<"solana-rpc">,
  words: string,
  slot: number
): Effect.Effect<void> => Effect.andThen(show(status, words, slot), Effect.logWarning(words))

/** Warns of what every block may bring: not again of one kind for a while. */
export const warnSeldom = (
  { status, warned }: { status: StatusBoard<"solana-rpc">; warned: Seldom<string> },
  kind: string,
  words: string,
  slot: number
): Effect.Effect<void> => warned.say(kind, warn(status, words, slot))
