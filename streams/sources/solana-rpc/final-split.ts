/**
 * Looks whether endpoints tell the same final chain. Final blocks are no matter of time: who tells
 * another one at two looks is on another chain, and whoever configured it should know.
 */
import { Effect } from "effect"
import type { SolanaLane } from "./lane.ts"
import type { NodeError } from "./nodes.ts"

/** What was seen at the last look. */
interface Seen {
  /** looks in a row at which an endpoint that had told another block told nothing */
  readonly silent: ReadonlyMap<string, number>
  /** labels that told another final block than the log has */
  readonly opposed: ReadonlySet<string>
  /** those of which a line was written */
  readonly warnedOf: ReadonlySet<string>
}

const wordsOf = (label: string, theirs: string, slot: number, ours: string, by: string): string =>
  `${label} and ${by} tell different final chains: slot ${slot} is block ${theirs} to ${label}, and ` +
  `${ours} to ${by}, as in the log; no block counts as told by two endpoints while they do, ` +
  "see RPC_SOLANA"

/** Looks at which an endpoint tells nothing, after which what it told before is forgotten. */
const MOST_SILENT = 10

/** One look, where there is a final block; answers what the next is to know. */
const look = (lane: SolanaLane, seen: Seen): Effect.Effect<Seen, NodeError> =>
  Effect.gen(function* () {
    const { opposed, warnedOf } = seen
    const { links, nodes, status } = lane
    const link = links.upTo(links.finalSlot)
    if (link === null) return seen
    const views = yield* nodes.views(link.slot, "finalized")
    // what was gone back behind meanwhile
    if (!links.all.includes(link)) return seen
    const told = new Map<string, string>()
    for (const { by, block } of views) {
      if (block !== null) told.set(nodes.labelOf(by), block.hash)
    }
    const [ours = "the log"] = [...told].flatMap(([label, hash]) =>
      hash === link.hash ? [label] : []
    )
    const silent = new Map(
      [...opposed]
        .filter(label => !told.has(label))
        .map(label => [label, (seen.silent.get(label) ?? 0) + 1] as const)
    )
    // who does not answer now stands where it stood, for a while
    const others = [...nodes.labels].filter(label =>
      told.has(label)
        ? told.get(label) !== link.hash
        : (silent.get(label) ?? MOST_SILENT) < MOST_SILENT
    )
    nodes.isSplit = others.length > 0
    const lasting = others.filter(
      label => warnedOf.has(label) || (opposed.has(label) && told.has(label))
    )
    const words = lasting.map(label =>
      wordsOf(label, told.get(label) ?? "another", link.slot, link.hash, ours)
    )
    for (const [at, label] of lasting.entries()) {
      if (!warnedOf.has(label)) yield* Effect.logWarning(words[at])
    }
    status.elsewhere = words
    return { opposed: new Set(others), warnedOf: new Set(lasting), silent }
  })

/** Looks at what endpoints tell of the newest final block, every time it is run. */
export const finalSplitWatch = (lane: SolanaLane): Effect.Effect<void, NodeError> => {
  let seen: Seen = { opposed: new Set(), warnedOf: new Set(), silent: new Map() }
  return Effect.suspend(() =>
    Effect.map(look(lane, seen), next => {
      seen = next
    })
  )
}
