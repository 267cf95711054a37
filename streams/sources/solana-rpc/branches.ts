/**
 * Looks whether endpoints stand on the log's branch, at the newest block that all who keep up
 * should have. Confirmed blocks are no matter of taste: who tells another one at two looks is on
 * another chain, or makes one up, and whoever configured it should know.
 */
import { Effect } from "effect"
import { steadyMillis } from "../../../src/platform/elapsed.ts"
import type { Link } from "./chain-links.ts"
import type { SolanaLane } from "./lane.ts"
import type { NodeError, Nodes } from "./nodes.ts"

/** What was seen at the last look. */
interface Seen {
  /** looks in a row at which an endpoint that had told another block told nothing */
  readonly silent: ReadonlyMap<string, number>
  /** labels that told another block than the log has */
  readonly opposed: ReadonlySet<string>
  /** those of which a line was written */
  readonly warnedOf: ReadonlySet<string>
}

const NOBODY: Seen = { opposed: new Set(), warnedOf: new Set(), silent: new Map() }

const wordsOf = (label: string, theirs: string, { slot, hash }: Link, by: string): string =>
  `${label} and ${by} tell different chains: slot ${slot} is block ${theirs} to ${label}, and ` +
  `${hash} to ${by}, as in the log; see RPC_SOLANA`

const DISPUTED = "of both chains as many endpoints tell, or more the other one"

/** Looks at which an endpoint tells nothing, after which what it told before is forgotten. */
const MOST_SILENT = 10

/**
 * The newest link that no endpoint is behind, of those that do not rest and keep up with the log:
 * who is ahead of all others would else never be held against them.
 */
const linkOfAll = ({ links, nodes }: SolanaLane, now: number): Link | null => {
  const { all, last } = links
  const [first] = all
  if (first === undefined || last === null) return null
  const heads = nodes.asking.pool.awake(now).flatMap(({ health }) => health.head ?? [])
  return links.upTo(Math.min(last.slot, ...heads.filter(head => head >= first.slot)))
}

/** Each endpoint's block of a link's slot, by label, of those that tell one. */
const toldBy = (nodes: Nodes, { slot }: Link) =>
  Effect.map(nodes.views(slot, "confirmed"), views => {
    const told = new Map<string, string>()
    for (const { by, block } of views) {
      if (block !== null) told.set(nodes.labelOf(by), block.hash)
    }
    return told
  })

/** How many of some endpoints tell the one block that most of them tell. */
const mostAlike = (told: ReadonlyMap<string, string>, labels: ReadonlyArray<string>): number => {
  const hashes = labels.map(label => told.get(label)).filter(hash => hash !== undefined)
  return Math.max(0, ...hashes.map(hash => hashes.filter(one => one === hash).length))
}

/** Blames those that stand by a block of which more endpoints tell another. */
const outvoted = (nodes: Nodes, labels: ReadonlyArray<string>, { slot }: Link, by: number) =>
  Effect.forEach(
    labels,
    label => {
      const words = `${label}: slot ${slot} is told as another block than ${by} others tell`
      return nodes.asking.convict(nodes.placeOf(label), words)
    },
    { discard: true }
  )

/** One look; answers what the next is to know. */
const look = (lane: SolanaLane, seen: Seen): Effect.Effect<Seen, NodeError> =>
  Effect.gen(function* () {
    const { opposed, warnedOf } = seen
    const { links, nodes, status } = lane
    const link = linkOfAll(lane, yield* steadyMillis)
    if (link === null) return seen
    const told = yield* toldBy(nodes, link)
    // what was gone back behind meanwhile
    if (!links.all.includes(link)) return seen
    const ours = [...told].flatMap(([label, hash]) => (hash === link.hash ? [label] : []))
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
    nodes.isSplit = others.length > 0 && mostAlike(told, others) >= ours.length
    const lasting = others.filter(
      label => warnedOf.has(label) || (opposed.has(label) && told.has(label))
    )
    const words = lasting.map(label =>
      wordsOf(label, told.get(label) ?? "another", link, ours[0] ?? "the log")
    )
    for (const [at, label] of lasting.entries()) {
      if (!warnedOf.has(label)) yield* Effect.logWarning(words[at])
    }
    const against = mostAlike(told, lasting)
    status.elsewhere = words
    const isDisputed = words.length > 0 && against >= ours.length
    status.disputed = isDisputed ? `${words[0]}; ${DISPUTED}` : null
    if (against > ours.length) yield* outvoted(nodes, ours, link, against)
    return { opposed: new Set(others), warnedOf: new Set(lasting), silent }
  })

/** Looks at what endpoints tell of the newest block that all have, every time it is run. */
export const branchWatch = (lane: SolanaLane): Effect.Effect<void, NodeError> => {
  let seen = NOBODY
  return Effect.suspend(() =>
    Effect.map(look(lane, seen), next => {
      seen = next
    })
  )
}
