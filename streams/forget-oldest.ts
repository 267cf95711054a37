/** Bounds what is remembered: of a map or set the keys that were put in first are dropped. */
export const forgetOldest = <K>(known: Map<K, unknown> | Set<K>, most: number): void => {
  for (const key of known.keys()) {
    if (known.size <= most) return
    known.delete(key)
  }
}
