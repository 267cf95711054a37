/**
 * When tokens are to be read again. Supplies change and proxies are upgraded, so a token that
 * trades is read once an hour of the chain's time; one without decimals sooner, less and less
 * often.
 * Which pools hold which tokens is known as far as it was told since the start.
 */

/** Seconds between two reads of a token. */
const EVERY = 3600
/** Seconds until a token without decimals is read again; doubled each time. */
const SOON = 60

interface Entry {
  /** block time of the next read */
  at: number
  wait: number
  /** whether its decimals could not be read */
  lacking: boolean
  /** whether a transfer of it is to be compared with what a pool sent */
  unchecked: boolean
}

/** Pools, and tokens, that are remembered at most: the longest known are forgotten. */
const MOST = 100_000

const remember = <V>(map: Map<string, V>, key: string, value: V): void => {
  map.set(key, value)
  if (map.size <= MOST) return
  const [oldest] = map.keys()
  map.delete(oldest as string)
}

/** Spreads the reads of tokens that were known before the start. */
const spread = (token: string): number => Number.parseInt(token.slice(-6), 16) % EVERY

export class TokenReads {
  private readonly entries = new Map<string, Entry>()
  private readonly poolTokens = new Map<string, ReadonlyArray<string>>()
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
    remember(this.entries, token, { at: time + wait, wait, lacking, unchecked: true })
  }

  /** Whether it is time to read the token, which traded. */
  isDue(token: string, time: number): boolean {
    const entry = this.entries.get(token)
    if (entry !== undefined) return time >= entry.at
    const at = time + spread(token)
    remember(this.entries, token, { at, wait: EVERY, lacking: false, unchecked: true })
    return false
  }

  isUnchecked(token: string): boolean {
    return this.entries.get(token)?.unchecked === true
  }

  checked(token: string): void {
    const entry = this.entries.get(token)
    if (entry !== undefined) entry.unchecked = false
  }

  forget(token: string): void {
    this.entries.delete(token)
    this.poolTokens.delete(token)
  }
}
