/**
 * Repeatable randomness: the same seed gives the same draws on every machine. The generator is
 * xoshiro128** (Blackman and Vigna 2018), its state filled by splitmix32 from an FNV-1a hash.
 */
export interface Random {
  /** uniform in [0, 1), 53 bits */
  readonly next: () => number
  /** uniform integer in [low, high] */
  readonly between: (low: number, high: number) => number
  /** true with probability p */
  readonly chance: (p: number) => boolean
  /** standard normal (Box-Muller) */
  readonly normal: () => number
  /** log-normal with this median; sigma is the standard deviation of the logarithm */
  readonly logNormal: (median: number, sigma: number) => number
  readonly pick: <T>(list: ReadonlyArray<T>) => T
  /** an item with probability proportional to its weight; the list is not empty */
  readonly weighted: <T>(list: ReadonlyArray<T>, weight: (item: T) => number) => T
  /** a new array in random order */
  readonly shuffled: <T>(list: ReadonlyArray<T>) => Array<T>
}

const hashText = (text: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

const rotateLeft = (x: number, k: number): number => (x << k) | (x >>> (32 - k))

const xoshiro = (seed: string): (() => number) => {
  let mix = hashText(seed)
  const splitmix = (): number => {
    mix = (mix + 0x9e3779b9) | 0
    let z = Math.imul(mix ^ (mix >>> 16), 0x21f0aaad)
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97)
    return (z ^ (z >>> 15)) | 0
  }
  let [a, b, c, d] = [splitmix(), splitmix(), splitmix(), splitmix()]
  return () => {
    const word = Math.imul(rotateLeft(Math.imul(b, 5), 7), 9) >>> 0
    const t = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= t
    d = rotateLeft(d, 11)
    return word
  }
}

/** A generator for these seed parts, e.g. a run's seed, a chain and a block number. */
export const seededRandom = (...seed: ReadonlyArray<string | number>): Random => {
  const word = xoshiro(seed.join("/"))
  const next = (): number => ((word() >>> 5) * 67108864 + (word() >>> 6)) / 9007199254740992
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  const shuffled = <T>(list: ReadonlyArray<T>): Array<T> => {
    const out = [...list]
    for (let i = out.length - 1; i > 0; i--) {
      const j = Math.floor(next() * (i + 1))
      const held = out[i] as T
      out[i] = out[j] as T
      out[j] = held
    }
    return out
  }
  const weighted = <T>(list: ReadonlyArray<T>, weight: (item: T) => number): T => {
    let left = next() * list.reduce((sum, item) => sum + weight(item), 0)
    return list.find(item => (left -= weight(item)) < 0) ?? (list.at(-1) as T)
  }
  return {
    next,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    chance: p => next() < p,
    normal,
    logNormal: (median, sigma) => median * Math.exp(sigma * normal()),
    pick: list => list[Math.floor(next() * list.length)] as (typeof list)[number],
    weighted,
    shuffled
  }
}
