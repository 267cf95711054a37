/** Draws from 0..n-1 with given weights in constant time: Vose's alias method. */
export const weightedIndex = (
  weights: ReadonlyArray<number>,
  next: () => number
): (() => number) => {
  const n = weights.length
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const scaled = weights.map(weight => (weight * n) / total)
  const small: Array<number> = []
  const large: Array<number> = []
  scaled.forEach((weight, index) => (weight < 1 ? small : large).push(index))
  const keep = new Float64Array(n).fill(1)
  const alias = new Uint32Array(n)
  while (small.length > 0 && large.length > 0) {
    const less = small.pop() as number
    const more = large[large.length - 1] as number
    keep[less] = scaled[less] as number
    alias[less] = more
    scaled[more] = (scaled[more] as number) + (scaled[less] as number) - 1
    if ((scaled[more] as number) < 1) small.push(large.pop() as number)
  }
  return () => {
    const at = Math.floor(next() * n)
    return next() < (keep[at] as number) ? at : (alias[at] as number)
  }
}

/** Zipf's law: the weight of rank k (from 1) is 1 / k^s. */
export const zipfWeights = (n: number, s: number): ReadonlyArray<number> =>
  Array.from({ length: n }, (_, rank) => 1 / (rank + 1) ** s)
