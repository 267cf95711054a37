/** A constant that is dear to make, made when it is first asked for. */
export const onceAsked = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
