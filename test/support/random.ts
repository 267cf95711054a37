/** A small seeded generator (sfc32 over a hash of the seed text): the same numbers everywhere. */
export const random = (seed: string) => {
  let h = 0x811c9dc5
  for (let i = 0; i < seed.length; i++) h = Math.imul(h ^ seed.charCodeAt(i), 0x01000193)
  let [a, b, c, d] = [h | 0, Math.imul(h, 0x9e3779b1), h ^ 0x5bd1e995, 1]
  const next = (): number => {
    const t = (a + b + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + t
    return (t >>> 0) / 4294967296
  }
  for (let i = 0; i < 16; i++) next()
  const int = (limit: number): number => Math.floor(next() * limit)
  return { next, int, pick: <T>(items: ReadonlyArray<T>): T => items[int(items.length)] as T }
}
