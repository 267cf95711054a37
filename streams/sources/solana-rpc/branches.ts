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

/** Where an endpoint stood when it was heard last, and for how many looks it has told nothing. */
interface Stand {
  readonly isOurs: boolean
  readonly silentLooks: number
}

/** What was seen at the last look. */
interface Seen {
  readonly stands: ReadonlyMap<string, Stand>
  /** labels of which a line was written */
  readonly warnedOf: ReadonlySet<string>
}

const NOTHING: Seen = { stands: new Map(), warnedOf: new Set() }

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

/** Where each endpoint stands: who does not answer now where it stood, for a while. */
const standsOf = (
  { labels }: Nodes,
  { hash }: Link,
  told: ReadonlyMap<string, string>,
  before: Seen["stands"]
): ReadonlyMap<string, Stand> =>
  new Map(
    [...labels].flatMap((label): ReadonlyArray<readonly [string, Stand]> => {
      const theirs = told.get(label)
      if (theirs !== undefined) return [[label, { isOurs: theirs === hash, silentLooks: 0 }]]
      const last = before.get(label)
      return last === undefined || last.silentLooks >= MOST_SILENT
        ? []
        : [[label, { ...last, silentLooks: last.silentLooks + 1 }]]
    })
  )

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
    const { warnedOf } = seen
    const { links, nodes, status } = lane
    const link = linkOfAll(lane, yield* steadyMillis)
    if (link === null) return seen
    const told = yield* toldBy(nodes, link)
    // what was gone back behind meanwhile
    if (!links.all.includes(link)) return seen
    const stands = standsOf(nodes, link, told, seen.stands)
    const labelsOf = (isOurs: boolean) =>
      [...stands].flatMap(([label, stand]) => (stand.isOurs === isOurs ? [label] : []))
    const [ours, others] = [labelsOf(true), labelsOf(false)]
    nodes.split.isSplit = others.length > 0 && mostAlike(told, others) >= ours.length
    const lasting = others.filter(
      label => warnedOf.has(label) || (seen.stands.get(label)?.isOurs === false && told.has(label))
    )
    const tellers = ours.filter(label => told.has(label))
    const by = tellers[0] ?? ours[0] ?? "the log"
    const words = lasting.map(label => wordsOf(label, told.get(label) ?? "another", link, by))
    for (const [at, label] of lasting.entries()) {
      if (!warnedOf.has(label)) yield* Effect.logWarning(words[at])
    }
    const against = mostAlike(told, lasting)
    status.elsewhere = words
    const isDisputed = words.length > 0 && against >= ours.length
    status.disputed = isDisputed ? `${words[0]}; ${DISPUTED}` : null
    if (against > ours.length) yield* outvoted(nodes, tellers, link, against)
    return { stands, warnedOf: new Set(lasting) }
  })

/** Looks at what endpoints tell of the newest block that all have, every time it is run. */
export const branchWatch = (lane: SolanaLane): Effect.Effect<void, NodeError> => {
  let seen = NOTHING
  return Effect.suspend(() =>
    Effect.map(look(lane, seen), next => {
      seen = next
    })
  )
}
