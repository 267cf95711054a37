/** Heads that nothing stands behind: the newest slot that a node names has a block of the chain. */
import { Effect } from "effect"
import type { Certainty } from "../../../src/platform/solana-rpc.ts"
import { wholeNumber } from "../../solana/transaction/fields.ts"
import type { SourceError } from "../../source.ts"
import type { Nodes } from "./nodes.ts"
import { warnSeldom } from "./warning.ts"

/** Slots of which the blocks are listed at once; no node refuses so few. */
export const LISTED_SLOTS = 500

/**
 * Asks the endpoint in use for its head and the blocks of the last slots up to it. Where it lists
 * none, the head was told wrong: the endpoint is named and rests. Returns whether that is so.
 */
export const isHeadWrong = (
  nodes: Nodes,
  certainty: Certainty
): Effect.Effect<boolean, SourceError> =>
  Effect.gen(function* () {
    const { asking, status } = nodes
    const { used } = asking.pool
    const told = yield* asking.once("getSlot and getBlocks", [used], ({ endpoint }) =>
      Effect.gen(function* () {
        const head = wholeNumber(yield* endpoint.getSlot(certainty)) ?? 0
        const from = Math.max(0, head - LISTED_SLOTS + 1)
        const slots = yield* endpoint.getBlocks(from, head, certainty)
        return { head, isEmpty: Array.isArray(slots) && slots.length === 0 }
      })
    )
    if (told === null || !told.value.isEmpty) return false
    const { label } = used.health
    const words = `${label} says that slot ${told.value.head} is the newest`
    const why = `${words}, and lists no block in the last ${LISTED_SLOTS} up to it`
    // others are behind no such head
    used.health.head = null
    status.headsDoubted()
    yield* asking.distrust(told.by, why)
    yield* warnSeldom(nodes, `head of ${label}`, why, status.read().emittedBlock ?? 0)
    return true
  })
