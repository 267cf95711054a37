/**
 * When tokens are to be read again. Supplies change and proxies are upgraded, so a token that
 * trades is read once an hour of the chain's time; one without decimals sooner, less and less
 * often; one of which a mint or burn was seen at once, but none more than once a minute.
 * Which pools hold which tokens is known as far as it was told since the start.
 */
import { forgetOldest } from "./forget-oldest.ts"

/** Seconds between two reads of a token. */
const EVERY = 3600
/** Seconds until a token without decimals is read again; doubled each time. */
const SOON = 60
/** Seconds between two reads of a token whatever happens to it. */
const LEAST = 60

interface Entry {
  /** block time of the last read that was begun; null before the first */
  last: number | null
  /** block time of the next read */
  at: number
  wait: number
  /** whether its decimals could not be read */
  lacking: boolean
  /** how often a transfer of it may yet be looked for, to compare it with what a pool sent */
  looks: number
}

/** Receipts that are asked for until one shows a transfer; some tokens log none. */
const LOOKS = 3

/** Pools, and tokens, that are remembered at most: the longest known are forgotten. */
const MOST = 100_000

const remember = <V>(map: Map<string, V>, key: string, value: V): void => {
  map.set(key, value)
  forgetOldest(map, MOST)
}

/** Spreads the reads of tokens that were known before the start. */
const spread = (token: string): number => Number.parseInt(token.slice(-6), 16) % EVERY

export class TokenReads {
  private readonly entries = new Map<string, Entry>()
  private readonly poolTokens = new Map<string, ReadonlyArray<string>>()
  /** to be read as soon as may be, the longest known first */
  private readonly wanted = new Set<string>()
  /** a read is under way: one at a time */
  busy = false

  /** A pool that a factory's or a manager's event told of. */
  created(pool: string, tokens: ReadonlyArray<string>): void {
    remember(this.poolTokens, pool, tokens)
  }

  tokensOf(pool: string): ReadonlyArray<string> | null {
    return this.poolTokens.get(pool) ?? null
  }

  /** A token was read in a block of this time. */
  read(token: string, time: number, hasDecimals: boolean): void {
    const before = this.entries.get(token)
    const soon = before?.lacking === true ? Math.min(EVERY, before.wait * 2) : SOON
    const wait = hasDecimals ? EVERY : soon
    const lacking = !hasDecimals
    const entry = { at: time + wait, wait, lacking, looks: LOOKS, last: time }
    remember(this.entries, token, entry)
  }

  /** It traded: to be read where the last read is old. */
  traded(token: string, time: number): void {
    const entry = this.entries.get(token)
    if (entry === undefined) this.know(token, time + spread(token))
    else if (time >= entry.at) this.wanted.add(token)
  }

  /** Its supply changed, or may have, or what was told of it was undone. */
  changed(token: string): void {
    this.wanted.add(token)
  }

  /** Up to so many that are to be read now: they are taken to be, unless `changed` again. */
  take(most: number, time: number): ReadonlyArray<string> {
    const taken: Array<string> = []
    for (const token of this.wanted) {
      if (taken.length === most) break
      const entry = this.entries.get(token) ?? this.know(token, time + EVERY)
      if (entry.last !== null && time < entry.last + LEAST) continue
      entry.last = time
      this.wanted.delete(token)
      taken.push(token)
    }
    return taken
  }

  isUnchecked(token: string): boolean {
    return (this.entries.get(token)?.looks ?? 0) > 0
  }

  checked(token: string): void {
    const entry = this.entries.get(token)
    if (entry !== undefined) entry.looks = 0
  }

  /** A receipt that was asked for shows no transfer of it. */
  looked(token: string): void {
    const entry = this.entries.get(token)
    if (entry !== undefined && entry.looks > 0) entry.looks--
  }

  forget(token: string): void {
    this.entries.delete(token)
    this.wanted.delete(token)
    this.poolTokens.delete(token)
  }

  private know(token: string, at: number): Entry {
    const entry = { at, wait: EVERY, lacking: false, looks: LOOKS, last: null }
    remember(this.entries, token, entry)
    return entry
  }
}
