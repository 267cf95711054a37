/** Pools by their tokens and pairs of them, in the order in which they were told of. */

export interface PoolIndex<P> {
  /**
   * Adds a pool under its tokens, each once; the returned function takes it out again. Null where
   * it stood under all of them.
   */
  readonly add: (pool: P, tokens: ReadonlyArray<string>) => (() => void) | null
  readonly between: (tokenA: string, tokenB: string) => ReadonlyArray<P>
  readonly of: (token: string) => ReadonlyArray<P>
}

const pairKey = (a: string, b: string): string => (a < b ? `${a} ${b}` : `${b} ${a}`)

/** The keys that a pool stands under: its tokens, and each two of them. */
const keysOf = (tokens: ReadonlyArray<string>): ReadonlyArray<string> => {
  const each = [...new Set(tokens)]
  const pairs = each.flatMap((a, i) => each.slice(i + 1).map(b => pairKey(a, b)))
  return [...each, ...pairs]
}

export const poolIndex = <P>(): PoolIndex<P> => {
  const pools = new Map<string, Set<P>>()
  const listed = (key: string): ReadonlyArray<P> => [...(pools.get(key) ?? [])]
  const remove = (key: string, pool: P): void => {
    const under = pools.get(key)
    under?.delete(pool)
    if (under?.size === 0) pools.delete(key)
  }
  return {
    add: (pool, tokens) => {
      // told again, a pool stands where it stood
      const added = keysOf(tokens).filter(key => pools.get(key)?.has(pool) !== true)
      if (added.length === 0) return null
      for (const key of added) {
        const under = pools.get(key) ?? new Set()
        pools.set(key, under.add(pool))
      }
      return () => {
        for (const key of added) remove(key, pool)
      }
    },
    between: (a, b) => listed(pairKey(a, b)),
    of: listed
  }
}
