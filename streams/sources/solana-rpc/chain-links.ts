/** The newest blocks that were given out, as links of a chain, and where another one joins it. */
import type { LogBlock } from "../../source.ts"

export interface Link {
  readonly slot: number
  readonly hash: string
  /** null where nobody told it */
  readonly height: number | null
  /** in seconds, as the log or a node has it; null where neither tells it */
  readonly time: number | null
  /** the place of the endpoint that told it; null of what was told before the start */
  readonly by: number | null
  /** the place of the one that told its time; null where its time is that of a block before it */
  readonly timeBy: number | null
}

/** The links of blocks that a log holds; it keeps no heights. */
export const linksOf = (blocks: ReadonlyArray<LogBlock>): ReadonlyArray<Link> =>
  blocks.flatMap(({ number, hash, time = null }) =>
    hash === null ? [] : [{ slot: number, hash, height: null, time, by: null, timeBy: null }]
  )

/** What of a block says where it belongs. */
export interface Joining {
  readonly parentSlot: number
  readonly parentHash: string
  readonly hash: string
  readonly height: number | null
}

export interface Contradiction {
  readonly _tag: "Contradicts"
  readonly reason: string
  readonly link: Link
  readonly slot: number
}

/**
 * Where a block joins: on `ancestor`; its parent is to be asked for first; it contradicts `link`,
 * of which it says that it stands in `slot`, so some answer is wrong; or it is of a branch that
 * left the chain before its first link.
 */
export type Join =
  | { readonly _tag: "Joined"; readonly ancestor: Link }
  | { readonly _tag: "NeedsParent"; readonly slot: number }
  | Contradiction
  | { readonly _tag: "Deeper" }

/**
 * Returns where the block of a slot joins a chain.
 *
 * @param chain its links, oldest first; at least one
 */
export const joinOf = (chain: ReadonlyArray<Link>, slot: number, block: Joining): Join => {
  const { parentSlot, parentHash, hash, height } = block
  const contradiction = (reason: string, link: Link, told: number): Contradiction => ({
    ...{ _tag: "Contradicts", reason, link, slot: told }
  })
  const known = chain.find(link => link.hash === hash)
  if (known !== undefined && known.slot !== slot) {
    return contradiction(`slot ${slot} is told as the block of slot ${known.slot}`, known, slot)
  }
  const ancestor = chain.find(link => link.hash === parentHash)
  if (ancestor === undefined) {
    return parentSlot >= chain[0]!.slot
      ? { _tag: "NeedsParent", slot: parentSlot }
      : { _tag: "Deeper" }
  }
  if (ancestor.slot !== parentSlot) {
    const reason = `slot ${slot} is told with a parent in slot ${parentSlot}, not ${ancestor.slot}`
    return contradiction(reason, ancestor, parentSlot)
  }
  const isCounted = height === null || ancestor.height === null || height === ancestor.height + 1
  if (isCounted) return { _tag: "Joined", ancestor }
  const reason = `slot ${slot} is told with height ${height} on ${ancestor.height}`
  return contradiction(reason, ancestor, ancestor.slot)
}

/** Links that are kept in memory behind the newest final block. */
const KEPT_FINAL = 64

export class ChainLinks {
  private links: Array<Link>
  /** the newest slot whose block is final; -1 before one is known */
  private final = -1

  constructor(links: ReadonlyArray<Link>) {
    this.links = [...links]
  }

  /** oldest first */
  get all(): ReadonlyArray<Link> {
    return this.links
  }

  get last(): Link | null {
    return this.links[this.links.length - 1] ?? null
  }

  get finalSlot(): number {
    return this.final
  }

  push(link: Link): void {
    this.links.push(link)
  }

  /** Takes back what came after a slot, what was final too. */
  cutAfter(slot: number): void {
    this.links = this.links.filter(link => link.slot <= slot)
    this.final = Math.min(this.final, slot)
  }

  /** The height of a link was told wrong. */
  forgetHeight(wrong: Link): void {
    this.links = this.links.map(link => (link === wrong ? { ...link, height: null } : link))
  }

  /** Puts older links before the first. */
  prepend(older: ReadonlyArray<Link>): void {
    this.links = [...older, ...this.links]
  }

  /** The newest link at or before a slot. */
  upTo(slot: number): Link | null {
    return this.links.findLast(link => link.slot <= slot) ?? null
  }

  /** Everything up to this slot is final: most of it need not be kept. */
  settle(slot: number): void {
    this.final = Math.max(this.final, slot)
    const at = this.links.findLastIndex(link => link.slot <= slot)
    if (at > KEPT_FINAL) this.links = this.links.slice(at - KEPT_FINAL)
  }
}
