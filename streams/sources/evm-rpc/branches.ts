/**
 * Looks whether endpoints stand on the log's branch. Just behind the head they may differ for a
 * moment. Who still has another block some way behind it at the next look stands elsewhere: what it
 * says is not followed while others are as far, and whoever configured it should know.
 */
import { Effect } from "effect"
import type { View } from "./endpoints.ts"
import { isSame, type SealedBlock } from "./recent-blocks.ts"
import type { RpcLane } from "./rpc-lane.ts"

/** Blocks behind the log's end of which endpoints are asked. */
const DEPTH = 8
/** Polls of the head between two looks. */
const POLLS_PER_LOOK = 60

/** The labels of those that have another block of this number than the log. */
const opposedTo = (
  { endpoints }: RpcLane,
  block: SealedBlock,
  views: ReadonlyArray<View>
): ReadonlySet<string> =>
  new Set(
    views.flatMap(({ place, asked }) =>
      asked === null || isSame(block, asked) ? [] : [endpoints.labelOf(place)]
    )
  )

const wordsOf = ({ chain }: RpcLane, label: string, { number, hash }: SealedBlock): string =>
  `${label} has another block ${number} of ${chain.key} than the log (${hash}), and stands by it: ` +
  `it is on another branch, or of another chain. Its word is not followed while others are as far; ` +
  `see RPC_${chain.id}`

/** Who had another block than the log at the last look, and whose warning stands since. */
interface Seen {
  readonly opposed: ReadonlySet<string>
  readonly warnedOf: ReadonlySet<string>
}

const NOBODY: Seen = { opposed: new Set(), warnedOf: new Set() }

/** One look; answers what the next is to know. */
const look = (lane: RpcLane, before: Seen) =>
  Effect.gen(function* () {
    const { endpoints, recent, status, chain } = lane
    const block = recent.at((recent.last?.number ?? 0) - DEPTH)
    if (block === null || block.hash === null) return before
    // what ends the source is found by whoever follows the head
    const views = yield* Effect.catch(endpoints.views(block.number), () => Effect.succeed([]))
    // a reorganisation that was followed meanwhile
    if (recent.at(block.number)?.hash !== block.hash) return before
    const opposed = opposedTo(lane, block, views)
    const lasting = [...opposed].filter(label => before.opposed.has(label))
    const words = new Map(lasting.map(label => [label, wordsOf(lane, label, block)]))
    for (const [label, text] of words) {
      if (!before.warnedOf.has(label)) yield* Effect.logWarning(`${chain.key}: ${text}`)
    }
    const ours = views.filter(({ asked }) => asked !== null && isSame(block, asked)).length
    status.elsewhere = [...words.values()]
    status.disputed = lasting.length >= ours ? (status.elsewhere[0] ?? null) : null
    return { opposed, warnedOf: new Set(lasting) }
  })

/** Looks for ever, where there is more than one endpoint to compare. */
export const watchBranches = (lane: RpcLane, pollMs: number): Effect.Effect<void> =>
  Effect.gen(function* () {
    if (lane.endpoints.count < 2) return
    for (let seen = NOBODY; ; ) {
      yield* Effect.sleep(pollMs * POLLS_PER_LOOK)
      seen = yield* look(lane, seen)
    }
  })
