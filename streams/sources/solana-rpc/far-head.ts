/**
 * Heads that nothing stands behind. A head far ahead of what is known is believed where its
 * endpoint shows a block near to it, as every node can: a lane that was off for days has such a
 * head, as has an endpoint among others that are behind.
 */
import { Effect } from "effect"
import type { RpcError } from "../../../src/platform/rpc-error.ts"
import type { Certainty } from "../../../src/platform/solana-rpc.ts"
import { wholeNumber } from "../../solana/transaction/fields.ts"
import type { Nodes } from "./nodes.ts"
import type { Seat } from "./told-block.ts"
import { WARNED_BLOCKS } from "./warning.ts"
import { blamed, wrongAnswer } from "./wrong-answer.ts"

/** Slots of which the blocks are listed at once; no node refuses so few. */
export const LISTED_SLOTS = 500

/** Slots between a head and a block that stands for it: the newest that is sure is a block's. */
const NEAR_SLOTS = 32
/** Blocks that it is asked for, as it lists them: the newest may not be there yet. */
const MOST_ASKED = 4
/** No chain makes slots faster, whatever its own pace; and what a time of a block may be off. */
const SHORTEST_SLOT_MS = 10
const TIME_SLACK_MS = 5_000

/** A slot that has a block, and the block's time where one is told. */
export interface KnownSlot {
  readonly slot: number
  readonly timeSeconds: number | null
}

/** Whether more slots lie between two blocks than their times have room for. */
const isTooSoon = (known: KnownSlot, later: KnownSlot): boolean => {
  if (known.timeSeconds === null || later.timeSeconds === null) return false
  const passedMs = (later.timeSeconds - known.timeSeconds) * 1000 + TIME_SLACK_MS
  return (later.slot - known.slot) * SHORTEST_SLOT_MS > passedMs
}

/** A block near to a head that its endpoint shows; null where it shows none that may be true. */
const blockNear = (nodes: Nodes, seat: Seat, head: number, certainty: Certainty) =>
  Effect.gen(function* () {
    const from = Math.max(0, head - NEAR_SLOTS + 1)
    const slots = yield* nodes.slotsOf(seat, from, head, certainty)
    for (const slot of slots.slice(-MOST_ASKED).toReversed()) {
      const told = yield* nodes.blockOf(seat, slot, "none", certainty)
      if (told._tag === "Untold") continue
      const found = { slot, timeSeconds: told.block.timeSeconds }
      if (!isTooSoon(nodes.known, found)) return found
    }
    return null
  })

/** The newest slot that an endpoint lists among those after what is known. */
const listedNext = (nodes: Nodes, seat: Seat, certainty: Certainty) => {
  const { slot } = nodes.known
  return Effect.map(
    nodes.slotsOf(seat, slot, slot + LISTED_SLOTS - 1, certainty),
    slots => slots[slots.length - 1] ?? slot
  )
}

/**
 * The newest slot that an endpoint is sure of. One far ahead that it shows no block near to is a
 * wrong answer; where nobody else can be asked, the newest that it lists of the next ones is taken.
 */
export const headOf = (
  nodes: Nodes,
  seat: Seat,
  certainty: Certainty
): Effect.Effect<number, RpcError> =>
  Effect.gen(function* () {
    const head = wholeNumber(yield* seat.endpoint.getSlot(certainty))
    if (head === null) return yield* wrongAnswer(seat, "getSlot")
    if (head <= nodes.known.slot + NEAR_SLOTS) return head
    const near = yield* blockNear(nodes, seat, head, certainty)
    if (near !== null) {
      nodes.saw(near)
      return head
    }
    const reason =
      `slot ${head} is told to be the newest, and no block of the last ` +
      `${NEAR_SLOTS} slots up to it is shown`
    const words = `${seat.health.label} getSlot: ${reason}`
    nodes.status.warn(words, Math.max(0, nodes.known.slot) + WARNED_BLOCKS, "head")
    const isAlone = nodes.labels.size === 1 && nodes.known.slot >= 0
    if (!isAlone) return yield* wrongAnswer(seat, "getSlot", reason)
    yield* blamed(seat, words)
    return yield* listedNext(nodes, seat, certainty)
  })
