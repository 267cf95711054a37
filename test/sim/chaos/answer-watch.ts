/** All that an engine answers of its market while things happen to it, by log position. */
import { setTimeout as sleep } from "node:timers/promises"
import { type Got, get } from "../../support/get.ts"
import type { Stand } from "./positions.ts"
import { Watch } from "./watch.ts"

/** One answer as it was first given, and when, by `performance.now`. */
export interface Seen {
  readonly url: string
  /** which of the engine's logs the position is of: a mended log is another */
  readonly era: number
  readonly seq: number
  readonly text: string
  readonly at: number
  lastAt: number
}

const ENVELOPE = /^\{"error":"[A-Z_]+","message":"[^"]+"\}$/
const PATIENCE_MS = 5000
const PAUSE_MS = 60

/**
 * What is of no block: positions, which are of one engine's log, and whether the newest block is old
 * by the clock.
 */
const OF_NO_BLOCK = /"(?:seq|asOf)":(?:\d+|null),?|"stale":(?:true|false),?/g

/** Asks all routes at every position that the engine stands at. */
export class AnswerWatch extends Watch {
  readonly faults = new Set<string>()
  readonly seen = new Map<string, Seen>()
  /** answers that only said that there is none now */
  refused = 0
  /** the position of which every route was last asked */
  sweptSeq = 0
  era = 0
  private readonly origin: string
  private readonly urls: ReadonlyArray<string>

  constructor(origin: string, urls: ReadonlyArray<string>) {
    super()
    this.origin = origin
    this.urls = urls
  }

  protected override async run(): Promise<void> {
    while (!this.isStopped) {
      const before = await this.ask(this.urls[0] ?? "")
      if (before === null || before === this.sweptSeq) await sleep(PAUSE_MS)
      else await this.sweep(before)
    }
  }

  private async sweep(before: number): Promise<void> {
    let isOne = true
    for (const url of this.urls.slice(1)) isOne = (await this.ask(url)) === before && isOne
    if (isOne) this.sweptSeq = before
  }

  /** The position of the answer; null where there was none. */
  private async ask(url: string): Promise<number | null> {
    const { era } = this
    try {
      return this.take(url, era, await get(this.origin + url, {}, PATIENCE_MS))
    } catch {
      // nobody there, or nobody awake: health is judged elsewhere
      await sleep(PAUSE_MS)
      return null
    }
  }

  private take(url: string, era: number, { status, headers, text }: Got): number | null {
    const told = headers["x-log-seq"]
    if (status === 503) {
      this.refused++
      if (!ENVELOPE.test(text)) this.faults.add(`${url}: 503 without its envelope: ${text}`)
      return null
    }
    if (told === undefined || (status !== 200 && status !== 404)) {
      this.faults.add(`${url}: ${status} at ${told}: ${text.slice(0, 300)}`)
      return null
    }
    const seq = Number(told)
    const known = this.seen.get(`${era} ${seq} ${url}`)
    const plain = `${status} ${text.replace(OF_NO_BLOCK, "")}`
    const at = performance.now()
    if (known === undefined) {
      this.seen.set(`${era} ${seq} ${url}`, { url, era, seq, text: plain, at, lastAt: at })
    } else {
      known.lastAt = at
      if (known.text !== plain) this.faults.add(twoOf(`${url} at ${seq}`, known.text, plain))
    }
    return seq
  }
}

/** Where two texts differ, in short. */
const twoOf = (what: string, one: string, other: string): string => {
  let at = 0
  while (one[at] === other[at]) at++
  const part = (text: string) => text.slice(Math.max(0, at - 150), at + 150)
  return `${what}\n  ${part(one)}\n  ${part(other)}`
}

export interface Compared {
  readonly equal: number
  /** answers of blocks at which the other engine was not asked */
  readonly unknown: number
  readonly unequal: ReadonlyArray<Unequal>
}

/** An answer that is not that of its block, while all that the route answers is not. */
export interface Unequal {
  /** whether the engine itself declares blocks missing */
  readonly isDeclared: boolean
  /** when the first of such answers was given, and this one last, by `performance.now` */
  readonly since: number
  readonly lastAt: number
  readonly difference: string
}

/** Compares what was seen of one engine, in its order, with the other's answers of the same block. */
export const compareSeen = (
  seen: Iterable<Seen>,
  standOf: (era: number, seq: number) => Stand | undefined,
  references: ReadonlyMap<string, string>
): Compared => {
  let [equal, unknown] = [0, 0]
  const unequal: Array<Unequal> = []
  const since = new Map<string, number>()
  for (const { url, era, seq, text, at, lastAt } of seen) {
    const stand = standOf(era, seq)
    const reference = references.get(`${stand?.hash} ${url}`)
    if (stand === undefined || stand.hash === null || reference === undefined) unknown++
    else if (reference === text) {
      equal++
      since.delete(url)
    } else {
      const begun = since.get(url) ?? at
      since.set(url, begun)
      const difference = twoOf(`${url} at ${seq}`, reference, text)
      unequal.push({ isDeclared: stand.hasGaps, since: begun, lastAt, difference })
    }
  }
  return { equal, unknown, unequal }
}

/** Answers by block and URL, of an engine to which nothing happened. */
export const referencesOf = (
  watch: AnswerWatch,
  stands: ReadonlyArray<Stand>
): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (const { url, seq, text } of watch.seen.values()) {
    const hash = stands[seq]?.hash
    if (hash === null || hash === undefined) continue
    const before = found.get(`${hash} ${url}`)
    if (before !== undefined && before !== text) {
      watch.faults.add(twoOf(`${url} of block ${hash}, untouched`, before, text))
    }
    found.set(`${hash} ${url}`, text)
  }
  return found
}
