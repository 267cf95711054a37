/** What is found out once of each object and then known; it must not be changed after that. */
export const foundOnce = <K extends object, V>(find: (of: K) => V): ((of: K) => V) => {
  const known = new WeakMap<K, { readonly found: V }>()
  return of => {
    let before = known.get(of)
    if (before === undefined) {
      before = { found: find(of) }
      known.set(of, before)
    }
    return before.found
  }
}
