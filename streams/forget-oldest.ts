/** Bounds what is remembered: of a map or set the keys that were put in first are dropped. */
export const forgetOldest = (known: Map<string, unknown> | Set<string>, most: number): void => {
  for (const key of known.keys()) {
    if (known.size <= most) return
    known.delete(key)
  }
}
